/** Random choices: they depend only on seed, record and field. */

import { describe, expect, it } from 'vitest';
import { copies, createChance } from '../../../../mocks/data/seeded-random.ts';

const thousand = Array.from({ length: 1000 }, (_, index) => index);

describe('chance', () => {
  it('gives the same value for the same field, whatever was chosen before', () => {
    const asked = createChance(1, 'order', 7);
    asked.range('other', 0, 99);
    asked.pick('third', ['a', 'b']);
    expect(asked.range('second', 0, 1_000_000)).toBe(createChance(1, 'order', 7).range('second', 0, 1_000_000));
    expect(createChance(1, 'order').of(7).range('second', 0, 1_000_000)).toBe(asked.range('second', 0, 1_000_000));
  });

  it.each([
    ['the seed', createChance(2, 'order', 7)],
    ['the upper half of the seed', createChance(1 + 2 ** 32, 'order', 7)],
    ['the kind of thing', createChance(1, 'table', 7)],
    ['the number of the thing', createChance(1, 'order', 8)],
    ['whether a part is text or a number', createChance(1, 'order', '7')],
  ])('depends on %s', (_, other) => {
    expect(other.range('second', 0, 2 ** 31)).not.toBe(createChance(1, 'order', 7).range('second', 0, 2 ** 31));
  });

  it('chooses independently for each field', () => {
    const chance = createChance(1);
    expect(new Set(thousand.map((field) => chance.range(`field ${field}`, 0, 2 ** 31))).size).toBe(1000);
  });

  it('stays in its range, both ends included', () => {
    const thrown = new Set(thousand.map((index) => createChance(3, index).range('die', 1, 6)));
    expect([...thrown].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('chooses all values about equally often', () => {
    const sixes = thousand.filter((index) => createChance(4, index).range('die', 1, 6) === 6);
    expect(sixes.length).toBeGreaterThan(130);
    expect(sixes.length).toBeLessThan(205);
  });

  it('is never true at 0 and always at 100 percent', () => {
    expect(thousand.some((index) => createChance(5, index).happens('rain', 0))).toBe(false);
    expect(thousand.every((index) => createChance(5, index).happens('rain', 100))).toBe(true);
  });

  it('throws for an empty list', () => {
    expect(() => createChance(1).pick('room', [])).toThrow('nothing can be chosen for room: the list has 0 values; give it at least one');
  });
});

describe('dealing', () => {
  const cards = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const dealt = Array.from({ length: 70 }, (_, index) => createChance(1).deal('card', index, cards));

  it('deals each card once in every round', () => {
    for (let round = 0; round < 10; round += 1) expect(dealt.slice(round * 7, round * 7 + 7).sort()).toEqual(cards);
  });

  it('shuffles every round anew', () => {
    const rounds = Array.from({ length: 10 }, (_, round) => dealt.slice(round * 7, round * 7 + 7).join(''));
    expect(new Set(rounds).size).toBeGreaterThan(8);
  });

  it('deals a card as often as it has copies', () => {
    const deck = [...copies(3, 'many'), 'one'];
    const hand = [0, 1, 2, 3].map((index) => createChance(9).deal('card', index, deck));
    expect(hand.sort()).toEqual(['many', 'many', 'many', 'one']);
  });
});
