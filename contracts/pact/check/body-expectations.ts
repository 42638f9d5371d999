/**
 * Splits the body that a pact expects into single expectations, each with a path, as Pact compares a body, and turns them into schemas of whole bodies. Judges
 * no contract.
 */

import { isArray, isObject, type Json, type JsonObject, printJson } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { isPathPrefix, matchesPath, pathWeight } from '../../../core/pact/body-path.ts';
import type { BodyPath, Matcher, MatchingRule, MatchingRules } from '../../../core/pact/pact.ts';
import { readBodyRules, readMatchers } from '../../../core/pact/parse-pact.ts';
import { toPointer } from '../../../core/pointer.ts';
import { type Acceptance, type Allows, acceptanceOf, anything, equalTo, isAcceptedBy, type ValueKind } from './pact-matchers.ts';

/** Leads from a value to a part of it: a member, an element, every element from an index on, or every member but some. */
export type Step = string | number | { readonly from: number } | { readonly except: readonly string[] };

export const everyElement: Step = { from: 0 };

type Keys = readonly (string | number)[];

/** One expectation of a body. It does not apply to bodies without a value at its path. */
export interface BodyExpectation extends Acceptance {
  /** Path of the value, or of the object that must have the property. */
  readonly path: readonly Step[];
  /** The property that must be present; `undefined` for an expectation of a value. */
  readonly requiredProperty: string | undefined;
  /** Keys of the expected value in the example. */
  readonly keys: Keys;
}

type BodyRules = MatchingRules['body'];

/** A part of the example, with the rules that apply to it. */
interface Part {
  readonly path: readonly Step[];
  readonly keys: Keys;
  /** Keys that choose the rule; `*` stands for those that the example does not have. */
  readonly lookup: Keys;
  readonly rules: BodyRules;
  readonly example: Json;
}

/** Splits an expected body by its example and its matching rules, outer values first. */
export function readBodyExpectations(example: Json, rules: BodyRules, kind: ValueKind = 'json'): readonly BodyExpectation[] {
  const root: Part = { path: [], keys: [], lookup: [], rules, example };
  if (kind === 'json') return expectationsOf(root);
  const text = acceptanceOf(ruleAt(root)?.rule, example, kind);
  // To Pact, an empty text is no body.
  return [
    valueAtPart(root, { ...text, accepts: (value, allows) => (value === '') === (example === '') && isAcceptedBy(text, value, allows) }),
  ];
}

function expectationsOf(part: Part): readonly BodyExpectation[] {
  if (isArray(part.example)) return listExpectations(part, part.example);
  if (isObject(part.example)) return objectExpectations(part, part.example);
  return [valueAtPart(part, acceptanceOf(ruleAt(part)?.rule, part.example, 'json'))];
}

function valueAtPart({ path, keys }: Part, acceptance: Acceptance): BodyExpectation {
  return { ...acceptance, path, keys, requiredProperty: undefined };
}

/** A rule for a part; it cascades if it stands at a part above. */
interface FoundRule {
  readonly rule: MatchingRule;
  readonly cascades: boolean;
}

/** Finds the rule for a part: the one with the highest weight, at the part or above it. */
function ruleAt({ rules, lookup }: Part): FoundRule | undefined {
  const candidates = rules.filter(({ path }) => isPathPrefix(path, lookup));
  const best = candidates.toSorted((left, right) => pathWeight(right.path) - pathWeight(left.path))[0];
  return best && { rule: best.rule, cascades: best.path.length < lookup.length };
}

/** Returns the rule of a part for explanations. */
export function acceptanceAt(rules: BodyRules, keys: Keys, example: Json): Acceptance {
  const part: Part = { path: [], keys, lookup: keys, rules, example };
  if (ruleAt(part) === undefined && typeof example === 'object' && example !== null)
    return { schema: true, description: isArray(example) ? `a list of exactly ${example.length}` : 'an object' };
  return acceptanceOf(ruleAt(part)?.rule, example, 'json');
}

function objectExpectations(part: Part, example: JsonObject): readonly BodyExpectation[] {
  const found = ruleAt(part);
  const names = Object.keys(example);
  const own = [valueAtPart(part, { schema: { type: 'object' }, description: 'an object' })];
  const presence = names.map((name) => presenceOf(part, name));
  const matchers = found?.rule.matchers ?? [];
  if (found === undefined || matchers.length === 0) return [...own, ...presence, ...memberExpectations(part, names, part.rules)];
  const isMap = !found.cascades && matchers.some(({ match }) => mapMatchers.includes(match));
  const others = matchers.filter(({ match }) => found.cascades || !valueMatchers.includes(match));
  const containers = others.flatMap(({ match, value }) => containerOf(match, value, example, found.cascades) ?? []);
  return [
    ...own,
    ...containers.map((each) => valueAtPart(part, each)),
    ...(isMap ? [] : presence),
    ...(found.cascades ? [] : matchers.flatMap((matcher) => mapExpectations(part, names, matcher))),
    ...(others.length === 0 ? [] : memberExpectations(part, names, part.rules)),
  ];
}

