/** Drawn numbers are in their domain, and a domain is reported as empty only when it is. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareNumbers } from '../../../../core/decimal.ts';
import type { JsonNumber } from '../../../../core/json.ts';
import type { NumberDomain } from '../../../../generators/number/number-domain.ts';
import { numberGenerator } from '../../../../generators/number/number-generator.ts';
import type { ScalarResult } from '../../../../generators/sources/scalar-generator.ts';
import { anyFacts, complain, numbers } from './number-check.ts';
import { beyond, draw, from, shrink, sourceOf } from './number-drawing.ts';

function whyNot(outcome: ScalarResult<JsonNumber>): string {
  return outcome.kind === 'generator' ? 'there are numbers' : `${outcome.kind}: ${outcome.why}`;
}

/** Numbers that may be in a domain with few, small or decimal numbers. */
const candidates: readonly number[] = [
  ...Array.from({ length: 401 }, (_, index) => (index - 200) / 10),
  ...[0.01, 0.25, 0.33, 0.999, 1e-4, 1e-8, 0.123456789, 37.5, 1e9, 2 ** 31, 2 ** 53, 1e16, 1e19, 1e21, 1e300, 1e308].flatMap((each) => [
    each,
    -each,
  ]),
];

describe('any domain', () => {
  it('are had by every number that is drawn, and by some number unless none exists', () => {
    const kinds = new Map<string, number>();
    const property = fc.property(anyFacts, (domain) => {
      const outcome = numberGenerator(domain);
      kinds.set(outcome.kind, (kinds.get(outcome.kind) ?? 0) + 1);
      const left = [...candidates, domain.low.value, domain.high.value].find((value) => complain(domain, value).length === 0);
      if (outcome.kind !== 'generator') {
        expect(left, whyNot(outcome)).toBeUndefined();
        return;
      }
      const { generator: source } = outcome;
      const drawn = [...draw(source, 6, undefined), ...draw(source, 4, 2), source.simplest];
      expect(drawn.filter((value) => complain(domain, value).length > 0 || !source.accepts(value))).toEqual([]);
    });
    fc.assert(property, { seed: 1, numRuns: 240 });
    // About half of the domains are empty. Rarely that is undecided, and then it is reported.
    const [sources = 0, empty = 0, open = 0] = ['generator', 'empty', 'unsupported'].map((kind) => kinds.get(kind) ?? 0);
    expect([sources > 80, empty > 80, open < 3]).toEqual([true, true, true]);
  });

  it('are judged alike by the source and word for word', () => {
    const property = fc.property(anyFacts, (domain) => {
      const outcome = numberGenerator(domain);
      if (outcome.kind !== 'generator') return;
      const wrong = candidates.filter((value) => outcome.generator.accepts(value) !== (complain(domain, value).length === 0));
      expect(wrong.filter((value) => !Object.is(value, -0))).toEqual([]);
    });
    fc.assert(property, { seed: 2, numRuns: 60 });
  });

  it('leave simpler numbers to shrink to, step by step down to one that has none', () => {
    const property = fc.property(anyFacts, fc.integer(), (domain, seed) => {
      const outcome = numberGenerator(domain);
      if (outcome.kind !== 'generator') return;
      const { generator: source } = outcome;
      expect([...source.shrink(source.simplest)]).toEqual([]);
      for (const value of draw(source, 2, undefined, seed)) {
        const isWrong = (simpler: JsonNumber): boolean => complain(domain, simpler).length > 0 || compareNumbers(simpler, value) >= 0;
        expect([...source.shrink(value)].filter(isWrong), String(value)).toEqual([]);
        expect(shrink(source, value, () => true)).toBe(source.simplest);
      }
    });
    fc.assert(property, { seed: 3, numRuns: 100 });
  });

  it('give the same numbers for the same seed', () => {
    const property = fc.property(anyFacts, (domain) => {
      const [one, other] = [numberGenerator(domain), numberGenerator(domain)];
      if (one.kind === 'generator' && other.kind === 'generator') expect(draw(one.generator, 9, 3)).toEqual(draw(other.generator, 9, 3));
    });
    fc.assert(property, { seed: 4, numRuns: 100 });
  });
});

describe('that there is no number', () => {
  it.each<readonly [Partial<NumberDomain>, string]>([
    [{ integer: true, low: from(0.5), high: from(0.9) }, 'no integer is at least 0.5 and at most 0.9'],
    [{ multiples: [10], low: from(1), high: from(9) }, 'no number is at least 1, at most 9 and a multiple of 10'],
    [{ low: beyond(3), high: from(3), integer: true, excluded: [7] }, 'no integer is above 3, at most 3 and none of 7'],
    [{ low: from(2), high: from(1) }, 'no number is at least 2 and at most 1'],
    [{ low: beyond(0), high: { value: 5e-324, open: true } }, 'no number is above 0 and below 5e-324'],
    [{ integer: true, fractional: true, low: from(1) }, 'no integer is not an integer and at least 1'],
    [{ fractional: true, multiples: [0.5, 3] }, 'no number is not an integer, a multiple of 0.5 and a multiple of 3'],
    [{ fractional: true, low: from(4), high: from(4) }, 'no number is not an integer, at least 4 and at most 4'],
    [{ fractional: true, low: from(2 ** 52) }, 'no number is not an integer and at least 4503599627370496'],
    [{ integer: true, notMultiples: [0.5] }, 'no integer is not a multiple of 0.5'],
    [{ multiples: [0.3], notMultiples: [0.1] }, 'no number is a multiple of 0.3 and not a multiple of 0.1'],
    [
      { multiples: [6], notMultiples: [4], low: from(1), high: from(17), excluded: [6] },
      'no number is at least 1, at most 17, a multiple of 6, not a multiple of 4 and none of 6',
    ],
    [{ integer: true, low: from(1), high: from(3), excluded: [1, 2, 3, 4] }, 'no integer is at least 1, at most 3 and none of 1, 2, 3, 4'],
    [{ low: from(0.1), high: from(0.1), excluded: [0.1] }, 'no number is at least 0.1, at most 0.1 and none of 0.1'],
    [{ multiples: [3, 1e308], low: from(1) }, 'no number is at least 1, a multiple of 3 and a multiple of 1e+308'],
    [{ notMultiples: [2], low: from(1e100) }, 'no number is at least 1e+100 and not a multiple of 2'],
    [{ low: from(Infinity) }, 'no number is at least Infinity'],
  ])('is explained by the conditions of %j', (domain, why) => {
    expect(whyNot(numberGenerator(numbers(domain)))).toBe(`empty: ${why}`);
  });
});

describe('what cannot be found out', () => {
  it('is said, and is not called empty', () => {
    const hidden = { fractional: true, low: from(4e15), high: from(4.1e15), notMultiples: [0.5] };
    expect(whyNot(numberGenerator(numbers(hidden)))).toBe(
      'unsupported: it is undecided whether no number is not an integer, at least 4000000000000000, at most 4100000000000000 and not a multiple of 0.5',
    );
  });
});

describe('the simplest number', () => {
  it.each<readonly [Partial<NumberDomain>, JsonNumber]>([
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
    [{ excluded: [0, 1, -1], integer: true }, 2],
    [{ notMultiples: [1] }, 0.1],
    [{ notMultiples: [0.01], low: from(0), high: from(1) }, 0.001],
    [{ multiples: [7], low: from(2 ** 53), high: from(2 ** 53 + 100) }, 9007199254740995n],
  ])('of %j is %s', (domain, expected) => {
    expect(sourceOf(domain).simplest).toBe(expected);
  });
});
