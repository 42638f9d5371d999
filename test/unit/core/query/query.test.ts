/** Filters, order, visibility and pages of the evaluator, on a few records with obvious results. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ComparisonName, Filter, OrderKey, Visibility } from '../../../../core/annotations/annotations.ts';
import type { Json, JsonObject } from '../../../../core/json.ts';
import { type ComparisonKindOf, createQuery, foldText, type Query } from '../../../../core/query/query.ts';

type Operator = 'equals' | 'any-of' | 'from' | 'to' | 'after' | 'before';

function matching(query: Query, records: readonly JsonObject[], argument: Json): readonly Json[] {
  return idsOf(records.filter(query.matching(new Map([['p', argument]]))));
}

/** The ids of the records that one filter keeps. */
function kept(operator: Operator, field: string, records: readonly JsonObject[], argument: Json, as?: ComparisonName): readonly Json[] {
  return matching(queryOf({ filters: { p: { operator, field, as } } }), records, argument);
}

describe('a filter', () => {
  const [exact, shifted] = ['2026-10-03T14:10:30Z', '2026-10-03T16:10:30+02:00'];
  const instants = ['2026-10-03T14:10:29.999999Z', exact, shifted, '2026-10-03T14:10:30.000001Z', null, undefined, 'yesterday', 5];
  const moments = recordsOf('at', instants);
  const sizes = recordsOf('size', [9, 10, 11, null, undefined, '10', 'big']);
  const days = recordsOf('day', ['2026-10-09', '2026-10-10', '2026-10-11', '2026-10-10 23:59:59', null]);

  it.each<readonly [Operator, instants: readonly number[], numbers: readonly number[], texts: readonly number[]]>([
    ['from', [2, 3, 4], [2, 3], [2, 3, 4]],
    ['to', [1, 2, 3], [1, 2], [1, 2]],
    ['after', [4], [3], [3, 4]],
    ['before', [1], [1], [1]],
    ['equals', [2, 3], [2], [2]],
  ])('with %s compares instants whatever their offset, numbers as numbers, and texts as they are written', (operator, at, size, day) => {
    for (const argument of [exact, '2026-10-03T05:10:30-09:00']) expect(kept(operator, '/at', moments, argument)).toEqual(at);
    expect(kept(operator, '/at', moments, 'yesterday')).toEqual([]);
    expect(kept(operator, '/size', sizes, 10)).toEqual(size);
    expect(kept(operator, '/day', days, '2026-10-10')).toEqual(day);
  });

  it('may compare as something else where the rules say so', () => {
    expect(kept('to', '/size', sizes, '10', 'text')).toEqual([2, 6]);
    expect(kept('to', '/day', days, '2026-10-10', 'date')).toEqual([1, 2, 4]);
    expect(kept('equals', '/day', days, '2026-10-10', 'date')).toEqual([2, 4]);
  });

  it.each<readonly [Json, readonly number[]]>([
    [
      ['ready', 'pending'],
      [1, 2],
    ],
    [['zzz'], []],
    [[], []],
    ['ready', [1]],
  ])('keeps members of the list %j, and exactly those', (argument, ids) => {
    const states = recordsOf('state', ['ready', 'pending', 'Ready', 'read', null, undefined]);
    expect(kept('any-of', '/state', states, argument)).toEqual(ids);
  });

  it('keeps records that have the value among several', () => {
    const tagged = recordsOf('tags', [['new', 'red'], ['red'], [], 'red', null]);
    expect(kept('equals', '/tags', tagged, 'red')).toEqual([1, 2, 4]);
    expect(kept('any-of', '/tags', tagged, ['new', 'old'])).toEqual([1]);
  });

  it('keeps truths by their name, and looks below other fields', () => {
    expect(kept('equals', '/open', recordsOf('open', [true, false, null]), false)).toEqual([2]);
    const nested = recordsOf('schedule', [{ date: '2026-10-10' }, { date: '2026-10-11' }, {}, null]);
    expect(kept('from', '/schedule/date', nested, '2026-10-11')).toEqual([2]);
  });

  it.each<readonly [Readonly<Record<string, Json>>, readonly number[]]>([
    [{ from: 2, state: 'a' }, [2]],
    [{ from: 2 }, [2, 3]],
    [{ state: 'a' }, [1, 2]],
    [{ limit: 1, cursor: 'x' }, [1, 2, 3]],
  ])('is one of several that must all be passed: %j keeps %j', (values, ids) => {
    const query = queryOf({
      filters: { from: { operator: 'from', field: '/size', as: undefined }, state: { operator: 'equals', field: '/state', as: undefined } },
    });
    const records = ['1 a', '2 a', '2 b'].map((text, index) => ({ id: index + 1, size: Number(text[0]), state: text[2] ?? '' }));
    expect(idsOf(records.filter(query.matching(new Map(Object.entries(values)))))).toEqual(ids);
  });
});

