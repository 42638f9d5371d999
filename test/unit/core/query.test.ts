/** The one evaluator: each filter on a few records whose right answer is plain to see. */

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../core/json.ts';
import type { Query } from '../../../core/query.ts';
import type { ComparisonName } from '../../../core/rules.ts';
import { idsOf, queryOf, recordsOf } from '../../helpers/small-query.ts';

function filterBy(operator: 'equals' | 'any-of' | 'from' | 'to' | 'after' | 'before', field: string, as?: ComparisonName): Query {
  return queryOf({ filters: { p: { operator, field, as } } });
}

function matching(query: Query, records: readonly JsonObject[], argument: Json): readonly Json[] {
  return idsOf(records.filter((record) => query.matches(record, new Map([['p', argument]]))));
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
