/**
 * Derives the expected body of a recorded response: an example with the matching rules that hold for every instance of its schema.
 * `write-interaction.ts` calls it once per response. It compares no values.
 */

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Document } from '../../core/openapi/document.ts';
import { certainSchemas, isSchema, type Schema, typesOf } from '../../core/openapi/schema.ts';
import { fromPointer, toPointer } from '../../core/pointer.ts';
import { compileExpression } from '../../core/safe-regexp.ts';

/** A matching rule of a pact. */
export interface RecordedRule {
  readonly combine: 'AND' | 'OR';
  readonly matchers: readonly JsonObject[];
}

/** An example with the rules by path. */
interface ExpectedBody {
  readonly example: Json;
  readonly rules: readonly (readonly [string, RecordedRule])[];
}

/** Guarantees beyond the schema, by JSON Pointer; `*` stands for every element. */
export interface KnownBody {
  /** Minimum number of elements of an array. */
  readonly minItems: ReadonlyMap<string, number>;
  /** Known values. */
  readonly values: ReadonlyMap<string, Json>;
  /** Members that are present although the schema does not require them, with their schemas. */
  readonly present: ReadonlyMap<string, Schema>;
}

/** No guarantees beyond the schema. */
export const nothingKnownOfBody: KnownBody = { minItems: new Map(), values: new Map(), present: new Map() };

/** A value of a body, with its schema and path. */
interface BodyLocation {
  readonly document: Document;
  readonly knownBody: KnownBody;
  readonly schema: Schema;
  readonly pointer: string;
  readonly path: string;
}

/** Derives the expected body. `undefined` if nothing is guaranteed, or if the body does not fit the schema. */
export function deriveExpectedBody(
  document: Document,
  schema: Schema,
  body: Json,
  knownBody: KnownBody = nothingKnownOfBody,
): ExpectedBody | undefined {
  return readValue({ document, knownBody, schema, pointer: '', path: '$' }, body);
}

function readValue(location: BodyLocation, value: Json): ExpectedBody | undefined {
  const guarantees = readGuarantees(location.document, location.schema);
  if (!guarantees.types.has(typeOf(value))) return undefined;
  const known = location.knownBody.values.get(location.pointer);
  if (known !== undefined && JSON.stringify(known) === JSON.stringify(value)) return oneRule(location, value, [{ match: 'equality' }]);
  if (isObject(value)) return readObject(location, guarantees, value);
  if (Array.isArray(value)) return readArray(location, guarantees, value as readonly Json[]);
  return readScalar(location, guarantees, value);
}

function readObject(location: BodyLocation, guarantees: Guarantees, value: JsonObject): ExpectedBody | undefined {
  const typeRules = rulesForNull(guarantees, 'object');
  if (typeRules === undefined) return undefined;
  const names = new Set([...guarantees.required, ...presentBelow(location)]);
  const members = [...names].toSorted(byCodeUnits).flatMap((name) => {
    const found = readMember(location, guarantees, name, value[name]);
    return found === undefined ? [] : [[name, found] as const];
  });
  // An empty example expects nothing, so a type rule expects an object.
  const type: readonly RecordedRule[] =
    members.length === 0 && typeRules.length === 0 ? [{ combine: 'AND', matchers: [{ match: 'type' }] }] : typeRules;
  return {
    example: Object.fromEntries(members.map(([name, { example }]) => [name, example])),
    rules: [...type.map((rule) => [location.path, rule] as const), ...members.flatMap(([, { rules }]) => rules)],
  };
}

function readMember(location: BodyLocation, guarantees: Guarantees, name: string, value: Json | undefined): ExpectedBody | undefined {
  const step = memberStep(name);
  if (value === undefined || step === undefined) return undefined;
  const pointer = `${location.pointer}${toPointer([name])}`;
  const schema = location.knownBody.present.get(pointer) ?? guarantees.members.get(name) ?? true;
  return readValue({ ...location, schema, pointer, path: `${location.path}${step}` }, value);
}