describe('a text search', () => {
  const records: readonly JsonObject[] = [
    { id: 1, title: 'Lupo di Sale', body: 'Vive nelle saline.' },
    { id: 2, title: 'Faro di vetro', body: '<p>Sopra la CITTÀ</p>' },
    { id: 3, title: 'Sale' },
    { id: 4, title: null, body: 5 },
    { id: 5, title: 'a.c (' },
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
    ['.c', [5]],
    ['(', [5]],
    ['a.e', []],
  ])('for %s that folds finds it anywhere in any field, in any case, and is no pattern', (text, ids) => {
    expect(matching(search(['/title', '/body'], true), records, text)).toEqual(ids);
  });

  it.each([
    ['Sale', [1, 3]],
    ['sale', []],
    ['saline', []],
  ])('for %s in one field as written finds exactly that', (text, ids) => {
    expect(matching(search(['/title'], false), records, text)).toEqual(ids);
  });

  it('folds case and accents, and nothing else', () => {
    expect(['CAFFÈ', 'Straße', 'Plain ASCII, 100 %', ''].map(foldText)).toEqual(['caffe', 'straße', 'plain ascii, 100 %', '']);
    const slowly = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    const text = fc.string({ unit: fc.constantFrom(...'aZéÉ\u0301\u0300ß语Åﬁİ😀 .\u{10ffff}') });
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (any) => {
        expect(foldText(any)).toBe(slowly(any));
      }),
      { numRuns: 200, seed: 41 },
    );
  });
});

function by(field: string, direction: 'ascending' | 'descending' = 'ascending'): OrderKey {
  return { by: field, direction };
}

describe('an order', () => {
  const [first, same, other] = ['2026-10-03T14:00:00Z', '2026-10-03T16:00:00+02:00', '2026-10-03T15:00:00+00:30'];
  const moments = recordsOf('at', [same, first, other, '2026-10-03T13:59:59.9Z']);
  const holes = recordsOf('size', [5, undefined, -1000, null]);
  const equals = [3, 1, 2].map((id) => ({ id, state: 'same' }));

  it.each<readonly [string, readonly OrderKey[], readonly JsonObject[], readonly number[]]>([
    ['compares instants by what they mean', [by('/at', 'descending'), by('/id', 'descending')], moments, [3, 2, 1, 4]],
    ['breaks ties by the next field', [by('/at'), by('/id', 'descending')], moments, [4, 2, 1, 3]],
    ['compares numbers as numbers', [by('/size')], recordsOf('size', [10, 9, 100, -1, 9.5]), [4, 2, 5, 1, 3]],
    ['compares texts by code units', [by('/title')], recordsOf('title', ['b', 'é', 'a', 'B', 'z', '10', '9']), [6, 7, 4, 3, 1, 5, 2]],
    ['that leaves ties is completed by the key', [by('/state', 'descending')], equals, [1, 2, 3]],
    ['that is none is that of the key', [], equals, [1, 2, 3]],
    ['puts records without the field first', [by('/size')], holes, [2, 4, 3, 1]],
    ['puts them last when it descends', [by('/size', 'descending'), by('/id')], holes, [1, 3, 2, 4]],
  ])('%s', (_, order, records, ids) => {
    const before = idsOf(records);
    expect(idsOf(queryOf({ order }).sort(records))).toEqual(ids);
    expect(idsOf(records)).toEqual(before);
  });

  it('gives each record its position, the values that decide its place', () => {
    const query = queryOf({ order: [by('/at', 'descending')] });
    expect(query.position({ id: 7, at: '2026-10-03T16:00:00+02:00', more: 1 })).toEqual(['2026-10-03T16:00:00+02:00', 7]);
    expect(query.position({ id: 7 })).toEqual([null, 7]);
  });
});