/** Matchers that compare every member, and matchers that ask for no name of the example. */
const valueMatchers = ['values', 'eachValue'];
const mapMatchers = [...valueMatchers, 'eachKey'];

/** What a matcher of maps asks of every name or member. */
function mapExpectations(part: Part, names: readonly string[], { match, value }: Matcher): readonly BodyExpectation[] {
  if (match === 'eachKey') return [valueAtPart(part, namesAccepted(value))];
  if (!valueMatchers.includes(match)) return [];
  const rules = match === 'eachValue' ? rulesOfEachValue(part, value) : part.rules;
  if (match === 'eachValue' && readMatchers(value['rules']).length === 0)
    return [valueAtPart(part, { schema: { maxProperties: 0 }, description: 'no member, since eachValue has no rules' })];
  return [...memberExpectations(part, names, rules), ...otherMembers(part, names, rules)];
}

function memberExpectations(part: Part, names: readonly string[], rules: BodyRules): readonly BodyExpectation[] {
  return names.flatMap((name) => expectationsOf(memberOf(part, name, rules)));
}

function memberOf(part: Part, name: string, rules: BodyRules): Part {
  const example = (part.example as JsonObject)[name] ?? null;
  return { path: [...part.path, name], keys: [...part.keys, name], lookup: [...part.lookup, name], rules, example };
}

/** The first member of the example stands for the members that the example does not have. */
function otherMembers(part: Part, names: readonly string[], rules: BodyRules): readonly BodyExpectation[] {
  const [first] = names;
  if (first === undefined) return [];
  const member = memberOf(part, first, rules);
  return expectationsOf({ ...member, path: [...part.path, { except: names }], lookup: [...part.lookup, '*'] });
}

function presenceOf({ path, keys }: Part, name: string): BodyExpectation {
  return { path, schema: { required: [name] }, requiredProperty: name, keys: [...keys, name], description: 'it to be present' };
}

/** The rules of `eachValue` apply instead of all others. */
function rulesOfEachValue({ lookup }: Part, value: JsonObject): BodyRules {
  return [{ path: [...lookup, null], rule: { combine: 'AND', matchers: readMatchers(value['rules']) } }];
}

function namesAccepted(value: JsonObject): Acceptance {
  const matchers = readMatchers(value['rules']);
  const names = matchers.length === 0 ? anything : acceptanceOf({ combine: 'AND', matchers }, '', 'text');
  return {
    schema: { propertyNames: names.schema },
    accepts: (each, allows) => isObject(each) && Object.keys(each).every((name) => isAcceptedBy(names, name, allows)),
    description: `each name to be ${names.description}`,
    ...(names.notCompared === undefined ? {} : { notCompared: names.notCompared }),
  };
}

function listExpectations(part: Part, example: readonly Json[]): readonly BodyExpectation[] {
  const found = ruleAt(part);
  const { length } = example;
  const list: Acceptance = { schema: { type: 'array' }, description: 'a list' };
  if (found === undefined) {
    const exact: Acceptance = { schema: { type: 'array', minItems: length, maxItems: length }, description: `a list of exactly ${length}` };
    return [valueAtPart(part, exact), ...example.flatMap((_, index) => expectationsOf(elementOf(part, index, index)))];
  }
  // Pact compares nothing with an empty example that has a rule.
  if (length === 0) return [valueAtPart(part, list)];
  const { rule, cascades } = found;
  const others = rule.matchers.filter(({ match }) => !listMatchers.includes(match));
  const containers = others.map(({ match, value }) => containerOf(match, value, example, cascades) ?? list);
  const special = rule.matchers.flatMap((matcher) => (cascades ? [] : specialExpectations(part, example, matcher)));
  if (rule.combine === 'OR' && special.length > 0)
    return [valueAtPart(part, { ...list, notCompared: 'alternatives of arrayContains and eachValue are not compared' })];
  return [
    valueAtPart(part, list),
    ...joined(containers, rule.combine).map((each) => valueAtPart(part, each)),
    ...special,
    ...(others.length === 0 ? [] : elementExpectations(part, example, part.rules)),
  ];
}

const listMatchers = ['arrayContains', 'array-contains', 'eachValue'];

function specialExpectations(part: Part, example: readonly Json[], { match, value }: Matcher): readonly BodyExpectation[] {
  if (match === 'eachValue') return elementExpectations(part, example, rulesOfEachValue(part, value));
  return listMatchers.includes(match) ? [valueAtPart(part, containing(example, value))] : [];
}

