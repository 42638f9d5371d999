/** The one evaluator: each rule of filter, order, page and visibility on a few records whose right answer is plain to see. */

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../core/json.ts';
import { createQuery, type KindOf, type Query } from '../../core/query.ts';
import type { ComparisonName, Filter, OrderKey, Visibility } from '../../core/rules.ts';

const kinds: Readonly<Record<string, 'instant' | 'number'>> = { '/at': 'instant', '/id': 'number', '/size': 'number' };
const kindOf: KindOf = (pointer) => kinds[pointer] ?? 'text';

/** A collection that is told apart by the number `id`. */
function queryOf(rules: { readonly order?: readonly OrderKey[]; readonly filters?: Readonly<Record<string, Filter>>; readonly visible?: Visibility }): Query {
  const { order = [], filters = {}, visible } = rules;
  return createQuery({ key: '/id', order, filters: new Map(Object.entries(filters)), ...(visible === undefined ? {} : { visible }) }, kindOf);
}

function by(field: string, direction: 'ascending' | 'descending' = 'ascending'): OrderKey {
  return { by: field, direction };
}

function filterBy(operator: 'equals' | 'any-of' | 'from' | 'to' | 'after' | 'before', field: string, as?: ComparisonName): Query {
  return queryOf({ filters: { p: { operator, field, as } } });
}

function idsOf(records: readonly JsonObject[]): readonly Json[] {
  return records.map((record) => record['id'] ?? null);
}

/** Records numbered from 1, with one field. */
function recordsOf(field: string, values: readonly (Json | undefined)[]): readonly JsonObject[] {
  return values.map((value, index) => (value === undefined ? { id: index + 1 } : { id: index + 1, [field]: value }));
}

function matching(query: Query, records: readonly JsonObject[], argument: Json | undefined): readonly Json[] {
  const values = new Map(argument === undefined ? [] : [['p', argument]]);
  return idsOf(records.filter((record) => query.matches(record, values)));
}

describe('a filter of instants', () => {
  const records = recordsOf('at', [
    '2026-10-03T14:10:29.999999Z',
    '2026-10-03T14:10:30Z',
    '2026-10-03T16:10:30+02:00',
    '2026-10-03T14:10:30.000001Z',
    null,
    undefined,
    'yesterday',
    5,
  ]);

  it.each([
    ['from', [2, 3, 4]],
    ['to', [1, 2, 3]],
    ['after', [4]],
    ['before', [1]],
    ['equals', [2, 3]],
  ] as const)('with %s keeps what lies there, whatever the offset, and nothing that is no instant', (operator, ids) => {
    expect(matching(filterBy(operator, '/at'), records, '2026-10-03T14:10:30Z')).toEqual(ids);
    expect(matching(filterBy(operator, '/at'), records, '2026-10-03T05:10:30-09:00')).toEqual(ids);
  });

  it('by a value that is no instant keeps nothing', () => {
    for (const operator of ['from', 'to', 'after', 'before', 'equals'] as const) {
      expect(matching(filterBy(operator, '/at'), records, 'yesterday')).toEqual([]);
    }
  });
});

describe('a filter of numbers', () => {
  const records = recordsOf('size', [9, 10, 11, null, undefined, '10', 'big']);

  it.each([
    ['from', [2, 3]],
    ['to', [1, 2]],
    ['after', [3]],
    ['before', [1]],
    ['equals', [2]],
  ] as const)('with %s compares numbers, not their spelling', (operator, ids) => {
    expect(matching(filterBy(operator, '/size'), records, 10)).toEqual(ids);
  });

  it('may compare as something else where the rules say so', () => {
    expect(matching(filterBy('to', '/size', 'text'), records, '10')).toEqual([2, 6]);
  });
});

