/** Numbers: what is drawn has all the facts, and emptiness is never claimed wrongly. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareNumbers } from '../../../../generators/number/decimal.ts';
import type { NumberFacts } from '../../../../generators/number/facts.ts';
import { openNumber } from '../../../../generators/number/number.ts';
import type { Opened } from '../../../../generators/source/source.ts';
import { anyFacts, complain, numbers } from './number-check.ts';
import { beyond, draw, from, shrink, sourceOf } from './number-drawing.ts';

function whyNot(outcome: Opened<number>): string {
  return outcome.kind === 'source' ? 'there are numbers' : `${outcome.kind}: ${outcome.why}`;
}

/** Numbers that facts about few, small or decimal numbers may leave. */
const candidates: readonly number[] = [
  ...Array.from({ length: 401 }, (_, index) => (index - 200) / 10),
  ...[0.01, 0.25, 0.33, 0.999, 1e-4, 1e-8, 0.123456789, 37.5, 1e9, 2 ** 31, 2 ** 53, 1e16, 1e19, 1e21, 1e300, 1e308].flatMap((each) => [
    each,
    -each,
  ]),
];

describe('any facts', () => {
  it('are had by every number that is drawn, and by some number unless there is none', () => {
    const kinds = new Map<string, number>();
    const property = fc.property(anyFacts, (facts) => {
      const outcome = openNumber(facts);
      kinds.set(outcome.kind, (kinds.get(outcome.kind) ?? 0) + 1);
      const left = [...candidates, facts.low.value, facts.high.value].find((value) => complain(facts, value).length === 0);
      if (outcome.kind !== 'source') {
        expect(left, whyNot(outcome)).toBeUndefined();
        return;
      }
      const { source } = outcome;
      const drawn = [...draw(source, 6, undefined), ...draw(source, 4, 2), source.simplest];
      expect(drawn.filter((value) => complain(facts, value).length > 0 || !source.accepts(value))).toEqual([]);
    });
    fc.assert(property, { seed: 1, numRuns: 240 });
    // The facts contradict each other about as often as not. Hardly ever that cannot be found out, and then it is said.
    const [sources = 0, empty = 0, open = 0] = ['source', 'empty', 'unsupported'].map((kind) => kinds.get(kind) ?? 0);
    expect([sources > 80, empty > 80, open < 3]).toEqual([true, true, true]);
  });

  it('are judged alike by the source and word for word', () => {
    const property = fc.property(anyFacts, (facts) => {
      const outcome = openNumber(facts);
      if (outcome.kind !== 'source') return;
      const wrong = candidates.filter((value) => outcome.source.accepts(value) !== (complain(facts, value).length === 0));
      expect(wrong.filter((value) => !Object.is(value, -0))).toEqual([]);
    });
    fc.assert(property, { seed: 2, numRuns: 60 });
  });

  it('leave simpler numbers to shrink to, step by step down to one that has none', () => {
    const property = fc.property(anyFacts, fc.integer(), (facts, seed) => {
      const outcome = openNumber(facts);
      if (outcome.kind !== 'source') return;
      const { source } = outcome;
      expect([...source.shrink(source.simplest)]).toEqual([]);
      for (const value of draw(source, 2, undefined, seed)) {
        const isWrong = (simpler: number): boolean => complain(facts, simpler).length > 0 || compareNumbers(simpler, value) >= 0;
        expect([...source.shrink(value)].filter(isWrong), String(value)).toEqual([]);
        expect(shrink(source, value, () => true)).toBe(source.simplest);
      }
    });
    fc.assert(property, { seed: 3, numRuns: 100 });
  });

  it('give the same numbers for the same seed', () => {
    const property = fc.property(anyFacts, (facts) => {
      const [one, other] = [openNumber(facts), openNumber(facts)];
      if (one.kind === 'source' && other.kind === 'source') expect(draw(one.source, 9, 3)).toEqual(draw(other.source, 9, 3));
    });
    fc.assert(property, { seed: 4, numRuns: 100 });
  });
});