function joined(all: readonly Acceptance[], combine: MatchingRule['combine']): readonly Acceptance[] {
  if (combine === 'AND' || all.length < 2) return all;
  return [{ schema: { anyOf: all.map(({ schema }) => schema) }, description: all.map(({ description }) => description).join(' or ') }];
}

/** Each element is compared with that of the example, and elements beyond the example with its first one. */
function elementExpectations(part: Part, example: readonly Json[], rules: BodyRules): readonly BodyExpectation[] {
  const depth = part.lookup.length;
  const hasRuleOfIndex = rules.some(({ path }) => typeof path[depth] === 'number' && isPathPrefix(path.slice(0, depth), part.lookup));
  const isUniform = !hasRuleOfIndex && example.every((each) => printJson(each) === printJson(example[0]));
  const own = isUniform ? [] : [...example.keys()].flatMap((index) => expectationsOf(elementOf({ ...part, rules }, index, index)));
  const rest = elementOf({ ...part, rules }, 0, { from: isUniform ? 0 : example.length });
  return [...own, ...expectationsOf(rest)];
}

function elementOf(part: Part, index: number, step: Step): Part {
  const example = (part.example as readonly Json[])[index] ?? null;
  const key = typeof step === 'number' ? step : '*';
  return { ...part, path: [...part.path, step], keys: [...part.keys, index], lookup: [...part.lookup, key], example };
}

/** The list has an element for each variant. */
function containing(example: readonly Json[], value: JsonObject): Acceptance {
  const written = isArray(value['variants']) ? value['variants'].filter(isObject) : [];
  const equality: BodyRules = [{ path: [], rule: { combine: 'AND', matchers: [{ match: 'equality', value: {} }] } }];
  const variants =
    written.length > 0
      ? written.map(({ index, rules }) => readBodyExpectations(example[Number(index)] ?? null, readBodyRules(isObject(rules) ? rules : {})))
      : example.map((each) => readBodyExpectations(each, equality));
  const notCompared = variants.flat().find((each) => each.notCompared !== undefined)?.notCompared;
  return {
    schema: { allOf: variants.map((each) => ({ contains: combinedSchema(each) })) },
    accepts: (list, allows) =>
      isArray(list) && variants.every((variant) => list.some((element) => variant.every((each) => isMetBy(each, element, allows)))),
    description: 'a list that contains each variant',
    ...(notCompared === undefined ? {} : { notCompared }),
  };
}

/** True if a whole body meets an expectation. */
export function isMetBy(expectation: BodyExpectation, body: Json, allows: Allows): boolean {
  return placesAlong(body, expectation.path).every(({ value }) => isAcceptedBy(expectation, value, allows));
}

/** Matchers that accept every list, but no object. */
const onlyLists = ['number', 'decimal', 'integer', 'boolean', 'include', 'date', 'time', 'datetime', 'timestamp', 'semver', 'contentType'];
const anyContainer = ['regex', ...mapMatchers, ...listMatchers];

/** What a matcher asks of an object or a list itself; `undefined` if nothing. */
function containerOf(match: string, value: JsonObject, example: Json, cascades: boolean): Acceptance | undefined {
  const isList = isArray(example);
  const noun = isList ? 'a list' : 'an object';
  if (match === 'equality') return { ...equalTo(example), description: `exactly ${equalTo(example).description}` };
  if (match === 'notEmpty' || match === 'not-empty')
    return { schema: { [isList ? 'minItems' : 'minProperties']: 1 }, description: `${noun} that is not empty` };
  if (/^(?:type|min|max|min-type|max-type)$/.test(match)) return cascades ? undefined : sizeOf(value, isList, noun);
  if (anyContainer.includes(match) || (isList && onlyLists.includes(match))) return undefined;
  if (onlyLists.includes(match) || match === 'null' || match === 'statusCode')
    return { schema: false, description: `${noun} that the matcher ${match} accepts, and it accepts none` };
  return { schema: true, description: noun, notCompared: `the matcher ${match} is unknown` };
}

/** The bounds of a `type` matcher. */
function sizeOf({ min, max }: JsonObject, isList: boolean, noun: string): Acceptance | undefined {
  const [least, most] = isList ? ['minItems', 'maxItems'] : ['minProperties', 'maxProperties'];
  const schema: Record<string, number> = {};
  if (typeof min === 'number' && min > 0) schema[least] = min;
  if (typeof max === 'number') schema[most] = max;
  if (Object.keys(schema).length === 0) return undefined;
  const words = [
    ...(schema[least] === undefined ? [] : [` of at least ${min}`]),
    ...(schema[most] === undefined ? [] : [` of at most ${max}`]),
  ];
  return { schema, description: `${noun}${words.join('')}` };
}

