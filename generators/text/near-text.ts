/** Texts that just miss a format: valid ones with one thing wrong, and those that people really send. */

import type { Chance } from '../source/dice.ts';
import { type Draft, isFilled, pick } from './draft.ts';

/** What spoils a text when it is put somewhere into it. */
const spoilers: readonly [string, ...string[]] = [
  'g',
  'Z',
  '0',
  '9',
  ' ',
  '-',
  '.',
  ':',
  '/',
  '@',
  '%',
  '{',
  '(',
  '[',
  '*',
  '\\',
  '"',
  '\n',
  'é',
  '😀',
];

/** Draws from a draft and from a list of wrong texts, and spoils what it draws. Which of these are really wrong is for the judge to say. */
export function draftNearMisses(base: Draft, valid: Draft | undefined, wrong: readonly string[]): Draft {
  const draw = (chance: Chance, biasFactor: number | undefined): string => {
    const kind = chance.nextInt(0, 7);
    if (kind < 2 && isFilled(wrong)) return pick(wrong, chance);
    if (kind < 5 && valid !== undefined) return spoil(valid.draw(chance, biasFactor), chance);
    if (kind === 5) return spoil(base.draw(chance, biasFactor), chance);
    return base.draw(chance, biasFactor);
  };
  const simplest = function* (): Generator<string> {
    yield* base.simplest();
    yield* wrong;
  };
  return { isSure: false, all: base.all, isWhole: base.isWhole, simplest, draw };
}

/** One character replaced, left out, doubled or put in, or the end cut off. */
function spoil(text: string, chance: Chance): string {
  const points = [...text];
  const at = chance.nextInt(0, points.length);
  const [before, here, after] = [points.slice(0, at), points.slice(at, at + 1), points.slice(at + 1)];
  switch (chance.nextInt(0, 5)) {
    case 0:
      return [...before, ...after].join('');
    case 1:
      return [...before, ...here, ...here, ...after].join('');
    case 2:
      return before.join('');
    case 3:
      return [...before, pick(spoilers, chance), ...here, ...after].join('');
    default:
      return [...before, pick(spoilers, chance), ...after].join('');
  }
}
