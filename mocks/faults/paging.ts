/** Faults of lists that are walked by cursor: what is lost, repeated or promised at the edges of pages. */

import type { Contract } from '../../core/contract.ts';
import type { Json } from '../../core/json.ts';
import { withValueAt } from '../../core/pointer.ts';
import type { Entry, PageSlice, Query } from '../../core/query.ts';
import type { CursorPage } from '../../core/rules.ts';
import { cursorFaults } from './cursors.ts';
import { cursorListsOf, type FaultDraft, type ListOperation } from './fault.ts';
import { limitFaults } from './limits.ts';
import { at, changing, mapBody } from './request-edit.ts';
import { type Paging, startOf, withPaging } from './rival.ts';

/** Faults of each list, of its page size and of its cursors. */
export function pagingFaults(contract: Contract): readonly FaultDraft[] {
  return cursorListsOf(contract).flatMap((list) => {
    const { page } = list.collection;
    return [
      ...edgeFaults(list),
      ...sizeFaults(list),
      ...promiseFaults(list, page),
      ...limitFaults(list, page),
      ...cursorFaults(contract, list, page),
    ];
  });
}

function draft(list: ListOperation, kind: string, law: string, title: string, paging: Paging): FaultDraft {
  return { kind, place: list.id, law, title, serve: (api) => withPaging(api, list.id, paging) };
}

/** What is lost or repeated where one page ends and the next begins. */
function edgeFaults(list: ListOperation): readonly FaultDraft[] {
  return [
    draft(
      list,
      'tie-skipped',
      'paging/ties',
      'Records that tie with the last one of a page never come.',
      (query, sorted, values, start, limit) => {
        const after = startOf(start);
        const rest = after === undefined ? sorted : sorted.filter((record) => !isTie(query, record, after));
        return query.page(rest, values, start, limit);
      },
    ),
    draft(
      list,
      'tie-repeated',
      'paging/ties',
      'A page begins with all records that tie with the last one before, so that a walk may never end.',
      (query, sorted, values, start, limit) =>
        from(query, sorted, values, limit, startOf(start), (record, after) => isTie(query, record, after)),
    ),
    draft(
      list,
      'edge-repeated',
      'paging/once',
      'A page begins with the last record of the page before.',
      (query, sorted, values, start, limit) =>
        from(query, sorted, values, limit, startOf(start), (record, after) => isSame(query.position(record), after)),
    ),
    draft(list, 'edge-skipped', 'paging/complete', 'Between two pages one record is lost.', (query, sorted, values, start, limit) => {
      if (startOf(start) === undefined) return query.page(sorted, values, start, limit);
      const slice = query.page(sorted, values, start, limit + 1);
      return { ...slice, records: slice.records.slice(1) };
    }),
    draft(
      list,
      'last-record-lost',
      'paging/complete',
      'The last record of a list of several pages never comes.',
      (query, sorted, values, start, limit) => {
        const slice = query.page(sorted, values, start, limit);
        return slice.more || startOf(start) === undefined ? slice : { ...slice, records: slice.records.slice(0, -1) };
      },
    ),
  ];
}

/** What depends on the size of pages. */
function sizeFaults(list: ListOperation): readonly FaultDraft[] {
  return [
    draft(
      list,
      'small-pages-end',
      'paging/page-sizes',
      'A walk in pages below ten ends after two pages.',
      (query, sorted, values, start, limit) => {
        const slice = query.page(sorted, values, start, limit);
        const after = startOf(start);
        if (limit >= 10 || after === undefined) return slice;
        const before = sorted
          .filter((record) => query.matches(record, values))
          .findIndex((record) => isSame(query.position(record), after));
        return { ...slice, more: slice.more && before < limit };
      },
    ),
    draft(
      list,
      'large-page-gaps',
      'paging/complete',
      'Large pages leave out records in the middle.',
      (query, sorted, values, start, limit) => {
        const slice = query.page(sorted, values, start, limit);
        return limit < 60
          ? slice
          : { ...slice, records: slice.records.filter((_, index) => index < 50 || index === slice.records.length - 1) };
      },
    ),
    draft(
      list,
      'page-too-large',
      'paging/limit-size',
      'A page has one record more than was asked for.',
      (query, sorted, values, start, limit) => query.page(sorted, values, start, limit + 1),
    ),
  ];
}

/** What a page says about the next one. */
function promiseFaults(list: ListOperation, page: CursorPage): readonly FaultDraft[] {
  const isPlain = (names: readonly string[], values: ReadonlyMap<string, Json>): boolean => !names.some((name) => values.has(name));
  return [
    draft(
      list,
      'more-by-size',
      'paging/exact-multiple',
      'A full page always promises another one, also when it is the last.',
      (query, sorted, values, start, limit) => {
        const slice = query.page(sorted, values, start, limit);
        return { ...slice, more: slice.records.length === limit };
      },
    ),
    draft(
      list,
      'more-denied-with-filter',
      'paging/complete',
      'As soon as a filter is given, no page promises another one.',
      (query, sorted, values, start, limit) => {
        const slice = query.page(sorted, values, start, limit);
        return { ...slice, more: slice.more && isPlain(page.fixed, values) };
      },
    ),
    draft(
      list,
      'walk-endless',
      'paging/progress',
      'Every page promises another one, without end.',
      (query, sorted, values, start, limit) => ({
        ...query.page(sorted, values, start, limit),
        more: true,
      }),
    ),
    {
      kind: 'next-cursor-missing',
      place: list.id,
      law: 'paging/next-cursor',
      title: 'A page that promises another one has no cursor for it.',
      around: (api) =>
        at(
          api,
          list.id,
          changing(
            ({ status }) => status === 200,
            (response) => mapBody(response, (body) => withValueAt(body, page.next, null)),
          ),
        ),
    },
  ];
}

/** The page that begins with the first record of which something holds. */
function from(
  query: Query,
  sorted: readonly Entry[],
  values: ReadonlyMap<string, Json>,
  limit: number,
  after: readonly Json[] | undefined,
  isFirst: (record: Entry, after: readonly Json[]) => boolean,
): PageSlice {
  const index = after === undefined ? 0 : sorted.findIndex((record) => isFirst(record, after));
  return query.page(sorted.slice(Math.max(0, index)), values, { after: undefined }, limit);
}

/** Whether a record is equal to a place in the first key of the order. */
function isTie(query: Query, record: Entry, after: readonly Json[]): boolean {
  return query.position(record)[0] === after[0];
}

function isSame(left: readonly Json[], right: readonly Json[]): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
