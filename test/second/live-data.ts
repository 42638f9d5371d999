/** Tables of records that can change while the server answers, and the ways in which tests change them. */

import { draw, pick } from './seeded-draws.ts';

/** The identifier of a record: an id or a slug. */
export type RecordKey = string | number;

/** The records of one list, by business. */
export interface LiveTable<R> {
  readonly name: string;
  readonly rows: (tenant: string) => ReadonlyMap<RecordKey, R>;
  /** Grows with each change: sorted rows of an older version are sorted again. */
  readonly version: () => number;
  readonly insert: (tenant: string) => RecordKey;
  readonly update: (tenant: string, key: RecordKey) => boolean;
  readonly delete: (tenant: string, key: RecordKey) => boolean;
}

/** Makes the records of a list, adds to them, and changes them. */
interface TableMaker<R> {
  readonly name: string;
  readonly first: (tenant: string) => readonly R[];
  readonly next: (tenant: string, index: number, changed: number) => R;
  readonly changed: (row: R, changed: number) => R;
  readonly key: (row: R) => RecordKey;
}

/** The end of the latest page of a list: its last record and the one after it. */
export interface PageEdge {
  readonly list: string;
  readonly tenant: string;
  readonly last: RecordKey;
  readonly next: RecordKey | undefined;
}

/** Changes the data of a running server, as its users would. */
export interface LiveData {
  readonly lists: readonly string[];
  readonly tenants: readonly string[];
  /** The keys of a list in no meaningful order. */
  readonly keys: (list: string, tenant: string) => readonly RecordKey[];
  /** Adds a record and gives its key. */
  readonly insert: (list: string, tenant: string) => RecordKey;
  /** Changes a record and its instant; false when there is none. */
  readonly update: (list: string, tenant: string, key: RecordKey) => boolean;
  /** Takes a record away; false when there is none. */
  readonly delete: (list: string, tenant: string, key: RecordKey) => boolean;
  /** The end of the latest page; undefined after the last page and after every other request. */
  readonly edge: () => PageEdge | undefined;
}

/** The clock of the data: it moves only when something changes. */
export interface DataClock {
  readonly tick: () => number;
}

/** A clock that starts at an instant and moves by a step. */
export function dataClock(start: number, step: number): DataClock {
  let now = start;
  return {
    tick: () => {
      now += step;
      return now;
    },
  };
}

/** A table whose records are made when they are first asked for. */
export function makeTable<R>(maker: TableMaker<R>, clock: DataClock): LiveTable<R> {
  const held = new Map<string, Map<RecordKey, R>>();
  const made = new Map<string, number>();
  let version = 0;
  const open = (tenant: string): Map<RecordKey, R> => {
    const present = held.get(tenant);
    if (present !== undefined) return present;
    const first = maker.first(tenant);
    const rows = new Map(first.map((row) => [maker.key(row), row]));
    held.set(tenant, rows);
    made.set(tenant, first.length);
    return rows;
  };
  return {
    name: maker.name,
    rows: open,
    version: () => version,
    insert: (tenant) => {
      const rows = open(tenant);
      const index = made.get(tenant) ?? 0;
      const row = maker.next(tenant, index, clock.tick());
      made.set(tenant, index + 1);
      rows.set(maker.key(row), row);
      version += 1;
      return maker.key(row);
    },
    update: (tenant, key) => {
      const row = open(tenant).get(key);
      if (row === undefined) return false;
      open(tenant).set(key, maker.changed(row, clock.tick()));
      version += 1;
      return true;
    },
    delete: (tenant, key) => {
      const gone = open(tenant).delete(key);
      if (gone) version += 1;
      return gone;
    },
  };
}

/** Changes for several tables. */
export function liveData(tables: readonly LiveTable<unknown>[], tenants: readonly string[], edge: () => PageEdge | undefined): LiveData {
  const table = (list: string): LiveTable<unknown> => {
    const found = tables.find((candidate) => candidate.name === list);
    if (found === undefined) throw new Error(`There is no list '${list}'; this server has ${tables.map(({ name }) => name).join(', ')}`);
    return found;
  };
  return {
    lists: tables.map(({ name }) => name),
    tenants,
    keys: (list, tenant) => [...table(list).rows(tenant).keys()],
    insert: (list, tenant) => table(list).insert(tenant),
    update: (list, tenant, key) => table(list).update(tenant, key),
    delete: (list, tenant, key) => table(list).delete(tenant, key),
    edge,
  };
}

/** Changes data before a request is answered. */
export type LiveChange = (moment: number, data: LiveData) => void;

/** An adversary who sees where the latest page ended and changes a record beside that edge before the next page is asked for. */
export const edges: LiveChange = (moment, data) => {
  const edge = data.edge();
  if (edge !== undefined) pick(edgeMoves, moment)(data, edge);
};

/** Something changes before each request. */
export const busy: LiveChange = (moment, data) => change(data, moment);

/** Something changes before every seventh request. */
export const slow: LiveChange = (moment, data) => {
  if (moment % 7 === 0) change(data, moment / 7);
};

const edgeMoves: readonly ((data: LiveData, edge: PageEdge) => void)[] = [
  (data, { list, tenant, last }) => void data.update(list, tenant, last),
  (data, { list, tenant, next }) => void (next !== undefined && data.update(list, tenant, next)),
  (data, { list, tenant }) => void data.insert(list, tenant),
  (data, { list, tenant, last }) => void data.delete(list, tenant, last),
  (data, { list, tenant, next }) => void (next !== undefined && data.delete(list, tenant, next)),
];

function change(data: LiveData, moment: number): void {
  const list = pick(data.lists, draw(moment, 61));
  // Mostly the business with the most data, which is the one that is read.
  const tenant = pick(draw(moment, 65) % 4 === 0 ? data.tenants : data.tenants.slice(0, 1), draw(moment, 62));
  const keys = data.keys(list, tenant);
  const kind = draw(moment, 63) % 8;
  // There is one menu or none, so only its version changes.
  if (list !== 'menus' && (kind === 0 || keys.length === 0)) {
    data.insert(list, tenant);
    return;
  }
  if (keys.length === 0) return;
  const key = pick(keys, draw(moment, 64));
  if (list !== 'menus' && kind === 1) data.delete(list, tenant, key);
  else data.update(list, tenant, key);
}
