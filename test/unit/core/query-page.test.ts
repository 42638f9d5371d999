/** The one evaluator: order, visibility and pages on a few records whose right answer is plain to see. */

import { describe, expect, it } from 'vitest';
import type { OrderKey, Visibility } from '../../../core/rules.ts';
import { idsOf, queryOf, recordsOf } from '../../helpers/small-query.ts';

function by(field: string, direction: 'ascending' | 'descending' = 'ascending'): OrderKey {
  return { by: field, direction };
}

describe('an order', () => {
  it('compares instants by what they mean, and breaks ties by the next field', () => {
    const records = [
      { id: 1, at: '2026-10-03T16:00:00+02:00' },
      { id: 2, at: '2026-10-03T14:00:00Z' },
      { id: 3, at: '2026-10-03T15:00:00+00:30' },
      { id: 4, at: '2026-10-03T13:59:59.9Z' },
    ];
    expect(idsOf(queryOf({ order: [by('/at', 'descending'), by('/id', 'descending')] }).sort(records))).toEqual([3, 2, 1, 4]);
    expect(idsOf(queryOf({ order: [by('/at'), by('/id', 'descending')] }).sort(records))).toEqual([4, 2, 1, 3]);
  });

  it('compares numbers as numbers and texts by their code units', () => {
    expect(idsOf(queryOf({ order: [by('/size')] }).sort(recordsOf('size', [10, 9, 100, -1, 9.5])))).toEqual([4, 2, 5, 1, 3]);
    expect(idsOf(queryOf({ order: [by('/title')] }).sort(recordsOf('title', ['b', 'é', 'a', 'B', 'z', '10', '9'])))).toEqual([
      6, 7, 4, 3, 1, 5, 2,
    ]);
  });

  it('that leaves ties is completed by the key', () => {
    const records = [3, 1, 2].map((id) => ({ id, state: 'same' }));
    expect(idsOf(queryOf({ order: [by('/state', 'descending')] }).sort(records))).toEqual([1, 2, 3]);
    expect(idsOf(queryOf({}).sort(records))).toEqual([1, 2, 3]);
  });

  it('puts records without the field before all others, and last when it descends', () => {
    const records = recordsOf('size', [5, undefined, -1000, null]);
    expect(idsOf(queryOf({ order: [by('/size')] }).sort(records))).toEqual([2, 4, 3, 1]);
    expect(idsOf(queryOf({ order: [by('/size', 'descending'), by('/id')] }).sort(records))).toEqual([1, 3, 2, 4]);
  });

  it('leaves the given list as it is', () => {
    const records = recordsOf('size', [2, 1]);
    queryOf({ order: [by('/size')] }).sort(records);
    expect(idsOf(records)).toEqual([1, 2]);
  });

  it('gives each record its position, the values that decide its place', () => {
    const query = queryOf({ order: [by('/at', 'descending')] });
    expect(query.position({ id: 7, at: '2026-10-03T16:00:00+02:00', more: 1 })).toEqual(['2026-10-03T16:00:00+02:00', 7]);
    expect(query.position({ id: 7 })).toEqual([null, 7]);
  });
});

describe('visibility', () => {
  const visible: Visibility = { field: '/visibility', shown: ['public', 'open'], hidden: 'absent' };
  const query = queryOf({ order: [by('/id')], visible });
  const records = recordsOf('visibility', ['public', 'team', 'open', null, undefined, 'Public']);

  it('shows records with a listed value and no others', () => {
    expect(idsOf(records.filter(query.isVisible))).toEqual([1, 3]);
  });

  it('hides records from pages and counts', () => {
    expect(idsOf(query.page(records, new Map(), { after: undefined }, 10).records)).toEqual([1, 3]);
    expect(query.count(records, new Map())).toBe(2);
  });

  it('that is not ruled shows everything', () => {
    expect(queryOf({}).count(records, new Map())).toBe(6);
  });
});

describe('a page', () => {
  const query = queryOf({
    order: [by('/size', 'descending'), by('/id', 'descending')],
    filters: { p: { operator: 'from', field: '/size', as: undefined } },
  });
  const sorted = query.sort(recordsOf('size', [1, 2, 2, 2, 3, 0]));

  it('holds the first records, and says whether there are more', () => {
    expect(idsOf(sorted)).toEqual([5, 4, 3, 2, 1, 6]);
    expect(query.page(sorted, new Map(), { after: undefined }, 4)).toEqual({ records: sorted.slice(0, 4), more: true });
    expect(query.page(sorted, new Map(), { after: undefined }, 6)).toEqual({ records: sorted, more: false });
    expect(query.page(sorted, new Map(), { after: undefined }, 100)).toEqual({ records: sorted, more: false });
  });

  it('goes on after a position, also in the middle of a tie', () => {
    expect(idsOf(query.page(sorted, new Map(), { after: [2, 4] }, 2).records)).toEqual([3, 2]);
    expect(idsOf(query.page(sorted, new Map(), { after: [2, 2] }, 9).records)).toEqual([1, 6]);
  });

  it('goes on after a position whose record is gone', () => {
    expect(
      idsOf(
        query.page(
          sorted.filter(({ id }) => id !== 3),
          new Map(),
          { after: [2, 3] },
          9,
        ).records,
      ),
    ).toEqual([2, 1, 6]);
  });

  it('is empty after the last position', () => {
    expect(query.page(sorted, new Map(), { after: [0, 6] }, 3)).toEqual({ records: [], more: false });
  });

  it('knows that there are no more when only records are left that do not match', () => {
    expect(query.page(sorted, new Map([['p', 2]]), { after: undefined }, 4)).toEqual({ records: sorted.slice(0, 4), more: false });
    expect(query.page(sorted, new Map([['p', 2]]), { after: undefined }, 3)).toMatchObject({ more: true });
  });

  it('may begin at a number of matching records instead', () => {
    expect(idsOf(query.page(sorted, new Map(), { skip: 4 }, 4).records)).toEqual([1, 6]);
    expect(query.page(sorted, new Map([['p', 2]]), { skip: 2 }, 2)).toEqual({ records: sorted.slice(2, 4), more: false });
    expect(query.page(sorted, new Map(), { skip: 6 }, 2)).toEqual({ records: [], more: false });
    expect(query.page(sorted, new Map(), { skip: 1000 }, 2)).toEqual({ records: [], more: false });
  });

  it('counts what matches, whatever is on it', () => {
    expect(query.count(sorted, new Map())).toBe(6);
    expect(query.count(sorted, new Map([['p', 2]]))).toBe(4);
    expect(query.count([], new Map())).toBe(0);
  });
});
