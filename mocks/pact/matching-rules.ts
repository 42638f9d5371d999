/** What a client may expect of a body: an example with the matching rules that hold for every instance of the schema, and nothing else. */

import { compileExpression } from '../../core/bounded-expression.ts';
import type { Document } from '../../core/document.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { fromPointer, toPointer } from '../../core/pointer.ts';
import { certainSchemas, type Schema, typesOf } from '../../core/schema.ts';

/** A matching rule as a pact has it. */
export interface RecordedRule {
  readonly combine: 'AND' | 'OR';
  readonly matchers: readonly JsonObject[];
}

/** An example with the rules that stand for it, each with its path. */
interface ExpectedBody {
  readonly example: Json;
  readonly rules: readonly (readonly [string, RecordedRule])[];
}

/** What is known of an answer besides its schema, by JSON Pointer; `*` stands for every element. */
export interface KnownBody {
  /** Lists that have at least so many elements. */
  readonly least: ReadonlyMap<string, number>;
  /** Values that are known. */
  readonly known: ReadonlyMap<string, Json>;
  /** Members that are there although the schema leaves them out, with what holds for them. */
  readonly present: ReadonlyMap<string, Schema>;
}

/** Nothing is known but the schema. */
export const nothingKnownOfBody: KnownBody = { least: new Map(), known: new Map(), present: new Map() };

/** A place in a body. */
interface BodyLocation {
  readonly document: Document;
  readonly knownBody: KnownBody;
  readonly schema: Schema;
  readonly pointer: string;
  readonly path: string;
}

/**
 * What may be expected of a body that the contract describes by a schema. `undefined` when nothing is guarantees, or when the body is not what the
 * schema says.
 */
export function deriveExpectedBody(
  document: Document,
  schema: Schema,
  body: Json,
  knownBody: KnownBody = nothingKnownOfBody,
): ExpectedBody | undefined {
  return readValue({ document, knownBody, schema, pointer: '', path: '$' }, body);
}

function readValue(place: BodyLocation, value: Json): ExpectedBody | undefined {
  const guarantees = readGuarantees(place.document, place.schema);
  if (!guarantees.types.has(typeOf(value))) return undefined;
  const known = place.knownBody.known.get(place.pointer);
  if (known !== undefined && JSON.stringify(known) === JSON.stringify(value)) return oneRule(place, value, [{ match: 'equality' }]);
  if (isObject(value)) return readObject(place, guarantees, value);
  if (Array.isArray(value)) return readArray(place, guarantees, value as readonly Json[]);
  return readScalar(place, guarantees, value);
}

function readObject(place: BodyLocation, guarantees: Guarantees, value: JsonObject): ExpectedBody | undefined {
  const own = ruleBeside(guarantees, 'object');
  if (own === undefined) return undefined;
  const names = new Set([...guarantees.required, ...presentBelow(place)]);
  const members = [...names].toSorted(byCodeUnits).flatMap((name) => {
    const found = readMember(place, guarantees, name, value[name]);
    return found === undefined ? [] : [[name, found] as const];
  });
  // An empty example would say nothing; its type says that an object is expected.
  const type: readonly RecordedRule[] =
    members.length === 0 && own.length === 0 ? [{ combine: 'AND', matchers: [{ match: 'type' }] }] : own;
  return {
    example: Object.fromEntries(members.map(([name, { example }]) => [name, example])),
    rules: [...type.map((rule) => [place.path, rule] as const), ...members.flatMap(([, { rules }]) => rules)],
  };
}

function readMember(place: BodyLocation, guarantees: Guarantees, name: string, value: Json | undefined): ExpectedBody | undefined {
  const step = memberStep(name);
  if (value === undefined || step === undefined) return undefined;
  const pointer = `${place.pointer}${toPointer([name])}`;
  const schema = place.knownBody.present.get(pointer) ?? guarantees.members.get(name) ?? true;
  return readValue({ ...place, schema, pointer, path: `${place.path}${step}` }, value);
}

/** The first element stands for all of them. */
function readArray(place: BodyLocation, guarantees: Guarantees, [first]: readonly Json[]): ExpectedBody | undefined {
  const { knownBody, pointer, path } = place;
  const beside = ruleBeside(guarantees, 'array');
  if (beside === undefined) return undefined;
  const below = { ...place, schema: guarantees.elements, pointer: `${pointer}/*`, path: `${path}[*]` };
  const element = first === undefined ? undefined : readValue(below, first);
  if (element === undefined) return { example: [], rules: [[path, withNull(beside, { match: 'type', min: 0 })]] };
  const least = Math.max(guarantees.minItems, knownBody.least.get(pointer) ?? 0);
  return {
    example: [element.example],
    rules: [[path, withNull(beside, { match: 'type', min: Math.min(least, 1) })], ...element.rules],
  };
}

function presentBelow({ knownBody, pointer }: BodyLocation): readonly string[] {
  const depth = fromPointer(pointer).length;
  return [...knownBody.present.keys()].flatMap((each) => {
    const keys = fromPointer(each);
    return keys.length === depth + 1 && each.startsWith(`${pointer}/`) ? [keys.at(-1) ?? ''] : [];
  });
}

/** A rule beside which an object or an array may be something else: none, `null`, or what no rule can say (`undefined`). */
function ruleBeside({ types }: Guarantees, type: JsonType): readonly RecordedRule[] | undefined {
  const others = [...types].filter((each) => each !== type);
  if (others.length === 0) return [];
  return others.join() === 'null' ? [{ combine: 'OR', matchers: [{ match: 'type' }, { match: 'null' }] }] : undefined;
}