describe('a filter of texts', () => {
  const days = recordsOf('day', ['2026-10-09', '2026-10-10', '2026-10-11', '2026-10-10 23:59:59', null]);

  it.each([
    ['from', [2, 3, 4]],
    ['to', [1, 2]],
    ['after', [3, 4]],
    ['before', [1]],
    ['equals', [2]],
  ] as const)('with %s compares as they are written', (operator, ids) => {
    expect(matching(filterBy(operator, '/day'), days, '2026-10-10')).toEqual(ids);
  });

  it('may compare their dates only', () => {
    expect(matching(filterBy('to', '/day', 'date'), days, '2026-10-10')).toEqual([1, 2, 4]);
    expect(matching(filterBy('equals', '/day', 'date'), days, '2026-10-10')).toEqual([2, 4]);
  });

  it('keeps members of a list, and exactly those', () => {
    const states = recordsOf('state', ['ready', 'pending', 'Ready', 'read', null, undefined]);
    expect(matching(filterBy('any-of', '/state'), states, ['ready', 'pending'])).toEqual([1, 2]);
    expect(matching(filterBy('any-of', '/state'), states, ['zzz'])).toEqual([]);
    expect(matching(filterBy('any-of', '/state'), states, [])).toEqual([]);
    expect(matching(filterBy('any-of', '/state'), states, 'ready')).toEqual([1]);
  });

  it('keeps truths by their name', () => {
    expect(matching(filterBy('equals', '/open'), recordsOf('open', [true, false, null]), false)).toEqual([2]);
  });

  it('looks below other fields', () => {
    const nested = recordsOf('schedule', [{ date: '2026-10-10' }, { date: '2026-10-11' }, {}, null]);
    expect(matching(filterBy('from', '/schedule/date'), nested, '2026-10-11')).toEqual([2]);
  });
});

describe('a text search', () => {
  const records: readonly JsonObject[] = [
    { id: 1, title: 'Lupo di Sale', body: 'Vive nelle saline.' },
    { id: 2, title: 'Faro di vetro', body: '<p>Sopra la CITTÀ</p>' },
    { id: 3, title: 'Sale' },
    { id: 4, title: null, body: 5 },
  ];
  const search = (fields: readonly string[], fold: boolean): Query => queryOf({ filters: { p: { operator: 'matches', fields, fold } } });

  it.each([
    ['sale', [1, 3]],
    ['SALE', [1, 3]],
    ['saline', [1]],
    ['città', [2]],
    ['citta\u0300', [2]],
    ['di', [1, 2]],
    ['lupo sale', []],
    ['5', []],
    ['null', []],
  ])('for %s that folds finds it anywhere in any field, in any case', (text, ids) => {
    expect(matching(search(['/title', '/body'], true), records, text)).toEqual(ids);
  });

  it.each([
    ['Sale', [1, 3]],
    ['sale', []],
    ['saline', []],
  ])('for %s in one field as written finds exactly that', (text, ids) => {
    expect(matching(search(['/title'], false), records, text)).toEqual(ids);
  });

  it('for signs finds these signs and no pattern', () => {
    expect(matching(search(['/title'], true), recordsOf('title', ['a.c', 'abc', 'a*', '(', '']), '.')).toEqual([1]);
    expect(matching(search(['/title'], true), recordsOf('title', ['a.c', '(']), '(')).toEqual([2]);
  });
});

describe('several filters', () => {
  const query = queryOf({
    filters: { from: { operator: 'from', field: '/size', as: undefined }, state: { operator: 'equals', field: '/state', as: undefined } },
  });
  const records = [
    { id: 1, size: 1, state: 'a' },
    { id: 2, size: 2, state: 'a' },
    { id: 3, size: 2, state: 'b' },
  ];
  const ids = (values: Readonly<Record<string, Json>>): readonly Json[] =>
    idsOf(records.filter((record) => query.matches(record, new Map(Object.entries(values)))));

  it('must all be passed', () => {
    expect(ids({ from: 2, state: 'a' })).toEqual([2]);
    expect(ids({ from: 2 })).toEqual([2, 3]);
    expect(ids({ state: 'a' })).toEqual([1, 2]);
  });

  it('pass everything when none is given, and other arguments mean nothing', () => {
    expect(ids({})).toEqual([1, 2, 3]);
    expect(ids({ limit: 1, cursor: 'x' })).toEqual([1, 2, 3]);
  });
});

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
    expect(idsOf(queryOf({ order: [by('/title')] }).sort(recordsOf('title', ['b', 'é', 'a', 'B', 'z', '10', '9'])))).toEqual([6, 7, 4, 3, 1, 5, 2]);
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
  const query = queryOf({ order: [by('/size', 'descending'), by('/id', 'descending')], filters: { p: { operator: 'from', field: '/size', as: undefined } } });
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
    expect(idsOf(query.page(sorted.filter(({ id }) => id !== 3), new Map(), { after: [2, 3] }, 9).records)).toEqual([2, 1, 6]);
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
