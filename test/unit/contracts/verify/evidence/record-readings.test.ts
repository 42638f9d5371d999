/** Readings: nothing is claimed of a record that could have moved, however data and readings interleave, and one that stood still is evidence. */

import { array, assert, asyncProperty, boolean, constantFrom, integer, record, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isUnchangedList, isUnshifted, RecordReadings, stableRecords } from '../../../../../contracts/verify/evidence/record-readings.ts';

import { contractOf, listIn, openContext, replyTo } from '../../../../helpers/engine.ts';
import { pageBody } from '../../../../helpers/lazy-list.ts';
import { accuse, type Change, LiveData, liveTarget } from '../../live-list.ts';

const business = await contractOf('business');
const wiki = await contractOf('wiki');
const reservations = listIn(business, 'listReservations');
const entries = listIn(wiki, 'listEntries');

const change = record({
  kind: constantFrom<Change['kind']>('insert', 'update', 'delete'),
  pick: integer({ min: 0, max: 50 }),
  tick: boolean(),
});
const inserts = array(record({ kind: constantFrom<Change['kind']>('insert'), pick: integer({ min: 0, max: 50 }), tick: boolean() }), {
  maxLength: 14,
});
const history = array(tuple(integer({ min: 1, max: 60 }), change), { maxLength: 30 });
const sizes = array(integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 });

function scheduled(steps: readonly (readonly [number, Change])[]): ReadonlyMap<number, readonly Change[]> {
  const schedule = new Map<number, Change[]>();
  for (const [number, each] of steps) schedule.set(number, [...(schedule.get(number) ?? []), each]);
  return schedule;
}

function dataOf(first: readonly Change[]): LiveData {
  const data = new LiveData();
  for (const each of first) data.change(each);
  return data;
}

describe('a list that is right', () => {
  test.each(['newest', 'oldest', 'by-id'] as const)(
    'in the order %s is never accused, whatever changes between its requests',
    async (paging) => {
      await assert(
        asyncProperty(
          inserts,
          history,
          sizes,
          array(constantFrom('pending', 'confirmed'), { maxLength: 2 }),
          async (first, steps, limits, wanted) => {
            const target = liveTarget(reservations, dataOf(first), paging, scheduled(steps));
            const filters = wanted.map((status) => ({ status: [status] }));
            const { missing, repeated, selections } = await accuse(openContext(business, target), reservations, limits, filters);
            expect({ missing, repeated, selections }).toEqual({ missing: [], repeated: [], selections: [] });
          },
        ),
        { numRuns: 50, seed: 3 },
      );
    },
  );

  test('by numbers is not accused for what shifts', async () => {
    const few = array(tuple(integer({ min: 1, max: 30 }), change), { maxLength: 6 });
    await assert(
      asyncProperty(inserts, few, sizes, async (first, steps, limits) => {
        const target = liveTarget(entries, dataOf(first), 'numbered', scheduled(steps));
        const { missing, repeated } = await accuse(openContext(wiki, target), entries, limits, []);
        expect({ missing, repeated }).toEqual({ missing: [], repeated: [] });
      }),
      { numRuns: 50, seed: 3 },
    );
  });
});

/** The records whose moment is that of the last record of a page, by the rows in their order. */
function edgesOf(data: LiveData, limit: number): { readonly skipped: readonly string[] } {
  const rows = data.rows.toSorted((left, right) => right.changed - left.changed || right.id - left.id);
  const skipped: string[] = [];
  for (let from = 0; from < rows.length; ) {
    const last = rows[from + limit - 1];
    if (last === undefined || from + limit >= rows.length) break;
    const rest = rows.slice(from + limit);
    skipped.push(...rest.filter(({ changed }) => changed === last.changed).map(({ id }) => String(id)));
    from = rows.length - rest.filter(({ changed }) => changed < last.changed).length;
  }
  return { skipped };
}

describe('a list that is wrong, while its data stand still', () => {
  test('is accused of exactly the ties that it skips', async () => {
    let accused = 0;
    await assert(
      asyncProperty(inserts, integer({ min: 1, max: 5 }), async (first, limit) => {
        const data = dataOf(first);
        const { missing, repeated } = await accuse(
          openContext(business, liveTarget(reservations, data, 'skips-ties', new Map())),
          reservations,
          [limit],
          [],
        );
        expect({ missing: missing.toSorted(), repeated }).toEqual({ missing: edgesOf(data, limit).skipped.toSorted(), repeated: [] });
        accused += missing.length;
      }),
      { numRuns: 80, seed: 5 },
    );
    expect(accused).toBeGreaterThan(50);
  });

  test('is accused of the records that it repeats, and of no other', async () => {
    let accused = 0;
    await assert(
      asyncProperty(inserts, integer({ min: 1, max: 5 }), async (first, limit) => {
        const context = openContext(business, liveTarget(reservations, dataOf(first), 'repeats-ties', new Map()));
        const { repeated, missing, paginations } = await accuse(context, reservations, [limit], []);
        const pagination = paginations.find((each) => each.limit === limit && each !== paginations[0]);
        const keys = pagination?.records.map((each) => String(each['id'])) ?? [];
        expect(repeated.toSorted()).toEqual([...new Set(keys.filter((key, index) => keys.indexOf(key) < index))].toSorted());
        expect(missing).toEqual([]);
        accused += repeated.length;
      }),
      { numRuns: 80, seed: 5 },
    );
    expect(accused).toBeGreaterThan(25);
  });
});

