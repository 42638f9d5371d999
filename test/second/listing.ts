/** Knows how a list is walked: the rows in their order, where a cursor continues, how long a page is. */

import { type CursorContent, writeCursor } from './cursor.ts';
import { type CutPage, edgeFaults } from './edge.ts';
import { compareKeys, type ListKind } from './list-kind.ts';
import type { ListQuery } from './list-query.ts';
import type { Row } from './record.ts';
import type { Setup } from './setup.ts';
import { everyone, filtersInForce, opened, pageLength, selected, sorter, startOf, type Walk } from './walk.ts';
import type { PageEdge, Table } from './world.ts';

/** One page of a list. */
export interface Page<R> {
  readonly rows: readonly R[];
  readonly more: boolean;
  /** A cursor, also after the last record: whether it is shown there is an open question. */
  readonly cursor: string | undefined;
  readonly edge: PageEdge | undefined;
}

/** A list that can be walked. */
export interface Listing<R> {
  readonly page: (tenant: string, query: ListQuery) => Page<R>;
}

/** Opens a list over a table. */
export function makeListing<R extends Row>(setup: Setup, kind: ListKind<R>, table: Table<R>): Listing<R> {
  const snapshots = new Map<number, readonly R[]>();
  const used = new Set<string>();
  const sorted = sorter(setup, kind, table);
  let serial = 0;
  const open = (tenant: string, query: ListQuery): Walk<R> => {
    const content = query.cursor === undefined ? undefined : opened(setup, kind, tenant, query, used);
    const filters = content === undefined ? query.filters : filtersInForce(setup, content.filters, query.filters);
    const owner = content !== undefined && setup.faulty('foreign-by-cursor') ? content.tenant : tenant;
    // Whoever walks with another business's cursor sees its own records, not the snapshot that the other one walks in.
    const snapshot = content?.snapshot === undefined || content.tenant !== owner ? undefined : snapshots.get(content.snapshot);
    const scope = setup.faulty('foreign-in-filtered-list') && filters.statuses !== undefined ? everyone : owner;
    const rows = snapshot ?? selected(setup, kind, sorted(scope), filters, content);
    return { content, filters, rows, owner };
  };
  return {
    page: (tenant, query) => {
      const walk = open(tenant, query);
      const start = startOf(setup, walk, kind.order(setup));
      const length = pageLength(setup, query.limit, walk.content?.page ?? 1);
      const cut = edgeFaults(setup, { rows: walk.rows, start, length, limit: query.limit, content: walk.content });
      serial += 1;
      const snapshot = setup.choice('cursor-style') === 'snapshot' ? (walk.content?.snapshot ?? serial) : undefined;
      if (snapshot !== undefined && walk.content === undefined) remember(snapshots, snapshot, walk.rows);
      const oneOff = setup.choice('cursor-again') === 'refused' || length === 0;
      const content = successor(setup, kind, walk, { cut, limit: query.limit, serial: oneOff ? serial : 0, snapshot });
      const cursor = writeCursor(setup.choice('cursor-alphabet'), content);
      return {
        rows: arranged(setup, kind, cut.rows),
        more: cut.more,
        cursor: cut.cursor(cursor),
        edge: edgeOf(kind, tenant, walk.rows, cut.end),
      };
    },
  };
}

/** What the next page's cursor must know besides the walk itself. */
interface Reached<R> {
  readonly cut: CutPage<R>;
  readonly limit: number;
  readonly serial: number;
  readonly snapshot: number | undefined;
}

function successor<R extends Row>(
  setup: Setup,
  kind: ListKind<R>,
  walk: Walk<R>,
  { cut, limit, serial, snapshot }: Reached<R>,
): CursorContent {
  const last = cut.circle ? undefined : walk.rows[cut.end - 1];
  return {
    list: kind.name,
    tenant: walk.owner,
    filters: walk.filters,
    limit,
    serial,
    delivered: cut.circle ? 0 : cut.end,
    page: (walk.content?.page ?? 1) + 1,
    ...(last === undefined ? {} : { after: kind.order(setup).key(last) }),
    ...(snapshot === undefined ? {} : { snapshot }),
  };
}

function edgeOf<R extends Row>(kind: ListKind<R>, tenant: string, rows: readonly R[], end: number): PageEdge | undefined {
  const last = rows[end - 1];
  const next = rows[end];
  return last === undefined || next === undefined ? undefined : { list: kind.name, tenant, last: last.id, next: next.id };
}

function arranged<R extends Row>(setup: Setup, kind: ListKind<R>, rows: readonly R[]): readonly R[] {
  if (!setup.faulty('order-inside-pages')) return rows;
  const { key, ascending } = kind.order(setup);
  return rows.toSorted((one, other) => compareKeys(key(one), key(other), ascending));
}

/** Keeps the newest snapshots; one that nobody walked for long is forgotten. */
function remember<R>(snapshots: Map<number, readonly R[]>, id: number, rows: readonly R[]): void {
  snapshots.set(id, rows);
  const oldest = snapshots.keys().next().value;
  if (snapshots.size > 400 && oldest !== undefined) snapshots.delete(oldest);
}
