/**
 * Exact arithmetic: decimals as JSON writes them, neighbouring doubles, and grids of the multiples of a decimal. The other files
 * of this folder call it. It knows no schemas and draws nothing.
 */

/** `digits` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly digits: bigint;
  /** The number of decimals; not negative. */
  readonly scale: number;
}

/** The decimal of a finite number, with as few decimals as it prints. */
export function toDecimal(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? { digits, scale } : { digits: digits * power(-scale), scale: 0 };
}

/** The number that is nearest to a decimal. */
export function toNumber({ digits, scale }: Decimal): number {
  return Number(`${digits}e-${scale}`);
}

/** The number of decimals that a finite number prints. */
export function placesOf(value: number): number {
  return Number.isInteger(value) ? 0 : toDecimal(value).scale;
}

/** Ten to the power of a non-negative exponent. */
export function power(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** Compares numbers by simplicity: fewer decimals, then smaller, then positive. */
export function compareNumbers(one: number, other: number): number {
  return placesOf(one) - placesOf(other) || Math.abs(one) - Math.abs(other) || other - one;
}

/** True when a decimal is an integer multiple of another. */
export function isMultipleOf(value: Decimal, divisor: Decimal): boolean {
  const [left, right] = align(value, divisor);
  return left % right === 0n;
}

/** The least common multiple of two positive decimals. */
export function leastCommonMultiple(one: Decimal, other: Decimal): Decimal {
  const [left, right] = align(one, other);
  return { digits: (left / greatestCommonDivisor(left, right)) * right, scale: Math.max(one.scale, other.scale) };
}

/** The quotient by a positive divisor, rounded down. */
export function floorQuotient(value: Decimal, divisor: Decimal): bigint {
  const [left, right] = align(value, divisor);
  const quotient = left / right;
  // Division of integers rounds towards 0.
  return left < 0n && quotient * right !== left ? quotient - 1n : quotient;
}

/** The quotient by a positive divisor, rounded up. */
export function ceilQuotient(value: Decimal, divisor: Decimal): bigint {
  return -floorQuotient({ digits: -value.digits, scale: value.scale }, divisor);
}

/** The digits of both at the same scale. */
function align(one: Decimal, other: Decimal): readonly [bigint, bigint] {
  if (one.scale === other.scale) return [one.digits, other.digits];
  const scale = Math.max(one.scale, other.scale);
  return [one.digits * power(scale - one.scale), other.digits * power(scale - other.scale)];
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [left, right] = [one, other];
  while (right !== 0n) [left, right] = [right, left % right];
  return left;
}

/** The least double above a finite one. */
export function nextUp(value: number): number {
  return fromOrdinal(ordinalOf(value) + 1n);
}

/** The greatest double below a finite one. */
export function nextDown(value: number): number {
  return fromOrdinal(ordinalOf(value) - 1n);
}

/** The number of doubles from one to another, both included; infinite beyond safe integers. */
export function countDoubles(low: number, high: number): number {
  const count = Number(ordinalOf(high) - ordinalOf(low)) + 1;
  return Number.isSafeInteger(count) ? count : Infinity;
}

const number = new Float64Array(1);
const bits = new BigInt64Array(number.buffer);
const signBit = 1n << 63n;

/**
 * The index of a double in the sequence of all doubles, with 0 and -0 at index 0. The bits of positive doubles count upwards as integers
 * do.
 */
function ordinalOf(value: number): bigint {
  number[0] = Math.abs(value);
  const ordinal = bits[0] ?? 0n;
  return value < 0 ? -ordinal : ordinal;
}

function fromOrdinal(ordinal: bigint): number {
  bits[0] = ordinal < 0n ? -ordinal - signBit : ordinal;
  // The double at index 0 is 0, never -0.
  return ordinal === 0n ? 0 : (number[0] ?? 0);
}

/** The multiples of `unit`, from index `low` to index `high`. */
export interface Grid {
  readonly unit: Decimal;
  readonly low: bigint;
  readonly high: bigint;
  /** The index nearest to 0. */
  readonly near: bigint;
}

/** The grid of a unit in a region; `undefined` when it is empty. */
export function gridIn(region: { readonly low: number; readonly high: number }, unit: Decimal): Grid | undefined {
  const low = ceilQuotient(toDecimal(region.low), unit);
  const high = floorQuotient(toDecimal(region.high), unit);
  if (low > high) return undefined;
  return { unit, low, high, near: low > 0n ? low : high < 0n ? high : 0n };
}

/** The number at an index. */
export function numberAt({ unit }: Pick<Grid, 'unit'>, index: bigint): number {
  return toNumber({ digits: unit.digits * index, scale: unit.scale });
}

/** The number of numbers of a grid; infinite beyond safe integers. */
export function countOf({ low, high }: Grid): number {
  const count = Number(high - low) + 1;
  return Number.isSafeInteger(count) ? count : Infinity;
}

/** The unit of the numbers with `places` decimals that are multiples of `step`. */
export function unitOf(step: Decimal | undefined, places: number): Decimal {
  const unit = { digits: 1n, scale: places };
  return step === undefined ? unit : leastCommonMultiple(step, unit);
}

/** The numbers of a grid from the one nearest to 0 outwards, up to `steps` steps. */
export function* outwards(grid: Grid, steps: number): Iterable<number> {
  yield numberAt(grid, grid.near);
  for (let step = 1n; step <= BigInt(steps); step += 1n) {
    const isAbove = grid.near + step <= grid.high;
    const isBelow = grid.near - step >= grid.low;
    if (isAbove) yield numberAt(grid, grid.near + step);
    if (isBelow) yield numberAt(grid, grid.near - step);
    if (!isAbove && !isBelow) return;
  }
}

/** The first `count` numbers of a grid from one of its ends inwards. */
export function* inwards(grid: Grid, end: 'low' | 'high', count: number): Iterable<number> {
  const last = grid.high - grid.low;
  for (let step = 0n; step <= last && step < BigInt(count); step += 1n)
    yield numberAt(grid, end === 'low' ? grid.low + step : grid.high - step);
}
