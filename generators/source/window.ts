/** Windows: runs of neighbouring numbers of a grid, from which one is drawn with a few operations. */

import type { Decimal } from './decimal.ts';
import type { Chance } from './dice.ts';
import { type Grid, numberAt } from './grid.ts';

/** Draws a number. */
export type Draw = (chance: Chance) => number;

/** How far windows reach from the number nearest to 0, and how often of sixteen times: small numbers come mostly. */
const reaches: readonly (readonly [bigint, number])[] = [
  [100n, 11],
  [10_000n, 3],
  [0x8000_0000n, 1],
  [0x1f_ffff_ffff_ffffn, 1],
];

/** Sixteen windows of a grid, wide ones less often than narrow ones. On a small grid they are all the same. */
export function windowsOf(grid: Grid): readonly Draw[] {
  const { unit, near } = grid;
  const scaled = 10n ** BigInt(unit.scale);
  let last: { readonly low: bigint; readonly high: bigint; readonly draw: Draw } | undefined;
  return reaches.flatMap(([reach, share]) => {
    // Of units below 1 it takes more to reach as far.
    const steps = larger(reach, (reach * scaled) / unit.digits);
    const [low, high] = exactly(grid, larger(grid.low, near - steps), smaller(grid.high, near + steps));
    const same = last?.low === low && last.high === high ? last : { low, high, draw: drawBetween(grid, low, high) };
    last = same;
    return Array.from({ length: share }, () => same.draw);
  });
}

/** Draws from some indexes of a grid, all equally often. */
export function drawBetween(grid: Grid, low: bigint, high: bigint): Draw {
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
