/** Splits an expected body into single expectations, each with a path and a JSON Schema, and builds schemas of whole bodies from them. */

import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { isPathPrefix, matchesPath, pathWeight } from '../../../core/pact/body-path.ts';
import type { BodyPath, MatchingRule, MatchingRules } from '../../../core/pact/pact.ts';
import { toPointer } from '../../../core/pointer.ts';
import { type MatcherSchema, schemaOfRule, schemaOfType } from './matcher-to-schema.ts';

/** One expectation of a body. It does not apply to bodies without a value at its path. */
export interface BodyExpectation {
  /** Path of the value, or of the object that must have the property. */
  readonly path: BodyPath;
  /** Schema of the value at the path. */
  readonly schema: Schema;
  /** The property that must be present; `undefined` for an expectation of a value. */
  readonly requiredProperty: string | undefined;
  /** Keys of the expected value in the example. */
  readonly keys: readonly (string | number)[];
  /** Completes "the pact expects …". */
  readonly description: string;
}

/** Every expectation of a body. */
interface BodyExpectations {
  /** Outer values first, in the order of the example. */
  readonly expectations: readonly BodyExpectation[];
  /** Matching rules that no schema can express, and where they are. */
  readonly notCompared: readonly { readonly keys: readonly (string | number)[]; readonly reason: string }[];
}

/** Splits an expected body by its example and its matching rules. */
export function readBodyExpectations(body: Json, { body: rules }: MatchingRules): BodyExpectations {
  const expectations: BodyExpectation[] = [];
  const notCompared: { keys: readonly (string | number)[]; reason: string }[] = [];
  const visit = (path: BodyPath, keys: readonly (string | number)[], example: Json): void => {
    const matcher = matcherSchemaAt(rules, keys, example);
    if (matcher.notCompared !== undefined) notCompared.push({ keys, reason: matcher.notCompared });
    expectations.push({ path, schema: matcher.schema, requiredProperty: undefined, keys, description: matcher.description });
    if (matcher.checksChildren !== true) return;
    if (Array.isArray(example)) visitElements(path, keys, example, matcher);
    else if (isObject(example)) visitProperties(path, keys, example, matchesAnyName(rules, keys));
  };
  const visitProperties = (path: BodyPath, keys: readonly (string | number)[], example: JsonObject, isMap: boolean): void => {
    for (const [name, member] of isMap ? [] : Object.entries(example)) {
      expectations.push({
        path,
        schema: { required: [name] },
        requiredProperty: name,
        keys: [...keys, name],
        description: 'it to be present',
      });
      visit([...path, name], [...keys, name], member);
    }
  };
  const visitElements = (path: BodyPath, keys: readonly (string | number)[], example: readonly Json[], matcher: MatcherSchema): void => {
    // A list without a rule must equal its example; otherwise the first element of the example stands for every element.
    const isExact = isObject(matcher.schema) && matcher.schema['maxItems'] === example.length && ruleAt(rules, keys) === undefined;
    const isUniform = !isExact && example.every((each) => JSON.stringify(each) === JSON.stringify(example[0]));
    for (const [index, element] of (isUniform ? example.slice(0, 1) : example).entries())
      visit([...path, isUniform ? null : index], [...keys, index], element);
  };
  visit([], [], body);
  return { expectations, notCompared };
}

/** Finds the rule for a value: the one with the highest weight, on the value or above it. */
function ruleAt(
  rules: MatchingRules['body'],
  keys: readonly (string | number)[],
): { readonly path: BodyPath; readonly rule: MatchingRule } | undefined {
  const candidates = rules.filter(({ path }) => isPathPrefix(path, keys));
  return candidates.reduce<(typeof candidates)[number] | undefined>(
    (best, each) => (best === undefined || pathWeight(each.path) > pathWeight(best.path) ? each : best),
    undefined,
  );
}

