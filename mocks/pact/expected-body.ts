/**
 * Derives the expected body of a recorded response: an example, with matching rules for all that the contract guarantees. What it does not guarantee is not
 * expected.
 */

import { isObject, type Json, type JsonObject, jsonTypeOf, printJson } from '../../core/json.ts';
import type { Document } from '../../core/openapi/document.ts';
import type { Schema } from '../../core/openapi/schema-facts.ts';
import { fromPointer, toPointer } from '../../core/pointer.ts';
import { compileExpression, escapeExpression } from '../../core/safe-regexp.ts';
import { type Guarantees, type JsonType, readGuarantees } from './schema-guarantees.ts';

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
  if (!guarantees.types.has(jsonTypeOf(value))) return undefined;
  const knownValue = location.knownBody.values.get(location.pointer);
  if (knownValue !== undefined && printJson(knownValue) === printJson(value)) return oneRule(location, value, [{ match: 'equality' }]);
  if (isObject(value)) return readObject(location, guarantees, value);
  if (Array.isArray(value)) return readArray(location, guarantees, value as readonly Json[]);
  return readScalar(location, guarantees, value);
}

function readObject(location: BodyLocation, guarantees: Guarantees, value: JsonObject): ExpectedBody | undefined {
  // Pact refuses null where the example is an object or an array, whatever the rule.
  if (guarantees.types.size > 1) return undefined;
  const names = new Set([...guarantees.required, ...presentBelow(location)]);
  const members = [...names].toSorted(byCodeUnits).flatMap((name) => {
    const member = readMember(location, guarantees, name, value[name]);
    return member === undefined ? [] : [[name, member] as const];
  });
  // An empty example expects nothing, so a type rule expects an object.
  const own: readonly (readonly [string, RecordedRule])[] = members.length > 0 ? [] : [[location.path, ruleOf([{ match: 'type' }])]];
  return {
    example: Object.fromEntries(members.map(([name, { example }]) => [name, example])),
    rules: [...own, ...members.flatMap(([, { rules }]) => rules)],
  };
}

function readMember(location: BodyLocation, guarantees: Guarantees, name: string, value: Json | undefined): ExpectedBody | undefined {
  const step = memberStep(name);
  if (value === undefined || step === undefined) return undefined;
  const pointer = `${location.pointer}${toPointer([name])}`;
  const schema = location.knownBody.present.get(pointer) ?? guarantees.member(name);
  return readValue({ ...location, schema, pointer, path: `${location.path}${step}` }, value);
}

/** The first element is the example for every element. Pact compares nothing with an empty example that has a rule. */
function readArray(location: BodyLocation, guarantees: Guarantees, [first]: readonly Json[]): ExpectedBody | undefined {
  const { knownBody, pointer, path } = location;
  if (guarantees.types.size > 1) return undefined;
  const elementLocation = { ...location, schema: guarantees.elements, pointer: `${pointer}/*`, path: `${path}[*]` };
  const element = first === undefined ? undefined : readValue(elementLocation, first);
  if (element === undefined) return { example: [], rules: [[path, ruleOf([{ match: 'type', min: 0 }])]] };
  const minItems = Math.max(guarantees.minItems, knownBody.minItems.get(pointer) ?? 0);
  return {
    example: [element.example],
    rules: [[path, ruleOf([{ match: 'type', min: Math.min(minItems, 1) }])], ...element.rules],
  };
}

function presentBelow({ knownBody, pointer }: BodyLocation): readonly string[] {
  const depth = fromPointer(pointer).length;
  return [...knownBody.present.keys()].flatMap((each) => {
    const keys = fromPointer(each);
    return keys.length === depth + 1 && each.startsWith(`${pointer}/`) ? [keys.at(-1) ?? ''] : [];
  });
}

function readScalar(location: BodyLocation, guarantees: Guarantees, value: Json): ExpectedBody | undefined {
  if (!obeysGuarantees(guarantees, value)) return undefined;
  const [onlyValue, ...otherValues] = guarantees.values ?? [];
  if (onlyValue !== undefined && otherValues.length === 0) return oneRule(location, value, [{ match: 'equality' }]);
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
    return [{ match: type === jsonTypeOf(value) && type === 'boolean' ? 'type' : type }];
  if (type !== 'string') return undefined;
  const matchers = textMatchers(guarantees);
  if (matchers.length > 0) return matchers;
  return typeof value === 'string' ? [{ match: 'type' }] : undefined;
}

function oneRule({ path }: BodyLocation, example: Json, matchers: readonly JsonObject[]): ExpectedBody {
  return { example, rules: [[path, ruleOf(matchers)]] };
}

function ruleOf(matchers: readonly JsonObject[]): RecordedRule {
  return { combine: 'AND', matchers };
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
export const formats: Readonly<Record<string, string>> = {
  'date-time': '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$',
  'date-time-local': '^\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?$',
  date: '^\\d{4}-\\d{2}-\\d{2}$',
};

/** Returns the matchers of a string, combined by AND; none if it may be any string. */
export function textMatchers({
  values,
  patterns,
  formats: formatNames,
}: Pick<Guarantees, 'values' | 'patterns' | 'formats'>): readonly JsonObject[] {
  const strings = values?.filter((value) => typeof value === 'string');
  if (strings !== undefined && strings.length > 0) return [toMatcher(`^(${strings.map(escapeExpression).map(toPortable).join('|')})$`)];
  const formatPatterns = formatNames.flatMap((name) => (Object.hasOwn(formats, name) ? [formats[name] ?? ''] : []));
  return [...formatPatterns, ...patterns.filter(isPortable).map(toPortable).map(toWhole)].map(toMatcher);
}

function toMatcher(regex: string): JsonObject {
  return { match: 'regex', regex };
}

/** Completes a pattern, which may match a part of a text, to one of whole texts, as Pact reads it. Its dot stands for no line feed. */
function toWhole(pattern: string): string {
  const anything = '(.|\\n)*';
  const plain = pattern.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, 'x');
  const isChoice = /\|/.test(withoutGroups(plain));
  const start = plain.startsWith('^') && !isChoice ? '' : anything;
  const end = plain.endsWith('$') && !isChoice ? '' : anything;
  return start === '' && end === '' ? pattern : `${start}${isChoice ? `(${pattern})` : pattern}${end}`;
}

function withoutGroups(plain: string): string {
  const rest = plain.replaceAll(/\([^()]*\)/g, '');
  return rest === plain ? plain : withoutGroups(rest);
}

/**
 * True if Pact's regex engine matches each text that a pattern of JavaScript matches. They differ in look-around, back references, escapes and nested
 * brackets, and the negations of classes are smaller in Pact, whose classes are those of Unicode.
 */
function isPortable(pattern: string): boolean {
  return !/\\[WDS]|\[\^[^\]]*\\[wds]|\(\?(?!:)|\\[1-9ckuxpPbB]|\[[^\]]*\[|&&|\[\^?\]/.test(pattern);
}

/** Removes the escape of slashes, which some engines reject. */
function toPortable(pattern: string): string {
  return pattern.replaceAll('\\/', '/');
}
