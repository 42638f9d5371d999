/** Mutants of the order and the pages of a list: records lost or repeated, and wrong cursors, totals or echoes of page numbers. */

import type { Collection } from '../../core/annotations/annotations.ts';
import { type Json, printJson } from '../../core/json.ts';
import type { MutantKind } from '../../core/mutants/mutant-catalogue.ts';
import { questionAt } from '../../core/openapi/clauses.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { ListOperation, NumberedList } from '../../core/openapi/list-operation.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import { parseInstant } from '../../core/query/instants.ts';
import type { DataRecord, PageSlice, PageStart, Query } from '../../core/query/query.ts';
import type { ServedApi } from '../handler/served-api.ts';
import { type Behaviours, type Deviation, type ListedMutant, onBody, operationMutants } from './mock-mutant.ts';
import { cursorListsOf, numberedListsOf } from './select-operations.ts';
import { isFullyStated } from './stated-rules.ts';

/** Every mutant of the order and the pages of a list, except those of the information about its pages. */
export function orderAndPageMutants(contract: Contract, list: ListOperation): readonly ListedMutant[] {
  return [...pageMutants(list), ...(isFullyStated(contract, list, '/x-collection/order') ? orderMutants(contract, list) : [])];
}

function pageMutants({ id, collection }: ListOperation): readonly ListedMutant[] {
  const { page } = collection;
  if (page.style === 'offset') return [];
  if (page.style === 'page') {
    const oneMore: Deviation = { replaces: (query) => ({ count: (records, values) => query.count(records, values) + 1 }) };
    const behaviours = { ...numberedPageBehaviours, 'total-off-by-one': page.total !== undefined && oneMore };
    return operationMutants({ operation: id, group: 'pages' }, behaviours);
  }
  return operationMutants(
    { operation: id, group: 'paging', words: { cursor: 'a cursor stores only a value that several records share' } },
    {
      ...cursorPageBehaviours,
      ...(hasTies(collection) ? tieBehaviours : {}),
      'more-denied-with-filter': cutPages((query, sorted, values, start, limit) => {
        const slice = query.page(sorted, values, start, limit);
        return { ...slice, more: slice.more && !page.fixed.some((name) => values.has(name)) };
      }),
    },
  );
}

/** Cuts pages in another way. */
function cutPages(cut: (query: Query, ...request: Parameters<Query['page']>) => PageSlice): Deviation {
  return { replaces: (query) => ({ page: (...request) => cut(query, ...request) }) };
}

/** Changes pages after they were cut correctly. */
function changePages(change: (slice: PageSlice, limit: number, start: PageStart) => PageSlice): Deviation {
  return cutPages((query, sorted, values, start, limit) => change(query.page(sorted, values, start, limit), limit, start));
}

function withoutLast(slice: PageSlice): PageSlice {
  return { ...slice, records: slice.records.slice(0, -1) };
}

/** Pages of all sizes. */
const pageSizeBehaviours: Behaviours = {
  'large-page-gaps': changePages((slice, limit) =>
    limit < 60 ? slice : { ...slice, records: slice.records.filter((_, index) => index < 50 || index === slice.records.length - 1) },
  ),
  'page-too-large': cutPages((query, sorted, values, start, limit) => query.page(sorted, values, start, limit + 1)),
  'reads-differ': everySecondPage((query, sorted, values, start, limit) => withoutLast(query.page(sorted, values, start, limit))),
};

/** Cuts every second page in another way. */
function everySecondPage(cut: (query: Query, ...request: Parameters<Query['page']>) => PageSlice): Deviation {
  return {
    replaces: (query) => {
      let pageCount = 0;
      const page: Query['page'] = (...request) => {
        pageCount += 1;
        return pageCount % 2 === 1 ? query.page(...request) : cut(query, ...request);
      };
      return { page };
    },
  };
}

/** True if records may be equal in the first key of the order. */
function hasTies({ order, key }: Collection): boolean {
  return order[0]?.by !== key;
}

const tieBehaviours: Behaviours = {
  'tie-skipped': cutPages((query, sorted, values, start, limit) => {
    const after = startOf(start);
    const recordsAfterTies = after === undefined ? sorted : sorted.filter((record) => !hasOrderOf(query, record, after));
    return query.page(recordsAfterTies, values, start, limit);
  }),
  'tie-repeated': beginWith(hasOrderOf),
};

const cursorPageBehaviours: Behaviours = {
  'edge-repeated': beginWith(isAtPosition),
  'edge-skipped': cutPages((query, sorted, values, start, limit) => {
    if (startOf(start) === undefined) return query.page(sorted, values, start, limit);
    const slice = query.page(sorted, values, start, limit + 1);
    return { ...slice, records: slice.records.slice(1) };
  }),
  'last-record-lost': changePages((slice, _, start) => (slice.more || startOf(start) === undefined ? slice : withoutLast(slice))),
  'small-pages-end': cutPages((query, sorted, values, start, limit) => {
    const slice = query.page(sorted, values, start, limit);
    const after = startOf(start);
    if (limit >= 10 || after === undefined) return slice;
    const recordsBefore = sorted.filter(query.matching(values)).findIndex((record) => isAtPosition(query, record, after));
    return { ...slice, more: slice.more && recordsBefore < limit };
  }),
  ...pageSizeBehaviours,
  'more-by-size': changePages((slice, limit) => ({ ...slice, more: slice.records.length === limit })),
  'pages-endless': changePages((slice) => ({ ...slice, more: true })),
};

