/** Tries a draft out before anybody relies on it: how many of its draws are accepted. */

import { Dice } from '../source/dice.ts';
import type { Draft } from './draft.ts';

/** The draws that a trial makes at most. */
const draws = 200;

/** Of so many draws at least one must be accepted. */
const oneIn = 50;

/** As many tries are made for one text; at one in fifty, more are needed once in 10^17 times. */
const triesPerText = 2_000;

/** What a trial found. */
export interface Trial {
  readonly accepted: readonly string[];
  readonly drawn: number;
  /** Whether enough was accepted to go on. */
  readonly passed: boolean;
}

/** Draws a few texts, the same ones every time. A draft that is sure is believed after a few. */
export function tryOut(draft: Draft, accepts: (text: string) => boolean): Trial {
  // The trial must not depend on, nor change, anybody's chance.
  const dice = new Dice(1);
  const accepted: string[] = [];
  let drawn = 0;
  for (; drawn < draws && accepted.length < 20; drawn += 1) {
    // Edges of a draft that is sure may be far away, and need no proof.
    const text = draft.draw(dice, !draft.isSure && drawn % 4 === 0 ? 2 : undefined);
    if (accepts(text)) accepted.push(text);
  }
  return { accepted, drawn, passed: accepted.length * oneIn >= drawn };
}

/** Draws until a text is accepted. */
export function judged(draft: Draft, accepts: (text: string) => boolean, wanted: string): Draft['draw'] {
  return (chance, biasFactor) => {
    for (let tries = 0; tries < triesPerText; tries += 1) {
      const text = draft.draw(chance, biasFactor);
      if (accepts(text)) return text;
    }
    throw new Error(`none of ${triesPerText} texts drawn ${wanted}; say more narrowly in the schema what the text looks like`);
  };
}