it('visibility shows records with a listed value and no others, and everything when it is not ruled', () => {
  const query = queryOf({ order: [by('/id')], visible: { field: '/visibility', shown: ['public', 'open'], hidden: 'absent' } });
  const records = recordsOf('visibility', ['public', 'team', 'open', null, undefined, 'Public']);
  expect(idsOf(records.filter(query.isVisible))).toEqual([1, 3]);
  expect(idsOf(query.page(records, new Map(), { after: undefined }, 10).records)).toEqual([1, 3]);
  expect([query.count(records, new Map()), queryOf({}).count(records, new Map())]).toEqual([2, 6]);
});

describe('a page', () => {
  const query = queryOf({
    order: [by('/size', 'descending'), by('/id', 'descending')],
    filters: { p: { operator: 'from', field: '/size', as: undefined } },
  });
  const sorted = query.sort(recordsOf('size', [1, 2, 2, 2, 3, 0]));
  const [none, two] = [new Map<string, Json>(), new Map<string, Json>([['p', 2]])];

  /** The ids of a page, and a plus where there are more. */
  function pageOf(records: readonly JsonObject[], values: ReadonlyMap<string, Json>, from: object, limit: number): string {
    const page = query.page(records, values, from as { after: undefined }, limit);
    return `${idsOf(page.records).join(' ')}${page.more ? ' +' : ''}`;
  }

  it.each<readonly [string, ReadonlyMap<string, Json>, object, number, string]>([
    ['holds the first records, and says that there are more', none, { after: undefined }, 4, '5 4 3 2 +'],
    ['may hold all', none, { after: undefined }, 6, '5 4 3 2 1 6'],
    ['may be larger than the list', none, { after: undefined }, 100, '5 4 3 2 1 6'],
    ['goes on after a position in the middle of a tie', none, { after: [2, 4] }, 2, '3 2 +'],
    ['goes on after the last of a tie', none, { after: [2, 2] }, 9, '1 6'],
    ['is empty after the last position', none, { after: [0, 6] }, 3, ''],
    ['knows that only records are left that do not match', two, { after: undefined }, 4, '5 4 3 2'],
    ['knows that one more matches', two, { after: undefined }, 3, '5 4 3 +'],
    ['may begin at a number of records instead', none, { skip: 4 }, 4, '1 6'],
    ['counts only those that match', two, { skip: 2 }, 2, '3 2'],
    ['is empty behind the last record', none, { skip: 6 }, 2, ''],
    ['is empty far behind it', none, { skip: 1000 }, 2, ''],
  ])('%s', (_, values, from, limit, expected) => {
    expect(pageOf(sorted, values, from, limit)).toBe(expected);
  });

  it('goes on after a position whose record is gone', () => {
    expect(
      pageOf(
        sorted.filter(({ id }) => id !== 3),
        none,
        { after: [2, 3] },
        9,
      ),
    ).toBe('2 1 6');
  });

  it('comes with a count of what matches, whatever is on it', () => {
    expect([query.count(sorted, none), query.count(sorted, two), query.count([], none)]).toEqual([6, 4, 0]);
  });
});

/** The rules of a collection that matter to a test. */
interface SmallRules {
  readonly order?: readonly OrderKey[];
  readonly filters?: Readonly<Record<string, Filter>>;
  readonly visible?: Visibility;
}

const kinds: Readonly<Record<string, 'instant' | 'number'>> = { '/at': 'instant', '/id': 'number', '/size': 'number' };
const kindOf: ComparisonKindOf = (pointer) => kinds[pointer] ?? 'text';

/** The evaluator of records with the key `/id`; `/at` is an instant, `/id` and `/size` are numbers, and all else is text. */
function queryOf({ order = [], filters = {}, visible }: SmallRules): Query {
  const rules = { key: '/id', order, filters: new Map(Object.entries(filters)), ...(visible === undefined ? {} : { visible }) };
  return createQuery(rules, kindOf);
}

/** The ids of records, in their order. */
function idsOf(records: readonly JsonObject[]): readonly Json[] {
  return records.map((record) => record['id'] ?? null);
}

/** Records numbered from 1, with one field; where its value is undefined, the field is missing. */
function recordsOf(field: string, values: readonly (Json | undefined)[]): readonly JsonObject[] {
  return values.map((value, index) => (value === undefined ? { id: index + 1 } : { id: index + 1, [field]: value }));
}
