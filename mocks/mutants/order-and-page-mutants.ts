/**
 * Mutants of the order and the pages of a list: records lost or repeated, and wrong cursors, totals or echoes of page numbers. `find-mutants.ts` lists them for
 * each list or contract, when mutants are listed or a mock with mutants starts or reloads. `serve-mutants.ts` applies the chosen ones at each start and reload.
 * The verifier predicts none of them.
 */

import type { Page } from '../../core/annotations/annotations.ts';
import { isObject, type Json } from '../../core/json.ts';
import type { MutantKind } from '../../core/mutants/mutant-catalogue.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { CursorList, ListOperation, NumberedList } from '../../core/openapi/list-operation.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import { parseInstant } from '../../core/query/instants-and-dates.ts';
import type { DataRecord, PageSlice, PageStart, Query } from '../../core/query/query.ts';
import type { ServedApi } from '../handler/served-api.ts';
import { bodyOf, mapBody } from './change-exchange.ts';
import { isFullyStated } from './has-stated-rule.ts';
import { createMutant, createResponseMutant, type ServedMutant } from './mock-mutant.ts';
import { cursorListsOf, numberedListsOf } from './select-operations.ts';

/** Every mutant of the order and the pages of a list, except those of the information about its pages. */
export function orderAndPageMutants(contract: Contract, list: ListOperation): readonly ServedMutant[] {
  const rows: Readonly<Record<Page['style'], readonly PageRow[]>> = { cursor: cursorRows, page: numberRows, offset: [] };
  return [
    ...rows[list.collection.page.style].map(([kind, paging]) =>
      createMutant(
        kind,
        { operation: list.id, group: list.collection.page.style === 'cursor' ? 'paging' : 'pages', words: { cursor: sharedValue } },
        { replaces: replacePages(paging) },
      ),
    ),
    ...(list.collection.page.style === 'cursor' ? [noMoreWithFilterMutant(list)] : []),
    ...(list.collection.page.style === 'page' ? countMutants(list) : []),
    ...(isFullyStated(contract, list, '/x-collection/order') ? orderMutants(contract, list) : []),
  ];
}

/** A cursor that cannot tell records with equal values apart. */
const sharedValue = 'a cursor stores only a value that several records share';

/** Another way to cut pages. */
type Paging = (query: Query) => Query['page'];

function replacePages(paging: Paging): NonNullable<ServedMutant['replaces']> {
  return (query) => ({ page: paging(query) });
}

/** A kind of mutants with its way to cut pages. */
type PageRow = readonly [kind: MutantKind, paging: Paging];

const tooLargePages: Paging = (query) => (sorted, values, start, limit) => query.page(sorted, values, start, limit + 1);

const pagesWithGaps: Paging = (query) => (sorted, values, start, limit) => {
  const slice = query.page(sorted, values, start, limit);
  if (limit < 60) return slice;
  return { ...slice, records: slice.records.filter((_, index) => index < 50 || index === slice.records.length - 1) };
};

/** Change of a page after it was cut correctly. */
function changePage(change: (slice: PageSlice, limit: number, start: PageStart) => PageSlice): Paging {
  return (query) => (sorted, values, start, limit) => change(query.page(sorted, values, start, limit), limit, start);
}

function withoutLast(slice: PageSlice): PageSlice {
  return { ...slice, records: slice.records.slice(0, -1) };
}

const cursorRows: readonly PageRow[] = [
  [
    'tie-skipped',
    (query) => (sorted, values, start, limit) => {
      const after = startOf(start);
      const recordsAfterTies = after === undefined ? sorted : sorted.filter((record) => !isTie(query, record, after));
      return query.page(recordsAfterTies, values, start, limit);
    },
  ],
  ['tie-repeated', pageFrom(isTie)],
  ['edge-repeated', pageFrom(isAtPosition)],
  [
    'edge-skipped',
    (query) => (sorted, values, start, limit) => {
      if (startOf(start) === undefined) return query.page(sorted, values, start, limit);
      const slice = query.page(sorted, values, start, limit + 1);
      return { ...slice, records: slice.records.slice(1) };
    },
  ],
  ['last-record-lost', changePage((slice, _, start) => (slice.more || startOf(start) === undefined ? slice : withoutLast(slice)))],
  [
    'small-pages-end',
    (query) => (sorted, values, start, limit) => {
      const slice = query.page(sorted, values, start, limit);
      const after = startOf(start);
      if (limit >= 10 || after === undefined) return slice;
      const recordsBefore = sorted
        .filter((record) => query.matches(record, values))
        .findIndex((record) => isAtPosition(query, record, after));
      return { ...slice, more: slice.more && recordsBefore < limit };
    },
  ],
  ['large-page-gaps', pagesWithGaps],
  ['page-too-large', tooLargePages],
  ['more-by-size', changePage((slice, limit) => ({ ...slice, more: slice.records.length === limit }))],
  ['pages-endless', changePage((slice) => ({ ...slice, more: true }))],
];