/** Returns the pointer of a path in an example: the first element or member stands for every one. */
export function pointerOf(path: readonly Step[]): string {
  return toPointer(path.map((step) => (typeof step === 'object' ? ('from' in step ? step.from : '*') : step)));
}

/** Returns every value that a path leads to, with its pointer. */
export function placesAlong(body: Json, path: readonly Step[]): readonly { readonly value: Json; readonly pointer: string }[] {
  let places = [{ value: body, pointer: '' }];
  for (const step of path)
    places = places.flatMap(({ value, pointer }) =>
      partsAt(value, step).map(([key, part]) => ({ value: part, pointer: `${pointer}${toPointer([key])}` })),
    );
  return places;
}

function partsAt(value: Json, step: Step): readonly (readonly [string | number, Json])[] {
  if (isArray(value)) {
    const elements = [...value.entries()];
    if (typeof step === 'number') return elements.filter(([index]) => index === step);
    return typeof step === 'object' && 'from' in step ? elements.slice(step.from) : [];
  }
  if (!isObject(value)) return [];
  if (typeof step === 'object') return 'except' in step ? Object.entries(value).filter(([name]) => !step.except.includes(name)) : [];
  return Object.entries(value).filter(([name]) => name === step);
}

/** Returns a schema of the whole body that applies only where the path exists. */
export function schemaIfPresent(path: readonly Step[], schema: Schema): Schema {
  return path.reduceRight(schemaBelow, schema);
}

function schemaBelow(inner: Schema, step: Step): JsonObject {
  if (typeof step === 'string') return { properties: { [step]: inner } };
  if (typeof step === 'number') return { prefixItems: [...anyItems(step), inner] };
  if ('from' in step) return step.from === 0 ? { items: inner } : { prefixItems: anyItems(step.from), items: inner };
  return { properties: Object.fromEntries(step.except.map((name) => [name, true])), additionalProperties: inner };
}

function anyItems(count: number): readonly true[] {
  return Array.from({ length: count }, () => true);
}

/** Returns a schema of the whole body that requires the path. */
export function schemaIfRequired(path: readonly Step[], schema: Schema): Schema {
  return path.reduceRight<Schema>((inner, step) => {
    const below = schemaBelow(inner, step);
    if (typeof step === 'string') return { type: 'object', required: [step], ...below };
    if (typeof step === 'object' && 'except' in step) return { type: 'object', minProperties: 1, ...below };
    return { type: 'array', minItems: (typeof step === 'number' ? step : step.from) + 1, ...below };
  }, schema);
}

/** Combines expectations into one schema of the whole body. */
export function combinedSchema(expectations: readonly Pick<BodyExpectation, 'path' | 'schema'>[]): Schema {
  const here = expectations.filter(({ path }) => path.length === 0).map(({ schema }) => schema);
  const groups = new Map<string, { readonly step: Step; readonly below: Pick<BodyExpectation, 'path' | 'schema'>[] }>();
  for (const { path, schema } of expectations) {
    const [step, ...rest] = path;
    if (step === undefined) continue;
    const group = groups.get(printJson(step)) ?? { step, below: [] };
    group.below.push({ path: rest, schema });
    groups.set(printJson(step), group);
  }
  const nested = [...groups.values()].map(({ step, below }) => ({ step, schema: combinedSchema(below) }));
  const members = nested.flatMap(({ step, schema }) => (typeof step === 'string' ? [[step, schema] as const] : []));
  const properties = members.length === 0 ? [] : [{ properties: Object.fromEntries(members) }];
  const others = nested.filter(({ step }) => typeof step !== 'string').map(({ step, schema }) => schemaBelow(schema, step));
  const all = [...here.filter((schema) => schema !== true), ...properties, ...others];
  const [only] = all;
  return all.length < 2 ? (only ?? true) : { allOf: all };
}

/**
 * Returns a schema that a response satisfies if it contains the example. Pact compares nothing with an empty list that has a rule, and the consumer saw other
 * values at the `generated` paths.
 */
export function exampleSchema(example: Json, rules: BodyRules, generated: readonly BodyPath[], keys: Keys = []): Schema {
  if (generated.some((path) => matchesPath(path, keys))) return true;
  if (isArray(example)) {
    if (example.length > 0)
      return {
        type: 'array',
        minItems: example.length,
        prefixItems: example.map((element, index) => exampleSchema(element, rules, generated, [...keys, index])),
      };
    return ruleAt({ path: [], keys, lookup: keys, rules, example }) === undefined ? { type: 'array', maxItems: 0 } : { type: 'array' };
  }
  if (!isObject(example)) return { const: example };
  const entries = Object.entries(example);
  return {
    type: 'object',
    required: entries.map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, each]) => [name, exampleSchema(each, rules, generated, [...keys, name])])),
  };
}
