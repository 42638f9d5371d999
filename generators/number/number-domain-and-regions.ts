/**
 * The number part of a domain: its conditions, its membership test, and the regions of the number line that contain it. `instance-domain.ts` has it as a part,
 * and `validate-instance.ts` builds one test for each schema before the first check. When a generator is created, `number-generator.ts` lists the regions, and
 * `draw-numbers-in-region.ts` asks for formats. The membership test decides; regions may contain other numbers too.
 */

import { numberCheckOf } from '../../core/openapi/formats.ts';
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
  readonly formats: readonly string[];
  readonly notFormats: readonly string[];
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
  formats: [],
  notFormats: [],
  excluded: [],
};

/** The doubles from `low` to `high`: all, only integers, or only non-integers. */
export interface Region {
  readonly low: number;
  readonly high: number;
  /** True if the bound comes from the schema, and not from the range of doubles. */
  readonly hasLow: boolean;
  readonly hasHigh: boolean;
  readonly integer: boolean;
  readonly fractional: boolean;
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
    ...domain.formats.map((format) => numberCheckOf(format)).filter((check) => check !== undefined),
    ...domain.notFormats.map((format) => negate(numberCheckOf(format) ?? (() => true))),
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

/** The regions that contain the domain. Multiples and single values are checked afterwards. */
export function listRegions(domain: NumberDomain): readonly Region[] {
  const { low, high, integer, fractional } = domain;
  if (low.value === Infinity || high.value === -Infinity) return [];
  const wholeRegion: Region = {
    low: low.value === -Infinity ? -Number.MAX_VALUE : low.open ? nextUp(low.value) : low.value,
    high: high.value === Infinity ? Number.MAX_VALUE : high.open ? nextDown(high.value) : high.value,
    hasLow: low.value !== -Infinity,
    hasHigh: high.value !== Infinity,
    integer,
    fractional,
  };
  const formatRegion = domain.formats.reduce((region, format) => intersect(region, formatRegions.get(format) ?? allDoubles), wholeRegion);
  return domain.notFormats
    .reduce<readonly Region[]>((regions, format) => regions.flatMap((region) => regionsOutside(region, format)), [formatRegion])
    .map((region) => reachableRegion(region, domain.multiples))
    .flatMap(tightenRegion);
}

const allDoubles: Region = {
  low: -Number.MAX_VALUE,
  high: Number.MAX_VALUE,
  hasLow: false,
  hasHigh: false,
  integer: false,
  fractional: false,
};

/** The regions of formats. Other formats are only checked afterwards. */
const formatRegions: ReadonlyMap<string, Region> = new Map([
  ['int32', { low: -0x8000_0000, high: 0x7fff_ffff, hasLow: true, hasHigh: true, integer: true, fractional: false }],
  ['int64', { ...allDoubles, integer: true }],
  ['float', allDoubles],
  ['double', allDoubles],
]);

/** True when a format has no region. */
export function hasOtherFormats({ formats, notFormats }: NumberDomain): boolean {
  return [...formats, ...notFormats].some((format) => numberCheckOf(format) !== undefined && !formatRegions.has(format));
}

/** The parts of a region outside a format. */
function regionsOutside(region: Region, format: string): readonly Region[] {
  const formatRegion = formatRegions.get(format);
  if (formatRegion === undefined) return numberCheckOf(format) === undefined ? [] : [region];
  const parts: readonly Region[] = [
    ...(formatRegion.integer ? [{ ...allDoubles, fractional: true }] : []),
    ...(formatRegion.hasLow ? [{ ...allDoubles, high: nextDown(formatRegion.low), hasHigh: true }] : []),
    ...(formatRegion.hasHigh ? [{ ...allDoubles, low: nextUp(formatRegion.high), hasLow: true }] : []),
  ];
  return parts.map((part) => intersect(region, part));
}

function intersect(first: Region, second: Region): Region {
  return {
    low: Math.max(first.low, second.low),
    high: Math.min(first.high, second.high),
    hasLow: first.low === second.low ? first.hasLow || second.hasLow : first.low > second.low ? first.hasLow : second.hasLow,
    hasHigh: first.high === second.high ? first.hasHigh || second.hasHigh : first.high < second.high ? first.hasHigh : second.hasHigh,
    integer: first.integer || second.integer,
    fractional: first.fractional || second.fractional,
  };
}

/** Quotients of 1e21 or more never count as multiples, and from 2^52 on every double is an integer. */
function reachableRegion(region: Region, multiples: readonly number[]): Region {
  const limit = Math.min(...multiples.map(greatestMultiple), region.fractional ? 0x10_0000_0000_0000 : Number.MAX_VALUE);
  return intersect(region, { ...allDoubles, low: -limit, high: limit });
}

/** The greatest double with a quotient below 1e21. It is the rounded product or next to it. */
function greatestMultiple(divisor: number): number {
  let greatest = Math.min(Number.MAX_VALUE, divisor * 1e21);
  while (greatest < Number.MAX_VALUE && greatest / divisor < 1e21) greatest = nextUp(greatest);
  while (greatest / divisor >= 1e21) greatest = nextDown(greatest);
  return greatest;
}

/** Moves the bounds onto numbers of the region. */
function tightenRegion(region: Region): readonly Region[] {
  const { low, high, integer, fractional } = region;
  if (low > high || (integer && fractional)) return [];
  // Adding 0 turns -0 into 0.
  if (integer) return Math.ceil(low) > Math.floor(high) ? [] : [{ ...region, low: Math.ceil(low) + 0, high: Math.floor(high) + 0 }];
  const isOneInteger = low === high && Number.isInteger(low);
  return fractional && isOneInteger ? [] : [{ ...region, low: low + 0, high: high + 0 }];
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
