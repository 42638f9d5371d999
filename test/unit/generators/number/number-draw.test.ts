/** The distribution of drawn numbers: boundaries, mostly small numbers, and readable ones after shrinking. */

import fc, { type Random } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInteger, type JsonNumber } from '../../../../core/json.ts';
import type { NumberDomain } from '../../../../generators/number/number-domain.ts';
import { beyond, draw, from, shrink, sourceOf } from './number-drawing.ts';

describe('drawing', () => {
  it.each<readonly [string, Partial<NumberDomain>, readonly number[]]>([
    ['whole numbers', { integer: true, low: from(3), high: from(4000) }, [3, 4, 3999, 4000]],
    ['whole numbers between open bounds', { integer: true, low: beyond(-3), high: beyond(99.5) }, [-2, -1, 0, 1, 98, 99]],
    ['numbers', { low: from(-2), high: beyond(7.25) }, [-2, -1, 0, 1, 6, 7, 7.2, 7.24]],
    ['numbers without bounds', {}, [0, 1, -1]],
    ['multiples', { multiples: [0.5], low: from(0.5), high: from(1000) }, [0.5, 1, 2, 999, 1000]],
    ['multiples around 0', { multiples: [5], integer: true }, [0, 5, -5]],
    ['few numbers', { multiples: [4], low: from(1), high: from(13) }, [4, 8, 12]],
    [
      'whole numbers of 32 bits',
      { integer: true, low: from(-(2 ** 31)), high: from(2 ** 31 - 1) },
      [-2147483648, -2147483647, -1, 0, 1, 2147483646, 2147483647],
    ],
  ])('with a bias reaches the edges of %s', (_, domain, edges) => {
    const drawn = new Set(draw(sourceOf(domain), 200, 3));
    expect(edges.filter((edge) => !drawn.has(edge))).toEqual([]);
  });

  it('brings every number where there are only few', () => {
    const dozen = sourceOf({ integer: true, low: from(-2), high: from(9) });
    expect([dozen.size, new Set(draw(dozen, 300, undefined)).size]).toEqual([12, 12]);
    const holes = sourceOf({ integer: true, low: from(0), high: from(30), notMultiples: [2, 3], excluded: [1, 29] });
    expect([holes.size, [...new Set(draw(holes, 300, undefined))].map(Number).sort((one, other) => one - other)]).toEqual([
      8,
      [5, 7, 11, 13, 17, 19, 23, 25],
    ]);
  });

  it('counts numbers that cannot all be drawn as endless', () => {
    expect([sourceOf({}).size, sourceOf({ integer: true }).size, sourceOf({ low: from(0), high: from(1) }).size]).toEqual([
      Infinity,
      Infinity,
      Infinity,
    ]);
    expect(sourceOf({ integer: true, low: from(1), high: from(1e6) }).size).toBe(1e6);
    expect(sourceOf({ multiples: [0.01], low: from(0), high: from(99) }).size).toBe(9901);
  });

  it('brings small numbers mostly, and large ones now and then', () => {
    const drawn = draw(sourceOf({ integer: true }), 2000, undefined);
    const share = (limit: number): number => drawn.filter((value) => Math.abs(Number(value)) <= limit).length / drawn.length;
    expect(share(100)).toBeGreaterThan(0.6);
    expect(share(100)).toBeLessThan(0.8);
    expect(share(2 ** 31)).toBeLessThan(0.97);
    expect(drawn.every((value) => Number.isSafeInteger(value))).toBe(true);
  });

  it('brings whole numbers, one and two digits after the point, and a full double now and then', () => {
    const places = draw(sourceOf({ low: from(0) }), 1000, undefined).map((value) => String(value).split('.')[1]?.length ?? 0);
    const share = (test: (digits: number) => boolean): number => places.filter(test).length;
    expect([share((digits) => digits === 0) > 300, share((digits) => digits === 1) > 100, share((digits) => digits === 2) > 200]).toEqual([
      true,
      true,
      true,
    ]);
    expect([share((digits) => digits > 10) > 20, share((digits) => digits > 10) < 150]).toEqual([true, true]);
  });

  it('needs no noise between wide bounds', () => {
    const drawn = draw(sourceOf({ low: beyond(0), high: beyond(10) }), 1000, 2);
    expect(Math.min(...drawn.map(Number))).toBeGreaterThan(1e-14);
  });

  it('works with the randomness of fast-check, which shrinks to the simplest number that fails', () => {
    class Numbers extends fc.Arbitrary<JsonNumber> {
      readonly #source = sourceOf({ low: from(-1000) });
      generate(random: Random, bias: number | undefined): fc.Value<JsonNumber> {
        return new fc.Value(this.#source.draw(random, bias), undefined);
      }
      canShrinkWithoutContext(value: unknown): value is number {
        return typeof value === 'number' && this.#source.accepts(value);
      }
      shrink(value: number): fc.Stream<fc.Value<JsonNumber>> {
        return fc
          .stream(this.#source.shrink(value)[Symbol.iterator]() as IterableIterator<number>)
          .map((each) => new fc.Value(each, undefined));
      }
    }
    const { failed, counterexample } = fc.check(
      fc.property(new Numbers(), (value) => value <= 1000),
      { seed: 1, numRuns: 1000 },
    );
    expect([failed, counterexample]).toEqual([true, [1001]]);
  });
});

describe('shrinking', () => {
  it.each<readonly [string, Partial<NumberDomain>, number, (value: JsonNumber) => boolean, number]>([
    ['above 1000', {}, 52340.27, (value) => value > 1000, 1001],
    ['at least 3.5', {}, 8123.4567, (value) => value >= 3.5, 4],
    ['at least 3.5 of whole numbers', { integer: true }, 2 ** 40, (value) => value >= 3.5, 4],
    ['at most -3.5', {}, -8123.4567, (value) => value <= -3.5, -4],
    ['not whole', {}, 8123.4567, (value) => !isInteger(value), 0.1],
    ['not whole and above 5', {}, 8123.4567, (value) => !isInteger(value) && value > 5, 5.1],
    ['not 0, from below', {}, -77, (value) => value !== 0, 1],
    ['above 100, of multiples of 7', { multiples: [7] }, 7 * 12345, (value) => value > 100, 105],
    ['above 1, of multiples of 0.35', { multiples: [0.35] }, 35, (value) => value > 1, 7],
    ['above 1000, of far ones', { low: from(900) }, 1e15, (value) => value > 1000, 1001],
    ['more than 2 places', { low: from(0), high: from(1) }, 0.123456789, (value) => String(value).length > 4, 0.001],
  ])('what must be %s ends where it must', (_, domain, start, fails, expected) => {
    expect(shrink(sourceOf(domain), start, fails)).toBe(expected);
  });
});
