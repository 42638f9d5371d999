/** The pages of a list: what a cursor holds, where a page starts and ends, and which records it gives. */

import { createHash } from 'node:crypto';
import { type BusinessQuery, type Filters, invalid } from './business-parameters.ts';
import { type BusinessRow, tenants } from './business-records.ts';
import { ApiError } from './http-messages.ts';
import { compareKeys, type ListKind, matcher, type Ordering, type SortKey } from './list-filters.ts';
import type { LiveTable, PageEdge } from './live-data.ts';
import { draw } from './seeded-draws.ts';
import type { Setup } from './server-setup.ts';

/** The content of a cursor. */
interface CursorContent {
  readonly list: string;
  readonly tenant: string;
  readonly filters: Filters;
  readonly limit: number;
  /** Tells cursors for the same place apart where each may be used only once, or where a page before it was empty. */
  readonly serial: number;
  /** The number of records on the pages so far. */
  readonly delivered: number;
  /** The page that it opens, the first one being 1. */
  readonly page: number;
  /** The last record of the pages so far, for pages by keys; absent before the first. */
  readonly after?: SortKey;
  /** The list as it was at the first page, for pages over a snapshot. */
  readonly snapshot?: number;
}

/** Writes a cursor in one of the alphabets. */
function writeCursor(alphabet: string, content: CursorContent): string {
  const text = JSON.stringify(content);
  if (alphabet === 'json') return JSON.stringify({ 'see you': content, seal: seal(text) }, null, 1).replaceAll('\n', '');
  const bytes = masked(Buffer.from(`${seal(text)}${text}`));
  if (alphabet === 'hex') return masked(bytes).toString('hex').padEnd(700, '0');
  return bytes.toString(alphabet === 'base64' ? 'base64' : 'base64url');
}

/** Reads a cursor; undefined when it is not exactly one that was written. */
function readCursor(alphabet: string, written: string): CursorContent | undefined {
  const content = alphabet === 'json' ? fromJson(written) : fromBytes(alphabet, written);
  // Writing it again finds every spelling that decoders forgive, such as stray bits and letters of another case.
  return content !== undefined && writeCursor(alphabet, content) === written ? content : undefined;
}

function fromJson(written: string): CursorContent | undefined {
  try {
    const value: { readonly 'see you'?: CursorContent } | null = JSON.parse(written);
    return value?.['see you'];
  } catch {
    // A text that is no JSON is a damaged cursor, which the caller reports.
    return undefined;
  }
}

function fromBytes(alphabet: string, written: string): CursorContent | undefined {
  const hex = alphabet === 'hex';
  const bytes = hex ? Buffer.from(written, 'hex') : masked(Buffer.from(written, alphabet === 'base64' ? 'base64' : 'base64url'));
  const text = bytes.toString('utf8').replace(/\0+$/, '');
  const rest = text.slice(sealLength);
  if (seal(rest) !== text.slice(0, sealLength)) return undefined;
  const content: CursorContent = JSON.parse(rest);
  return content;
}

const sealLength = 16;

function seal(text: string): string {
  return createHash('sha256').update(`second server\n${text}`).digest('hex').slice(0, sealLength);
}

/** Mixes the bytes so that every letter of an alphabet occurs; doing it twice undoes it. */
function masked(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, index) => byte ^ (draw(index, 97) & 0xff)));
}

/** Stands for all businesses at once: only a defect reads them. */
const allTenants = '*';

/** The place of one request in a pagination. */
interface PagePosition<R> {
  readonly content: CursorContent | undefined;
  readonly filters: Filters;
  readonly rows: readonly R[];
  readonly owner: string;
}

/** The rows of a business in the order in which they are paged, sorted again only after a change. */
function sorter<R extends BusinessRow>(setup: Setup, kind: ListKind<R>, table: LiveTable<R>): (tenant: string) => readonly R[] {
  const kept = new Map<string, { readonly version: number; readonly rows: readonly R[] }>();
  const paged: Ordering<R> = setup.has('order-inside-pages') ? { key: (row) => [row.rank], ascending: [true] } : kind.order(setup);
  return (tenant) => {
    const known = kept.get(tenant);
    if (known !== undefined && known.version === table.version()) return known.rows;
    const owners = tenant === allTenants ? tenants : [tenant];
    const rows = owners
      .flatMap((owner) => [...table.rows(owner).values()])
      .sort((one, other) => compareKeys(paged.key(one), paged.key(other), paged.ascending));
    kept.set(tenant, { version: table.version(), rows });
    return rows;
  };
}

