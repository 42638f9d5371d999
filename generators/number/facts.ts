/** What is known of a number: whether a number has all of it, and in which regions of the number line such numbers lie. */

import { checksNumber } from '../../core/format.ts';
import { isMultipleOf, nextDown, nextUp, toDecimal } from './decimal.ts';

/** A bound of a number: open when the value itself is outside. */
export interface Bound {
  /** Infinite where there is no bound. */
  readonly value: number;
  readonly open: boolean;
}

/** What is known of a number: all of it holds. */
export interface NumberFacts {
  readonly low: Bound;
  readonly high: Bound;
  /** It is whole. */
  readonly integer: boolean;
  /** It is not whole. */
  readonly fractional: boolean;
  readonly multiples: readonly number[];
  readonly notMultiples: readonly number[];
  readonly formats: readonly string[];
  readonly notFormats: readonly string[];
  /** Values that it does not have. */
  readonly except: readonly number[];
}

/** Nothing is known of a number. */
export const anyNumber: NumberFacts = {
  low: { value: -Infinity, open: false },
  high: { value: Infinity, open: false },
  integer: false,
  fractional: false,
  multiples: [],
  notMultiples: [],
  formats: [],
  notFormats: [],
  except: [],
};

/** The doubles between two of them, both included: all, only the whole ones, or only the others. */
export interface Region {
  readonly low: number;
  readonly high: number;
  /** Whether the ends were asked for; otherwise they are as far as numbers go. */
  readonly hasLow: boolean;
  readonly hasHigh: boolean;
  readonly integer: boolean;
  readonly fractional: boolean;
}

/**
 * Judges numbers by all that is known. What is a multiple in only one of two readings, exact decimals or doubles, is no multiple and not none; unless
 * `isExact`, only doubles count.
 */
export function judgeBy(facts: NumberFacts, isExact = true): (value: number) => boolean {
  const { low, high, integer, fractional } = facts;
  const except = new Set(facts.except);
  const tests: readonly ((value: number) => boolean)[] = [
    Number.isFinite,
    low.open ? (value) => value > low.value : (value) => value >= low.value,
    high.open ? (value) => value < high.value : (value) => value <= high.value,
    ...(integer ? [Number.isInteger] : []),
    ...(fractional ? [negate(Number.isInteger)] : []),
    ...facts.multiples.map((divisor) => both((value) => isMultiple(value, divisor), isExact ? exactTest(divisor) : () => true)),
    ...facts.notMultiples.map((divisor) => both((value) => !isMultiple(value, divisor), negate(exactTest(divisor)))),
    ...facts.formats.map((format) => checksNumber(format)).filter((check) => check !== undefined),
    ...facts.notFormats.map((format) => negate(checksNumber(format) ?? (() => true))),
    ...(except.size === 0 ? [] : [(value: number) => !except.has(value)]),
  ];
  return (value) => {
    for (const test of tests) if (!test(value)) return false;
    return true;
  };
}

/** Whether a number is a multiple of another as ajv sees it. */
function isMultiple(value: number, divisor: number): boolean {
  // In exact decimal arithmetic 0.3 is a multiple of 0.1, and in doubles 0.3 / 0.1 is 2.9999999999999996. Where the two readings differ, ajv's is
  // taken, since ajv judges bodies everywhere else. It compares a quotient with the whole digits of its text, and from 1e21 on that text has an
  // exponent: no such quotient counts as whole.
  const quotient = value / divisor;
  return Number.isInteger(quotient) && Math.abs(quotient) < 1e21;
}

/** The regions that hold every number with these facts; multiples and single values are left to the judge. */
export function listRegions(facts: NumberFacts): readonly Region[] {
  const { low, high, integer, fractional } = facts;
  if (low.value === Infinity || high.value === -Infinity) return [];
  const whole: Region = {
    low: low.value === -Infinity ? -Number.MAX_VALUE : low.open ? nextUp(low.value) : low.value,
    high: high.value === Infinity ? Number.MAX_VALUE : high.open ? nextDown(high.value) : high.value,
    hasLow: low.value !== -Infinity,
    hasHigh: high.value !== Infinity,
    integer,
    fractional,
  };
  const ofFormats = facts.formats.reduce((region, format) => meet(region, formatRegions.get(format) ?? everywhere), whole);
  return facts.notFormats
    .reduce<readonly Region[]>((regions, format) => regions.flatMap((region) => outside(region, format)), [ofFormats])
    .map((region) => reachable(region, facts.multiples))
    .flatMap(tighten);
}

