/** Exact decimals. A number of JSON is the decimal that its text shows: 0.1 is a tenth, whatever a double makes of it. */

/** `digits` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly digits: bigint;
  /** How many of the digits stand after the point; not negative. */
  readonly scale: number;
}

/** The decimal that a finite number prints as, with no more digits after the point than it needs. */
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

/** How many digits after the point a finite number prints. */
export function placesOf(value: number): number {
  return Number.isInteger(value) ? 0 : toDecimal(value).scale;
}

/** Ten to a power that is not negative. */
export function power(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** Whether a decimal is a whole number of times another one. */
export function isMultipleOf(value: Decimal, divisor: Decimal): boolean {
  const [left, right] = align(value, divisor);
  return left % right === 0n;
}

/** The least decimal above 0 that is a multiple of two others above 0. */
export function leastCommonMultiple(one: Decimal, other: Decimal): Decimal {
  const [left, right] = align(one, other);
  return { digits: (left / greatestCommonDivisor(left, right)) * right, scale: Math.max(one.scale, other.scale) };
}

/** How often a divisor above 0 fits into a value, rounded down. */
export function floorQuotient(value: Decimal, divisor: Decimal): bigint {
  const [left, right] = align(value, divisor);
  const quotient = left / right;
  // Division of integers rounds towards 0.
  return left < 0n && quotient * right !== left ? quotient - 1n : quotient;
}

/** How often a divisor above 0 fits into a value, rounded up. */
export function ceilQuotient(value: Decimal, divisor: Decimal): bigint {
  return -floorQuotient({ digits: -value.digits, scale: value.scale }, divisor);
}

/** The digits of both, written with as many places after the point. */
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