/** The rows that the filters in force let through. */
function selected<R extends BusinessRow>(
  setup: Setup,
  kind: ListKind<R>,
  rows: readonly R[],
  filters: Filters,
  content: CursorContent | undefined,
): readonly R[] {
  const { updatedAfter, ...rest } = filters;
  const latest = rows.reduce((most, row) => Math.max(most, row.changed), 0);
  const forgets =
    (content !== undefined && setup.has('updated-after-lost')) || (setup.has('updated-after-future') && (updatedAfter ?? 0) > latest);
  const kept: Filters = forgets || updatedAfter === undefined ? rest : filters;
  const { statuses, channels, ...others } = kept;
  const inForce: Filters = content !== undefined && setup.has('filters-lost') ? others : kept;
  return rows.filter(matcher(setup, kind, inForce));
}

/** The content of the cursor that was sent. Throws when it does not belong to this list and business. */
function cursorContent<R extends BusinessRow>(
  setup: Setup,
  kind: ListKind<R>,
  tenant: string,
  query: BusinessQuery,
  used: Set<string>,
): CursorContent | undefined {
  const text = query.cursor ?? '';
  const content = readCursor(setup.choice('cursor-alphabet'), text);
  if (content === undefined || content.list !== kind.name) {
    if (setup.has('damaged-cursor-restarts')) return undefined;
    throw damaged(setup);
  }
  if (content.tenant !== tenant && setup.choice('foreign-cursor') === 'refused' && !setup.has('foreign-by-cursor')) throw damaged(setup);
  if (content.limit !== query.limit && setup.choice('cursor-other-limit') === 'refused')
    throw invalid(setup, 'limit must stay the same while paging');
  if (setup.choice('cursor-again') === 'refused') {
    if (used.has(text)) throw damaged(setup);
    used.add(text);
  }
  return content;
}

function damaged(setup: Setup): ApiError {
  const status = Number(setup.choice('damaged-cursor'));
  return status === 422
    ? invalid(setup, 'cursor is not one that this list gave')
    : new ApiError(status, 'INVALID_CURSOR', 'cursor is not one that this list gave');
}

/** The filters that count when the request and the cursor differ. */
function filtersInForce(setup: Setup, remembered: Filters, wanted: Filters): Filters {
  const choice = setup.choice('changed-filters');
  if (choice === 'request-wins') return wanted;
  if (choice === 'cursor-wins' || JSON.stringify(remembered) === JSON.stringify(wanted)) return remembered;
  throw invalid(setup, 'filters must stay the same while paging');
}

/** The index of the first row of a page. */
function startOf<R extends BusinessRow>(setup: Setup, position: PagePosition<R>, ordering: Ordering<R>): number {
  if (position.content === undefined) return 0;
  const after = position.content.after;
  const byOffset = position.content.snapshot !== undefined || setup.has('order-inside-pages');
  if (byOffset || after === undefined) return position.content.delivered;
  const compared = setup.has('ties-skipped') ? ordering.ascending.slice(0, 1) : ordering.ascending;
  const found = position.rows.findIndex((row) => compareKeys(ordering.key(row), after, compared) > 0);
  return found === -1 ? position.rows.length : found;
}

/** A page may hold fewer records than asked for although more exist: only has_more ends a pagination. */
function pageLength(setup: Setup, limit: number, page: number): number {
  const choice = setup.choice('short-pages');
  if (choice === 'some-empty' && page % 3 === 2) return 0;
  return choice === 'yes' && page % 2 === 1 ? Math.max(1, limit - 2) : limit;
}

/** A page before it is cut. */
interface PageBounds<R> {
  readonly rows: readonly R[];
  readonly start: number;
  readonly length: number;
  readonly limit: number;
  readonly content: CursorContent | undefined;
}

/** A page after it was cut: its rows, where the next one starts, and what it says about a next one. */
interface CutPage<R> {
  readonly rows: readonly R[];
  readonly end: number;
  readonly more: boolean;
  readonly restarts: boolean;
  readonly cursor: (written: string) => string | undefined;
}

/** Cuts a page out of the rows. */
function cutPage<R>(setup: Setup, cut: PageBounds<R>): CutPage<R> {
  const later = cut.content !== undefined;
  const start = cut.start + shift(setup, later);
  const extra = setup.has('limit-plus-one') ? 1 : 0;
  const rows = cut.rows.slice(Math.max(start, 0), start + cut.length + extra);
  const end = Math.max(start, 0) + rows.length;
  const page = cut.content?.page ?? 1;
  const restarts = setup.has('pages-in-a-circle') && end >= cut.rows.length && page > 1;
  const stops = (setup.has('stops-at-hundred') && end >= 100) || (setup.has('small-pages-stop') && cut.limit < 10 && page >= 3);
  const full = setup.has('more-by-length') && rows.length === cut.limit;
  return {
    rows,
    end,
    more: restarts || full || (end < cut.rows.length && !stops),
    restarts,
    cursor: (written) => {
      if (setup.has('next-cursor-missing') && page === 2) return undefined;
      return setup.has('cursor-unusable') ? `${written}~` : written;
    },
  };
}

