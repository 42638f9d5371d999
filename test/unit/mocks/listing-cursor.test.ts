/** Lists that are walked by cursors: where a page goes on, which cursors are refused, and what changed filters do. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../core/json.ts';
import { createCursorCodec } from '../../../mocks/handler/cursor.ts';
import { styles, type ThingsParts, thingsContract } from '../../helpers/contracts/things-contract.ts';
import type { Reply } from '../../helpers/plain-client.ts';
import { target } from '../../helpers/request-targets.ts';
import { createDirectMock, type DirectMock, datasetOf, serveText } from '../../helpers/served.ts';

const things: readonly JsonObject[] = [
  { id: 1, rank: 2, kind: 'a', at: '2026-01-01T10:00:00+02:00' },
  { id: 2, rank: 1, kind: 'b', at: '2026-01-01T08:00:00Z' },
  { id: 3, rank: 2, kind: 'a', at: '2026-01-01T08:00:01Z' },
  { id: 4, rank: 1, kind: 'b', at: '2026-01-01T12:00:00+04:00' },
  { id: 5, rank: 2, kind: 'a', at: '2025-12-31T23:59:59Z' },
];

const filtered: Omit<ThingsParts, 'page'> = {
  parameters: [
    '{ name: kind, in: query, style: form, explode: false, schema: { type: array, items: { enum: [a, b, z] } } }',
    '{ name: since, in: query, schema: { type: string, format: date-time } }',
  ],
  filters: '{ kind: { any-of: /kind }, since: { from: /at } }',
};

async function serve(parts: ThingsParts, records: readonly JsonObject[] = things, seed = 1): Promise<DirectMock> {
  return createDirectMock([await serveText(thingsContract(parts), { dataset: () => datasetOf(records), seed })]);
}

/** A list by rank and id in these directions, over records that a test may exchange. */
async function serveChanging([first, second]: readonly string[]): Promise<{
  mock: DirectMock;
  hold: (all: readonly JsonObject[]) => void;
}> {
  let current: readonly JsonObject[] = [];
  const order = `[{ by: /rank, direction: ${first} }, { by: /id, direction: ${second} }]`;
  const dataset = { ...datasetOf([]), records: () => current };
  const api = await serveText(thingsContract({ page: styles.cursor, order }), { dataset: () => dataset });
  const hold = (all: readonly JsonObject[]): void => {
    current = all;
    // Content changes with time alone; at one instant, an answer that was given may be given again.
    api.clock.advance(1000);
  };
  return { mock: createDirectMock([api]), hold };
}

/** A cursor style that fixes the filters, and what it answers when they change. */
function fixedBy(changed: string): string {
  return styles.cursor.replace('fixed: []', 'fixed: [kind, since]').replace('changed: refused', `changed: ${changed}`);
}

function idsOf(reply: Reply): readonly number[] {
  expect(reply.status).toBe(200);
  return (reply.at('/things') as readonly JsonObject[]).map((thing) => Number(thing['id']));
}

function next(reply: Reply): string {
  expect(reply.at('/page/more')).toBe(true);
  return String(reply.at('/page/next'));
}

async function walk(mock: DirectMock, query: Readonly<Record<string, string | number>>): Promise<readonly (readonly number[])[]> {
  const pages: (readonly number[])[] = [];
  for (let cursor: Record<string, string> = {}; ; ) {
    const reply = await mock.get(target('/things', { ...query, ...cursor }));
    pages.push(idsOf(reply));
    if (reply.at('/page/more') === false) return pages;
    cursor = { cursor: next(reply) };
  }
}