const everywhere: Region = {
  low: -Number.MAX_VALUE,
  high: Number.MAX_VALUE,
  hasLow: false,
  hasHigh: false,
  integer: false,
  fractional: false,
};

/** Where the numbers of a format lie. Of formats that are not here the judge alone knows. */
const formatRegions: ReadonlyMap<string, Region> = new Map([
  ['int32', { low: -0x8000_0000, high: 0x7fff_ffff, hasLow: true, hasHigh: true, integer: true, fractional: false }],
  ['int64', { ...everywhere, integer: true }],
  ['float', everywhere],
  ['double', everywhere],
]);

/** Whether regions leave something about formats to the judge. */
export function hasOtherFormats({ formats, notFormats }: NumberFacts): boolean {
  return [...formats, ...notFormats].some((format) => checksNumber(format) !== undefined && !formatRegions.has(format));
}

/** The parts of a region where the numbers are not of a format. */
function outside(region: Region, format: string): readonly Region[] {
  const inside = formatRegions.get(format);
  if (inside === undefined) return checksNumber(format) === undefined ? [] : [region];
  const parts: readonly Region[] = [
    ...(inside.integer ? [{ ...everywhere, fractional: true }] : []),
    ...(inside.hasLow ? [{ ...everywhere, high: nextDown(inside.low), hasHigh: true }] : []),
    ...(inside.hasHigh ? [{ ...everywhere, low: nextUp(inside.high), hasLow: true }] : []),
  ];
  return parts.map((part) => meet(region, part));
}

function meet(one: Region, other: Region): Region {
  return {
    low: Math.max(one.low, other.low),
    high: Math.min(one.high, other.high),
    hasLow: one.low === other.low ? one.hasLow || other.hasLow : one.low > other.low ? one.hasLow : other.hasLow,
    hasHigh: one.high === other.high ? one.hasHigh || other.hasHigh : one.high < other.high ? one.hasHigh : other.hasHigh,
    integer: one.integer || other.integer,
    fractional: one.fractional || other.fractional,
  };
}

/** No number with a quotient of 1e21 or more counts as a multiple, and from 2^52 on every double is whole. */
function reachable(region: Region, multiples: readonly number[]): Region {
  const limit = Math.min(...multiples.map(greatestMultiple), region.fractional ? 0x10_0000_0000_0000 : Number.MAX_VALUE);
  return meet(region, { ...everywhere, low: -limit, high: limit });
}

/** The greatest double whose quotient is below 1e21; it is next to the rounded product, or is that. */
function greatestMultiple(divisor: number): number {
  let greatest = Math.min(Number.MAX_VALUE, divisor * 1e21);
  while (greatest < Number.MAX_VALUE && greatest / divisor < 1e21) greatest = nextUp(greatest);
  while (greatest / divisor >= 1e21) greatest = nextDown(greatest);
  return greatest;
}

/** Moves the ends onto numbers of the region, when it has any. */
function tighten(region: Region): readonly Region[] {
  const { low, high, integer, fractional } = region;
  if (low > high || (integer && fractional)) return [];
  // Adding 0 turns -0 into 0.
  if (integer) return Math.ceil(low) > Math.floor(high) ? [] : [{ ...region, low: Math.ceil(low) + 0, high: Math.floor(high) + 0 }];
  const isOneInteger = low === high && Number.isInteger(low);
  return fractional && isOneInteger ? [] : [{ ...region, low: low + 0, high: high + 0 }];
}

/** Whether values are multiples of a divisor as exact decimals. */
function exactTest(divisor: number): (value: number) => boolean {
  const decimal = toDecimal(divisor);
  return (value) => isMultipleOf(toDecimal(value), decimal);
}

function both(one: (value: number) => boolean, other: (value: number) => boolean): (value: number) => boolean {
  return (value) => one(value) && other(value);
}

function negate(test: (value: number) => boolean): (value: number) => boolean {
  return (value) => !test(value);
}
