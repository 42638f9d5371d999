/** Paginations over lists of all three styles, and every way in which they end. */

import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../../../../contracts/verify/evidence/call.ts';
import { type Pagination, paginate, paginationPlanOf, totalIn } from '../../../../../../contracts/verify/evidence/pagination/pagination.ts';
import { recordKeyOf } from '../../../../../../contracts/verify/evidence/record-keys-and-filters.ts';
import type { HttpRequest } from '../../../../../../core/http/exchange.ts';
import type { Json } from '../../../../../../core/json.ts';
import { isCursorList, isList, type ListOperation } from '../../../../../../core/openapi/list-operation.ts';
import { type Answer, contractOf, fakeTarget, listIn, openSession, operationIn } from '../../../../../helpers/engine.ts';
import { answerList, type LazyList, listTarget, type PageParts, pageBody, queryOf } from '../../../../../helpers/lazy-list.ts';

const orders = listIn(await contractOf('business'), 'listOrders');
const entries = listIn(await contractOf('wiki'), 'listEntries');
const books = listIn(await contractOf('library'), 'findBooks');
const parcels = listIn(await contractOf('parcels'), 'listParcels');

/** A list of records that have nothing but their key. */
function keysOnly(operation: ListOperation, size: number): LazyList {
  const name = operation.collection.key.slice(1);
  return { size, record: (place) => ({ [name]: place }), filter: () => (place) => place % 2 === 0 };
}

type Answering = (request: HttpRequest, number: number) => Answer;

async function paginationOver(
  operation: ListOperation,
  answer: Answering,
  plan: Partial<Pagination> = {},
): Promise<{ pagination: Pagination; targets: readonly string[] }> {
  const target = fakeTarget(answer);
  const { session } = openSession(target);
  const pagination = await paginate((call): Promise<Reply> => session.ask(call), {
    operation,
    values: {},
    limit: 2,
    maxPages: 20,
    ...plan,
  });
  return { pagination, targets: target.requests.map((request) => request.target.split('?')[1] ?? '') };
}

const keysOf = ({ operation, pages }: Pagination): readonly (readonly string[])[] =>
  pages.map((page) => page.map((record) => recordKeyOf(operation, record)));

/** Answers with these pages in turn, and then with the last one again and again. */
function inTurn(operation: ListOperation, pages: readonly (PageParts | Answer)[]): Answering {
  return (_, number) => {
    const page = pages[Math.min(number, pages.length) - 1] ?? {};
    return 'records' in page ? { body: pageBody(operation, page) } : page;
  };
}

const some = (...keys: readonly Json[]): readonly Json[] => keys.map((id) => ({ id, slug: id, number: id, code: id }));

describe('a list that is read whole', () => {
  test('by cursors: the cursor goes with the filters and the size', async () => {
    const { pagination, targets } = await paginationOver(orders, ({ target }) => answerList(orders, keysOnly(orders, 9), target), {
      values: { channel: ['table'] },
    });
    expect(targets).toEqual(['limit=2&channel=table', 'limit=2&cursor=4&channel=table', 'limit=2&cursor=8&channel=table']);
    expect([pagination.end, keysOf(pagination)]).toEqual(['complete', [['0', '2'], ['4', '6'], ['8']]]);
    expect([pagination.startedMs, pagination.endedMs, pagination.records.length, pagination.replies.length]).toEqual([10, 32, 5, 3]);
  });

  test('by numbers, up to the total', async () => {
    const { pagination, targets } = await paginationOver(entries, ({ target }) => answerList(entries, keysOnly(entries, 5), target));
    expect([pagination.end, targets]).toEqual(['complete', ['limit=2', 'limit=2&page=2', 'limit=2&page=3']]);
    expect(keysOf(pagination)).toEqual([['0', '1'], ['2', '3'], ['4']]);
  });

  test('by offsets, up to the total', async () => {
    const { pagination, targets } = await paginationOver(books, ({ target }) => answerList(books, keysOnly(books, 4), target));
    expect([pagination.end, targets]).toEqual(['complete', ['size=2', 'start=2&size=2']]);
  });

  test.each([orders, entries, books, parcels])('with nothing in it, by one request: $id', async (operation) => {
    const { pagination, targets } = await paginationOver(operation, ({ target }) => answerList(operation, keysOnly(operation, 0), target));
    expect([pagination.end, targets.length, pagination.records]).toEqual(['complete', 1, []]);
  });

  test('by cursors through pages that are short, or empty now and then', async () => {
    const pages = [
      { records: some(1), next: 'a', more: true },
      { records: [], next: 'b', more: true },
      { records: [], next: 'c', more: true },
      { records: some(2, 3), next: 'd', more: false },
    ];
    const { pagination } = await paginationOver(orders, inTurn(orders, pages));
    expect([pagination.end, pagination.records.length, pagination.replies.length]).toEqual(['complete', 3, 4]);
  });

  test('by cursors that repeat while the pages go on: they are opaque', async () => {
    const pages = [
      { records: some(1), next: 'same', more: true },
      { records: some(2), next: 'same', more: true },
      { records: some(3), next: null, more: false },
    ];
    const { pagination } = await paginationOver(orders, inTurn(orders, pages));
    expect([pagination.end, keysOf(pagination).flat()]).toEqual(['complete', ['1', '2', '3']]);
  });

  test('by cursors whose last page still gives one, or gives none', async () => {
    for (const next of ['given', null, '']) {
      const { pagination } = await paginationOver(orders, inTurn(orders, [{ records: some(1), next, more: false }]));
      expect([pagination.end, pagination.replies.length]).toEqual(['complete', 1]);
    }
  });

  test('by numbers, where the server says that it gives smaller pages than asked for', async () => {
    const capped: Answering = ({ target }) => answerList(entries, keysOnly(entries, 7), target.replace('limit=50', 'limit=3'));
    const { pagination } = await paginationOver(entries, capped, { limit: 50 });
    expect([pagination.end, pagination.records.length, pagination.replies.length]).toEqual(['complete', 7, 3]);
  });
});

