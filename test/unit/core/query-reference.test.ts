/** The evaluator agrees with a simple second implementation for any records, filters and orders, and pages of any size make up the list. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Filter, OrderKey } from '../../../core/annotations/annotations.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { createQuery, type FilterArguments, type Query } from '../../../core/query/query.ts';

/** A record, some of whose fields may be missing or null. */
interface Row {
  readonly id: number;
  readonly at?: string | null;
  readonly state?: string | null;
  readonly day?: string | null;
  readonly size?: number | null;
  readonly title?: string | null;
  readonly seen: string;
}

/** Parameters of the list. */
interface Asked {
  readonly since?: string;
  readonly until?: string;
  readonly states?: readonly string[];
  readonly day_from?: string;
  readonly day_to?: string;
  readonly over?: number;
  readonly under?: number;
  readonly q?: string;
}

const start = Date.parse('2026-10-03T00:00:00Z');

/** The same moment in different offsets, so that ties are frequent. */
const instant = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.constantFrom(-570, -120, 0, 60, 330)).map(([half, offset]) => {
  const local = new Date(start + half * 1_800_000 + offset * 60_000).toISOString().slice(0, 19);
  const minutes = Math.abs(offset);
  const two = (value: number): string => String(value).padStart(2, '0');
  return offset === 0 ? `${local}Z` : `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
});
const state = fc.constantFrom('ready', 'pending', 'no_show');
const day = fc.constantFrom('2026-10-09', '2026-10-10', '2026-10-11', '2027-01-01');
const size = fc.constantFrom(-1, 0, 0.5, 9, 10, 100);
const title = fc.constantFrom('', 'Sale', 'lupo di sale', 'FARO', 'faro b', 'Zeta');

function orMissing<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(values, { freq: 8 });
}

const row: fc.Arbitrary<Row> = fc.record(
  {
    id: fc.integer({ min: 1, max: 1000 }),
    at: orMissing(instant),
    state: orMissing(state),
    day: orMissing(day),
    size: orMissing(size),
    title: orMissing(title),
    seen: fc.constantFrom('public', 'public', 'team'),
  },
  { requiredKeys: ['id', 'seen'] },
);
const rows = fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 25 });

const asked: fc.Arbitrary<Asked> = fc.record(
  {
    since: instant,
    until: instant,
    states: fc.array(state, { maxLength: 2 }),
    day_from: day,
    day_to: day,
    over: size,
    under: size,
    q: fc.constantFrom('', 'sale', 'FARO', 'z', 'nowhere'),
  },
  { requiredKeys: [] },
);

const orderKey = fc.record({
  by: fc.constantFrom('/at', '/size', '/title', '/day', '/id'),
  direction: fc.constantFrom('ascending' as const, 'descending' as const),
});
const order = fc.uniqueArray(orderKey, { selector: (key) => key.by, maxLength: 3 });

const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['since', { operator: 'from', field: '/at', as: undefined }],
  ['until', { operator: 'before', field: '/at', as: undefined }],
  ['states', { operator: 'any-of', field: '/state', as: undefined }],
  ['day_from', { operator: 'from', field: '/day', as: undefined }],
  ['day_to', { operator: 'to', field: '/day', as: undefined }],
  ['over', { operator: 'after', field: '/size', as: undefined }],
  ['under', { operator: 'to', field: '/size', as: undefined }],
  ['q', { operator: 'matches', fields: ['/title', '/state'], fold: true }],
]);

function queryOf(keys: readonly OrderKey[]): Query {
  const kindOf = (pointer: string): 'instant' | 'number' | 'text' =>
    pointer === '/at' ? 'instant' : pointer === '/size' || pointer === '/id' ? 'number' : 'text';
  return createQuery({ key: '/id', order: keys, filters, visible: { field: '/seen', shown: ['public'], hidden: 'absent' } }, kindOf);
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

/** Plain: one line for each rule. A comparison with NaN is false, so a record without an instant lies in no range. */
const rules: readonly ((record: Row, question: Asked) => boolean)[] = [
  ({ seen }) => seen === 'public',
  ({ at }, { since }) => since === undefined || Date.parse(at ?? '') >= Date.parse(since),
  ({ at }, { until }) => until === undefined || Date.parse(at ?? '') < Date.parse(until),
  ({ state: own }, { states }) => states === undefined || states.some((each) => each === own),
  ({ day: own }, { day_from }) => day_from === undefined || (isGiven(own) && own >= day_from),
  ({ day: own }, { day_to }) => day_to === undefined || (isGiven(own) && own <= day_to),
  ({ size: own }, { over }) => over === undefined || (isGiven(own) && own > over),
  ({ size: own }, { under }) => under === undefined || (isGiven(own) && own <= under),
  ({ title: own, state: other }, { q }) =>
    q === undefined || [own, other].filter(isGiven).some((text) => text.toLowerCase().includes(q.toLowerCase())),
];

/** Sort key of two records; an absent value sorts first. */
function rank(record: Row, field: string): number | string | undefined {
  if (field === '/at') return record.at === undefined || record.at === null ? undefined : Date.parse(record.at);
  const value = { '/size': record.size, '/title': record.title, '/day': record.day, '/id': record.id }[field];
  return value ?? undefined;
}

function compareRows(keys: readonly OrderKey[], left: Row, right: Row): number {
  for (const { by, direction } of [...keys, { by: '/id', direction: 'ascending' }]) {
    const [first, second] = [rank(left, by), rank(right, by)];
    if (first === second) continue;
    const isBefore = first === undefined || (second !== undefined && first < second);
    return isBefore === (direction === 'ascending') ? -1 : 1;
  }
  return 0;
}

function expectedIds(records: readonly Row[], question: Asked, keys: readonly OrderKey[]): readonly number[] {
  return records
    .filter((record) => rules.every((rule) => rule(record, question)))
    .sort((left, right) => compareRows(keys, left, right))
    .map(({ id }) => id);
}

function toArguments(question: Asked): FilterArguments {
  return new Map(Object.entries(question) as [string, Json][]);
}

function toRecords(records: readonly Row[]): readonly JsonObject[] {
  return records as unknown as readonly JsonObject[];
}

/** Walks a list page by page, each page after the last record of the one before; positions travel as JSON, as in a cursor. */
function walk(query: Query, sorted: readonly JsonObject[], values: FilterArguments, limit: number): readonly (readonly Json[])[] {
  const pages: (readonly Json[])[] = [];
  let after: readonly Json[] | undefined;
  for (let more = true; more; ) {
    const page = query.page(sorted, values, { after }, limit);
    pages.push(page.records.map((record) => record['id'] ?? null));
    const last = page.records.at(-1);
    if (page.more && last === undefined) throw new Error('a page without records says that there are more');
    after = last === undefined ? after : (JSON.parse(JSON.stringify(query.position(last))) as readonly Json[]);
    more = page.more;
  }
  return pages;
}

describe('any list', () => {
  it('has the records and the order that a plain evaluator gives it', () => {
    fc.assert(
      fc.property(rows, asked, order, (records, question, keys) => {
        const query = queryOf(keys);
        const expected = expectedIds(records, question, keys);
        const { records: found, more } = query.page(query.sort(toRecords(records)), toArguments(question), { after: undefined }, 1000);
        expect(found.map((record) => record['id'])).toEqual(expected);
        expect(more).toBe(false);
        expect(query.count(toRecords(records), toArguments(question))).toBe(expected.length);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('is made up by its pages, each record once, for every size of page', () => {
    fc.assert(
      fc.property(rows, asked, order, (records, question, keys) => {
        const query = queryOf(keys);
        const sorted = query.sort(toRecords(records));
        const expected = expectedIds(records, question, keys);
        for (let limit = 1; limit <= expected.length + 1; limit += 1) {
          const pages = walk(query, sorted, toArguments(question), limit);
          expect(pages.flat()).toEqual(expected);
          expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
          expect(pages).toHaveLength(Math.max(1, Math.ceil(expected.length / limit)));
        }
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  it('is cut into the same pages by numbers as by positions', () => {
    fc.assert(
      fc.property(rows, asked, order, fc.integer({ min: 1, max: 5 }), (records, question, keys, limit) => {
        const query = queryOf(keys);
        const sorted = query.sort(toRecords(records));
        const pages = walk(query, sorted, toArguments(question), limit);
        const numbered = pages.map((_, index) => query.page(sorted, toArguments(question), { skip: index * limit }, limit));
        expect(numbered.map((page) => page.records.map((record) => record['id']))).toEqual(pages);
        expect(numbered.map((page) => page.more)).toEqual(pages.map((_, index) => index < pages.length - 1));
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});
