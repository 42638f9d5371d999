/**
 * The envelope around the records of a response: the constants of its schema, and the other members that the schema requires. It is printed once, with gaps
 * that each request fills.
 */

import { isArray, isObject, type Json, type JsonObject, printJson } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { schemaOfSuccess } from '../../core/openapi/operation.ts';
import { allowsNull, certainSchemas, constantsOf, type Schema } from '../../core/openapi/schema-facts.ts';
import { toPointer, valueAt, withValueAt } from '../../core/pointer.ts';
import type { EnvelopeMembers, ServedApi } from './served-api.ts';

/** The envelope of the successful responses of an operation, without records. */
export function envelopeOf({ contract, envelopeMembers }: ServedApi, operation: Operation): Json {
  const constants = constantsOf(contract.closed, schemaOfSuccess(operation.responses) ?? true) ?? {};
  const members = envelopeMembers.get(operation.id) ?? [];
  return members.reduce<Json>((envelope, [pointer, value]) => withValueAt(envelope, pointer, value), constants);
}

/**
 * Finds values for the members that an envelope requires and the mock does not fill: null if the schema allows it, since a link of the mock leads nowhere; or
 * the value in the example of the operation; or the simplest instance of the schema. It loads the generator only if it is needed.
 */
export async function findEnvelopeMembers(contract: Contract): Promise<EnvelopeMembers> {
  const membersByOperation = new Map<string, readonly (readonly [string, Json])[]>();
  for (const operation of contract.operations) {
    const schema = schemaOfSuccess(operation.responses);
    const places = filledPlaces(operation);
    if (schema === undefined || places.length === 0) continue;
    const missing = missingMembers(contract, [schema], { pointer: '', value: constantsOf(contract.closed, schema), places });
    const values: (readonly [string, Json])[] = [];
    for (const { pointer, schemas } of missing) {
      const value = schemas.every((each) => allowsNull(contract.closed, each))
        ? null
        : (exampleAt(operation, pointer) ?? valueAt(await simplestInstanceOf(contract, schema), pointer));
      if (value !== undefined) values.push([pointer, value]);
    }
    if (values.length > 0) membersByOperation.set(operation.id, values);
  }
  return membersByOperation;
}

/** Pointers of the places that the mock fills in each response: the records, and the members about the page. */
function filledPlaces({ collection, resource }: Operation): readonly string[] {
  if (resource !== undefined) return [resource.at];
  if (collection === undefined) return [];
  const { page, items, head } = collection;
  const pageMembers =
    page.style === 'cursor'
      ? [page.next, page.more]
      : page.style === 'offset'
        ? [page.total, page.more]
        : [page.total, page.echo?.limit, page.echo?.page];
  return [items, head, ...pageMembers].filter((place) => place !== undefined);
}

/** An object of the envelope, with the filled places in or below it. */
interface Level {
  readonly pointer: string;
  /** Constants of the schema at this pointer. */
  readonly value: Json | undefined;
  readonly places: readonly string[];
}

/** A required member without a value. */
interface MissingMember {
  readonly pointer: string;
  readonly schemas: readonly Schema[];
}

/** The required members without a value, in all objects that contain a filled place. */
function missingMembers(contract: Contract, schemas: readonly Schema[], { pointer, value, places }: Level): readonly MissingMember[] {
  if (places.includes(pointer)) return [];
  const objectSchemas = schemas.flatMap((schema) => certainSchemas(contract.closed, schema)).filter(isObject);
  const names = new Set(
    objectSchemas.flatMap(({ required }) => (Array.isArray(required) ? (required as readonly Json[]).map(String) : [])),
  );
  return [...names].flatMap((name) => {
    const memberPointer = pointer + toPointer([name]);
    const constant = isObject(value) ? value[name] : undefined;
    const memberSchemas = objectSchemas.flatMap(({ properties }) =>
      isObject(properties) && properties[name] !== undefined ? [properties[name] as Schema] : [],
    );
    const holdsPlace = places.some((place) => place === memberPointer || place.startsWith(`${memberPointer}/`));
    if (holdsPlace || isObject(constant))
      return missingMembers(contract, memberSchemas, { pointer: memberPointer, value: constant, places });
    return constant === undefined ? [{ pointer: memberPointer, schemas: memberSchemas }] : [];
  });
}

/** The value at a pointer in the first example of a success. */
function exampleAt({ responses }: Operation, pointer: string): Json | undefined {
  const successes = [...responses.values()].filter(({ status }) => status.startsWith('2'));
  const [example] = successes.flatMap(({ examples }) => [...examples.values()]);
  return valueAt(example?.value, pointer);
}

/** The simplest instance of a schema; `undefined` if the generator finds none. The member is then omitted. */
async function simplestInstanceOf({ closed }: Contract, schema: Schema): Promise<Json | undefined> {
  const { simplestInstance } = await import('../../generators/schema-arbitrary.ts');
  return simplestInstance(schema, { document: closed });
}

/** A printed body with gaps. */
export interface Frame {
  /** The texts before, between and after the gaps. */
  readonly texts: readonly string[];
  /** The gaps in the order of the body, each as the index of its pointer. */
  readonly gaps: readonly number[];
}

/** The frame of a body with gaps at some pointers, none of which contains another. */
export function frameOf(body: Json, pointers: readonly string[]): Frame {
  const texts: string[] = [];
  const gaps: number[] = [];
  let text = '';
  const print = (value: Json, at: string): void => {
    const gap = pointers.indexOf(at);
    if (gap >= 0) {
      texts.push(text);
      gaps.push(gap);
      text = '';
    } else if (pointers.some((each) => each.startsWith(`${at}/`))) printMembers(value, at);
    else text += printJson(value);
  };
  const printMembers = (value: Json, at: string): void => {
    const isList = isArray(value);
    text += isList ? '[' : '{';
    for (const [index, [name, member]] of Object.entries(value as JsonObject).entries()) {
      if (index > 0) text += ',';
      if (!isList) text += `${printJson(name)}:`;
      print(member, at + toPointer([name]));
    }
    text += isList ? ']' : '}';
  };
  print(
    pointers.reduce<Json>((value, pointer) => withValueAt(value, pointer, null), body),
    '',
  );
  return { texts: [...texts, text], gaps };
}

/** The texts before and after the gap of the first pointer, with the values of the other pointers in their gaps. */
export function fillAround({ texts, gaps }: Frame, values: readonly string[]): readonly [before: string, after: string] {
  let [before, text] = ['', texts[0] ?? ''];
  for (let index = 0; index < gaps.length; index += 1) {
    const pointer = gaps[index] ?? 0;
    if (pointer === 0) {
      before = text;
      text = '';
    } else text += values[pointer - 1] ?? '';
    text += texts[index + 1] ?? '';
  }
  return [before, text];
}

const comma = 0x2c;

/** A JSON list of printed elements, with a text before and after it. */
export function joinList(before: string, elements: readonly Buffer[], after: string): Buffer {
  const [head, tail] = [Buffer.from(`${before}[`), Buffer.from(`]${after}`)];
  let length = head.length + Math.max(0, elements.length - 1) + tail.length;
  for (const element of elements) length += element.length;
  const bytes = Buffer.allocUnsafe(length);
  bytes.set(head);
  let at = head.length;
  for (const element of elements) {
    if (at > head.length) {
      bytes[at] = comma;
      at += 1;
    }
    bytes.set(element, at);
    at += element.length;
  }
  bytes.set(tail, at);
  return bytes;
}