const numberRows: readonly PageRow[] = [
  ['page-too-large', tooLargePages],
  ['page-overlap', startElsewhere((skip) => Math.max(0, skip - 1))],
  ['page-gap', startElsewhere((skip) => skip + (skip === 0 ? 0 : 1))],
  ['page-last-short', changePage((slice, _, start) => (slice.more || skipOf(start) === 0 ? slice : withoutLast(slice)))],
  ['pages-from-zero', startElsewhere((skip, limit) => skip + limit)],
  ['large-page-gaps', pagesWithGaps],
  [
    'beyond-first-page',
    (query) => (sorted, values, start, limit) =>
      query.page(sorted, values, { skip: skipOf(start) >= query.count(sorted, values) ? 0 : skipOf(start) }, limit),
  ],
  [
    'order-alternates',
    (query) => {
      let pageCount = 0;
      return (sorted, values, start, limit) => {
        pageCount += 1;
        return query.page(pageCount % 2 === 1 ? sorted : sorted.toReversed(), values, start, limit);
      };
    },
  ],
];

/** Pages that begin elsewhere. */
function startElsewhere(change: (skip: number, limit: number) => number): Paging {
  return (query) => (sorted, values, start, limit) => query.page(sorted, values, { skip: change(skipOf(start), limit) }, limit);
}

function skipOf(start: PageStart): number {
  return 'skip' in start ? start.skip : 0;
}

/** The order values that a page starts after; `undefined` on a first page. */
function startOf(start: PageStart): readonly Json[] | undefined {
  return 'after' in start ? start.after : undefined;
}

/** Pages that begin with the first record that passes a test. */
function pageFrom(isFirst: (query: Query, record: DataRecord, after: readonly Json[]) => boolean): Paging {
  return (query) => (sorted, values, start, limit) => {
    const after = startOf(start);
    const index = after === undefined ? 0 : sorted.findIndex((record) => isFirst(query, record, after));
    return query.page(sorted.slice(Math.max(0, index)), values, { after: undefined }, limit);
  };
}

/** True when a record equals a position in the first key of the order. */
function isTie(query: Query, record: DataRecord, after: readonly Json[]): boolean {
  return query.position(record)[0] === after[0];
}

function isAtPosition(query: Query, record: DataRecord, after: readonly Json[]): boolean {
  return JSON.stringify(query.position(record)) === JSON.stringify(after);
}

function noMoreWithFilterMutant(list: ListOperation): ServedMutant {
  const { page } = list.collection;
  const fixed = page.style === 'cursor' ? page.fixed : [];
  const pages: Paging = (query) => (sorted, values, start, limit) => {
    const slice = query.page(sorted, values, start, limit);
    return { ...slice, more: slice.more && !fixed.some((name) => values.has(name)) };
  };
  return createMutant('more-denied-with-filter', { operation: list.id }, { replaces: replacePages(pages) });
}

function countMutants(list: ListOperation): readonly ServedMutant[] {
  const { page } = list.collection;
  const replaces: ServedMutant['replaces'] = (query) => ({ count: (records, values) => query.count(records, values) + 1 });
  const hasTotal = page.style === 'page' && page.total !== undefined;
  return hasTotal ? [createMutant('total-off-by-one', { operation: list.id }, { replaces })] : [];
}

