/** Exact decimal arithmetic for numbers as JSON writes them. */

import { isInteger, type JsonNumber, readNumber } from './json.ts';

/** `digits` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly digits: bigint;
  /** The number of decimals; not negative. */
  readonly scale: number;
}

/** The decimal of a finite number, with as few decimals as it prints. */
export function toDecimal(value: JsonNumber): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? { digits, scale } : { digits: digits * power(-scale), scale: 0 };
}

/** The number of a decimal: exact for an integer, else the nearest one. */
export function toNumber({ digits, scale }: Decimal): JsonNumber {
  return scale === 0 ? readNumber(String(digits)) : Number(`${digits}e-${scale}`);
}

/** The number of decimals that a finite number prints. */
export function placesOf(value: JsonNumber): number {
  return isInteger(value) ? 0 : toDecimal(value).scale;
}

/** Ten to the power of a non-negative exponent. */
export function power(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** Compares numbers by simplicity: fewer decimals, then smaller, then positive. */
export function compareNumbers(left: JsonNumber, right: JsonNumber): number {
  return placesOf(left) - placesOf(right) || order(absolute(left), absolute(right)) || order(right, left);
}

/** True when a number is a multiple of a positive one as both are printed: 19.99 is a multiple of 0.01, which no division of doubles shows. */
export function isMultiple(value: JsonNumber, divisor: JsonNumber): boolean {
  if (typeof value === 'number' && typeof divisor === 'number' && Number.isSafeInteger(value) && Number.isSafeInteger(divisor))
    return value % divisor === 0;
  return Number.isFinite(Number(value)) && isMultipleOf(toDecimal(value), toDecimal(divisor));
}

/** True when a decimal is an integer multiple of another. */
export function isMultipleOf(value: Decimal, divisor: Decimal): boolean {
  const [left, right] = align(value, divisor);
  return left % right === 0n;
}

/** The least common multiple of two positive decimals, with as few decimals as possible: 1 of 0.0001 and 1. */
export function leastCommonMultiple(first: Decimal, second: Decimal): Decimal {
  const [left, right] = align(first, second);
  let [digits, scale] = [(left / greatestCommonDivisor(left, right)) * right, Math.max(first.scale, second.scale)];
  while (scale > 0 && digits % 10n === 0n) [digits, scale] = [digits / 10n, scale - 1];
  return { digits, scale };
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
function align(first: Decimal, second: Decimal): readonly [bigint, bigint] {
  if (first.scale === second.scale) return [first.digits, second.digits];
  const scale = Math.max(first.scale, second.scale);
  return [first.digits * power(scale - first.scale), second.digits * power(scale - second.scale)];
}

function greatestCommonDivisor(first: bigint, second: bigint): bigint {
  let [left, right] = [first, second];
  while (right !== 0n) [left, right] = [right, left % right];
  return left;
}

/** The sign of a difference. JavaScript compares a number with a bigint exactly. */
function order(left: JsonNumber, right: JsonNumber): number {
  return left < right ? -1 : Number(left > right);
}

function absolute(value: JsonNumber): JsonNumber {
  return value < 0 ? -value : value;
}
