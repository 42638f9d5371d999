/**
 * The envelope of the records in an answer: the members that its schema fixes, and the other ones that it requires. It is written once, as a frame with
 * open places, since answers of one operation differ in little else than their records.
 */

import { isObject, type Json } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { schemaOfSuccess } from '../../core/openapi/read-operations.ts';
import { allowsNull, certainSchemas, type Schema } from '../../core/openapi/schema.ts';
import { toPointer, valueAt, withValueAt } from '../../core/pointer.ts';
import { constantsOf } from './fit-schema.ts';
import type { ServedApi, Siblings } from './served-api.ts';

/** The envelope of the successes of an operation. */
export function envelopeOf({ contract, siblings }: ServedApi, operation: Operation): Json {
  const fixed = constantsOf(contract.closed, schemaOfSuccess(operation.responses) ?? true) ?? {};
  return (siblings.get(operation.id) ?? []).reduce<Json>((envelope, [pointer, value]) => withValueAt(envelope, pointer, value), fixed);
}

/**
 * Finds values for required members: null where the schema allows it, since a link of the mock's leads nowhere; then what the file's example shows;
 * then the simplest instance of the schema. The generator is loaded only when it is needed.
 */
export async function findSiblings(contract: Contract): Promise<Siblings> {
  const found = new Map<string, readonly (readonly [string, Json])[]>();
  for (const operation of contract.operations) {
    const schema = schemaOfSuccess(operation.responses);
    const places = placesOf(operation);
    if (schema === undefined || places.length === 0) continue;
    const missing = missingMembers(contract, [schema], { pointer: '', value: constantsOf(contract.closed, schema), places });
    const values: (readonly [string, Json])[] = [];
    for (const { pointer, schemas } of missing) {
      const value = schemas.every((each) => allowsNull(contract.closed, each))
        ? null
        : (exampleAt(operation, pointer) ?? valueAt(await simplest(contract, schema), pointer));
      if (value !== undefined) values.push([pointer, value]);
    }
    if (values.length > 0) found.set(operation.id, values);
  }
  return found;
}

/** The places of an answer that the mock fills itself. */
function placesOf({ collection, resource }: Operation): readonly string[] {
  if (resource !== undefined) return [resource.at];
  if (collection === undefined) return [];
  const { page, items, head } = collection;
  const told =
    page.style === 'cursor'
      ? [page.next, page.more]
      : page.style === 'offset'
        ? [page.total, page.more]
        : [page.total, page.echo?.limit, page.echo?.page];
  return [items, head, ...told].filter((each) => each !== undefined);
}

interface Level {
  readonly pointer: string;
  /** Constant of the schema at this place. */
  readonly value: Json | undefined;
  readonly places: readonly string[];
}

interface Missing {
  readonly pointer: string;
  readonly schemas: readonly Schema[];
}

/** The required members that nothing gives, at every level above the places. */
function missingMembers(contract: Contract, schemas: readonly Schema[], { pointer, value, places }: Level): readonly Missing[] {
  if (places.includes(pointer)) return [];
  const parts = schemas.flatMap((schema) => certainSchemas(contract.closed, schema)).filter(isObject);
  const names = new Set(parts.flatMap(({ required }) => (Array.isArray(required) ? (required as readonly Json[]).map(String) : [])));
  return [...names].flatMap((name) => {
    const at = pointer + toPointer([name]);
    const fixed = isObject(value) ? value[name] : undefined;
    const members = parts.flatMap(({ properties }) =>
      isObject(properties) && properties[name] !== undefined ? [properties[name] as Schema] : [],
    );
    const isAbove = places.some((place) => place === at || place.startsWith(`${at}/`));
    if (isAbove || isObject(fixed)) return missingMembers(contract, members, { pointer: at, value: fixed, places });
    return fixed === undefined ? [{ pointer: at, schemas: members }] : [];
  });
}

function exampleAt({ responses }: Operation, pointer: string): Json | undefined {
  const successes = [...responses.values()].filter(({ status }) => status.startsWith('2'));
  const [example] = successes.flatMap(({ examples }) => [...examples.values()]);
  return valueAt(example?.value, pointer);
}

/** The simplest instance of a schema; `undefined` when the generator finds none, and the member is then left out. */
async function simplest({ closed }: Contract, schema: Schema): Promise<Json | undefined> {
  const { simplestInstance } = await import('../../generators/arbitrary.ts');
  return simplestInstance(schema, { document: closed });
}

/** A body with places that are still open: what answers of a kind have in common is written once. */
export interface Frame {
  /** The texts before, between and after the places. */
  readonly texts: readonly string[];
  /** The places as they come in the body, by the numbers of their pointers. */
  readonly places: readonly number[];
}

/** The frame of a body that is open at some pointers, none of which lies within another. */
export function frameOf(body: Json, pointers: readonly string[]): Frame {
  // No text of a contract begins with this character.
  const open = pointers.reduce((made, pointer, place) => withValueAt(made, pointer, `\u0000${place}`), body);
  const parts = JSON.stringify(open).split(/"\\u0000(\d+)"/);
  return { texts: parts.filter((_, index) => index % 2 === 0), places: parts.filter((_, index) => index % 2 === 1).map(Number) };
}

/** Text before and after the first place of a frame, with values in the other places. */
export function fillAround({ texts, places }: Frame, values: readonly string[]): readonly [before: string, after: string] {
  let [before, text] = ['', texts[0] ?? ''];
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index] ?? 0;
    if (place === 0) {
      before = text;
      text = '';
    } else text += values[place - 1] ?? '';
    text += texts[index + 1] ?? '';
  }
  return [before, text];
}

const comma = 0x2c;

/** The bytes of a list whose elements are bytes already, with a text before and one after it. */
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
