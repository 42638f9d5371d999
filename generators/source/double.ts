/** Doubles as a row of neighbours: which comes next, and how many stand between two of them. */

/** The least double above a finite one. */
export function nextUp(value: number): number {
  return fromOrdinal(ordinalOf(value) + 1n);
}

/** The greatest double below a finite one. */
export function nextDown(value: number): number {
  return fromOrdinal(ordinalOf(value) - 1n);
}

/** How many doubles there are from one to another, both included; infinite when they cannot be counted in integers. */
export function countDoubles(low: number, high: number): number {
  const count = Number(ordinalOf(high) - ordinalOf(low)) + 1;
  return Number.isSafeInteger(count) ? count : Infinity;
}

const number = new Float64Array(1);
const bits = new BigInt64Array(number.buffer);
const signBit = 1n << 63n;

/** The place of a double in the row, where 0 and -0 stand at place 0: the bits of positive doubles count upwards as integers do. */
function ordinalOf(value: number): bigint {
  number[0] = Math.abs(value);
  const ordinal = bits[0] ?? 0n;
  return value < 0 ? -ordinal : ordinal;
}

function fromOrdinal(ordinal: bigint): number {
  bits[0] = ordinal < 0n ? -ordinal - signBit : ordinal;
  // The double at place 0 is 0, never -0.
  return ordinal === 0n ? 0 : (number[0] ?? 0);
}