/** Mutants of the order. A direction that the contract leaves open has none. */
function orderMutants(contract: Contract, list: ListOperation): readonly ServedMutant[] {
  const { key, order } = list.collection;
  const reversingMutants = order.flatMap(({ by, direction }, index): readonly ServedMutant[] => {
    const pointer = `${list.pointer}/x-collection/order/${index}/direction`;
    if (isObject(valueAt(contract.document.root, pointer))) return [];
    const value = direction === 'ascending' ? 'descending' : 'ascending';
    const place = { operation: list.id, part: by.slice(1).replaceAll('/', '.'), words: { field: by.slice(1) } };
    return [
      createMutant(index === 0 ? 'order-reversed' : 'tie-order-reversed', place, {
        edits: [{ op: 'replace', at: pointer, value }],
      }),
    ];
  });
  const byKeyMutant = createMutant(
    'order-by-key',
    { operation: list.id, words: { field: key.slice(1) } },
    { edits: [{ op: 'replace', at: `${list.pointer}/x-collection/order`, value: [{ by: key, direction: 'descending' }] }] },
  );
  const acrossMutant = createMutant('order-across-lost', { operation: list.id }, { replaces: replacePages(swapPages) });
  return [...reversingMutants, ...(order[0]?.by === key ? [] : [byKeyMutant]), acrossMutant];
}

/** Within the list, the second and the third run of a page's length change places; each page by itself is still sorted. */
const swapPages: Paging = (query) => (sorted, values, start, limit) => {
  const visible = sorted.filter((record) => query.matches(record, values));
  const swappedRecords = [
    ...visible.slice(0, limit),
    ...visible.slice(2 * limit, 3 * limit),
    ...visible.slice(limit, 2 * limit),
    ...visible.slice(3 * limit),
  ];
  const after = startOf(start);
  const index = after === undefined ? 0 : swappedRecords.findIndex((record) => isAtPosition(query, record, after)) + 1;
  return { records: swappedRecords.slice(index, index + limit), more: swappedRecords.length > index + limit };
};

/** Every mutant of the information about pages in the responses of a list: cursors, echoes and totals. */
export function pageInformationMutants(contract: Contract): readonly ServedMutant[] {
  return [
    ...cursorListsOf(contract).flatMap(nextCursorMutants),
    ...numberedListsOf(contract).flatMap((list) => [...echoMutants(list), ...totalMutants(list)]),
  ];
}

function nextCursorMutants(list: CursorList): readonly ServedMutant[] {
  const { page } = list.collection;
  const place = { operation: list.id };
  const missingCursorMutant = createResponseMutant('next-cursor-missing', place, ({ response }) =>
    response.status === 200 ? mapBody(response, (body) => withValueAt(body, page.next, null)) : response,
  );
  const truncatedMutant = createMutant('cursor-truncated', place, { serve: (api) => withTruncatedCursors(api, list.id) });
  return [missingCursorMutant, truncatedMutant];
}

function withTruncatedCursors(api: ServedApi, operation: string): ServedApi {
  const { cursors } = api;
  const encode: typeof cursors.encode = (content) =>
    cursors.encode(content.operation === operation ? { ...content, position: content.position?.map(withoutSeconds) ?? null } : content);
  return { ...api, cursors: { ...cursors, encode } };
}

function withoutSeconds(value: Json): Json {
  return typeof value === 'string' && parseInstant(value) !== undefined ? value.replace(/(T\d\d:\d\d):\d\d/, '$1:00') : value;
}

/** Mutants of the page number and size that responses repeat. */
function echoMutants(list: NumberedList): readonly ServedMutant[] {
  const { limit, page, echo } = list.collection.page;
  const constantEchoMutant = (kind: MutantKind, parameter: string, pointer: string): ServedMutant => {
    const defaultValue = Number(list.parameters.find(({ key }) => key === parameter)?.fallback ?? 1);
    return createResponseMutant(kind, { operation: list.id, words: { field: pointer } }, ({ response }) =>
      response.status === 200 ? mapBody(response, (body) => withValueAt(body, pointer, defaultValue)) : response,
    );
  };
  return [
    ...(echo?.limit === undefined ? [] : [constantEchoMutant('limit-echo-constant', limit, echo.limit)]),
    ...(echo?.page === undefined ? [] : [constantEchoMutant('page-echo-constant', page, echo.page)]),
  ];
}

function totalMutants(list: NumberedList): readonly ServedMutant[] {
  const { total } = list.collection.page;
  if (total === undefined) return [];
  return [
    createResponseMutant('total-of-page', { operation: list.id }, ({ response }) => {
      const items = valueAt(bodyOf(response), list.collection.items);
      return Array.isArray(items) ? mapBody(response, (body) => withValueAt(body, total, items.length)) : response;
    }),
  ];
}
