/**
 * The numbers of a domain: their conditions, their membership test, and the region of the number line that contains them. The test decides, since the region
 * may contain other numbers too.
 */

import { isMultipleOf, toDecimal } from './decimal.ts';
import { nextDown, nextUp } from './doubles.ts';

/** A bound; `open` excludes the value itself. */
export interface NumberBound {
  /** Infinite without a bound. */
  readonly value: number;
  readonly open: boolean;
}

/** The numbers that meet all of these conditions. */
export interface NumberDomain {
  readonly low: NumberBound;
  readonly high: NumberBound;
  /** Only integers. */
  readonly integer: boolean;
  /** Only non-integers. */
  readonly fractional: boolean;
  readonly multiples: readonly number[];
  readonly notMultiples: readonly number[];
  readonly excluded: readonly number[];
}

/** The domain of every number. */
export const anyNumber: NumberDomain = {
  low: { value: -Infinity, open: false },
  high: { value: Infinity, open: false },
  integer: false,
  fractional: false,
  multiples: [],
  notMultiples: [],
  excluded: [],
};

/** The doubles from `low` to `high`. */
export interface Region {
  readonly low: number;
  readonly high: number;
}

/**
 * The membership test. A number that is a multiple only in exact decimals or only in doubles is neither a multiple nor a non-multiple;
 * without `isExact` only doubles count.
 */
export function numberPredicate(domain: NumberDomain, isExact = true): (value: number) => boolean {
  const { low, high, integer, fractional } = domain;
  const excluded = new Set(domain.excluded);
  const tests: readonly ((value: number) => boolean)[] = [
    Number.isFinite,
    low.open ? (value) => value > low.value : (value) => value >= low.value,
    high.open ? (value) => value < high.value : (value) => value <= high.value,
    ...(integer ? [Number.isInteger] : []),
    ...(fractional ? [negate(Number.isInteger)] : []),
    ...domain.multiples.map((divisor) => both((value) => isMultiple(value, divisor), isExact ? exactTest(divisor) : () => true)),
    ...domain.notMultiples.map((divisor) => both((value) => !isMultiple(value, divisor), negate(exactTest(divisor)))),
    ...(excluded.size === 0 ? [] : [(value: number) => !excluded.has(value)]),
  ];
  return (value) => {
    for (const test of tests) if (!test(value)) return false;
    return true;
  };
}

/** Multiples as ajv decides them. */
function isMultiple(value: number, divisor: number): boolean {
  // 0.3 is a multiple of 0.1 in decimals, but 0.3 / 0.1 is 2.9999999999999996 in doubles. ajv validates bodies, so its result counts. It
  // compares the text of a quotient with its integer part. From 1e21 on that text has an exponent, so no such quotient counts.
  const quotient = value / divisor;
  return Number.isInteger(quotient) && Math.abs(quotient) < 1e21;
}

/** The region that contains the domain; `undefined` if it is empty. Multiples and single values are checked afterwards. */
export function regionOf({ low, high, integer, fractional, multiples }: NumberDomain): Region | undefined {
  // Quotients of 1e21 or more never count as multiples, and from 2^52 on every double is an integer.
  const limit = Math.min(...multiples.map(greatestMultiple), fractional ? 0x10_0000_0000_0000 : Number.MAX_VALUE);
  const least = Math.max(low.open && low.value !== -Infinity ? nextUp(low.value) : low.value, -limit);
  const greatest = Math.min(high.open && high.value !== Infinity ? nextDown(high.value) : high.value, limit);
  // Adding 0 turns -0 into 0.
  const region = { low: (integer ? Math.ceil(least) : least) + 0, high: (integer ? Math.floor(greatest) : greatest) + 0 };
  const isOneInteger = region.low === region.high && Number.isInteger(region.low);
  return region.low > region.high || (fractional && (integer || isOneInteger)) ? undefined : region;
}

/** The greatest double with a quotient below 1e21. It is the rounded product or next to it. */
function greatestMultiple(divisor: number): number {
  let greatest = Math.min(Number.MAX_VALUE, divisor * 1e21);
  while (greatest < Number.MAX_VALUE && greatest / divisor < 1e21) greatest = nextUp(greatest);
  while (greatest / divisor >= 1e21) greatest = nextDown(greatest);
  return greatest;
}

/** Tests multiples in exact decimals. */
function exactTest(divisor: number): (value: number) => boolean {
  const decimal = toDecimal(divisor);
  return (value) => isMultipleOf(toDecimal(value), decimal);
}

function both(first: (value: number) => boolean, second: (value: number) => boolean): (value: number) => boolean {
  return (value) => first(value) && second(value);
}

function negate(test: (value: number) => boolean): (value: number) => boolean {
  return (value) => !test(value);
}
