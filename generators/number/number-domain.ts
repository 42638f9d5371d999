/**
 * The numbers of a domain: their conditions, their membership test, and the region of the number line that contains them. The test decides, since the region
 * may contain other numbers too.
 */

import { isMultiple } from '../../core/decimal.ts';
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

/** The membership test. */
export function numberPredicate(domain: NumberDomain): (value: number) => boolean {
  const { low, high, integer, fractional } = domain;
  const excluded = new Set(domain.excluded);
  const tests: readonly ((value: number) => boolean)[] = [
    Number.isFinite,
    low.open ? (value) => value > low.value : (value) => value >= low.value,
    high.open ? (value) => value < high.value : (value) => value <= high.value,
    ...(integer ? [Number.isInteger] : []),
    ...(fractional ? [negate(Number.isInteger)] : []),
    ...domain.multiples.map((divisor) => (value: number) => isMultiple(value, divisor)),
    ...domain.notMultiples.map((divisor) => (value: number) => !isMultiple(value, divisor)),
    ...(excluded.size === 0 ? [] : [(value: number) => !excluded.has(value)]),
  ];
  return (value) => {
    for (const test of tests) if (!test(value)) return false;
    return true;
  };
}

/** The region that contains the domain; `undefined` if it is empty. Multiples and single values are checked afterwards. */
export function regionOf({ low, high, integer, fractional }: NumberDomain): Region | undefined {
  // From 2^52 on every double is an integer.
  const limit = fractional ? 0x10_0000_0000_0000 : Number.MAX_VALUE;
  const least = Math.max(low.open && low.value !== -Infinity ? nextUp(low.value) : low.value, -limit);
  const greatest = Math.min(high.open && high.value !== Infinity ? nextDown(high.value) : high.value, limit);
  // Adding 0 turns -0 into 0.
  const region = { low: (integer ? Math.ceil(least) : least) + 0, high: (integer ? Math.floor(greatest) : greatest) + 0 };
  const isOneInteger = region.low === region.high && Number.isInteger(region.low);
  return region.low > region.high || (fractional && (integer || isOneInteger)) ? undefined : region;
}

function negate(test: (value: number) => boolean): (value: number) => boolean {
  return (value) => !test(value);
}
