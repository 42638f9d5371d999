/** The membership test of number domains, written a second time as simply as possible. */

import fc from 'fast-check';
import type { JsonNumber } from '../../../../core/json.ts';
import { anyNumber, type NumberDomain } from '../../../../generators/number/number-domain.ts';

/** Facts of which only some are given; the rest say nothing. */
export function numbers(domain: Partial<NumberDomain>): NumberDomain {
  return { ...anyNumber, ...domain };
}

/** The conditions that a number violates; empty when it is in the domain. */
export function complain(domain: NumberDomain, value: JsonNumber): readonly string[] {
  const { low, high, integer, fractional, multiples, notMultiples, excluded } = domain;
  if (!Number.isFinite(Number(value)) || Object.is(value, -0)) return ['it is no number of JSON'];
  const isWhole = typeof value === 'bigint' || value % 1 === 0;
  const complaints: readonly (readonly [string, boolean])[] = [
    ['it is too small', value < low.value || (low.open && value === low.value)],
    ['it is too large', value > high.value || (high.open && value === high.value)],
    ['it is not whole', integer && !isWhole],
    ['it is whole', fractional && isWhole],
    ['it is no multiple', multiples.some((each) => !isExactMultiple(value, each))],
    ['it is a multiple', notMultiples.some((each) => isExactMultiple(value, each))],
    ['it is among the exceptions', excluded.includes(value)],
  ];
  return complaints.filter(([, isTrue]) => isTrue).map(([complaint]) => complaint);
}

/** The text of both with the same power of ten, divided as integers. */
function isExactMultiple(value: JsonNumber, divisor: JsonNumber): boolean {
  const scale = 400;
  return scaled(value, scale) % scaled(divisor, scale) === 0n;
}

function scaled(value: JsonNumber, scale: number): bigint {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return BigInt(`${sign}${whole}${fraction}${'0'.repeat(scale + Number(exponent) - fraction.length)}`);
}

const ends = [
  0,
  1,
  -1,
  2,
  3.5,
  -3.5,
  10,
  -10,
  0.1,
  0.25,
  0.3,
  0.7,
  1e-7,
  100,
  1000,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e20,
  1e21,
  -1e25,
  1e300,
  -1e300,
];
const divisors = [1, 2, 3, 7, 10, 0.1, 0.01, 0.5, 0.3, 1.5, 12.5, 1e-4, 1e-8, 0.123456789, 1e9, 1e308];

const bound = (infinite: number): fc.Arbitrary<NumberDomain['low']> =>
  fc.record({
    value: fc.oneof(
      fc.constant(infinite),
      fc.constantFrom(...ends),
      fc.integer({ min: -30, max: 30 }).map((tenths) => tenths / 10),
      fc.double({ noNaN: true }),
    ),
    open: fc.boolean(),
  });

const few = <T>(...values: readonly T[]): fc.Arbitrary<readonly T[]> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 }) },
  );

/** Facts as they come and as they hardly ever come. */
export const anyFacts: fc.Arbitrary<NumberDomain> = fc
  .record({
    low: bound(-Infinity),
    high: bound(Infinity),
    kind: fc.constantFrom('any', 'any', 'integer', 'integer', 'fractional'),
    multiples: few(...divisors),
    notMultiples: few(...divisors),
    excluded: few(0, 1, -1, 2, 0.5, 1e21, 0.1),
  })
  .map(({ kind, ...domain }) => ({ ...domain, integer: kind === 'integer', fractional: kind === 'fractional' }));