describe('that there is no number', () => {
  it.each<readonly [Partial<NumberFacts>, string]>([
    [{ integer: true, low: from(0.5), high: from(0.9) }, 'no whole number is at least 0.5 and at most 0.9'],
    [{ multiples: [10], low: from(1), high: from(9) }, 'no number is at least 1, at most 9 and a multiple of 10'],
    [{ low: beyond(3), high: from(3), integer: true, except: [7], notFormats: ['int32'] }, 'no number is above 3 and at most 3'],
    [{ low: from(2), high: from(1) }, 'no number is at least 2 and at most 1'],
    [{ low: beyond(0), high: { value: 5e-324, open: true } }, 'no number is above 0 and below 5e-324'],
    [{ integer: true, fractional: true, low: from(1) }, 'no whole number is not whole'],
    [{ fractional: true, multiples: [0.5, 3] }, 'no number is not whole and a multiple of 3'],
    [{ fractional: true, low: from(4), high: from(4) }, 'no number is not whole, at least 4 and at most 4'],
    [{ fractional: true, low: from(2 ** 52) }, 'no number is not whole and at least 4503599627370496'],
    [{ integer: true, notMultiples: [0.5] }, 'no whole number is not a multiple of 0.5'],
    [{ multiples: [0.3], notMultiples: [0.1] }, 'no number is a multiple of 0.3 and not a multiple of 0.1'],
    [
      { multiples: [6], notMultiples: [4], low: from(1), high: from(17), except: [6] },
      'no number is at least 1, at most 17, a multiple of 6, not a multiple of 4 and none of 6',
    ],
    [{ integer: true, low: from(1), high: from(3), except: [1, 2, 3, 4] }, 'no whole number is at least 1, at most 3 and none of 1, 2, 3'],
    [{ low: from(0.1), high: from(0.1), except: [0.1] }, 'no number is at least 0.1, at most 0.1 and none of 0.1'],
    [{ multiples: [0.1], low: from(1e21) }, 'no number is at least 1e+21 and a multiple of 0.1'],
    [{ multiples: [3, 1e308], low: from(1) }, 'no number is at least 1, a multiple of 3 and a multiple of 1e+308'],
    [{ notMultiples: [2], low: from(1e20) }, 'no number is at least 100000000000000000000 and not a multiple of 2'],
    [{ formats: ['int32'], low: from(2147483647.5) }, 'no number is at least 2147483647.5 and valid for the format int32'],
    [{ formats: ['int64'], notFormats: ['int64'] }, 'no number is valid for the format int64 and not valid for the format int64'],
    [{ notFormats: ['double'] }, 'no number is not valid for the format double'],
    [{ low: from(Infinity) }, 'no number is at least Infinity'],
  ])('is said of %j, with no more facts than it takes', (facts, why) => {
    expect(whyNot(openNumber(numbers(facts)))).toBe(`empty: ${why}`);
  });

  it('is not found out for divisors that divide nothing', () => {
    expect(whyNot(openNumber(numbers({ multiples: [0] })))).toBe('unsupported: 0 is not greater than 0');
    expect(whyNot(openNumber(numbers({ notMultiples: [-2] })))).toBe('unsupported: -2 is not greater than 0');
  });
});

describe('what cannot be found out', () => {
  it('is said, and is not called empty', () => {
    const hidden = { integer: true, low: from(2 ** 53), high: from(1e21), notMultiples: [2] };
    expect(whyNot(openNumber(numbers(hidden)))).toBe(
      'unsupported: it could not be found out whether no whole number is at least 9007199254740992, at most 1e+21 and not a multiple of 2',
    );
  });
});

describe('the simplest number', () => {
  it.each<readonly [Partial<NumberFacts>, number]>([
    [{}, 0],
    [{ low: from(1) }, 1],
    [{ low: beyond(1000), integer: true }, 1001],
    [{ low: beyond(0) }, 1],
    [{ high: beyond(0) }, -1],
    [{ low: from(-5), high: from(-2) }, -2],
    [{ low: from(3.5) }, 4],
    [{ low: from(0.2), high: from(0.9) }, 0.2],
    [{ low: beyond(0.2), high: beyond(0.3) }, 0.21],
    [{ low: from(0.123456789), high: from(0.123456789) }, 0.123456789],
    [{ low: beyond(0), high: from(5e-324) }, 5e-324],
    [{ low: from(1e300), high: from(2e300) }, 1e300],
    [{ fractional: true }, 0.1],
    [{ fractional: true, low: from(7) }, 7.1],
    [{ multiples: [2.5], low: beyond(0) }, 5],
    [{ multiples: [2.5], low: beyond(0), high: beyond(5) }, 2.5],
    [{ multiples: [0.123456789], low: beyond(0), high: from(1) }, 0.123456789],
    [{ multiples: [12, 18], low: from(1) }, 36],
    [{ multiples: [0.1, 0.25], low: beyond(0) }, 1],
    [{ except: [0, 1, -1], integer: true }, 2],
    [{ notMultiples: [1] }, 0.1],
    [{ notMultiples: [0.01], low: from(0), high: from(1) }, 0.001],
    [{ notFormats: ['int32'] }, 2147483648],
    [{ notFormats: ['int64'] }, 0.1],
    [{ multiples: [7], low: from(2 ** 53), high: from(2 ** 53 + 100) }, 9007199254741002],
  ])('of %j is %d', (facts, expected) => {
    expect(sourceOf(facts).simplest).toBe(expected);
  });
});