function shift(setup: Setup, later: boolean): number {
  if (!later) return 0;
  if (setup.has('edge-skipped')) return 1;
  return setup.has('edge-repeated') ? -1 : 0;
}

/** One page of a list. */
export interface RecordPage<R> {
  readonly rows: readonly R[];
  readonly more: boolean;
  /** A cursor, also after the last record: whether it is shown there is an open question. */
  readonly cursor: string | undefined;
  readonly edge: PageEdge | undefined;
}

/** A list in pages. */
interface Listing<R> {
  readonly page: (tenant: string, query: BusinessQuery) => RecordPage<R>;
}

/** Opens a list over a table. */
export function makeListing<R extends BusinessRow>(setup: Setup, kind: ListKind<R>, table: LiveTable<R>): Listing<R> {
  const snapshots = new Map<number, readonly R[]>();
  const used = new Set<string>();
  const sorted = sorter(setup, kind, table);
  let serial = 0;
  const open = (tenant: string, query: BusinessQuery): PagePosition<R> => {
    const content = query.cursor === undefined ? undefined : cursorContent(setup, kind, tenant, query, used);
    const filters = content === undefined ? query.filters : filtersInForce(setup, content.filters, query.filters);
    const owner = content !== undefined && setup.has('foreign-by-cursor') ? content.tenant : tenant;
    // A request with another business's cursor gives the caller's own records, not the snapshot of the other business.
    const snapshot = content?.snapshot === undefined || content.tenant !== owner ? undefined : snapshots.get(content.snapshot);
    const scope = setup.has('foreign-in-filtered-list') && filters.statuses !== undefined ? allTenants : owner;
    const rows = snapshot ?? selected(setup, kind, sorted(scope), filters, content);
    return { content, filters, rows, owner };
  };
  return {
    page: (tenant, query) => {
      const position = open(tenant, query);
      const start = startOf(setup, position, kind.order(setup));
      const length = pageLength(setup, query.limit, position.content?.page ?? 1);
      const cut = cutPage(setup, { rows: position.rows, start, length, limit: query.limit, content: position.content });
      serial += 1;
      const snapshot = setup.choice('cursor-style') === 'snapshot' ? (position.content?.snapshot ?? serial) : undefined;
      if (snapshot !== undefined && position.content === undefined) remember(snapshots, snapshot, position.rows);
      const oneOff = setup.choice('cursor-again') === 'refused' || length === 0;
      const content = successor(setup, kind, position, { cut, limit: query.limit, serial: oneOff ? serial : 0, snapshot });
      const cursor = writeCursor(setup.choice('cursor-alphabet'), content);
      return {
        rows: arranged(setup, kind, cut.rows),
        more: cut.more,
        cursor: cut.cursor(cursor),
        edge: edgeOf(kind, tenant, position.rows, cut.end),
      };
    },
  };
}

/** The end of a page, for the cursor of the next one. */
interface Reached<R> {
  readonly cut: CutPage<R>;
  readonly limit: number;
  readonly serial: number;
  readonly snapshot: number | undefined;
}

function successor<R extends BusinessRow>(
  setup: Setup,
  kind: ListKind<R>,
  position: PagePosition<R>,
  { cut, limit, serial, snapshot }: Reached<R>,
): CursorContent {
  const last = cut.restarts ? undefined : position.rows[cut.end - 1];
  return {
    list: kind.name,
    tenant: position.owner,
    filters: position.filters,
    limit,
    serial,
    delivered: cut.restarts ? 0 : cut.end,
    page: (position.content?.page ?? 1) + 1,
    ...(last === undefined ? {} : { after: kind.order(setup).key(last) }),
    ...(snapshot === undefined ? {} : { snapshot }),
  };
}

function edgeOf<R extends BusinessRow>(kind: ListKind<R>, tenant: string, rows: readonly R[], end: number): PageEdge | undefined {
  const last = rows[end - 1];
  const next = rows[end];
  return last === undefined || next === undefined ? undefined : { list: kind.name, tenant, last: last.id, next: next.id };
}

function arranged<R extends BusinessRow>(setup: Setup, kind: ListKind<R>, rows: readonly R[]): readonly R[] {
  if (!setup.has('order-inside-pages')) return rows;
  const { key, ascending } = kind.order(setup);
  return rows.toSorted((one, other) => compareKeys(key(one), key(other), ascending));
}

/** Keeps the newest snapshots and drops the oldest. */
function remember<R>(snapshots: Map<number, readonly R[]>, id: number, rows: readonly R[]): void {
  snapshots.set(id, rows);
  const oldest = snapshots.keys().next().value;
  if (snapshots.size > 400 && oldest !== undefined) snapshots.delete(oldest);
}