const numberedPageBehaviours: Behaviours = {
  ...pageSizeBehaviours,
  'page-overlap': beginAt((skip) => Math.max(0, skip - 1)),
  'page-gap': beginAt((skip) => skip + (skip === 0 ? 0 : 1)),
  'page-last-short': changePages((slice, _, start) => (slice.more || skipOf(start) === 0 ? slice : withoutLast(slice))),
  'pages-from-zero': beginAt((skip, limit) => skip + limit),
  'beyond-first-page': cutPages((query, sorted, values, start, limit) =>
    query.page(sorted, values, { skip: skipOf(start) >= query.count(sorted, values) ? 0 : skipOf(start) }, limit),
  ),
  'order-alternates': everySecondPage((query, sorted, ...request) => query.page(sorted.toReversed(), ...request)),
};

/** Begins pages elsewhere. */
function beginAt(change: (skip: number, limit: number) => number): Deviation {
  return cutPages((query, sorted, values, start, limit) => query.page(sorted, values, { skip: change(skipOf(start), limit) }, limit));
}

function skipOf(start: PageStart): number {
  return 'skip' in start ? start.skip : 0;
}

/** The order values that a page starts after; `undefined` on a first page. */
function startOf(start: PageStart): readonly Json[] | undefined {
  return 'after' in start ? start.after : undefined;
}

/** Begins pages with the first record that passes a test. */
function beginWith(isFirst: (query: Query, record: DataRecord, after: readonly Json[]) => boolean): Deviation {
  return cutPages((query, sorted, values, start, limit) => {
    const after = startOf(start);
    const index = after === undefined ? 0 : sorted.findIndex((record) => isFirst(query, record, after));
    return query.page(sorted.slice(Math.max(0, index)), values, { after: undefined }, limit);
  });
}

/** True when a record equals a position in the first key of the order. */
function hasOrderOf(query: Query, record: DataRecord, after: readonly Json[]): boolean {
  return query.position(record)[0] === after[0];
}

function isAtPosition(query: Query, record: DataRecord, after: readonly Json[]): boolean {
  return printJson(query.position(record)) === printJson(after);
}

/** Mutants of the order. A direction that the contract leaves open has none. */
function orderMutants(contract: Contract, list: ListOperation): readonly ListedMutant[] {
  const { key, order } = list.collection;
  const at = `${list.pointer}/x-collection/order`;
  const reversingMutants = order.flatMap(({ by, direction }, index) => {
    const field = by.slice(1);
    const pointer = `${at}/${index}/direction`;
    if (questionAt(contract.document, pointer) !== undefined) return [];
    const value = direction === 'ascending' ? 'descending' : 'ascending';
    return operationMutants(
      { operation: list.id, part: field.replaceAll('/', '.'), words: { field } },
      { [index === 0 ? 'order-reversed' : 'tie-order-reversed']: { edits: [{ op: 'replace', at: pointer, value }] } },
    );
  });
  const byKey: Deviation = { edits: [{ op: 'replace', at, value: [{ by: key, direction: 'descending' }] }] };
  const otherOrderMutants = operationMutants(
    { operation: list.id, words: { field: key.slice(1) } },
    { 'order-by-key': order[0]?.by !== key && byKey, 'order-across-lost': swapPages },
  );
  return [...reversingMutants, ...otherOrderMutants];
}

/** Swaps the second and the third page of the whole list, so that each page by itself is still sorted. */
const swapPages = cutPages((query, sorted, values, start, limit) => {
  const visible = sorted.filter(query.matching(values));
  const swappedRecords = [
    ...visible.slice(0, limit),
    ...visible.slice(2 * limit, 3 * limit),
    ...visible.slice(limit, 2 * limit),
    ...visible.slice(3 * limit),
  ];
  const after = startOf(start);
  const index = after === undefined ? 0 : swappedRecords.findIndex((record) => isAtPosition(query, record, after)) + 1;
  return { records: swappedRecords.slice(index, index + limit), more: swappedRecords.length > index + limit };
});

/** Every mutant of the information about pages in the responses of a list: cursors, echoes and totals. */
export function pageInformationMutants(contract: Contract): readonly ListedMutant[] {
  return [
    ...cursorListsOf(contract).flatMap(({ id, collection }) =>
      operationMutants(
        { operation: id },
        {
          'next-cursor-missing': onBody((body) => withValueAt(body, collection.page.next, null)),
          'cursor-truncated': hasTies(collection) && { serve: (api) => withTruncatedCursors(api, id) },
        },
      ),
    ),
    ...numberedListsOf(contract).flatMap((list) => [...echoMutants(list), ...totalMutants(list)]),
  ];
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
function echoMutants(list: NumberedList): readonly ListedMutant[] {
  const { limit, page, echo } = list.collection.page;
  const constantEcho = (kind: MutantKind, parameter: string, pointer: string | undefined): readonly ListedMutant[] => {
    if (pointer === undefined) return [];
    const defaultValue = Number(list.parameters.find(({ key }) => key === parameter)?.fallback ?? 1);
    return operationMutants(
      { operation: list.id, words: { field: pointer } },
      { [kind]: onBody((body) => withValueAt(body, pointer, defaultValue)) },
    );
  };
  return [...constantEcho('limit-echo-constant', limit, echo?.limit), ...constantEcho('page-echo-constant', page, echo?.page)];
}

function totalMutants({ id, collection }: NumberedList): readonly ListedMutant[] {
  const { total } = collection.page;
  if (total === undefined) return [];
  const countPage = onBody((body) => {
    const items = valueAt(body, collection.items);
    return Array.isArray(items) ? withValueAt(body, total, items.length) : body;
  });
  return operationMutants({ operation: id }, { 'total-of-page': countPage });
}
