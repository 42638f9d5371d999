/** Knows how a walk goes on: what its cursor remembers, which filters count, where the next page starts. */

import { type CursorContent, readCursor } from './cursor.ts';
import { tenants } from './data-rows.ts';
import { compareKeys, type ListKind, type Ordering } from './list-kind.ts';
import type { Filters, ListQuery } from './list-query.ts';
import { matcher } from './matching.ts';
import { invalid } from './parameters.ts';
import type { Row } from './record.ts';
import { Failure } from './reply.ts';
import type { Setup } from './setup.ts';
import type { Table } from './world.ts';

/** Stands for all businesses at once, which only a deviation ever asks for. */
export const everyone = '*';

/** One request's place in a walk. */
export interface Walk<R> {
  readonly content: CursorContent | undefined;
  readonly filters: Filters;
  readonly rows: readonly R[];
  readonly owner: string;
}

/** The rows of a business in the order in which they are paged, sorted again only after a change. */
export function sorter<R extends Row>(setup: Setup, kind: ListKind<R>, table: Table<R>): (tenant: string) => readonly R[] {
  const kept = new Map<string, { readonly version: number; readonly rows: readonly R[] }>();
  const paged: Ordering<R> = setup.faulty('order-inside-pages') ? { key: (row) => [row.rank], ascending: [true] } : kind.order(setup);
  return (tenant) => {
    const known = kept.get(tenant);
    if (known !== undefined && known.version === table.version()) return known.rows;
    const owners = tenant === everyone ? tenants : [tenant];
    const rows = owners
      .flatMap((owner) => [...table.rows(owner).values()])
      .sort((one, other) => compareKeys(paged.key(one), paged.key(other), paged.ascending));
    kept.set(tenant, { version: table.version(), rows });
    return rows;
  };
}

/** The rows that the filters in force let through. */
export function selected<R extends Row>(
  setup: Setup,
  kind: ListKind<R>,
  rows: readonly R[],
  filters: Filters,
  content: CursorContent | undefined,
): readonly R[] {
  const { updatedAfter, ...rest } = filters;
  const latest = rows.reduce((most, row) => Math.max(most, row.changed), 0);
  const forgets =
    (content !== undefined && setup.faulty('updated-after-lost')) || (setup.faulty('updated-after-future') && (updatedAfter ?? 0) > latest);
  const kept: Filters = forgets || updatedAfter === undefined ? rest : filters;
  const { statuses, channels, ...others } = kept;
  const inForce: Filters = content !== undefined && setup.faulty('filters-lost') ? others : kept;
  return rows.filter(matcher(setup, kind, inForce));
}

/** What a cursor remembers, once it is found to belong to this walk. */
export function opened<R extends Row>(
  setup: Setup,
  kind: ListKind<R>,
  tenant: string,
  query: ListQuery,
  used: Set<string>,
): CursorContent | undefined {
  const text = query.cursor ?? '';
  const content = readCursor(setup.choice('cursor-alphabet'), text);
  if (content === undefined || content.list !== kind.name) {
    if (setup.faulty('damaged-cursor-restarts')) return undefined;
    throw damaged(setup);
  }
  if (content.tenant !== tenant && setup.choice('foreign-cursor') === 'refused' && !setup.faulty('foreign-by-cursor')) throw damaged(setup);
  if (content.limit !== query.limit && setup.choice('cursor-other-limit') === 'refused')
    throw invalid(setup, 'limit must stay the same while paging');
  if (setup.choice('cursor-again') === 'refused') {
    if (used.has(text)) throw damaged(setup);
    used.add(text);
  }
  return content;
}

function damaged(setup: Setup): Failure {
  const status = Number(setup.choice('damaged-cursor'));
  return status === 422
    ? invalid(setup, 'cursor is not one that this list gave')
    : new Failure(status, 'INVALID_CURSOR', 'cursor is not one that this list gave');
}

/** The filters that count when the request and the cursor differ. */
export function filtersInForce(setup: Setup, remembered: Filters, asked: Filters): Filters {
  const choice = setup.choice('changed-filters');
  if (choice === 'request-wins') return asked;
  if (choice === 'cursor-wins' || JSON.stringify(remembered) === JSON.stringify(asked)) return remembered;
  throw invalid(setup, 'filters must stay the same while paging');
}

/** Where a page starts among the rows. */
export function startOf<R extends Row>(setup: Setup, walk: Walk<R>, ordering: Ordering<R>): number {
  if (walk.content === undefined) return 0;
  const after = walk.content.after;
  const byOffset = walk.content.snapshot !== undefined || setup.faulty('order-inside-pages');
  if (byOffset || after === undefined) return walk.content.delivered;
  const compared = setup.faulty('ties-skipped') ? ordering.ascending.slice(0, 1) : ordering.ascending;
  const found = walk.rows.findIndex((row) => compareKeys(ordering.key(row), after, compared) > 0);
  return found === -1 ? walk.rows.length : found;
}

/** A page may hold fewer records than asked for although more exist: nothing but has_more ends a walk. */
export function pageLength(setup: Setup, limit: number, page: number): number {
  const choice = setup.choice('short-pages');
  if (choice === 'some-empty' && page % 3 === 2) return 0;
  return choice === 'yes' && page % 2 === 1 ? Math.max(1, limit - 2) : limit;
}
