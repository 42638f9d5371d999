/**
 * What the evaluator of lists answers, question by question: records of every sort, lacking values and odd ones among them, in any order, through any
 * filters, cut into pages anywhere. No server is needed to see that.
 */

import type { Json } from '../../../core/json.ts';
import { type Arguments, comparable, createQuery, type Entry, planOf, type Query } from '../../../core/query.ts';
import type { Filter, OrderKey } from '../../../core/rules.ts';
import { Dice } from './dice.ts';

/** So many lists are asked, each with questions of its own. */
export const lists = 40;

/** All that one list answers, as text. */
export function describeAnswers(list: number): string {
  const dice = new Dice(`list ${list}`);
  const query = drawQuery(dice);
  const sorted = query.sort(drawRecords(dice));
  const asked = Array.from({ length: 12 }, () => describePages(query, sorted, drawArguments(dice), dice));
  return [show(planOf(query)), sorted.map((record) => show([record, query.position(record)])), asked, describeComparisons()]
    .flat()
    .join('\n');
}

const directions = ['ascending', 'descending'] as const;
const kinds: Readonly<Record<string, 'instant' | 'number'>> = { '/at': 'instant', '/size': 'number', '/id': 'number' };
const fields: readonly [string, ...string[]] = ['/at', '/size', '/title', '/day', '/id'];

/** A value of each field, the odd ones among them. */
const values: Readonly<Record<string, readonly [Json, ...Json[]]>> = {
  at: [
    ...['2026-10-03T00:00:00Z', '2026-10-03T02:00:00+02:00', '2026-10-03T00:30:00Z', '2026-10-03T00:30:00.000001Z', '2026-10-02T23:00:00Z'],
    ...['no instant', null, 7],
  ] as [Json, ...Json[]],
  size: [-1, 0, 0.5, 9, 10, 100, '9', null],
  title: ['', 'Sale', 'lupo di sale', 'CAFFÈ', 'caffe', 'Zeta', null, 12],
  day: ['2026-10-09', '2026-10-10', '2026-10-10T20:00:00+02:00', '2027-01-01', null, 20_261_010],
  state: ['ready', 'pending', 'no_show', null, 3],
  seen: ['public', 'public', 'team', null],
};

const filters: readonly (readonly [string, Filter])[] = [
  ['since', { operator: 'from', field: '/at', as: undefined }],
  ['until', { operator: 'before', field: '/at', as: undefined }],
  ['states', { operator: 'any-of', field: '/state', as: undefined }],
  ['state', { operator: 'equals', field: '/state', as: undefined }],
  ['day_from', { operator: 'from', field: '/day', as: 'date' }],
  ['day_to', { operator: 'to', field: '/day', as: 'date' }],
  ['over', { operator: 'after', field: '/size', as: undefined }],
  ['under', { operator: 'before', field: '/size', as: undefined }],
  ['written', { operator: 'equals', field: '/size', as: 'text' }],
  ['q', { operator: 'matches', fields: ['/title', '/state'], fold: true }],
  ['exactly', { operator: 'matches', fields: ['/title'], fold: false }],
];

const asks: Readonly<Record<string, readonly [Json, ...Json[]]>> = {
  since: ['2026-10-03T00:00:00Z', '2026-10-03T00:30:00Z', 'never'],
  until: ['2026-10-03T00:00:00Z', '2026-10-03T01:00:00+00:00', 'never'],
  states: [['ready'], ['ready', 'pending'], [], 'no_show', ['unheard of']],
  state: ['ready', 'pending', '3'],
  day_from: ['2026-10-10', '2026-10-09'],
  day_to: ['2026-10-10', '2026-10-09'],
  over: [0, 9, 0.5, 'nine'],
  under: [0, 9, 10],
  written: ['9', '0.5'],
  q: ['sale', 'CAFFE', 'è', 'z', 'nowhere', ''],
  exactly: ['Sale', 'caffe', 'è', ''],
};

function drawQuery(dice: Dice): Query {
  const order = Array.from({ length: dice.below(4) }, (): OrderKey => ({ by: dice.of(fields), direction: dice.of(directions) }));
  const visible = { field: '/seen', shown: ['public'], hidden: 'absent' } as const;
  const rules = { key: '/id', order, filters: new Map(filters), ...(dice.below(3) === 0 ? {} : { visible }) };
  return createQuery(rules, (pointer) => kinds[pointer] ?? 'text');
}

function drawRecords(dice: Dice): readonly Entry[] {
  return Array.from({ length: dice.below(24) }, (_, index) => {
    const drawn = Object.entries(values).flatMap(([name, some]): readonly [string, Json][] =>
      dice.below(10) === 0 ? [] : [[name, dice.of(some)]],
    );
    // Multiplied so that the order of the keys is not the order in which records were drawn.
    return { id: (index * 7) % 25, ...Object.fromEntries(drawn) };
  });
}

function drawArguments(dice: Dice): Arguments {
  const names = Object.entries(asks).filter(() => dice.below(6) === 0);
  return new Map(names.map(([name, some]) => [name, dice.of(some)]));
}

function describePages(query: Query, sorted: readonly Entry[], given: Arguments, dice: Dice): string {
  const found = sorted.map((record) => [query.isVisible(record), query.matches(record, given)]);
  const limit = dice.below(6) + 1;
  const after = [...sorted.map((record) => query.position(record)), query.position({ id: 8 }), []];
  const starts = [{ skip: 0 }, { skip: limit }, { skip: 30 }, { after: undefined }, ...after.map((position) => ({ after: position }))];
  const pages = starts.map((start) => {
    const { records, more } = query.page(sorted, given, start, limit);
    return [records.map(({ id }) => id), more];
  });
  return show([[...given], found, query.count(sorted, given), pages]);
}

function describeComparisons(): readonly string[] {
  const some = [...Object.values(values).flat(), undefined, true, ['a'], '2026-10-10x'];
  return (['number', 'instant', 'date', 'text'] as const).map((kind) => show(some.map((value) => comparable(kind)(value))));
}

/** Any value as text, what JSON lacks included. */
function show(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? `${each}n` : each === undefined ? 'nothing' : each instanceof Map ? [...each] : each,
  );
}
