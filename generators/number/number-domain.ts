/**
 * The numbers of a domain: their conditions, their membership test, and the region of the number line that contains them. The test decides, since the region
 * may contain other numbers too.
 */

import { isMultiple } from '../../core/decimal.ts';
import { isInteger, type JsonNumber, readNumber } from '../../core/json.ts';
import { nextDown, nextUp } from './doubles.ts';

/** A bound; `open` excludes the value itself. */
export interface NumberBound {
  /** Infinite without a bound. */
  readonly value: JsonNumber;
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
  readonly multiples: readonly JsonNumber[];
  readonly notMultiples: readonly JsonNumber[];
  readonly excluded: readonly JsonNumber[];
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

/** The numbers from `low` to `high`: doubles, and beyond 2^53 all integers. */
export interface Region {
  readonly low: JsonNumber;
  readonly high: JsonNumber;
}

/** The membership test. */
export function numberPredicate(domain: NumberDomain): (value: JsonNumber) => boolean {
  const { low, high, integer, fractional } = domain;
  const excluded = new Set(domain.excluded);
  const tests: readonly ((value: JsonNumber) => boolean)[] = [
    (value) => Number.isFinite(Number(value)),
    low.open ? (value) => value > low.value : (value) => value >= low.value,
    high.open ? (value) => value < high.value : (value) => value <= high.value,
    ...(integer ? [isInteger] : []),
    ...(fractional ? [negate(isInteger)] : []),
    ...domain.multiples.map((divisor) => (value: JsonNumber) => isMultiple(value, divisor)),
    ...domain.notMultiples.map((divisor) => (value: JsonNumber) => !isMultiple(value, divisor)),
    ...(excluded.size === 0 ? [] : [(value: JsonNumber) => !excluded.has(value)]),
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
  const least = low.open && low.value !== -Infinity ? after(low.value) : low.value;
  const greatest = high.open && high.value !== Infinity ? before(high.value) : high.value;
  const round = (value: JsonNumber, toInteger: (value: number) => number): JsonNumber =>
    // Adding 0 turns -0 into 0.
    typeof value === 'bigint' ? value : (integer ? toInteger(value) : value) + 0;
  const region = {
    low: round(least < -limit ? -limit : least, Math.ceil),
    high: round(greatest > limit ? limit : greatest, Math.floor),
  };
  const isOneInteger = region.low === region.high && isInteger(region.low);
  return region.low > region.high || (fractional && (integer || isOneInteger)) ? undefined : region;
}

/** The next number that a region contains. */
function after(value: JsonNumber): JsonNumber {
  return typeof value === 'bigint' ? readNumber(String(value + 1n)) : nextUp(value);
}

function before(value: JsonNumber): JsonNumber {
  return typeof value === 'bigint' ? readNumber(String(value - 1n)) : nextDown(value);
}

function negate(test: (value: JsonNumber) => boolean): (value: JsonNumber) => boolean {
  return (value) => !test(value);
}
