/** Matching rules of a pact, in the flat form of its second version and by category as later ones have them. */

import { type Place, SpecError } from './errors.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { placeOf } from './origin.ts';
import type { BodyPath, Matcher, MatchingRule, MatchingRules } from './pact.ts';
import { parseBodyPath } from './pact-path.ts';

/** A half of an interaction without matching rules. */
export const noMatching: MatchingRules = { path: undefined, query: new Map(), headers: new Map(), status: undefined, body: [] };

/**
 * Reads the `matchingRules` of a request or a response.
 * @throws {SpecError} at what is no rule.
 */
export function readMatching(holder: JsonObject): MatchingRules {
  const rules = holder['matchingRules'];
  if (rules === undefined || rules === null) return noMatching;
  if (!isObject(rules)) throw new SpecError(placeIn(holder, 'matchingRules'), 'matchingRules must be an object of rules by their paths');
  return Object.keys(rules).some((key) => key.startsWith('$')) ? readFlat(rules) : readCategories(rules);
}

/** `$.body.id`, `$.query.limit`, `$.headers.ETag`, `$.path`: one matcher each. */
function readFlat(rules: JsonObject): MatchingRules {
  const found: Found = { query: new Map(), headers: new Map(), body: [], path: undefined, status: undefined };
  for (const key of Object.keys(rules)) {
    const { steps } = pathOf(rules, key);
    const [part, ...rest] = steps;
    const rule = readRule(rules, key);
    if (part === 'path' || part === 'status') found[part] = rule;
    else if (part === 'query') put(found.query, String(rest[0] ?? '*'), rule);
    else if (part === 'headers' || part === 'header') put(found.headers, String(rest[0] ?? '*').toLowerCase(), rule);
    else if (part === 'body') found.body.push({ path: { text: textBelow(key), steps: rest }, rule, place: placeIn(rules, key) });
    else
      throw new SpecError(
        placeIn(rules, key),
        `the rule ${key} is about no part of the message; begin it with $.body, $.headers, $.query or $.path`,
      );
  }
  return found;
}

/** `$.body.id` speaks of `$.id` of the body. */
function textBelow(key: string): string {
  return key.replace(/^\$(\.body|\[['"]body['"]\])/, '$');
}

interface Found {
  query: Map<string, MatchingRule>;
  headers: Map<string, MatchingRule>;
  body: { readonly path: BodyPath; readonly rule: MatchingRule; readonly place: Place }[];
  path: MatchingRule | undefined;
  status: MatchingRule | undefined;
}

function readCategories(rules: JsonObject): MatchingRules {
  return {
    path: readWhole(rules, 'path'),
    status: readWhole(rules, 'status'),
    query: readNamed(rules, 'query', (name) => name),
    headers: new Map([
      ...readNamed(rules, 'headers', (name) => name.toLowerCase()),
      ...readNamed(rules, 'header', (name) => name.toLowerCase()),
    ]),
    body: readBody(rules),
  };
}

/** What has one value has one rule, which some writers put under an empty path. */
function readWhole(rules: JsonObject, category: string): MatchingRule | undefined {
  const rule = rules[category];
  if (rule === undefined) return undefined;
  if (!isObject(rule)) throw new SpecError(placeIn(rules, category), `the rule of the ${category} must be an object with matchers`);
  if (Object.keys(rule).length === 0) return undefined;
  const inner = ['', '$'].find((key) => Object.hasOwn(rule, key));
  return inner === undefined ? readRule(rules, category) : readRule(rule, inner);
}

function readNamed(rules: JsonObject, category: string, settle: (name: string) => string): ReadonlyMap<string, MatchingRule> {
  const named = categoryOf(rules, category);
  const found = new Map<string, MatchingRule>();
  for (const key of Object.keys(named)) put(found, settle(nameOf(key)), readRule(named, key));
  return found;
}

/** `$.limit[0]`, `limit[0]` and `limit` are all the parameter `limit`; a header's name may hold anything but brackets. */
function nameOf(key: string): string {
  const [first] = key.startsWith('$') ? (parseBodyPath(key)?.steps ?? []) : [];
  return first === undefined ? key.replace(/\[(\d+|\*)\]$/, '') : String(first);
}

/** Rules of several values of one parameter hold together. */
function put(rules: Map<string, MatchingRule>, name: string, rule: MatchingRule): void {
  const known = rules.get(name);
  rules.set(name, known === undefined ? rule : { combine: known.combine, matchers: [...known.matchers, ...rule.matchers] });
}

function readBody(rules: JsonObject): MatchingRules['body'] {
  const named = categoryOf(rules, 'body');
  return Object.keys(named).map((key) => ({ path: pathOf(named, key), rule: readRule(named, key), place: placeIn(named, key) }));
}

function categoryOf(rules: JsonObject, category: string): JsonObject {
  const named = rules[category] ?? {};
  if (isObject(named)) return named;
  throw new SpecError(placeIn(rules, category), `the rules of ${category} must be an object of rules by their paths`);
}

function pathOf(holder: JsonObject, key: string): BodyPath {
  const path = parseBodyPath(key);
  if (path !== undefined) return path;
  throw new SpecError(placeIn(holder, key), `${key} is no path of a matching rule; write one such as $.data.items[*].id`);
}

function readRule(holder: JsonObject, key: string): MatchingRule {
  const rule = holder[key];
  if (!isObject(rule)) throw new SpecError(placeIn(holder, key), `the rule ${key} must be an object with matchers`);
  const { matchers, combine = 'AND' } = rule;
  if (matchers === undefined) return { combine: 'AND', matchers: [readMatcher(rule, holder, key)] };
  if (!Array.isArray(matchers)) throw new SpecError(placeIn(rule, 'matchers'), 'matchers must be a list');
  if (combine !== 'AND' && combine !== 'OR')
    throw new SpecError(placeIn(rule, 'combine'), `combine: ${JSON.stringify(combine)} is unknown; write AND or OR`);
  return { combine, matchers: (matchers as readonly Json[]).map((each, at) => readMatcher(each, matchers, at)) };
}

/** Members that tell which matcher is meant where `match` is left out, as the second version allows. */
const telling: readonly (readonly [member: string, match: string])[] = [
  ['regex', 'regex'],
  ['timestamp', 'datetime'],
  ['date', 'date'],
  ['time', 'time'],
  ['min', 'type'],
  ['max', 'type'],
];

function readMatcher(value: Json, holder: object, key: string | number): Matcher {
  const match = isObject(value) ? (value['match'] ?? telling.find(([member]) => Object.hasOwn(value, member))?.[1]) : undefined;
  if (isObject(value) && typeof match === 'string') return { match, value };
  throw new SpecError(placeIn(holder, key), `a matcher is an object that names its kind in match, such as {"match": "type"}`);
}

function placeIn(holder: object, key: string | number): Place {
  return placeOf(holder, key) ?? { file: '', line: 1, column: 1 };
}
