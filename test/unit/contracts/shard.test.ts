/** Shards: whole and disjoint whatever is parted, alike each time, and of about the same weight. */

import { describe, expect, test } from 'vitest';
import type { Subject } from '../../../contracts/run.ts';
import { chooseShard, isPassive, readShard } from '../../../contracts/shard.ts';
import { chooseSubjects, listSubjects } from '../../../contracts/subjects.ts';
import { contractOf, fakeTarget, openLab } from '../../helpers/engine.ts';

const business = await contractOf('business');
const wiki = await contractOf('wiki');
const nameOf = ({ law, operation }: Subject): string => `${law.id} ${operation.id}`;

const cases = [
  ['business', listSubjects(business)],
  ['wiki', listSubjects(wiki)],
  ['a part of business', chooseSubjects(business, { only: ['filters/*', 'keys/*'] })],
] as const;

describe.each(cases)('%s', (_, subjects) => {
  test.each([1, 2, 3, 4, 7, 8])('in %i shards is whole, and nothing is twice', (of) => {
    const shards = Array.from({ length: of }, (_each, at) => chooseShard(subjects, { index: at + 1, of }));
    const asking = ({ law }: Subject): boolean => !isPassive(law.id);
    expect(shards.flat().filter(asking).map(nameOf).sort()).toEqual(subjects.filter(asking).map(nameOf).sort());
    // Laws that judge whatever is answered are wherever something is asked, and nowhere twice.
    expect(new Set(shards.flat().map(nameOf))).toEqual(new Set(subjects.map(nameOf)));
    for (const shard of shards) expect(new Set(shard.map(nameOf)).size).toBe(shard.length);
    expect(shards.every((shard) => shard.length > 0)).toBe(true);
    // Each keeps the order of the whole.
    for (const shard of shards) expect(shard).toEqual(subjects.filter((subject) => shard.includes(subject)));
  });
});

test('laws of one group at one operation stay together', () => {
  const subjects = listSubjects(business);
  const homes = new Map<string, Set<number>>();
  for (const index of [1, 2, 3, 4]) {
    for (const { law, operation } of chooseShard(subjects, { index, of: 4 }).filter((each) => !isPassive(each.law.id))) {
      const key = `${law.id.split('/')[0]} ${operation.id}`;
      homes.set(key, (homes.get(key) ?? new Set()).add(index));
    }
  }
  expect([...homes.values()].filter(({ size }) => size !== 1)).toEqual([]);
});

test('the same is parted alike, whoever asks', () => {
  const parted = (): readonly string[] => chooseShard(listSubjects(business), { index: 2, of: 4 }).map(nameOf);
  expect(parted()).toEqual(parted());
  expect(chooseShard(listSubjects(business), { index: 1, of: 1 })).toEqual(listSubjects(business));
});

test('more shards than there are parts are refused', () => {
  const few = chooseSubjects(business, { only: ['keys/missing'], skip: ['get*'] });
  expect(chooseShard(few, { index: 2, of: 2 })).toHaveLength(1);
  expect(() => chooseShard(few, { index: 1, of: 3 })).toThrow('there are 3 shards, and what is to be judged has only 2 parts; take fewer');
});

test('a shard is written N/M', () => {
  expect(readShard('2/4')).toEqual({ index: 2, of: 4 });
  for (const text of ['0/4', '5/4', '1', '1/0', 'a/b', '-1/4', '1/4/2', ''])
    expect(() => readShard(text)).toThrow(`${text} is no shard; write which of how many, from 1/4 to 4/4`);
});

test('laws that are said to judge whatever is answered ask nothing themselves, and are judged where nothing else is', async () => {
  const target = fakeTarget(() => ({ body: {} }));
  const about = listSubjects(business).filter(({ law }) => isPassive(law.id));
  for (const { law, operation } of about) await law.examine(openLab(business, target), operation);
  expect([about.length > 50, target.requests]).toEqual([true, []]);
  const only = chooseSubjects(business, { only: ['response/*'] });
  expect([1, 2].flatMap((index) => chooseShard(only, { index, of: 2 }))).toHaveLength(only.length);
});
