/** The records that a mock keeps of one API, by collection, parent and tenant. Records are made when a request first needs them. */

import { definedOf } from '../../core/drop-undefined.ts';
import { isSure } from '../../core/inference/guess.ts';
import { parametersOfPath } from '../../core/inference/names.ts';
import { isNumber, type Json, printJson, readNumber } from '../../core/json.ts';
import { getOrCompute, lazy } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import type { DataRecord } from '../../core/query/query.ts';
import { withPathReferences } from '../handler/values/path-references.ts';
import { createRecordMaker, type RecordMaker } from './make-records.ts';
import { Partition, type RecordChange } from './partition.ts';
import { planWorld, type WorldCollection, type WorldPlan } from './plan-world.ts';

/** A change of the world, as a store keeps it. */
export interface StoredChange extends RecordChange {
  /** The name of the contract. */
  readonly contract: string;
  /** The tenant, the collection and the keys of the parents. */
  readonly place: readonly string[];
}

/** Keeps the changes of a mock over a restart. */
export interface ChangeStore {
  /** The changes that were kept, from the oldest on. */
  readonly load: () => readonly StoredChange[];
  /** Keeps one more change. */
  readonly append: (change: StoredChange) => void;
  /** Forgets everything. */
  readonly clear: () => void;
}

/** Settings of a world. */
export interface WorldSettings {
  readonly seed: number;
  /** The instant of the records of the start. */
  readonly nowMs: number;
  readonly sizes: Readonly<Record<string, number>>;
  readonly store?: ChangeStore | undefined;
  /** The records of collections that have a dataset; empty for others. */
  readonly recordsOf?: ((tenant: string, collection: string) => readonly DataRecord[]) | undefined;
}

/** The records that a change concerns. */
interface ChangedPlace {
  readonly partition: Partition;
  readonly parents: readonly string[];
}

/** Number of records of a collection at the start: on its own, and below a parent. */
const [usualSize, nestedSize] = [20, 5] as const;

/** The records of one API. */
export class World {
  /** Number of changes so far: responses of the same revision may be cached. */
  revision = 0;
  /** What clients wrote to places that are no collections, by path and caller. */
  readonly written: Map<string, Json> = new Map();
  /** The records behind the tokens of logins. */
  readonly principals: Map<string, Json> = new Map();
  readonly #contract: Contract;
  readonly #plan: () => WorldPlan;
  readonly #settings: WorldSettings;
  readonly #makers = new Map<string, RecordMaker>();
  readonly #partitions = new Map<string, Promise<Partition>>();
  readonly #kept = new Map<string, StoredChange[]>();
  readonly #shown = new Map<string, Partition>();
  #made = 0;

