/**
 * Makes the records of a collection when a request first needs them: the examples of the file first, then values of the schemas. Also makes the keys and
 * instants of records that clients create. Equal seeds give equal records.
 */

import { createHash } from 'node:crypto';
import { plainName } from '../../core/inference/names.ts';
import { Shape, shapeOfSuccess } from '../../core/inference/shape.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { memoize } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { type Operation, schemaOfSuccess } from '../../core/openapi/operation.ts';
import { type Schema, schemasAt } from '../../core/openapi/schema-facts.ts';
import { fromPointer, valueAt, withValueAt } from '../../core/pointer.ts';
import { parseInstant, printInstant } from '../../core/query/instants.ts';
import { sampleRepaired } from '../handler/values/sample-repaired.ts';
import type { Partition } from './partition.ts';
import type { WorldCollection } from './plan-world.ts';
import { createKeyMaker } from './record-keys.ts';

/** Makes records of one collection. */
export interface RecordMaker {
  /** What is known of the records. */
  readonly shape: Shape;
  /** The records of the start, at a place: its tenant, and the keys of its parents. */
  readonly seed: (count: number, place: readonly string[], nowMs: number) => Promise<readonly JsonObject[]>;
  /** A typical record, which new ones begin with. */
  readonly typical: (nowMs: number) => Promise<JsonObject>;
  /** A record with a key that no other of its partition has or had. `sent` may name it. */
  readonly withNewKey: (record: JsonObject, salt: string, sent: JsonObject, partition: Partition) => JsonObject;
}

/** Typical records are kept for an hour of the clock. */
const hourMs = 3_600_000;

/** A place in a response that has records. */
interface Source {
  readonly operation: Operation;
  readonly pointer: string;
}

/** Creates the maker of a collection. */
export function createRecordMaker(contract: Contract, collection: WorldCollection, seed: number): RecordMaker {
  const sources = sourcesOf(collection);
  const parts = sources.flatMap(({ operation, pointer }) => {
    const schemas = schemasAt(contract.closed, schemaOfSuccess(operation.responses) ?? true, pointer);
    const [first] = schemas;
    return first === undefined ? [] : [first];
  });
  const distinct = [...new Set(parts)];
  const examples = sources.flatMap(({ operation, pointer }) => {
    const shape = shapeOfSuccess(operation);
    return shape.examples.flatMap((example) => {
      const at = valueAt(example, pointer.replace(/\/0$/, ''));
      const found = pointer.endsWith('/0') ? at : valueAt(example, pointer);
      return [found].flat().filter(isObject);
    });
  });
  const shape = new Shape(contract.closed, distinct, examples);
  const numberOf = (salt: string): number => createHash('sha256').update(`${seed} ${collection.name} ${salt}`).digest().readUInt32BE();
  const sample = async (salt: string | undefined, nowMs: number): Promise<JsonObject> => {
    const values = await Promise.all(
      distinct.map((schema) => sampleOf(contract, schema, nowMs, salt === undefined ? undefined : numberOf(salt))),
    );
    // The read of one record says more than the list, and comes last.
    return Object.assign({}, ...values.filter(isObject)) as JsonObject;
  };
  const keys = createKeyMaker(collection, shape.at(collection.key.value), numberOf);
  const withKey = (record: JsonObject, salt: string, count: number, isTaken: (key: Json) => boolean): JsonObject => {
    const key = keys.next(valueAt(record, collection.key.value), salt, count, isTaken);
    return withValueAt(record, collection.key.value, key) as JsonObject;
  };
  const typicalAt = memoize((hour: number) => sample(undefined, hour), 10);
  /** The records that the file shows: its examples, else a typical one. A key that only the example of a path parameter names gets the members of the first. */
  const statedRecords = (typical: JsonObject): readonly JsonObject[] => {
    const shown = known.length > 0 ? known.map((example) => ({ ...typical, ...example })) : [typical];
    const named = keys.shown.filter((key) => !shown.some((record) => String(valueAt(record, collection.key.value)) === String(key)));
    const withKeys = named.map((key) => withValueAt(shown[0] ?? typical, collection.key.value, key) as JsonObject);
    return [...shown, ...withKeys].filter((record) => valueAt(record, collection.key.value) !== undefined);
  };
  const known = mergeByKey(examples, collection.key.value);
  return {
    shape,
    seed: async (count, place, nowMs) => {
      const salt = place.join(' ');
      const before = keys.countBefore(place.slice(1), count);
      const typical = await typicalAt(nowMs - (nowMs % hourMs));
      // Below a parent, the examples would have the same keys as those of other parents.
      const stated = collection.parents.length > 0 ? [] : statedRecords(typical);
      const records = new Map(stated.map((record) => [String(valueAt(record, collection.key.value)), record]));
      for (let index = records.size; index < count; index += 1) {
        const made = withKey(await sample(`${salt} ${index}`, nowMs), `${salt} ${index}`, before + Math.max(1, index), (key) =>
          records.has(String(key)),
        );
        records.set(String(valueAt(made, collection.key.value)), made);
      }
      return withTie(
        [...records.values()].map((record) => ordered(record, collection)),
        stated.length,
        collection,
      );
    },
    typical: async (nowMs) => await typicalAt(nowMs - (nowMs % hourMs)),
    withNewKey: (typical, salt, sent, partition) => {
      const title = plainName(fromPointer(collection.key.value).at(-1) ?? '') === 'slug' ? (sent['title'] ?? sent['name']) : undefined;
      const named = typeof title === 'string' ? withValueAt(typical, collection.key.value, slugOf(title)) : typical;
      const count = collection.parents.length > 0 ? 1_000_000 + (numberOf(`key ${salt}`) % 1_000_000) : partition.given;
      return withKey(named as JsonObject, salt, count, (key) => partition.wasGiven(key));
    },
  };
}