describe('readings', () => {
  const call = { operation: reservations };
  const seen = (number: number, ...records: readonly { readonly id: number; readonly notes?: string }[]): ReturnType<typeof replyTo> =>
    replyTo(call, { body: pageBody(reservations, { records, more: false }) }, { number, startedMs: number * 10, endedMs: number * 10 + 2 });
  const of = (...replies: readonly ReturnType<typeof replyTo>[]): RecordReadings => new RecordReadings(reservations, 'full', replies);

  test('a record is stable from a reading before to one after, in the same words', () => {
    const readings = of(seen(1, { id: 7 }), seen(2), seen(3, { id: 7 }));
    expect(readings.unchangedDuring('7', 20, 22)).toMatchObject({ before: { reply: { number: 1 } }, after: { reply: { number: 3 } } });
    expect([readings.keys, readings.of('7').length, readings.of('8')]).toEqual([['7'], 2, []]);
  });

  test.each([
    ['seen only before', [seen(1, { id: 7 }), seen(2)]],
    ['seen only after', [seen(2), seen(3, { id: 7 })]],
    ['changed since', [seen(1, { id: 7, notes: 'a' }), seen(3, { id: 7, notes: 'b' })]],
    ['changed, and changed back', [seen(1, { id: 7 }), seen(2, { id: 7, notes: 'b' }), seen(3, { id: 7 })]],
    ['another record', [seen(1, { id: 8 }), seen(3, { id: 8 })]],
  ] as const)('a record is not stable: %s', (_, replies) => expect(of(...replies).unchangedDuring('7', 20, 22)).toBeUndefined());

  test('an answer that was under way at the time says nothing about the time', () => {
    const overlapping = { ...seen(1, { id: 7 }), endedMs: 21 };
    expect(of(overlapping, seen(3, { id: 7 })).unchangedDuring('7', 20, 22)).toBeUndefined();
    expect(of(seen(1, { id: 7 }), { ...seen(3, { id: 7 }), startedMs: 21 }).unchangedDuring('7', 20, 22)).toBeUndefined();
  });

  test('the nearest readings count; what was before and after them may differ', () => {
    const readings = of(seen(1, { id: 7, notes: 'old' }), seen(2, { id: 7 }), seen(4, { id: 7 }), seen(5, { id: 7, notes: 'new' }));
    expect(readings.unchangedDuring('7', 30, 32)).toMatchObject({ before: { reply: { number: 2 } }, after: { reply: { number: 4 } } });
  });

  test('other lists, other callers and failures are not looked at', () => {
    const orders = { operation: listIn(business, 'listOrders') };
    const other = replyTo(orders, { body: pageBody(orders.operation, { records: [{ id: 7 }], more: false }) });
    const foreign = { ...seen(1, { id: 7 }), call: { ...call, as: 'other' } };
    const failed = { ...seen(1, { id: 7 }), response: { status: 500, headers: {}, body: '' } };
    expect(of(other, foreign, failed).keys).toEqual([]);
    expect(new RecordReadings(reservations, 'other', [foreign]).keys).toEqual(['7']);
  });
});

describe('numbered pages', () => {
  test('are steady only while nothing moves; a single page always is', async () => {
    const insert: Change = { kind: 'insert', pick: 0, tick: true };
    const data = dataOf([insert, insert, insert, insert]);
    const context = openContext(wiki, liveTarget(entries, data, 'numbered', new Map([[4, [insert]]])));
    const snapshot = await context.snapshot(entries);
    const one = await context.paginationAgain({ operation: entries, values: {}, limit: 50, maxPages: 5 });
    expect([isUnchangedList(snapshot), isUnshifted(snapshot, one)]).toEqual([false, true]);
    const several = await context.paginationAgain({ operation: entries, values: {}, limit: 2, maxPages: 5 });
    await context.readAgain();
    expect([isUnchangedList(snapshot), isUnshifted(snapshot, several), stableRecords(context, snapshot, several)]).toEqual([
      false,
      false,
      [],
    ]);
    expect(stableRecords(context, snapshot, one).map(({ key }) => key)).toEqual(['"s1"', '"s2"', '"s3"', '"s4"']);
  });
});