/** Translates the rule for a value. A `type` rule above the value applies only its type, an `equality` rule above it the exact value. */
export function matcherSchemaAt(rules: MatchingRules['body'], keys: readonly (string | number)[], example: Json): MatcherSchema {
  const nearest = ruleAt(rules, keys);
  if (nearest === undefined) return schemaOfRule(undefined, example);
  if (matchesPath(nearest.path, keys)) return schemaOfRule(nearest.rule, example);
  const isEqual = nearest.rule.matchers.some(({ match }) => match === 'equality');
  return isEqual ? schemaOfRule(undefined, example) : schemaOfType(example);
}

/** True for a map: only its values are compared, not its property names. */
function matchesAnyName(rules: MatchingRules['body'], keys: readonly (string | number)[]): boolean {
  const mapMatchers = ['values', 'eachKey', 'eachValue'];
  return rules.some(({ path, rule }) => matchesPath(path, keys) && rule.matchers.some(({ match }) => mapMatchers.includes(match)));
}

/** Returns the pointer of a path; the first element stands for every element. */
export function pointerOf(path: BodyPath): string {
  return toPointer(path.map((step) => step ?? 0));
}

/** Returns a schema of the whole body that applies only where the path exists. */
export function schemaIfPresent(path: BodyPath, schema: Schema): Schema {
  return path.reduceRight<Schema>((inner, step) => {
    if (step === null) return { items: inner };
    if (typeof step === 'string') return { properties: { [step]: inner } };
    return { prefixItems: [...Array.from({ length: step }, () => true), inner] };
  }, schema);
}

/** Returns a schema of the whole body that requires the path. */
export function schemaIfRequired(path: BodyPath, schema: Schema): Schema {
  return path.reduceRight<Schema>((inner, step) => {
    if (step === null) return { type: 'array', minItems: 1, items: inner };
    if (typeof step === 'string') return { type: 'object', required: [step], properties: { [step]: inner } };
    return { type: 'array', minItems: step + 1, prefixItems: [...Array.from({ length: step }, () => true), inner] };
  }, schema);
}

/** Combines expectations into one schema of the whole body. */
export function combinedSchema(expectations: readonly BodyExpectation[]): Schema {
  return mergeSchemas(expectations.map(({ path, schema }) => ({ path, schema })));
}

interface SchemaAtPath {
  readonly path: BodyPath;
  readonly schema: Schema;
}

function mergeSchemas(schemas: readonly SchemaAtPath[]): Schema {
  const here = schemas.filter(({ path }) => path.length === 0).map(({ schema }) => schema);
  const below = (isBelow: (step: BodyPath[number]) => boolean): readonly SchemaAtPath[] =>
    schemas
      .filter(({ path: [first] }) => first !== undefined && isBelow(first))
      .map(({ path, schema }) => ({ path: path.slice(1), schema }));
  const firstSteps = schemas.flatMap(({ path: [step] }) => (step === undefined ? [] : [step]));
  const names = [...new Set(firstSteps.filter((step) => typeof step === 'string'))];
  const lastIndex = Math.max(-1, ...firstSteps.filter((step) => typeof step === 'number'));
  const properties = Object.fromEntries(names.map((name) => [name, mergeSchemas(below((step) => step === name))]));
  const prefix = Array.from({ length: lastIndex + 1 }, (_, index) => mergeSchemas(below((step) => step === index)));
  const nested: JsonObject = {
    ...(names.length > 0 ? { properties } : {}),
    ...(prefix.length > 0 ? { prefixItems: prefix } : {}),
    ...(firstSteps.includes(null) ? { items: mergeSchemas(below((step) => step === null)) } : {}),
  };
  const all = [...here.filter((schema) => schema !== true), ...(Object.keys(nested).length > 0 ? [nested] : [])];
  const [only] = all;
  if (all.length < 2) return only ?? true;
  return { allOf: all };
}

/** Returns a schema that a response satisfies if it contains the example. */
export function exampleSchema(example: Json): Schema {
  if (Array.isArray(example)) {
    const list = example as readonly Json[];
    if (list.length === 0) return { type: 'array', maxItems: 0 };
    return { type: 'array', minItems: list.length, prefixItems: list.map(exampleSchema) };
  }
  if (!isObject(example)) return { const: example };
  const entries = Object.entries(example);
  return {
    type: 'object',
    required: entries.map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, each]) => [name, exampleSchema(each)])),
  };
}