/** The first element is the example for every element. */
function readArray(location: BodyLocation, guarantees: Guarantees, [first]: readonly Json[]): ExpectedBody | undefined {
  const { knownBody, pointer, path } = location;
  const nullRules = rulesForNull(guarantees, 'array');
  if (nullRules === undefined) return undefined;
  const below = { ...location, schema: guarantees.elements, pointer: `${pointer}/*`, path: `${path}[*]` };
  const element = first === undefined ? undefined : readValue(below, first);
  if (element === undefined) return { example: [], rules: [[path, withNull(nullRules, { match: 'type', min: 0 })]] };
  const minItems = Math.max(guarantees.minItems, knownBody.minItems.get(pointer) ?? 0);
  return {
    example: [element.example],
    rules: [[path, withNull(nullRules, { match: 'type', min: Math.min(minItems, 1) })], ...element.rules],
  };
}

function presentBelow({ knownBody, pointer }: BodyLocation): readonly string[] {
  const depth = fromPointer(pointer).length;
  return [...knownBody.present.keys()].flatMap((each) => {
    const keys = fromPointer(each);
    return keys.length === depth + 1 && each.startsWith(`${pointer}/`) ? [keys.at(-1) ?? ''] : [];
  });
}

/** Returns the rules for an object or array that may have another type: none, a rule with `null`, or `undefined` if no rule can express it. */
function rulesForNull({ types }: Guarantees, type: JsonType): readonly RecordedRule[] | undefined {
  const others = [...types].filter((each) => each !== type);
  if (others.length === 0) return [];
  return others.join() === 'null' ? [{ combine: 'OR', matchers: [{ match: 'type' }, { match: 'null' }] }] : undefined;
}

function withNull(nullRules: readonly RecordedRule[], matcher: JsonObject): RecordedRule {
  return nullRules.length === 0 ? { combine: 'AND', matchers: [matcher] } : { combine: 'OR', matchers: [matcher, { match: 'null' }] };
}

function readScalar(location: BodyLocation, guarantees: Guarantees, value: Json): ExpectedBody | undefined {
  if (!obeysGuarantees(guarantees, value)) return undefined;
  const [only, ...others] = guarantees.values ?? [];
  if (only !== undefined && others.length === 0) return oneRule(location, value, [{ match: 'equality' }]);
  const types = [...guarantees.types].filter((type) => type !== 'integer' || !guarantees.types.has('number'));
  const matchers = types.map((type) => matchersOf(type, guarantees, value));
  if (matchers.some((each) => each === undefined)) return undefined;
  const [first = [], ...rest] = matchers.flatMap((each) => (each === undefined ? [] : [each]));
  if (rest.length === 0) return oneRule(location, value, first);
  // An OR takes one matcher per type, so a string keeps only its first one.
  const either = [first, ...rest].map(([matcher = { match: 'type' }]) => matcher);
  return { example: value, rules: [[location.path, { combine: 'OR', matchers: either }]] };
}

/** True if a value is one of the listed ones and matches the patterns. Own data of users may not. */
function obeysGuarantees({ values, patterns }: Guarantees, value: Json): boolean {
  if (values !== undefined && !values.some((each) => each === value)) return false;
  return typeof value !== 'string' || patterns.every((pattern) => compileExpression(pattern).test(value));
}

/** Returns the matchers of a type; `undefined` if they need an example of that type. */
function matchersOf(type: JsonType, guarantees: Guarantees, value: Json): readonly JsonObject[] | undefined {
  if (type === 'null' || type === 'integer' || type === 'number' || type === 'boolean')
    return [{ match: type === typeOf(value) && type === 'boolean' ? 'type' : type }];
  if (type !== 'string') return undefined;
  const matchers = textMatchers(guarantees);
  if (matchers.length > 0) return matchers;
  return typeof value === 'string' ? [{ match: 'type' }] : undefined;
}

