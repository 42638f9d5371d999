/** Windows: runs of neighbouring numbers of a grid, from which one is drawn with a few operations. */

import { type Decimal, power } from './decimal.ts';
import type { Chance } from './dice.ts';
import { type Grid, numberAt } from './grid.ts';

/** Draws a number. */
export type Draw = (chance: Chance) => number;

/** How far windows reach from the number nearest to 0. */
const reaches: readonly bigint[] = [100n, 10_000n, 0x8000_0000n, 0x1f_ffff_ffff_ffffn];
/** Which window is drawn from in each of sixteen cases: small numbers come mostly. */
const cases: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3];

/** Draws from a grid, mostly among the numbers next to the one that is nearest to 0. */
export function drawNear(grid: Grid): Draw {
  const { unit, near } = grid;
  const windows: Draw[] = [];
  let reached: readonly [bigint, bigint] | undefined;
  for (const reach of reaches) {
    // Of units below 1 it takes more to reach as far.
    const steps = larger(reach, (reach * power(unit.scale)) / unit.digits);
    const [low, high] = exactly(grid, larger(grid.low, near - steps), smaller(grid.high, near + steps));
    if (reached?.[0] === low && reached[1] === high) break;
    windows.push(drawBetween(grid, low, high));
    reached = [low, high];
  }
  const widest = windows.at(-1) ?? drawBetween(grid, near, near);
  if (windows.length === 1) return widest;
  const draws = cases.map((index) => windows[index] ?? widest);
  return (chance) => (draws[chance.nextInt(0, 15)] ?? widest)(chance);
}

/** Draws from some indexes of a grid, all equally often. */
function drawBetween(grid: Grid, low: bigint, high: bigint): Draw {
  const { digits, scale } = grid.unit;
  const span = Number(high - low);
  const limit = exactLimit(grid.unit);
  if (low < -limit || high > limit) return (chance) => numberAt(grid, low + BigInt(offset(chance, span)));
  const [first, factor, divisor] = [Number(low), Number(digits), Number(`1e${scale}`)];
  if (factor === 1 && divisor === 1) return (chance) => first + offset(chance, span);
  return (chance) => ((first + offset(chance, span)) * factor) / divisor;
}

/** As many units are exact: both operands of a division are whole, and its result prints as the decimal that is meant. */
export function exactLimit({ digits, scale }: Decimal): bigint {
  return digits > safe || scale > 22 ? -1n : (scale === 0 ? safe : shortest) / digits;
}

/** The greatest whole number up to which doubles have all of them. */
const safe = 0x1f_ffff_ffff_ffffn;
/** Decimals with no more than fifteen digits are told apart by doubles. */
const shortest = 1_000_000_000_000_000n;

/** The indexes whose numbers are exact, when there are any. */
function exactly({ unit }: Grid, low: bigint, high: bigint): readonly [bigint, bigint] {
  const limit = exactLimit(unit);
  const [exactLow, exactHigh] = [larger(low, -limit), smaller(high, limit)];
  return exactLow > exactHigh ? [low, high] : [exactLow, exactHigh];
}

const chunk = 0x8000_0000;

/** A whole number from 0 to `span`. Chance gives 31 bits fast, so that larger ones are put together from two. */
function offset(chance: Chance, span: number): number {
  if (span < chunk) return chance.nextInt(0, span);
  const whole = chance.nextInt(0, Math.min(Math.floor(span / chunk), chunk - 1)) * chunk + chance.nextInt(0, chunk - 1);
  return whole > span ? whole - span - 1 : whole;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
