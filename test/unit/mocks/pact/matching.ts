/** Compares a body with an example and its matching rules as Pact does, as far as recorded pacts use them. */

import { isObject, type Json, type JsonObject } from '../../../../core/json.ts';
import { isPathPrefix, parseBodyPath } from '../../../../core/pact/body-path.ts';

/** Rules of a body, by path. */
export type BodyRules = Readonly<Record<string, { readonly combine: string; readonly matchers: readonly JsonObject[] }>>;

type Keys = readonly (string | number)[];

/** Differences from the expected body with the reason; empty when it matches. Extra members are ignored. */
export function mismatches(example: Json, actual: Json | undefined, rules: BodyRules, keys: Keys = []): readonly string[] {
  const where = `$${keys.map((key) => `.${key}`).join('')}`;
  if (actual === undefined) return [`${where} is missing`];
  const rule = ruleAt(rules, keys);
  const failed = rule === undefined ? [] : [failureOf(rule, example, actual)].flatMap((reason) => reason ?? []);
  if (failed.length > 0) return failed.map((reason) => `${where} ${reason}`);
  if (isObject(example))
    return isObject(actual)
      ? Object.keys(example).flatMap((name) => mismatches(example[name] ?? null, actual[name], rules, [...keys, name]))
      : unlessRuled(rule, where);
  if (Array.isArray(example))
    return Array.isArray(actual) ? elements(example as readonly Json[], actual as readonly Json[], rules, keys) : unlessRuled(rule, where);
  return rule === undefined && JSON.stringify(example) !== JSON.stringify(actual) ? [`${where} is not ${JSON.stringify(example)}`] : [];
}

/** The first element of the example stands for every element. */
function elements(example: readonly Json[], actual: readonly Json[], rules: BodyRules, keys: Keys): readonly string[] {
  const [first] = example;
  return first === undefined ? [] : actual.flatMap((each, index) => mismatches(first, each, rules, [...keys, index]));
}

function unlessRuled(rule: unknown, where: string): readonly string[] {
  return rule === undefined ? [`${where} is of another kind`] : [];
}

/** A rule of the place itself; rules by type reach down to what has none of its own. */
function ruleAt(rules: BodyRules, keys: Keys): BodyRules[string] | undefined {
  const reaching = Object.entries(rules)
    .map(([path, rule]) => ({ steps: parseBodyPath(path) ?? [], rule }))
    .filter(({ steps }) => isPathPrefix(steps, keys))
    .toSorted((left, right) => right.steps.length - left.steps.length);
  const [nearest] = reaching;
  if (nearest === undefined || nearest.steps.length === keys.length) return nearest?.rule;
  return nearest.rule.matchers.every(({ match }) => match === 'type') ? { combine: 'AND', matchers: [{ match: 'type' }] } : undefined;
}

function failureOf({ combine, matchers }: BodyRules[string], example: Json, actual: Json): string | undefined {
  const failures = matchers.flatMap((matcher) =>
    satisfies(matcher, example, actual) ? [] : [`does not match ${JSON.stringify(matcher)}`],
  );
  if (combine === 'OR') return failures.length === matchers.length ? failures.join(' nor ') : undefined;
  return failures[0];
}

function satisfies(matcher: JsonObject, example: Json, actual: Json): boolean {
  const tests: Readonly<Record<string, () => boolean>> = {
    equality: () => JSON.stringify(example) === JSON.stringify(actual),
    integer: () => Number.isInteger(actual),
    number: () => typeof actual === 'number',
    boolean: () => typeof actual === 'boolean',
    null: () => actual === null,
    regex: () => typeof actual === 'string' && new RegExp(String(matcher['regex'])).test(actual),
    type: () => kindOf(example) === kindOf(actual) && (!Array.isArray(actual) || actual.length >= Number(matcher['min'] ?? 0)),
  };
  const test = tests[String(matcher['match'])];
  if (test === undefined) throw new Error(`${JSON.stringify(matcher)} is no matcher that a recorded pact has`);
  return test();
}

function kindOf(value: Json): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
