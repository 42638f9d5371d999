/** Records to ask both contracts about: a small one that the list may show, and copies of it with other values in the fields that matter. */

import { isObject, type Json } from '../../../core/json.ts';
import { toPointer, valueAt, withValueAt } from '../../../core/pointer.ts';
import type { Entry } from '../../../core/query.ts';
import { schemaOfSuccess } from '../../../core/read-operation.ts';
import type { Visibility } from '../../../core/rules.ts';
import { type Schema, schemasAt } from '../../../core/schema.ts';
import type { Validator } from '../../../core/validator.ts';
import { arbitraryFor } from '../../../generators/arbitrary.ts';
import type { ListOperation } from '../../walk.ts';
import { listAtoms, neighbours, unique } from './atoms.ts';
import { drawSmallest, drawSome } from './draw.ts';
import type { ListPair } from './pair.ts';

/** What records of a list are made from. */
export interface Pool {
  /** The smallest record that was found. */
  readonly base: Entry;
  /** Whether both lists may show a record; where the new one may not show even the base, whether the old one may. */
  readonly allows: (record: Entry) => boolean;
  /** Values that a field of the base may have. */
  readonly valuesAt: (field: string) => readonly Json[];
}

const pools = new WeakMap<ListPair, Pool | undefined>();

/** The pool of a list; `undefined` when no body of it with a record can be generated. */
export function openPool(pair: ListPair): Pool | undefined {
  if (!pools.has(pair)) pools.set(pair, createPool(pair));
  return pools.get(pair);
}

/** How many bodies are drawn until one has a record; lists are seldom empty. */
const drawn = 60;

function createPool({ old, next }: ListPair): Pool | undefined {
  const schema = schemaOfSuccess(old.operation.responses);
  if (schema === undefined) return undefined;
  const { document } = old.operation;
  const recordOf = (body: Json): Json | undefined => valueAt(body, `${old.operation.collection.items}/0`);
  const open = (): ReturnType<typeof arbitraryFor> => arbitraryFor(schema, { document });
  const body = drawSmallest(open, (value) => isObject(recordOf(value)), drawn).value;
  const first = body === undefined ? undefined : recordOf(body);
  if (body === undefined || !isObject(first)) return undefined;
  const before = judgeOf(old.operation, body);
  const after = judgeOf(next.operation, body);
  const isShownByBoth = before(first) && after(first);
  const allows = (record: Entry): boolean => before(record) && (!isShownByBoth || after(record));
  const others = drawSome(open, 12).flatMap((each) => recordOf(each) ?? []);
  const shown = [next, old].flatMap(({ operation: { collection } }) => collection.visible ?? []);
  const valuesAt = memoise((field) => {
    const telling = shown.flatMap((visible) => (visible.field === field ? visible.shown : []));
    return valuesOf(old.operation, schema, field, [...telling, ...seenAt(others, field)], first, allows);
  });
  const { key } = old.operation.collection;
  const named = putAt(first, key, valuesAt(key)[0] ?? valueAt(first, key) ?? null);
  return { base: shown.reduce((record, visible) => showing(record, visible, allows), named), allows, valuesAt };
}

/** The record with a value by which it is shown, if it may have one: what nobody sees shows nothing. */
function showing(record: Entry, { field, shown }: Visibility, allows: Pool['allows']): Entry {
  return shown.map((value) => putAt(record, field, value)).find(allows) ?? record;
}

function seenAt(records: readonly Json[], field: string): readonly Json[] {
  return records.flatMap((record) => valueAt(record, field) ?? []).filter((value) => !isObject(value));
}

/**
 * Judges a record by a body of the list that holds nothing else. A search may look at fields that the single read shows and the list does not: what
 * the list forbids is left out of what is judged.
 */
function judgeOf({ responses, collection, document }: ListOperation, body: Json): (record: Entry) => boolean {
  const validate = validatorOf(responses);
  const schema = schemaOfSuccess(responses) ?? true;
  const isForbidden = memoise((name) => schemasAt(document, schema, `${collection.items}/0${toPointer([name])}`).includes(false));
  return (record) => {
    const shown = Object.fromEntries(Object.entries(record).filter(([name]) => !isForbidden(name)));
    return validate?.(withValueAt(body, collection.items, [shown])).length === 0;
  };
}

function validatorOf(responses: ListOperation['responses']): Validator | undefined {
  const schema = schemaOfSuccess(responses);
  const contents = [...responses.values()].flatMap(({ content }) => [...content.values()]);
  return contents.find((content) => content.schema === schema)?.validate;
}

function valuesOf(
  { document, collection }: ListOperation,
  schema: Schema,
  field: string,
  more: readonly Json[],
  base: Entry,
  allows: (record: Entry) => boolean,
): readonly Json[] {
  const schemas = schemasAt(document, schema, `${collection.items}/0${field}`);
  const values = unique([...listAtoms(document, schemas), valueAt(base, field) ?? null, ...more, ...more.flatMap(neighbours)]);
  return values.filter((value) => allows(putAt(base, field, value)));
}

/** A record with another value in a field. */
export function putAt(record: Entry, field: string, value: Json): Entry {
  const changed = withValueAt(record, field, value);
  return isObject(changed) ? changed : record;
}

function memoise<T>(make: (field: string) => T): (field: string) => T {
  const known = new Map<string, T>();
  return (field) => {
    const found = known.get(field) ?? make(field);
    known.set(field, found);
    return found;
  };
}