describe('past the end', () => {
  const full = { records: some(1, 2), limit: 2, total: 99 };
  const past: readonly (readonly [string, PageParts | Answer])[] = [
    ['is absent', { status: 404, body: { error: 'nothing' } }],
    ['is rejected with 400', { status: 400 }],
    ['is rejected with 422', { status: 422 }],
    ['is the last page again', { records: some(3, 4), limit: 2, total: 99 }],
  ];
  test.each(past)('a page %s, and the list is read whole', async (_, answer) => {
    const { pagination } = await paginationOver(entries, inTurn(entries, [full, { records: some(3, 4), limit: 2, total: 99 }, answer]));
    expect([pagination.end, pagination.records.length, pagination.replies.length]).toEqual(['complete', 4, 2]);
  });

  test('a page is empty, and the list is read whole', async () => {
    const { pagination } = await paginationOver(entries, inTurn(entries, [full, { records: [], limit: 2, total: 99 }]));
    expect([pagination.end, pagination.records.length]).toEqual(['complete', 2]);
  });

  test.each([400, 404, 422])('of a first page there is nothing: %i breaks the pagination', async (status) => {
    expect((await paginationOver(entries, inTurn(entries, [{ status }]))).pagination.end).toBe('broken');
  });

  test('an offset that is refused breaks the pagination: nothing says that it was past the end', async () => {
    const { pagination } = await paginationOver(books, inTurn(books, [{ records: some(1, 2), total: 9 }, { status: 404 }]));
    expect([pagination.end, pagination.replies.length]).toEqual(['broken', 2]);
  });
});

describe('a pagination that does not come to the end', () => {
  test.each([orders, entries, books])('is cut after the pages that it may read: $id', async (operation) => {
    const { pagination, targets } = await paginationOver(
      operation,
      ({ target }) => answerList(operation, keysOnly(operation, 1000), target),
      {
        maxPages: 3,
      },
    );
    expect([pagination.end, targets.length, pagination.records.length]).toEqual(['cut', 3, 6]);
  });

  test('that has just enough pages is complete', async () => {
    const { pagination } = await paginationOver(orders, ({ target }) => answerList(orders, keysOnly(orders, 6), target), { maxPages: 3 });
    expect(pagination.end).toBe('complete');
  });

  test('is stuck when a page gives the same records and the same cursor again', async () => {
    const { pagination } = await paginationOver(orders, inTurn(orders, [{ records: some(1), next: 'a', more: true }]));
    expect([pagination.end, pagination.replies.length]).toEqual(['stuck', 2]);
  });

  test('is stuck in a circle of several pages', async () => {
    const circle: Answering = ({ target }) => {
      const at = Number(queryOf(target).get('cursor') ?? 0);
      return { body: pageBody(orders, { records: some(at), next: String((at + 1) % 3), more: true }) };
    };
    const { pagination } = await paginationOver(orders, circle);
    expect([pagination.end, pagination.replies.length]).toEqual(['stuck', 4]);
  });

  test('is stuck when empty pages promise more without end', async () => {
    const empty: Answering = (_, number) => ({ body: pageBody(orders, { records: [], next: `c${number}`, more: true }) });
    const { pagination } = await paginationOver(orders, empty);
    expect([pagination.end, pagination.replies.length]).toEqual(['stuck', 3]);
  });

  test.each([
    ['a failure', { status: 500 }],
    ['a rejection', { status: 422, body: {} }],
    ['an unchanged answer', { status: 304 }],
    ['no list', { body: { ok: true } }],
    ['no JSON', { text: '<html>' }],
    ['more without a cursor', { records: some(9), more: true }],
    ['more with an empty cursor', { records: some(9), next: '', more: true }],
    ['more with a number for a cursor', { records: some(9), next: 7, more: true }],
  ] as const)('is broken by %s', async (_, page) => {
    const { pagination } = await paginationOver(orders, inTurn(orders, [{ records: some(1), next: 'a', more: true }, page]));
    expect([pagination.end, pagination.replies.length]).toEqual(['broken', 2]);
  });
});

describe('what paginations rest on', () => {
  test('lists are told from single reads', async () => {
    const order = operationIn(await contractOf('business'), 'getOrder');
    expect([isList(orders), isList(order), isCursorList(orders), isCursorList(entries), isCursorList(order)]).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  test('a plan leads to the same pagination again', async () => {
    const answer: Answering = ({ target }) => answerList(orders, keysOnly(orders, 3), target);
    const { pagination } = await paginationOver(orders, answer, { as: 'full', values: { channel: ['table'] } });
    const again = await paginationOver(orders, answer, paginationPlanOf(pagination));
    expect([again.pagination.pages, paginationPlanOf(again.pagination)]).toEqual([pagination.pages, paginationPlanOf(pagination)]);
    expect(Object.keys(paginationPlanOf(pagination)).sort()).toEqual(['as', 'limit', 'maxPages', 'operation', 'values']);
  });

  test('totals stand where the contract says; cursor lists have none', async () => {
    const total = async (operation: ListOperation): Promise<number | undefined> => {
      const { session } = openSession(listTarget(operation, keysOnly(operation, 5)));
      return totalIn(operation.collection.page, await session.ask({ operation }));
    };
    expect([await total(entries), await total(books), await total(parcels), await total(orders)]).toEqual([5, 5, 5, undefined]);
  });
});