  constructor(contract: Contract, settings: WorldSettings) {
    this.#contract = contract;
    this.#plan = lazy(() => planWorld(contract));
    this.#settings = settings;
    for (const change of settings.store?.load() ?? [])
      if (change.contract === contract.name) getOrCompute(this.#kept, printJson(change.place), () => []).push(change);
  }

  /** The collections and their operations. Planning a large file takes a second, so it waits for the first request that needs it. */
  get plan(): WorldPlan {
    return this.#plan();
  }

  makerOf(collection: WorldCollection): RecordMaker {
    return getOrCompute(this.#makers, collection.name, () => createRecordMaker(this.#contract, collection, this.#settings.seed));
  }

  /** The records of a collection below some parents, given by their keys. */
  partition(collection: WorldCollection, tenant: string, parents: readonly string[]): Promise<Partition> {
    const place = [tenant, collection.name, ...parents];
    return getOrCompute(this.#partitions, printJson(place), () => this.#open(collection, place));
  }

  /** A record that a client creates from a typical one, with a key of its own. */
  create(collection: WorldCollection, partition: Partition, typical: DataRecord, sent: DataRecord): DataRecord {
    this.#made += 1;
    return this.makerOf(collection).withNewKey(typical, `made ${this.#made}`, sent, partition);
  }

  /** The records of a collection that clients changed, or that has no dataset; `undefined` for others. */
  recordsOf(tenant: string, collection: string): readonly DataRecord[] | undefined {
    return this.#shown.get(printJson([tenant, collection]))?.records;
  }

  /** Opens the annotated collections that have no records or kept changes, so that their reads show the same records as writes change. */
  async openAnnotated(tenants: readonly string[]): Promise<void> {
    const isEmpty = (collection: string): boolean => this.#settings.recordsOf?.(tenants[0] ?? '', collection).length === 0;
    if (this.#kept.size === 0 && !this.#contract.collections.some(({ name }) => isEmpty(name))) return;
    const annotated = this.plan.collections.filter(({ lists }) => lists.some(({ operation }) => operation.collection !== undefined));
    for (const collection of annotated)
      for (const [index, tenant] of tenants.entries()) {
        const place = printJson([tenant, collection.name]);
        // Only the first tenant has records, as with those of examples.
        if ((index === 0 && isEmpty(collection.name)) || this.#kept.has(place))
          this.#shown.set(place, await this.partition(collection, tenant, []));
      }
  }

  /** Notes a change, and keeps it. */
  changed(collection: WorldCollection, tenant: string, { partition, parents }: ChangedPlace, change: RecordChange): void {
    this.revision += 1;
    if (parents.length === 0) this.#shown.set(printJson([tenant, collection.name]), partition);
    this.#settings.store?.append({ contract: this.#contract.name, place: [tenant, collection.name, ...parents], ...change });
  }

  /** Returns to the records of the start. */
  reset(): void {
    this.revision += 1;
    this.#partitions.clear();
    this.#shown.clear();
    this.#kept.clear();
    this.written.clear();
    this.principals.clear();
    this.#made = 0;
    this.#settings.store?.clear();
  }

  async #open(collection: WorldCollection, place: readonly string[]): Promise<Partition> {
    const [tenant = '', , ...parents] = place;
    const { nowMs, sizes } = this.#settings;
    const stated = belowParents(this.#settings.recordsOf?.(tenant, collection.name) ?? [], collection, parents);
    const size = sizes[collection.name] ?? (parents.length === 0 ? usualSize : nestedSize);
    const made = stated.length > 0 ? [] : await this.makerOf(collection).seed(size, [tenant, ...parents], nowMs);
    const records = stated.length > 0 ? stated : await this.#withReferences(collection, made, place);
    const partition = new Partition(collection.key.value, records);
    for (const change of this.#kept.get(printJson(place)) ?? []) partition.apply(change);
    return partition;
  }

  /** Lets references lead to records: to the parents in the path, and to records of collections that need none. */
  async #withReferences(
    collection: WorldCollection,
    records: readonly DataRecord[],
    [tenant = '', , ...parents]: readonly string[],
  ): Promise<readonly DataRecord[]> {
    const targets = await Promise.all(
      collection.references
        .filter(({ target }) => isSure(target))
        .map(async ({ field, target }) => {
          const parentIndex = collection.parents.findIndex((parent) => parent?.value === target.value);
          if (parentIndex >= 0) return { field, keys: [parents[parentIndex] as Json] };
          const other = this.plan.collections.find(({ name }) => name === target.value);
          if (other === undefined || other.parents.length > 0) return { field, keys: [] };
          return { field, keys: await this.#seedKeys(other, tenant) };
        }),
    );
    const path = [...collection.lists, ...collection.details][0]?.operation.path ?? '';
    const named = parametersOfPath(path).flatMap((name, index) => definedOf(parents[index]).map((key) => [name, key] as const));
    return records.map((record, index) =>
      targets.reduce<DataRecord>(
        (current, { field, keys }) => {
          const before = valueAt(current, field);
          const key = keys[index % Math.max(1, keys.length)];
          if (key === undefined || before === undefined || before === null) return current;
          const typed = isNumber(before) ? readNumber(String(key)) : String(key);
          return Number.isNaN(typed) ? current : (withValueAt(current, field, typed) as DataRecord);
        },
        withPathReferences(record, path, named),
      ),
    );
  }

  /** The keys of the first records of a collection, without opening it: two collections may refer to each other. */
  async #seedKeys(collection: WorldCollection, tenant: string): Promise<readonly Json[]> {
    const { nowMs, sizes } = this.#settings;
    const records = await this.makerOf(collection).seed(sizes[collection.name] ?? usualSize, [tenant], nowMs);
    return records.map((record) => valueAt(record, collection.key.value) ?? null);
  }
}

/** The records that belong to some parents, if they name them. */
function belowParents(
  records: readonly DataRecord[],
  { references, parents: guesses }: WorldCollection,
  parents: readonly string[],
): readonly DataRecord[] {
  const naming = references.flatMap(({ field, target }) => {
    const parent = parents[guesses.findIndex((guess) => guess?.value === target.value)];
    return parent === undefined || !isSure(target) ? [] : [{ field, parent }];
  });
  return records.filter((record) => naming.every(({ field, parent }) => String(valueAt(record, field)) === parent));
}
