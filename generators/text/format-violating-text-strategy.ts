/**
 * Chosen for values that must break a format, such as invalid examples and malformed requests: draws damaged valid texts, and listed ones. Damage may leave a
 * text valid, so each must be checked.
 */

import type { RandomNumbers } from '../sources/random-numbers.ts';
import { isFilled, pick, type TextStrategy } from './text-strategy.ts';

/** Characters that usually make a text invalid. */
const damagingCharacters: readonly [string, ...string[]] = ['g', ...'Z09 -.:/@%{([*\\"\né😀'];

/** The strategy over two others: `baseStrategy` draws texts of the domain without its excluded formats, `validStrategy` the valid texts to damage. */
export function formatViolatingTextStrategy(
  baseStrategy: TextStrategy,
  validStrategy: TextStrategy | undefined,
  invalidTexts: readonly string[],
): TextStrategy {
  const draw = (random: RandomNumbers, bias: number | undefined): string => {
    const kind = random.nextInt(0, 7);
    if (kind < 2 && isFilled(invalidTexts)) return pick(invalidTexts, random);
    if (kind < 5 && validStrategy !== undefined) return damage(validStrategy.draw(random, bias), random);
    if (kind === 5) return damage(baseStrategy.draw(random, bias), random);
    return baseStrategy.draw(random, bias);
  };
  const simplest = function* (): Generator<string> {
    yield* baseStrategy.simplest();
    yield* invalidTexts;
  };
  return { isReliable: false, all: baseStrategy.all, isComplete: baseStrategy.isComplete, simplest, draw };
}

/** Replaces, removes, doubles or inserts one character, or cuts off the end. */
function damage(text: string, random: RandomNumbers): string {
  const points = [...text];
  const position = random.nextInt(0, points.length);
  const [pointsBefore, pointAtPosition, pointsAfter] = [
    points.slice(0, position),
    points.slice(position, position + 1),
    points.slice(position + 1),
  ];
  switch (random.nextInt(0, 5)) {
    case 0:
      return [...pointsBefore, ...pointsAfter].join('');
    case 1:
      return [...pointsBefore, ...pointAtPosition, ...pointAtPosition, ...pointsAfter].join('');
    case 2:
      return pointsBefore.join('');
    case 3:
      return [...pointsBefore, pick(damagingCharacters, random), ...pointAtPosition, ...pointsAfter].join('');
    default:
      return [...pointsBefore, pick(damagingCharacters, random), ...pointsAfter].join('');
  }
}
