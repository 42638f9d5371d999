/** Snapshots: what a run reads of lists of any length and order, and what that costs. */

import { describe, expect, test } from 'vitest';
import { largestLimit } from '../../../../../contracts/verify/evidence/pagination/pagination.ts';
import { checkpointOf } from '../../../../../contracts/verify/evidence/record-keys-and-filters.ts';
import type { RoundContext } from '../../../../../contracts/verify/evidence/round-context.ts';
import type { Snapshot } from '../../../../../contracts/verify/evidence/snapshot.ts';
import type { ListOperation } from '../../../../../core/openapi/list-operation.ts';
import { contractOf, listIn, openContext } from '../../../../helpers/engine.ts';
import { type LazyList, listTarget, momentOf, rankFrom, scatter } from '../../../../helpers/lazy-list.ts';

const business = await contractOf('business');
const wiki = await contractOf('wiki');
const library = await contractOf('library');
const reservations = listIn(business, 'listReservations');
const entries = listIn(wiki, 'listEntries');
const books = listIn(library, 'findBooks');

const sizes = [0, 1, 100, 100_000] as const;

/** Position in the list by rank. A record that changed later has a higher rank. */
const orders: Readonly<Record<string, (size: number) => (place: number) => number>> = {
  'newest first': (size) => (place) => size - 1 - place,
  'oldest first': () => (place) => place,
  'by id': (size) => scatter(size, 17),
  scrambled: (size) => scatter(size, size >> 1),
};

const states = ['pending', 'confirmed', 'cancelled', 'rejected', 'completed', 'no_show'];

/** Reservations of which one changed each minute. */
function reservationList(size: number, order: string): LazyList {
  const rankOf = orders[order]?.(size) ?? ((place: number) => place);
  return {
    size,
    record: (place) => ({ id: place + 1, status: states[place % states.length] ?? '', changed_at: momentOf(rankOf(place)) }),
    filter: (name, text) => {
      const [first, wanted] = [rankFrom(text), text.split(',')];
      if (name === 'updated_after') return (place) => rankOf(place) >= first;
      return (place) => name !== 'status' || wanted.includes(states[place % states.length] ?? '');
    },
  };
}

/** The records from a moment on, as the list's filter has them. */
function countFrom(list: LazyList, text: string): number {
  const passes = list.filter('updated_after', text);
  let count = 0;
  for (let place = 0; place < list.size; place += 1) if (passes(place)) count += 1;
  return count;
}

async function look(context: RoundContext, operation: ListOperation): Promise<Snapshot & { readonly requests: number }> {
  const snapshot = await context.snapshot(operation);
  return { ...snapshot, requests: context.session.requests };
}

describe.each(Object.keys(orders))('a list with a checkpoint, %s', (order) => {
  test.each(sizes)('of %i records is read whole, or from a moment on', async (size) => {
    const list = reservationList(size, order);
    const snapshot = await look(openContext(business, listTarget(reservations, list)), reservations);
    expect(snapshot.requests).toBeLessThanOrEqual(8 + 4 * 8 + 4 * 8);
    expect(snapshot.byKey.size).toBe(snapshot.records.length);
    if (size <= 100) {
      expect([snapshot.base, snapshot.isComplete, snapshot.records.length, snapshot.minimumSize]).toEqual([{}, true, size, size]);
      expect(snapshot.requests).toBe(1);
      return;
    }
    expect(snapshot.minimumSize).toBeGreaterThan(800);
    expect([order, snapshot.isComplete]).toEqual([order, true]);
    const moment = snapshot.base['updated_after'];
    if (snapshot.isComplete && typeof moment === 'string') expect(snapshot.records.length).toBe(countFrom(list, moment));
  });
});

describe('a list of a million records', () => {
  test('newest first costs few requests more than one of a hundred', async () => {
    const snapshot = await look(openContext(business, listTarget(reservations, reservationList(1_000_000, 'newest first'))), reservations);
    expect([snapshot.requests, snapshot.records.length]).toEqual([8 + 3, 267]);
  });

  test.each(['oldest first', 'by id'])('%s is cut at a moment that is looked for', async (order) => {
    const snapshot = await look(openContext(business, listTarget(reservations, reservationList(1_000_000, order))), reservations);
    expect(snapshot.isComplete).toBe(true);
    expect(snapshot.records.length).toBeGreaterThan(0);
    expect(snapshot.requests).toBeLessThanOrEqual(8 + 18);
  });

  test.each(['newest first', 'by id'])('%s is cut smaller in a quick run, or given up within few requests', async (order) => {
    const context = openContext(business, listTarget(reservations, reservationList(1_000_000, order)), { quick: true });
    const snapshot = await look(context, reservations);
    expect(snapshot.requests).toBeLessThanOrEqual(1 + 8 + 2);
    expect(snapshot.records.length).toBeLessThanOrEqual(100);
    if (order === 'newest first') expect(snapshot.isComplete).toBe(true);
  });
});

