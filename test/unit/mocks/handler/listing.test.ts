/** Lists: pages of each style, their envelopes, and pages past the end. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../core/json.ts';
import { styles, type ThingsParts, thingsContract } from '../../../helpers/contracts/things-contract.ts';
import type { Reply } from '../../../helpers/plain-client.ts';
import { createDirectMock, type DirectMock, datasetOf, serveText } from '../../../helpers/served.ts';

const seven: readonly JsonObject[] = [5, 2, 7, 1, 4, 6, 3].map((id) => ({ id, kind: id % 2 === 0 ? 'even' : 'odd' }));
const ofKind: Partial<ThingsParts> = {
  parameters: ['{ name: kind, in: query, schema: { type: string } }'],
  filters: '{ kind: { equals: /kind } }',
};

async function serve(parts: ThingsParts, records: readonly JsonObject[] = seven): Promise<DirectMock> {
  return createDirectMock([await serveText(thingsContract(parts), { dataset: () => datasetOf(records) })]);
}

function idsOf(reply: Reply): readonly unknown[] {
  expect(reply.status).toBe(200);
  return (reply.at('/things') as readonly JsonObject[]).map((thing) => thing['id']);
}

/** A numbered page with more rules than the plain style has. */
function numbered(rules: string): string {
  return styles.page.replace(/ }$/, `, ${rules} }`);
}

describe('a list in numbered pages', () => {
  it('has numbered pages of the ordered records from 1 on, with the number in the answer', async () => {
    const mock = await serve({ page: styles.page });
    const pages = await Promise.all(['', '?page=1', '?page=2', '?page=3'].map((query) => mock.get(`/things${query}`)));
    expect(pages.map(idsOf)).toEqual([[1, 2, 3], [1, 2, 3], [4, 5, 6], [7]]);
    expect(pages.map((page) => page.at('/page'))).toEqual([1, 1, 2, 3].map((page) => ({ limit: 3, page, total: 7 })));
  });

  it('counts the filtered records or all records, by the contract', async () => {
    for (const [counts, total] of [
      ['filtered', 3],
      ['overall', 7],
    ] as const) {
      const mock = await serve({ page: numbered(`counts: ${counts}`), ...ofKind });
      const reply = await mock.get('/things?kind=even&limit=2');
      expect(idsOf(reply)).toEqual([2, 4]);
      expect(reply.at('/page/total')).toBe(total);
    }
  });

  it.each([
    ['cap: 2', 5, 2],
    ['cap: 2', 2, 2],
    ['cap: 2', 1, 1],
    ['cap: null', 50, 50],
    ['cap: 100', 0, 1],
  ])('with %s serves a limit of %i as %i, and says so', async (rule, asked, served) => {
    const reply = await (await serve({ page: numbered(rule) })).get(`/things?limit=${asked}`);
    expect(reply.at('/page/limit')).toBe(served);
    expect(idsOf(reply)).toHaveLength(Math.min(served, 7));
  });

  it.each([
    ['empty', 4, 200],
    ['absent', 4, 404],
    ['invalid', 4, 422],
  ])('that is %s past its end answers page %i with %i', async (beyond, page, status) => {
    const mock = await serve({ page: numbered(`beyond: ${beyond}`) });
    const reply = await mock.get(`/things?page=${page}`);
    expect(reply.status).toBe(status);
    if (status === 200) {
      expect(idsOf(reply)).toEqual([]);
      expect(reply.at('/page')).toEqual({ limit: 3, page: 4, total: 7 });
    }
    expect((await mock.get('/things?page=3')).status).toBe(200);
  });

  it('may answer with its last page past the end, with its number', async () => {
    const reply = await (await serve({ page: numbered('beyond: last') })).get('/things?page=99');
    expect(idsOf(reply)).toEqual([7]);
    expect(reply.at('/page')).toEqual({ limit: 3, page: 3, total: 7 });
  });

  it.each(['empty', 'absent', 'invalid', 'last'])(
    'without any record has a first page, also where a page past the end is %s',
    async (beyond) => {
      const reply = await (await serve({ page: numbered(`beyond: ${beyond}`) }, [])).get('/things');
      expect(idsOf(reply)).toEqual([]);
      expect(reply.at('/page')).toEqual({ limit: 3, page: 1, total: 0 });
    },
  );

  it('ends with a full page if the records divide evenly', async () => {
    const mock = await serve({ page: numbered('beyond: absent') }, seven.slice(0, 6));
    expect(idsOf(await mock.get('/things?page=2'))).toHaveLength(3);
    expect((await mock.get('/things?page=3')).status).toBe(404);
  });

  it('answers a page below 1 with the first page', async () => {
    const reply = await (await serve({ page: styles.page })).get('/things?page=-4');
    expect(idsOf(reply)).toEqual([1, 2, 3]);
    expect(reply.at('/page/page')).toBe(1);
  });

  it('has no members that the contract does not name', async () => {
    const reply = await (await serve({ page: '{ style: page, limit: limit, page: page }' })).get('/things');
    expect(reply.at()).toEqual({ things: expect.any(Array) });
  });
});