function oneRule({ path }: BodyLocation, example: Json, matchers: readonly JsonObject[]): ExpectedBody {
  return { example, rules: [[path, { combine: 'AND', matchers }]] };
}

/** Returns the path step of a member; `undefined` if the name cannot be written in a path. */
function memberStep(name: string): string | undefined {
  if (/^[A-Za-z_]\w*$/.test(name)) return `.${name}`;
  return /^[^'"\\[\]]+$/.test(name) ? `['${name}']` : undefined;
}

function byCodeUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Patterns of formats. Each accepts every value of its format, and also impossible dates. */
const formats: Readonly<Record<string, string>> = {
  'date-time': '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$',
  'date-time-local': '^\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?$',
  date: '^\\d{4}-\\d{2}-\\d{2}$',
};

/** Returns the matchers of a string, combined by AND; none if it may be any string. */
export function textMatchers({
  values,
  patterns,
  formats: named,
}: Pick<Guarantees, 'values' | 'patterns' | 'formats'>): readonly JsonObject[] {
  const strings = values?.filter((value) => typeof value === 'string');
  if (strings !== undefined && strings.length > 0) return [toMatcher(`^(${strings.map(escapeText).join('|')})$`)];
  const known = named.flatMap((name) => (Object.hasOwn(formats, name) ? [formats[name] ?? ''] : []));
  return [...known, ...patterns.filter(isPortable).map(toPortable)].map(toMatcher);
}

function toMatcher(regex: string): JsonObject {
  return { match: 'regex', regex };
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** True if a pattern means the same to Pact's regex engines, which differ in look-around, back references, escapes and nested brackets. */
function isPortable(pattern: string): boolean {
  return !/\(\?(?!:)|\\[1-9ckuxpPbB]|\[[^\]]*\[|&&|\[\^?\]/.test(pattern);
}

/** Removes the escape of slashes, which some engines reject. */
function toPortable(pattern: string): string {
  return pattern.replaceAll('\\/', '/');
}

/** JSON types, with integers apart. */
type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** Guarantees of a schema about a value. */
interface Guarantees {
  /** Every possible type. */
  readonly types: ReadonlySet<JsonType>;
  /** Every possible value, if they are listed. */
  readonly values: readonly Json[] | undefined;
  /** Patterns that a string matches. */
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
  /** Members that an object always has. */
  readonly required: ReadonlySet<string>;
  /** Schemas of members, if present. */
  readonly members: ReadonlyMap<string, Schema>;
  /** Schema of every element of an array. */
  readonly elements: Schema;
  readonly minItems: number;
}

/** In the order of the written alternatives. */
const allTypes: readonly JsonType[] = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];

/** The guarantees of the schema `true`. */
const noGuarantees: Guarantees = {
  types: new Set(allTypes),
  values: undefined,
  patterns: [],
  formats: [],
  required: new Set(),
  members: new Map(),
  elements: true,
  minItems: 0,
};

/** Maximum depth of alternatives, which may contain themselves. */
const maxDepth = 8;

/** Returns the guarantees of a schema. Conditions (`if`) and dependencies are ignored. */
export function readGuarantees(document: Document, schema: Schema, depth: number = maxDepth): Guarantees {
  const parts = certainSchemas(document, schema).filter(isObject);
  return parts
    .flatMap((part) => [guaranteesOfKeywords(part), ...guaranteesOfAlternatives(document, part, depth)])
    .reduce(bothHold, noGuarantees);
}

/** Returns the type of a value; whole numbers are integers. */
function typeOf(value: Json): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'boolean' | 'string' | 'object';
}

function guaranteesOfKeywords(schema: JsonObject): Guarantees {
  const { enum: listed, const: constant, pattern, format, required, properties, items, prefixItems, minItems } = schema;
  const values = constant !== undefined ? [constant] : Array.isArray(listed) ? (listed as readonly Json[]) : undefined;
  const stated = typesOf(schema);
  return {
    types: values === undefined ? (stated.length === 0 ? noGuarantees.types : expand(stated)) : new Set(values.map(typeOf)),
    values,
    patterns: typeof pattern === 'string' ? [pattern] : [],
    formats: typeof format === 'string' ? [format] : [],
    required: new Set(Array.isArray(required) ? required.map(String) : []),
    members: new Map(isObject(properties) ? Object.entries(properties).filter(isSchemaEntry) : []),
    // With prefixItems, elements have different schemas and get no guarantees.
    elements: prefixItems === undefined && isSchema(items) ? items : true,
    minItems: typeof minItems === 'number' ? minItems : 0,
  };
}

/** Adds integers to numbers. */
function expand(types: readonly string[]): ReadonlySet<JsonType> {
  return new Set(types.flatMap((type) => (type === 'number' ? ['number', 'integer'] : [type]) as JsonType[]));
}

/** Returns what every branch of `anyOf` or `oneOf` guarantees. */
function guaranteesOfAlternatives(document: Document, part: JsonObject, depth: number): readonly Guarantees[] {
  if (depth === 0) return [];
  const lists = [part['anyOf'], part['oneOf']].filter((each): each is readonly Json[] => Array.isArray(each) && each.length > 0);
  return lists.map((list) =>
    list
      .filter(isSchema)
      .filter((branch) => branch !== false)
      .map((branch) => readGuarantees(document, branch, depth - 1))
      .reduce(eitherHolds),
  );
}

/** Combines guarantees that hold together. */
function bothHold(left: Guarantees, right: Guarantees): Guarantees {
  return {
    types: new Set([...left.types].filter((type) => right.types.has(type))),
    values: meetValues(left.values, right.values),
    patterns: distinct([...left.patterns, ...right.patterns]),
    formats: distinct([...left.formats, ...right.formats]),
    required: new Set([...left.required, ...right.required]),
    members: mergeMembers(left, right),
    elements: bothOf(left.elements, right.elements),
    minItems: Math.max(left.minItems, right.minItems),
  };
}

/** Combines guarantees of which one holds. */
function eitherHolds(left: Guarantees, right: Guarantees): Guarantees {
  const shared = [...left.members.keys()].filter((name) => right.members.has(name));
  return {
    types: new Set([...left.types, ...right.types]),
    values: left.values === undefined || right.values === undefined ? undefined : distinct([...left.values, ...right.values]),
    patterns: left.patterns.filter((pattern) => right.patterns.includes(pattern)),
    formats: left.formats.filter((format) => right.formats.includes(format)),
    required: new Set([...left.required].filter((name) => right.required.has(name))),
    members: new Map(shared.map((name) => [name, eitherOf(left.members.get(name) ?? true, right.members.get(name) ?? true)])),
    elements: eitherOf(left.elements, right.elements),
    minItems: Math.min(left.minItems, right.minItems),
  };
}

function mergeMembers(left: Guarantees, right: Guarantees): ReadonlyMap<string, Schema> {
  const names = new Set([...left.members.keys(), ...right.members.keys()]);
  return new Map([...names].map((name) => [name, bothOf(left.members.get(name) ?? true, right.members.get(name) ?? true)]));
}

function meetValues(left: readonly Json[] | undefined, right: readonly Json[] | undefined): readonly Json[] | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const known = new Set(right.map((value) => JSON.stringify(value)));
  return left.filter((value) => known.has(JSON.stringify(value)));
}

function bothOf(left: Schema, right: Schema): Schema {
  if (left === true || left === right) return right;
  return right === true ? left : { allOf: [left, right] };
}

function eitherOf(left: Schema, right: Schema): Schema {
  return left === true || right === true ? true : left === right ? left : { anyOf: [left, right] };
}

function distinct<T extends Json>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function isSchemaEntry(entry: readonly [string, Json]): entry is [string, Schema] {
  return isSchema(entry[1]);
}