/** The places with records, the most detailed last. */
function sourcesOf({ lists, details, writes }: WorldCollection): readonly Source[] {
  const shown = writes.flatMap(({ operation, kind, shown: pointer }) =>
    kind.value === 'create' && pointer !== undefined ? [{ operation, pointer }] : [],
  );
  const sources = [
    ...lists.map(({ operation, items }) => ({ operation, pointer: `${items.value}/0` })),
    ...details.map(({ operation, at }) => ({ operation, pointer: at.value })),
  ];
  return sources.length === 0 ? shown : sources;
}

async function sampleOf(contract: Contract, schema: Schema, nowMs: number, draw: number | undefined): Promise<Json | undefined> {
  const judge = contract.validators.compile(schema);
  const sample = await sampleRepaired(schema, judge, { document: contract.closed, nowMs }, draw);
  return sample.value;
}

/** Examples with a key, those of one record merged. */
function mergeByKey(examples: readonly JsonObject[], keyField: string): readonly JsonObject[] {
  const records = new Map<string, JsonObject>();
  for (const example of examples) {
    const key = valueAt(example, keyField);
    if (key === undefined || key === null) continue;
    records.set(String(key), { ...records.get(String(key)), ...example });
  }
  return [...records.values()].slice(0, maxExamples);
}

/** Number of examples that become records. */
const maxExamples = 50;

/** A record that was not changed before it was created. */
function ordered(record: JsonObject, { version, created }: WorldCollection): JsonObject {
  if (version === undefined || created === undefined) return record;
  const [first, last] = [valueAt(record, created.value), valueAt(record, version.value)];
  const [from, to] = [instantOf(first), instantOf(last)];
  if (from === undefined || to === undefined || from <= to || first === undefined || last === undefined) return record;
  return withValueAt(withValueAt(record, created.value, last), version.value, first) as JsonObject;
}

/** Gives the two records in the middle one time of change: a client must not lose a record where two changed at once. */
function withTie(records: readonly JsonObject[], stated: number, { version }: WorldCollection): readonly JsonObject[] {
  const middle = Math.max(stated, Math.floor(records.length / 2) - 1);
  const tied = records.slice(middle, middle + 2);
  if (version === undefined || tied.length < 2) return records;
  // The later of both, so that neither changed before it was created.
  const [latest] = tied
    .map((record) => valueAt(record, version.value))
    .toSorted((left, right) => Number((instantOf(right) ?? 0n) - (instantOf(left) ?? 0n)));
  return records.toSpliced(middle, 2, ...tied.map((record) => withValueAt(record, version.value, latest ?? null) as JsonObject));
}

function instantOf(value: Json | undefined): bigint | undefined {
  if (typeof value === 'number') return BigInt(Math.trunc(value));
  return typeof value === 'string' ? parseInstant(value) : undefined;
}

/** An instant in the form of another value of the same member: a text with or without a fraction, or seconds or milliseconds. */
export function instantLike(sample: Json | undefined, shape: Shape | undefined, nowMs: number): Json {
  if (typeof sample === 'number' || (shape?.types.has('integer') === true && !shape.types.has('string')))
    return typeof sample === 'number' && sample > 100_000_000_000 ? nowMs : Math.floor(nowMs / 1000);
  if (shape?.format === 'date') return printInstant(nowMs).slice(0, 10);
  return typeof sample === 'string' && sample.includes('.') ? new Date(nowMs).toISOString() : printInstant(nowMs);
}

/** A text for URLs, as sites make one of a title. */
function slugOf(title: string): string {
  return (
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '') || 'untitled'
  );
}