describe('a list with offsets', () => {
  it('skips records, and has their total and whether more follow', async () => {
    const mock = await serve({ page: styles.offset });
    const replies = await Promise.all(
      ['', '?offset=2', '?offset=4', '?offset=6', '?offset=7', '?offset=70'].map((query) => mock.get(`/things${query}`)),
    );
    expect(replies.map(idsOf)).toEqual([[1, 2, 3], [3, 4, 5], [5, 6, 7], [7], [], []]);
    expect(replies.map((reply) => reply.at('/page/more'))).toEqual([true, true, false, false, false, false]);
    expect(replies.map((reply) => reply.at('/page/total'))).toEqual([7, 7, 7, 7, 7, 7]);
  });

  it('counts the filtered records only', async () => {
    const reply = await (await serve({ page: styles.offset, ...ofKind })).get('/things?kind=even&limit=1&offset=1');
    expect(idsOf(reply)).toEqual([4]);
    expect(reply.at('/page')).toEqual({ total: 3, more: true });
  });

  it('may have a limit of 0', async () => {
    const reply = await (await serve({ page: styles.offset })).get('/things?limit=0');
    expect(idsOf(reply)).toEqual([]);
    expect(reply.at('/page')).toEqual({ total: 7, more: true });
  });
});

describe('a list of any style', () => {
  it('never counts or lists hidden records', async () => {
    for (const page of [numbered('counts: overall'), styles.offset]) {
      const mock = await serve({ page, visible: '{ field: /kind, shown: [odd], hidden: absent }' });
      const reply = await mock.get('/things?limit=9');
      expect(idsOf(reply)).toEqual([1, 3, 5, 7]);
      expect(reply.at('/page/total')).toBe(4);
    }
  });

  it('has 50 records per page by default', async () => {
    const many = Array.from({ length: 120 }, (_, index) => ({ id: index + 1 }));
    const text = thingsContract({ page: styles.offset }).replace(', default: 3', '');
    const mock = createDirectMock([await serveText(text, { dataset: () => datasetOf(many) })]);
    expect(idsOf(await mock.get('/things'))).toHaveLength(50);
  });

  it('is empty if the contract answers a wrong value with no records', async () => {
    for (const page of Object.values(styles)) {
      const mock = await serve({
        page,
        parameters: ['{ name: kind, in: query, schema: { enum: [odd, even] } }'],
        filters: '{ kind: { equals: /kind } }',
        invalid: '{ unknown-value: empty }',
      });
      expect(idsOf(await mock.get('/things?kind=neither'))).toEqual([]);
      expect(idsOf(await mock.get('/things?kind=even'))).toEqual([2, 4, 6]);
    }
  });

  it('has pages that together are the whole list, for any number of records and any limit', async () => {
    for (const [page, next] of [
      [styles.page, (index: number) => `page=${index + 1}`],
      [styles.offset, (index: number, limit: number) => `offset=${index * limit}`],
    ] as const) {
      let current: readonly JsonObject[] = [];
      const dataset = { ...datasetOf([]), records: () => current };
      const api = await serveText(thingsContract({ page }), { dataset: () => dataset });
      const mock = createDirectMock([api]);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 9 }), async (count, limit) => {
          current = Array.from({ length: count }, (_, index) => ({ id: (index * 7) % 23 }));
          // Content changes with time alone; at one instant, an answer that was given may be given again.
          api.clock.advance(1000);
          const expected = current.map((record) => Number(record['id'])).toSorted((left, right) => left - right);
          const queries = Array.from({ length: Math.ceil(count / limit) + 1 }, (_, index) => `limit=${limit}&${next(index, limit)}`);
          const replies = await Promise.all(queries.map((query) => mock.get(`/things?${query}`)));
          expect(replies.flatMap(idsOf)).toEqual(expected);
        }),
        { seed: 1, numRuns: 25 },
      );
    }
  });
});
