/** Drawing numbers by hand in tests. */

import type { NumberFacts } from '../../../../generators/number/facts.ts';
import { openNumber } from '../../../../generators/number/number.ts';
import { Dice, type Scalars } from '../../../../generators/source/source.ts';
import { numbers } from './number-check.ts';

/** A bound that is allowed itself. */
export const from = (value: number): NumberFacts['low'] => ({ value, open: false });

/** A bound that is not. */
export const beyond = (value: number): NumberFacts['low'] => ({ value, open: true });

/** The source of facts that some number has. */
export function sourceOf(facts: Partial<NumberFacts>): Scalars<number> {
  const outcome = openNumber(numbers(facts));
  if (outcome.kind !== 'source') throw new Error(outcome.why);
  return outcome.source;
}

/** So many numbers, the same for the same seed. */
export function draw(source: Scalars<number>, count: number, bias: number | undefined, seed = 1): readonly number[] {
  const dice = new Dice(seed);
  return Array.from({ length: count }, () => source.draw(dice, bias));
}

/** Takes the first simpler number that still fails, again and again, as fast-check does. */
export function shrink(source: Scalars<number>, start: number, fails: (value: number) => boolean): number {
  let current = start;
  for (let steps = 0; steps < 1000; steps += 1) {
    const next = [...source.shrink(current)].find(fails);
    if (next === undefined) return current;
    current = next;
  }
  throw new Error('shrinking goes on and on');
}
