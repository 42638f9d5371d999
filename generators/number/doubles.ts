/** The doubles of IEEE 754 in their order: neighbours and counts. */

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

const doubleView = new Float64Array(1);

const bitsView = new BigInt64Array(doubleView.buffer);

const signBit = 1n << 63n;

/**
 * The index of a double in the sequence of all doubles, with 0 and -0 at index 0. The bits of positive doubles count upwards as integers
 * do.
 */
function ordinalOf(value: number): bigint {
  doubleView[0] = Math.abs(value);
  const ordinal = bitsView[0] ?? 0n;
  return value < 0 ? -ordinal : ordinal;
}

function fromOrdinal(ordinal: bigint): number {
  bitsView[0] = ordinal < 0n ? -ordinal - signBit : ordinal;
  // The double at index 0 is 0, never -0.
  return ordinal === 0n ? 0 : (doubleView[0] ?? 0);
}
