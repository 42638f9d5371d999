/**
 * Values to ask both contracts with, the same each time: such as lie at, just before and just after one another in every way of comparing; what is drawn
 * from arbitraries; and records of a list, copies of a small one with other values in the fields that matter.
 */

import { type Arbitrary, check, property, sample } from 'fast-check';
import type { Document } from '../../../core/document.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { toPointer, valueAt, withValueAt } from '../../../core/pointer.ts';
import type { Entry } from '../../../core/query.ts';
import { schemaOfSuccess } from '../../../core/read-operation.ts';
import type { Visibility } from '../../../core/rules.ts';
import { gather, type Schema, schemasAt } from '../../../core/schema.ts';
import type { Validator } from '../../../core/validator.ts';
import { arbitraryFor } from '../../../generators/arbitrary.ts';
import { Unsatisfiable, Unsupported } from '../../../generators/generation-errors.ts';
import type { ListOperation } from '../../walk.ts';
import type { ListPair } from './pair.ts';

/** The values that some schemas list, and then values of every kind; most of them fit no given place, so whoever uses them tries first. */
export function listAtoms(document: Document, schemas: readonly Schema[]): readonly Json[] {
  return unique([...schemas.flatMap((schema) => listedBy(document, schema)), ...customary]);
}

/** Values without repetition. */
function unique(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** The values just beside a number. */
function neighbours(value: Json): readonly Json[] {
  return typeof value === 'number' && Number.isInteger(value) ? [value - 1, value + 1] : [];
}

function listedBy(document: Document, schema: Schema): readonly Json[] {
  const { enum: values, const: constant, minimum, maximum } = gather(document, schema);
  const bounds = [minimum, maximum].flatMap((bound) => (typeof bound === 'number' ? [bound, ...neighbours(bound)] : []));
  const listed = Array.isArray(values) ? (values as readonly Json[]) : constant === undefined ? [] : [constant];
  return [...listed.filter((value) => !isObject(value)), ...bounds];
}

/** Of two numbers the greater is not always the later text; of two moments the later is not always of the later day. */
const customary: readonly Json[] = [
  ...[1, 2, 10],
  ...['Alpha', 'alpha', 'Álpha', 'Beta', '2', '10'],
  ...['2026-03-10T12:00:00Z', '2026-03-10T12:00:01Z', '2026-03-10T13:00:00+01:00', '2026-03-09T23:30:00-02:00', '2026-03-11T12:00:00Z'],
  ...['2026-03-10', '2026-03-09', '2026-03-11'],
  ...['2026-03-10 12:00:00', '2026-03-10 12:00:01', '2026-03-11 12:00:00'],
  ...['2026-03-10T12:00:00', '2026-03-10T12:00:01', '2026-03-11T12:00:00'],
  ...['12:00', '12:01', '12:00:00', '12:00:01'],
  ...[1.5, true, false],
];

/** The same contracts have the same witnesses. */
const seed = 20_261;

/** What was found among so many draws. */
interface Drawn<T> {
  readonly value: T | undefined;
  readonly tried: number;
}

/** The smallest value that fits, as far as shrinking leads. Where nothing can be drawn, nothing is found. */
export function drawSmallest<T>(open: () => Arbitrary<T>, fits: (value: T) => boolean, runs: number): Drawn<T> {
  const arbitrary = openOrNone(open);
  if (arbitrary === undefined) return { value: undefined, tried: 0 };
  const { counterexample, errorInstance, numRuns, failed } = check(
    property(arbitrary, (value) => {
      if (fits(value)) throw new Fitting();
    }),
    { seed, numRuns: runs },
  );
  // Shrinking takes any error for a fit; one that is none is a mistake of this program.
  if (failed && !(errorInstance instanceof Fitting)) throw errorInstance;
  return { value: counterexample?.[0], tried: numRuns };
}

/** Some values; none where none can be drawn. */
function drawSome<T>(open: () => Arbitrary<T>, number: number): readonly T[] {
  const arbitrary = openOrNone(open);
  return arbitrary === undefined ? [] : sample(arbitrary, { seed, numRuns: number });
}

/** Thrown to tell that a value fits. */
class Fitting extends Error {}

/** That a schema has no instances, or none that can be generated, is no mistake: there is just nothing to show. */
function openOrNone<T>(open: () => Arbitrary<T>): Arbitrary<T> | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof Unsatisfiable || error instanceof Unsupported) return undefined;
    throw error;
  }
}

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
  const valuesAt = memoise((field: string) => {
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
  const isForbidden = memoise((name: string) => schemasAt(document, schema, `${collection.items}/0${toPointer([name])}`).includes(false));
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

/** A function that makes each thing once. */
export function memoise<K extends Json, T>(make: (key: K) => T): (key: K) => T {
  const known = new Map<string, T>();
  return (key) => {
    const text = JSON.stringify(key);
    const found = known.has(text) ? (known.get(text) as T) : make(key);
    known.set(text, found);
    return found;
  };
}
