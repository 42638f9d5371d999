/**
 * The trial of a strategy: draws a few texts and counts those that belong to the domain. `text-generator.ts` runs it for each strategy, and filters the draws
 * of those that pass. It chooses no strategy.
 */

import { SeededRandom } from '../sources/random-numbers.ts';
import type { TextStrategy } from './text-strategy.ts';

/** Limit of draws in a trial. */
const maxDraws = 200;

/** A strategy passes when one of this many draws is accepted. */
const acceptedOneIn = 50;

/** Attempts for one text. At one in fifty, more are needed once in 10^17 draws. */
const maxAttemptsPerText = 2_000;

/** The result of a trial. */
export interface StrategyTrial {
  readonly accepted: readonly string[];
  readonly drawn: number;
  /** True when enough texts were accepted. */
  readonly passed: boolean;
}

/** Tries a strategy with a few texts, always the same ones. */
export function runTrial(strategy: TextStrategy, accepts: (text: string) => boolean): StrategyTrial {
  // The trial must not depend on the caller's random numbers.
  const random = new SeededRandom(1);
  const accepted: string[] = [];
  let drawn = 0;
  for (; drawn < maxDraws && accepted.length < 20; drawn += 1) {
    // Boundary texts of a reliable strategy can be very long and need no trial.
    const text = strategy.draw(random, !strategy.isReliable && drawn % 4 === 0 ? 2 : undefined);
    if (accepts(text)) accepted.push(text);
  }
  return { accepted, drawn, passed: accepted.length * acceptedOneIn >= drawn };
}

/** Draws until a text is accepted. */
export function filteredDraw(strategy: TextStrategy, accepts: (text: string) => boolean, wanted: string): TextStrategy['draw'] {
  return (random, biasFactor) => {
    for (let attempts = 0; attempts < maxAttemptsPerText; attempts += 1) {
      const text = strategy.draw(random, biasFactor);
      if (accepts(text)) return text;
    }
    throw new Error(`none of ${maxAttemptsPerText} generated texts ${wanted}; narrow the schema of the text`);
  };
}
