/**
 * The strategy for texts that are invalid for a format: damaged valid texts, and listed ones. `choose-strategy.ts` calls it for domains that exclude a format.
 * Every text must be checked.
 */

import type { RandomNumbers } from '../sources/random-numbers.ts';
import { isFilled, pick, type TextStrategy } from './text-strategy.ts';

/** Characters that usually make a text invalid. */
const damagingCharacters: readonly [string, ...string[]] = ['g', ...'Z09 -.:/@%{([*\\"\né😀'];

/** A strategy for texts that are invalid for a format: damaged texts and listed ones. Each is checked. */
export function invalidTextStrategy(base: TextStrategy, valid: TextStrategy | undefined, invalidTexts: readonly string[]): TextStrategy {
  const draw = (random: RandomNumbers, biasFactor: number | undefined): string => {
    const kind = random.nextInt(0, 7);
    if (kind < 2 && isFilled(invalidTexts)) return pick(invalidTexts, random);
    if (kind < 5 && valid !== undefined) return damage(valid.draw(random, biasFactor), random);
    if (kind === 5) return damage(base.draw(random, biasFactor), random);
    return base.draw(random, biasFactor);
  };
  const simplest = function* (): Generator<string> {
    yield* base.simplest();
    yield* invalidTexts;
  };
  return { isReliable: false, all: base.all, isComplete: base.isComplete, simplest, draw };
}

/** Replaces, removes, doubles or inserts one character, or cuts off the end. */
function damage(text: string, random: RandomNumbers): string {
  const points = [...text];
  const at = random.nextInt(0, points.length);
  const [before, here, after] = [points.slice(0, at), points.slice(at, at + 1), points.slice(at + 1)];
  switch (random.nextInt(0, 5)) {
    case 0:
      return [...before, ...after].join('');
    case 1:
      return [...before, ...here, ...here, ...after].join('');
    case 2:
      return before.join('');
    case 3:
      return [...before, pick(damagingCharacters, random), ...here, ...after].join('');
    default:
      return [...before, pick(damagingCharacters, random), ...after].join('');
  }
}