describe('a walk by cursors', () => {
  it('goes through the records in their order, ties by the key', async () => {
    const mock = await serve({ page: styles.cursor, order: '[{ by: /rank, direction: descending }]' });
    expect(await walk(mock, { limit: 2 })).toEqual([[1, 3], [5, 2], [4]]);
  });

  it('compares moments and not their spelling', async () => {
    const mock = await serve({ page: styles.cursor, order: '[{ by: /at, direction: descending }, { by: /id, direction: descending }]' });
    expect(await walk(mock, { limit: 1 })).toEqual([[3], [4], [2], [1], [5]]);
  });

  it('ends with a full page without promising another', async () => {
    const mock = await serve({ page: styles.cursor }, things.slice(0, 4));
    expect(await walk(mock, { limit: 2 })).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('shows every record once, for any records with many ties, any order and any limits along the way', async () => {
    const directions = fc.constantFrom('ascending', 'descending');
    const records = fc.uniqueArray(fc.record({ id: fc.integer({ min: 0, max: 40 }), rank: fc.integer({ min: -2, max: 2 }) }), {
      selector: (record) => record.id,
      maxLength: 25,
    });
    const served = new Map<string, { readonly mock: DirectMock; readonly hold: (all: readonly JsonObject[]) => void }>();
    for (const order of ['ascending, ascending', 'ascending, descending', 'descending, ascending', 'descending, descending']) {
      served.set(order, await serveChanging(order.split(', ')));
    }
    await fc.assert(
      fc.asyncProperty(records, directions, directions, fc.integer({ min: 1, max: 6 }), async (all, first, second, limit) => {
        const { mock, hold } = served.get(`${first}, ${second}`) ?? (await serveChanging([first, second]));
        hold(all);
        const found = (await walk(mock, { limit })).flat();
        const sign = (direction: string): number => (direction === 'ascending' ? 1 : -1);
        const sorted = all.toSorted((left, right) => sign(first) * (left.rank - right.rank) || sign(second) * (left.id - right.id));
        expect(found).toEqual(sorted.map((record) => record.id));
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  it('goes on behind the last record even if that record is gone', async () => {
    const cursor = next(await (await serve({ page: styles.cursor })).get('/things?limit=2'));
    const shrunk = await serve(
      { page: styles.cursor },
      things.filter((thing) => thing['id'] !== 2),
    );
    expect(idsOf(await shrunk.get(target('/things', { limit: 9, cursor })))).toEqual([3, 4, 5]);
  });

  it('may go on with another limit, and from the same cursor twice', async () => {
    const mock = await serve({ page: styles.cursor });
    const cursor = next(await mock.get('/things?limit=1'));
    expect(idsOf(await mock.get(target('/things', { limit: 2, cursor })))).toEqual([2, 3]);
    expect(idsOf(await mock.get(target('/things', { limit: 4, cursor })))).toEqual([2, 3, 4, 5]);
  });
});

describe('a cursor that cannot be right', () => {
  it('is refused: damaged, made up, of another seed, or of another operation', async () => {
    const mock = await serve({ page: styles.cursor });
    const good = next(await mock.get('/things?limit=2'));
    const ofOtherSeed = next(await (await serve({ page: styles.cursor }, things, 2)).get('/things?limit=2'));
    const codec = createCursorCodec(1, 'Things');
    const content = { operation: 'listThings', tenant: 'full', position: [2], fixed: {} };
    expect(codec.encode(content)).toBe(good);
    const others = [codec.encode({ ...content, operation: 'listOthers' }), codec.encode({ ...content, tenant: 'other' })];
    for (const cursor of [`${good}x`, good.slice(1), 'abc', '2', '%', ofOtherSeed, ...others]) {
      const reply = await mock.get(target('/things', { cursor }));
      expect([cursor, reply.status]).toEqual([cursor, 422]);
      expect(reply.at('/message')).toContain('/page/next');
    }
  });

  it('leads to the first page where the contract ignores it', async () => {
    const mock = await serve({ page: styles.cursor, invalid: '{ damaged-cursor: ignored }' });
    expect(idsOf(await mock.get('/things?limit=2&cursor=abc'))).toEqual([1, 2]);
  });
});

describe('filters that change while paging', () => {
  const first = '/things?limit=1&kind=a,b&since=2026-01-01T00:00:00Z';
  const same = { limit: 9, kind: 'a,b', since: '2026-01-01T00:00:00Z' };

  it('are refused where the contract says so, with the name of what changed', async () => {
    const mock = await serve({ page: fixedBy('refused'), ...filtered });
    const cursor = next(await mock.get(first));
    for (const [change, name] of [
      [{ kind: 'a' }, 'kind'],
      [{ since: '2026-01-01T00:00:01Z' }, 'since'],
    ] as const) {
      const reply = await mock.get(target('/things', { ...same, ...change, cursor }));
      expect(reply.status).toBe(422);
      expect(String(reply.at('/message'))).toMatch(new RegExp(`^${name} must not change`));
    }
    expect((await mock.get(target('/things', { limit: 9, cursor }))).status).toBe(422);
  });

  it('have not changed when they only look different', async () => {
    const mock = await serve({ page: fixedBy('refused'), ...filtered });
    const cursor = next(await mock.get(first));
    for (const spelling of [
      { kind: 'b,a' },
      { kind: 'a,b,a' },
      { since: '2026-01-01T01:00:00+01:00' },
      { since: '2025-12-31T23:00:00-01:00' },
    ]) {
      expect(idsOf(await mock.get(target('/things', { ...same, ...spelling, cursor })))).toEqual([2, 3, 4]);
    }
  });

  it('give way to those of the cursor where the contract ignores them', async () => {
    const mock = await serve({ page: fixedBy('ignored'), ...filtered });
    const cursor = next(await mock.get('/things?limit=1&kind=a'));
    expect(idsOf(await mock.get(target('/things', { limit: 9, kind: 'b', cursor })))).toEqual([3, 5]);
    expect(idsOf(await mock.get(target('/things', { limit: 9, cursor })))).toEqual([3, 5]);
  });

  it('win where the contract accepts them', async () => {
    const mock = await serve({ page: fixedBy('accepted'), ...filtered });
    const cursor = next(await mock.get('/things?limit=1&kind=a'));
    expect(idsOf(await mock.get(target('/things', { limit: 9, kind: 'b', cursor })))).toEqual([2, 4]);
    expect(idsOf(await mock.get(target('/things', { limit: 9, cursor })))).toEqual([2, 3, 4, 5]);
  });

  it('are free to change where they are not fixed', async () => {
    const mock = await serve({ page: styles.cursor, ...filtered });
    const cursor = next(await mock.get('/things?limit=1&kind=a'));
    expect(idsOf(await mock.get(target('/things', { limit: 9, kind: 'b', cursor })))).toEqual([2, 4]);
  });
});

describe('the last page', () => {
  const envelope = (nextSchema: string): string => `{ type: object, properties: { more: { type: boolean }, next: ${nextSchema} } }`;

  it.each([
    ['null', '{ type: [string, "null"] }', { more: false, next: null }],
    ['null', '{ type: "null" }', { more: false, next: null }],
    ['null', 'true', { more: false, next: null }],
    ['null', '{ oneOf: [{ type: string }, { type: "null" }] }', { more: false, next: null }],
    ['nothing', 'false', { more: false }],
    ['nothing', '{ type: string } }, if: { properties: { more: { const: false } } }, then: { properties: { next: false }', { more: false }],
  ])('has %s in place of a cursor', async (_, schema, page) => {
    // A list that fits on one page never needs a cursor, so that even a schema without one can be kept.
    const mock = await serve({ page: styles.cursor, envelope: envelope(schema) });
    expect((await mock.get('/things?limit=9')).at('/page')).toEqual(page);
  });

  it('may still have a cursor, which leads to an empty page that is the last as well', async () => {
    const mock = await serve({ page: styles.cursor, envelope: envelope('{ type: string, minLength: 1 }') });
    for (const limit of [3, 5, 9]) {
      const pages = [await mock.get(`/things?limit=${limit}`)];
      for (let step = 0; step < 4; step += 1)
        pages.push(await mock.get(target('/things', { limit, cursor: String(pages.at(-1)?.at('/page/next')) })));
      expect(pages.flatMap(idsOf)).toEqual([1, 2, 3, 4, 5]);
      expect(pages.at(-1)?.at('/page/more')).toBe(false);
    }
  });

  it('of nothing at all may have a cursor, too, and it leads to nothing in either direction', async () => {
    for (const direction of ['ascending', 'descending']) {
      const order = `[{ by: /rank, direction: ${direction} }]`;
      const mock = await serve({ page: styles.cursor, order, envelope: envelope('{ type: string, minLength: 1 }'), ...filtered });
      const nothing = await mock.get('/things?kind=z');
      expect(idsOf(nothing)).toEqual([]);
      expect(idsOf(await mock.get(target('/things', { kind: 'z', cursor: String(nothing.at('/page/next')) })))).toEqual([]);
    }
  });
});
