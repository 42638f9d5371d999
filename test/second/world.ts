/** Knows what a running server holds: tables of records that can change while it answers, with every change at a later instant. */

/** What identifies a record: an id or a slug. */
export type Key = string | number;

/** The records of one list, by business. */
export interface Table<R> {
  readonly name: string;
  readonly rows: (tenant: string) => ReadonlyMap<Key, R>;
  /** Grows with each change, so that whoever sorts the rows knows when to sort again. */
  readonly version: () => number;
  readonly insert: (tenant: string) => Key;
  readonly update: (tenant: string, key: Key) => boolean;
  readonly delete: (tenant: string, key: Key) => boolean;
}

/** How a list's records are first made, made anew, and changed. */
export interface TableMaker<R> {
  readonly name: string;
  readonly first: (tenant: string) => readonly R[];
  readonly next: (tenant: string, index: number, changed: number) => R;
  readonly changed: (row: R, changed: number) => R;
  readonly key: (row: R) => Key;
}

/** Where the latest page of a list ended: its last record and the one after it. */
export interface PageEdge {
  readonly list: string;
  readonly tenant: string;
  readonly last: Key;
  readonly next: Key | undefined;
}

/** The hand that changes a running server's data, as its users would. */
export interface MutableWorld {
  readonly lists: readonly string[];
  readonly tenants: readonly string[];
  /** The keys of a list in no meaningful order. */
  readonly keys: (list: string, tenant: string) => readonly Key[];
  /** Adds a record and gives its key. */
  readonly insert: (list: string, tenant: string) => Key;
  /** Changes a record and its instant; false when there is none. */
  readonly update: (list: string, tenant: string, key: Key) => boolean;
  /** Takes a record away; false when there is none. */
  readonly delete: (list: string, tenant: string, key: Key) => boolean;
  /** Where the latest page ended; undefined after anything but a page with a successor. */
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
export function makeTable<R>(maker: TableMaker<R>, clock: DataClock): Table<R> {
  const held = new Map<string, Map<Key, R>>();
  const made = new Map<string, number>();
  let version = 0;
  const open = (tenant: string): Map<Key, R> => {
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

/** The hand over several tables. */
export function mutableWorld(
  tables: readonly Table<unknown>[],
  tenants: readonly string[],
  edge: () => PageEdge | undefined,
): MutableWorld {
  const table = (list: string): Table<unknown> => {
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