describe('a list without a checkpoint', () => {
  const types = ['creature', 'luogo', 'reperto', 'personaggio', 'brand', 'arma'];

  /** Entries of which so many share each type, with a title of their own. */
  function entryList(size: number, share: number): LazyList {
    const typeOf = (place: number): string => types[Math.min(types.length - 1, Math.floor(place / share))] ?? '';
    const titleOf = (place: number): string => `Entry number ${String(place).padStart(7, '0')}`;
    return {
      size,
      record: (place) => ({ slug: `entry-${place}`, title: titleOf(place), type: typeOf(place), updated_at: '2026-01-01 10:00:00' }),
      filter: (name, text) => (place) => (name === 'type' ? typeOf(place) === text : name !== 'q' || titleOf(place).includes(text)),
    };
  }

  test.each([0, 1, 100])('of %i records is read whole', async (size) => {
    const snapshot = await look(openContext(wiki, listTarget(entries, entryList(size, 200))), entries);
    expect([snapshot.base, snapshot.isComplete, snapshot.records.length]).toEqual([{}, true, size]);
    expect(snapshot.requests).toBe(1);
  });

  test('is cut by a filter that lists values, when few records have one', async () => {
    const snapshot = await look(openContext(wiki, listTarget(entries, entryList(1_000_000, 150))), entries);
    expect([snapshot.base, snapshot.isComplete, snapshot.records.length]).toEqual([{ type: 'creature' }, true, 150]);
    expect(snapshot.requests).toBeLessThanOrEqual(1 + 2);
  });

  test('is cut by a search, when every value of a filter has too many', async () => {
    const snapshot = await look(openContext(wiki, listTarget(entries, entryList(1_000_000, 170_000))), entries);
    expect([snapshot.base, snapshot.isComplete, snapshot.records.length]).toEqual([{ q: 'Entry number 0000000' }, true, 1]);
    expect([snapshot.minimumSize > 100, snapshot.requests <= 1 + 8 + 1]).toEqual([true, true]);
  });

  test('is not cut by a search that finds other records than predicted', async () => {
    const list = entryList(1_000_000, 170_000);
    const filter: LazyList['filter'] = (name, text) => (name === 'q' ? (place) => place < 3 : list.filter(name, text));
    const snapshot = await look(openContext(wiki, listTarget(entries, { ...list, filter })), entries);
    expect([snapshot.isComplete, snapshot.base]).toEqual([false, {}]);
  });

  test('is known only in part when no filter cuts it, within the promised pages', async () => {
    const list = { ...entryList(1_000_000, 170_000), filter: () => () => true };
    const snapshot = await look(openContext(wiki, listTarget(entries, list)), entries);
    expect([snapshot.isComplete, snapshot.base]).toEqual([false, {}]);
    expect(snapshot.requests).toBeLessThanOrEqual(1 + 4 * 8);
  });

  test('by offsets, with a filter of several values', async () => {
    const genreOf = (place: number): string => (place % 40_000 === 0 ? 'poetry' : 'novel');
    const list: LazyList = {
      size: 1_000_000,
      record: (place) => ({ number: place, title: `Book ${place}.`, genre: genreOf(place), pages: 100, author: { name: 'A' } }),
      filter: (name, text) => (place) => name !== 'genre' || genreOf(place) === text,
    };
    const snapshot = await look(openContext(library, listTarget(books, list)), books);
    expect([snapshot.base, snapshot.isComplete, snapshot.records.length]).toEqual([{ genre: ['poetry'] }, true, 25]);
    expect(snapshot.requests).toBeLessThanOrEqual(1 + 8);
  });
});

describe('what snapshots rest on', () => {
  test('the largest page that the contract allows, and no more than is customary', () => {
    expect([largestLimit(reservations), largestLimit(books), largestLimit(entries)]).toEqual([100, 10, 100]);
  });

  test('the parameter that asks for what changed since a moment', () => {
    expect([reservations, entries, books].map(checkpointOf)).toEqual(['updated_after', undefined, undefined]);
  });

  test('a list that is broken or stuck is not complete, and nothing is thrown', async () => {
    const target = listTarget(reservations, { ...reservationList(5, 'by id'), record: () => ({}) });
    const context = openContext(business, {
      ...target,
      send: async (request) => ({ ...(await target.send({ ...request, target: '/x?limit=1' })) }),
    });
    const snapshot = await context.snapshot(reservations);
    expect([snapshot.isComplete, snapshot.pagination.end]).toEqual([false, 'stuck']);
  });

  test('contexts read a list once for all rules, and once more at the end', async () => {
    const context = openContext(business, listTarget(reservations, reservationList(250, 'by id')));
    const snapshot = await context.snapshot(reservations);
    expect(await context.snapshot(reservations)).toBe(snapshot);
    expect([context.session.requests, snapshot.finalPagination]).toEqual([3, undefined]);
    await context.readAgain();
    expect([context.session.requests, snapshot.finalPagination?.records.length, snapshot.finalPagination?.end]).toEqual([
      6,
      250,
      'complete',
    ]);
  });
});
