/** An expected body taken apart: what is demanded at each of its places, and all of it as one JSON Schema. */

import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { BodyPath, MatchingRule, MatchingRules } from '../../../core/pact/pact.ts';
import { isPathPrefix, matchesPath, pathWeight } from '../../../core/pact/body-path.ts';
import type { Schema } from '../../../core/schema.ts';
import { type MatcherSchema, schemaOfRule, schemaOfType } from './matcher-schema.ts';

/** A step into a body: a member by its name, an element by its index, or each element. */
export type BodyStep = string | number | null;

/** One thing that is demanded of an answer; it says nothing of answers that have nothing at this place. */
export interface BodyExpectation {
  /** The place of the value, or of the object that must have the member. */
  readonly at: readonly BodyStep[];
  /** What the value there must be. */
  readonly schema: Schema;
  /** The member that must be there, when that is what is demanded. */
  readonly member: string | undefined;
  /** Where it stands in the example. */
  readonly keys: readonly (string | number)[];
  /** Completes "the pact expects …". */
  readonly said: string;
}

/** An expected body. */
export interface BodyExpectations {
  /** From the outside in, in the order of the example. */
  readonly demands: readonly BodyExpectation[];
  /** What could not be said as a schema, and where. */
  readonly unknown: readonly { readonly keys: readonly (string | number)[]; readonly why: string }[];
}

/** Takes an expected body apart. */
export function readBodyExpectations(body: Json, { body: rules }: MatchingRules): BodyExpectations {
  const demands: BodyExpectation[] = [];
  const unknown: { keys: readonly (string | number)[]; why: string }[] = [];
  const visit = (at: readonly BodyStep[], keys: readonly (string | number)[], example: Json): void => {
    const meaning = matcherSchemaAt(rules, keys, example);
    if (meaning.unknown !== undefined) unknown.push({ keys, why: meaning.unknown });
    demands.push({ at, schema: meaning.schema, member: undefined, keys, said: meaning.said });
    if (meaning.isOpen !== true) return;
    if (Array.isArray(example)) visitElements(at, keys, example, meaning);
    else if (isObject(example)) visitMembers(at, keys, example, matchesAnyName(rules, keys));
  };
  const visitMembers = (at: readonly BodyStep[], keys: readonly (string | number)[], example: JsonObject, isMap: boolean): void => {
    for (const [name, member] of isMap ? [] : Object.entries(example)) {
      demands.push({ at, schema: { required: [name] }, member: name, keys: [...keys, name], said: 'it to be there' });
      visit([...at, name], [...keys, name], member);
    }
  };
  const visitElements = (at: readonly BodyStep[], keys: readonly (string | number)[], example: readonly Json[], meaning: MatcherSchema): void => {
    // A list that must equal its example has its elements in their places; otherwise each element is held to the first one of the example.
    const isExact = isObject(meaning.schema) && meaning.schema['maxItems'] === example.length && ruleAt(rules, keys) === undefined;
    const isUniform = !isExact && example.every((each) => JSON.stringify(each) === JSON.stringify(example[0]));
    for (const [index, element] of (isUniform ? example.slice(0, 1) : example).entries())
      visit([...at, isUniform ? null : index], [...keys, index], element);
  };
  visit([], [], body);
  return { demands, unknown };
}

/** The rule that decides at a place: the heaviest of those that lead there, or to something above it. */
function ruleAt(
  rules: MatchingRules['body'],
  keys: readonly (string | number)[],
): { readonly path: BodyPath; readonly rule: MatchingRule } | undefined {
  const leading = rules.filter(({ path }) => isPathPrefix(path, keys));
  return leading.reduce<(typeof leading)[number] | undefined>(
    (best, each) => (best === undefined || pathWeight(each.path) > pathWeight(best.path) ? each : best),
    undefined,
  );
}

/** A rule above a value passes down that its type counts and not its value, unless it asks for equality. */
function matcherSchemaAt(rules: MatchingRules['body'], keys: readonly (string | number)[], example: Json): MatcherSchema {
  const found = ruleAt(rules, keys);
  if (found === undefined) return schemaOfRule(undefined, example);
  if (matchesPath(found.path, keys)) return schemaOfRule(found.rule, example);
  const isEqual = found.rule.matchers.some(({ match }) => match === 'equality');
  return isEqual ? schemaOfRule(undefined, example) : schemaOfType(example);
}

/** Of a map only the values count, whatever their names. */
function matchesAnyName(rules: MatchingRules['body'], keys: readonly (string | number)[]): boolean {
  const free = ['values', 'eachKey', 'eachValue'];
  return rules.some(({ path, rule }) => matchesPath(path, keys) && rule.matchers.some(({ match }) => free.includes(match)));
}

/** A demand as a schema of the whole body that says nothing of bodies without that place. */
export function schemaIfPresent(at: readonly BodyStep[], schema: Schema): Schema {
  return at.reduceRight<Schema>((inner, step) => {
    if (step === null) return { items: inner };
    if (typeof step === 'string') return { properties: { [step]: inner } };
    return { prefixItems: [...Array.from({ length: step }, () => true), inner] };
  }, schema);
}

/** The same as a schema of the bodies that have the place. */
export function schemaIfRequired(at: readonly BodyStep[], schema: Schema): Schema {
  return at.reduceRight<Schema>((inner, step) => {
    if (step === null) return { type: 'array', minItems: 1, items: inner };
    if (typeof step === 'string') return { type: 'object', required: [step], properties: { [step]: inner } };
    return { type: 'array', minItems: step + 1, prefixItems: [...Array.from({ length: step }, () => true), inner] };
  }, schema);
}

/** All demands as one schema, each place named once. */
export function combinedSchema(demands: readonly BodyExpectation[]): Schema {
  return mergeSchemas(demands.map(({ at, schema }) => ({ at, schema })));
}

interface SchemaAtPath {
  readonly at: readonly BodyStep[];
  readonly schema: Schema;
}

function mergeSchemas(placed: readonly SchemaAtPath[]): Schema {
  const here = placed.filter(({ at }) => at.length === 0).map(({ schema }) => schema);
  const below = (wanted: (step: BodyStep) => boolean): readonly SchemaAtPath[] =>
    placed.filter(({ at: [first] }) => first !== undefined && wanted(first)).map(({ at, schema }) => ({ at: at.slice(1), schema }));
  const first = placed.flatMap(({ at: [step] }) => (step === undefined ? [] : [step]));
  const names = [...new Set(first.filter((step) => typeof step === 'string'))];
  const last = Math.max(-1, ...first.filter((step) => typeof step === 'number'));
  const properties = Object.fromEntries(names.map((name) => [name, mergeSchemas(below((step) => step === name))]));
  const prefix = Array.from({ length: last + 1 }, (_, index) => mergeSchemas(below((step) => step === index)));
  const nested: JsonObject = {
    ...(names.length > 0 ? { properties } : {}),
    ...(prefix.length > 0 ? { prefixItems: prefix } : {}),
    ...(first.includes(null) ? { items: mergeSchemas(below((step) => step === null)) } : {}),
  };
  const all = [...here.filter((schema) => schema !== true), ...(Object.keys(nested).length > 0 ? [nested] : [])];
  const [only] = all;
  if (all.length < 2) return only ?? true;
  return { allOf: all };
}

/** An example as a schema: what an answer must hold so that the example could be a part of it. */
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
