/** Arrays with one wrong item. */

import { toPointer } from '../../core/pointer.ts';
import type { ListSource } from '../source/list.ts';
import { type Draft, Exhausted, type Manner, type Source, tryAgain } from '../source/source.ts';
import { below, type Faulty, type Label } from './label.ts';

/** How often an array is drawn until it is long enough to hold the wrong item. */
const patience = 40;
/** What was sought when the patience is at its end. */
const sought = 'an array that is long enough to hold a wrong item';

/** Draws an array and puts a wrong item into it. */
export class ItemMissSource implements Faulty {
  readonly size: number = Infinity;
  readonly #list: ListSource;
  readonly #wrong: Faulty;
  readonly #index: number;
  /** Whether any later item may be the wrong one as well. */
  readonly #isOpenEnded: boolean;

  constructor(list: ListSource, wrong: Faulty, index: number, isOpenEnded: boolean) {
    this.#list = list;
    this.#wrong = wrong;
    this.#index = index;
    this.#isOpenEnded = isOpenEnded;
  }

  children(): readonly Source[] {
    return [];
  }

  draw(manner: Manner, fuel: number): Draft {
    // A level deeper there is less to nest with, or a fault might be looked for without end.
    const wrong = this.#wrong.draw(manner, fuel - 1);
    for (let attempt = 0; attempt < patience; attempt += 1) {
      // The other items need not nest: it is the wrong one that matters, and two of each at every level would be very many.
      const list = this.#list.drawOf(attempt === 0 ? undefined : this.#index + attempt, manner, 0, false);
      const items = list?.parts as readonly Draft[] | undefined;
      if (items === undefined || items.length <= this.#index) {
        tryAgain(manner, sought);
        continue;
      }
      const index = this.#isOpenEnded ? manner.chance.nextInt(this.#index, items.length - 1) : this.#index;
      return this.#wrap(items.with(index, wrong), index);
    }
    throw new Exhausted(sought, patience);
  }

  simplest(): Draft {
    const items = this.#list.drawSimplest(this.#index + 1).parts as readonly Draft[];
    return this.#wrap(items.with(this.#index, this.#wrong.simplest()), this.#index);
  }

  *shrink(draft: Draft): Iterable<Draft> {
    const { items, index } = draft.parts as Missed;
    const least = Math.max(this.#list.least, this.#index + 1);
    if (this.#isOpenEnded) {
      for (let gone = items.length - 1; gone >= this.#index && items.length > least; gone -= 1) {
        if (gone !== index) yield this.#wrap(items.toSpliced(gone, 1), gone < index ? index - 1 : index);
      }
    }
    for (const [at, item] of items.entries()) {
      for (const smaller of item.source.shrink(item)) yield this.#wrap(items.with(at, smaller), index);
    }
  }

  /** What is wrong with a draft of this source, and where. */
  labelOf(draft: Draft): Label {
    const { items, index } = draft.parts as Missed;
    const wrong = items[index];
    if (wrong === undefined) throw new RangeError(`the item ${index} that has the fault is not there`);
    return below(toPointer([index]), wrong);
  }

  #wrap(items: readonly Draft[], index: number): Draft {
    return { value: items.map((item) => item.value), source: this, parts: { items, index } satisfies Missed };
  }
}

interface Missed {
  readonly items: readonly Draft[];
  readonly index: number;
}