function withNull(beside: readonly RecordedRule[], matcher: JsonObject): RecordedRule {
  return beside.length === 0 ? { combine: 'AND', matchers: [matcher] } : { combine: 'OR', matchers: [matcher, { match: 'null' }] };
}

function readScalar(place: BodyLocation, guarantees: Guarantees, value: Json): ExpectedBody | undefined {
  if (!obeysGuarantees(guarantees, value)) return undefined;
  const [only, ...others] = guarantees.values ?? [];
  if (only !== undefined && others.length === 0) return oneRule(place, value, [{ match: 'equality' }]);
  const types = [...guarantees.types].filter((type) => type !== 'integer' || !guarantees.types.has('number'));
  const matchers = types.map((type) => matchersOf(type, guarantees, value));
  if (matchers.some((each) => each === undefined)) return undefined;
  const [first = [], ...rest] = matchers.flatMap((each) => (each === undefined ? [] : [each]));
  if (rest.length === 0) return oneRule(place, value, first);
  // Of several texts one is said by its first rule, which promises less than all of them.
  const either = [first, ...rest].map(([matcher = { match: 'type' }]) => matcher);
  return { example: value, rules: [[place.path, { combine: 'OR', matchers: either }]] };
}

/** Whether a value keeps the promise of its lists and patterns; content of one's own may not. */
function obeysGuarantees({ values, patterns }: Guarantees, value: Json): boolean {
  if (values !== undefined && !values.some((each) => each === value)) return false;
  return typeof value !== 'string' || patterns.every((pattern) => compileExpression(pattern).test(value));
}

/** How a type is said, whatever the example is; `undefined` when only an example of that type could say it. */
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

/** A member in a path of Pact; `undefined` for a name that cannot be written there. */
function memberStep(name: string): string | undefined {
  if (/^[A-Za-z_]\w*$/.test(name)) return `.${name}`;
  return /^[^'"\\[\]]+$/.test(name) ? `['${name}']` : undefined;
}

function byCodeUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Formats that a regular expression says. Each accepts all that the format does, and what no calendar has besides. */
const formats: Readonly<Record<string, string>> = {
  'date-time': '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$',
  'date-time-local': '^\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?$',
  date: '^\\d{4}-\\d{2}-\\d{2}$',
};

/** The matchers of a text, which all hold; none when any text will do. */
export function textMatchers({
  values,
  patterns,
  formats: named,
}: Pick<Guarantees, 'values' | 'patterns' | 'formats'>): readonly JsonObject[] {
  const texts = values?.filter((value) => typeof value === 'string');
  if (texts !== undefined && texts.length > 0) return [toMatcher(`^(${texts.map(escapeText).join('|')})$`)];
  const known = named.flatMap((name) => (Object.hasOwn(formats, name) ? [formats[name] ?? ''] : []));
  return [...known, ...patterns.filter(isPortable).map(toPortable)].map(toMatcher);
}

function toMatcher(regex: string): JsonObject {
  return { match: 'regex', regex };
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/**
 * Whether a pattern means the same everywhere: the engines of Pact know neither look-around nor references to groups, have other words for characters
 * by number, and read a bracket within brackets otherwise.
 */
function isPortable(pattern: string): boolean {
  return !/\(\?(?!:)|\\[1-9ckuxpPbB]|\[[^\]]*\[|&&|\[\^?\]/.test(pattern);
}

/** A slash needs no escape, and some engines refuse one. */
function toPortable(pattern: string): string {
  return pattern.replaceAll('\\/', '/');
}

/** The types of JSON, with the whole numbers apart. */
type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** A promise about a value. What is not said is unresolved. */
interface Guarantees {
  /** Every type that the value may have. */
  readonly types: ReadonlySet<JsonType>;
  /** The only values, when they are listed. */
  readonly values: readonly Json[] | undefined;
  /** Patterns that a text matches, all of them. */
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
  /** Members that an object always has. */
  readonly required: ReadonlySet<string>;
  /** What holds for a member, if it is there. */
  readonly members: ReadonlyMap<string, Schema>;
  /** What holds for every element of an array. */
  readonly elements: Schema;
  readonly minItems: number;
}

/** In the order in which alternatives are told. */
const allTypes: readonly JsonType[] = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];

/** What holds for everything. */
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

/** Alternatives may contain themselves; so many deep they promise nothing more. */
const maxDepth = 8;

/** What a schema of a document promises of its instances. Conditions (`if`) and what speaks of other members promise nothing by themselves. */
export function readGuarantees(document: Document, schema: Schema, depth: number = maxDepth): Guarantees {
  const parts = certainSchemas(document, schema).filter(isObject);
  return parts
    .flatMap((part) => [guaranteesOfKeywords(part), ...guaranteesOfAlternatives(document, part, depth)])
    .reduce(bothHold, noGuarantees);
}

/** The type of a value; whole numbers are integers. */
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
    // Elements that differ by their place are not looked at.
    elements: prefixItems === undefined && isSchema(items) ? items : true,
    minItems: typeof minItems === 'number' ? minItems : 0,
  };
}

/** A number may be a whole one. */
function expand(types: readonly string[]): ReadonlySet<JsonType> {
  return new Set(types.flatMap((type) => (type === 'number' ? ['number', 'integer'] : [type]) as JsonType[]));
}

/** One branch of alternatives holds, and nobody knows which; what all of them promise is guarantees. */
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

/** Both hold. */
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

/** One of them holds. */
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

function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}

function isSchemaEntry(entry: readonly [string, Json]): entry is [string, Schema] {
  return isSchema(entry[1]);
}
