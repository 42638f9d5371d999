/** Small decisions about how a request is written: all of them plain unless chance says otherwise. */

import { type Arbitrary, array, nat } from 'fast-check';

/** Numbers that decide in turn. An empty list decides for what is plain, always. */
export type Choices = readonly number[];

/** An arbitrary of decisions, which shrinks to plain ones. */
export const choices: Arbitrary<Choices> = array(nat({ max: 11 }), { maxLength: 12 });

/** Takes one decision after the other. */
export class ChoiceStream {
  readonly #choices: Choices;
  #taken = 0;

  constructor(list: Choices) {
    this.#choices = list;
  }

  /** The number of one of so many ways; 0 is the plain one, and most frequent. */
  next(ways: number): number {
    const drawn = this.#choices[this.#taken % Math.max(1, this.#choices.length)] ?? 0;
    this.#taken += 1;
    return drawn < ways ? drawn : 0;
  }

  /** A list in another order, or in its own, which is the plain one. */
  shuffle<T>(list: readonly T[]): readonly T[] {
    const ranked = list.map((item) => ({ item, rank: this.next(list.length) }));
    return ranked.toSorted((left, right) => left.rank - right.rank).map(({ item }) => item);
  }
}
