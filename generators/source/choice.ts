/** Sources that choose: an instance is of one of several forms. */

import { equal } from '../schema/equality.ts';
import { type Draft, Exhausted, type Manner, type Source, unlessExhausted } from './source.ts';

/** One of the sources to choose from. */
export interface Branch {
  readonly source: Source;
  readonly height: number;
  /** Branches of one group share the probability of the group, so that many forms of one type do not hide the others. */
  readonly group: string;
}

/** Chooses a group, then a branch of it. Branches are sorted: the first is the simplest. */
export class ChoiceSource implements Source {
  readonly #branches: readonly Branch[];
  readonly #groups: readonly (readonly number[])[];
  /** The branches to choose from when instances must stop to nest. */
  readonly #lowest: readonly number[];
  readonly #isRecursive: boolean;

  constructor(branches: readonly Branch[], isRecursive: boolean) {
    this.#branches = branches;
    this.#isRecursive = isRecursive;
    const indexes = branches.map((_, index) => index);
    const groups = new Set(branches.map((branch) => branch.group));
    this.#groups = [...groups].map((group) => indexes.filter((index) => branches[index]?.group === group));
    const lowest = Math.min(...branches.map((branch) => branch.height));
    this.#lowest = indexes.filter((index) => branches[index]?.height === lowest);
  }

  get size(): number {
    return this.#branches.reduce((sum, branch) => sum + branch.source.size, 0);
  }

  children(): readonly Source[] {
    return this.#branches.map((branch) => branch.source);
  }

  draw(manner: Manner, fuel: number): Draft {
    const { chance } = manner;
    const isSpent = this.#isRecursive && fuel < 1;
    const group = (isSpent ? this.#lowest : pick(this.#groups, chance)) ?? [];
    const index = pick(group, chance) ?? 0;
    if (this.#branches.length === 1) return this.#wrap(index, this.#at(index).draw(manner, fuel));
    const drawn = unlessExhausted(() => this.#at(index).draw(manner, fuel));
    const others = isSpent ? this.#lowest : this.#branches.keys();
    return drawn === undefined
      ? this.#drawOther(
          [...others].filter((other) => other !== index),
          manner,
          fuel,
        )
      : this.#wrap(index, drawn);
  }

  /** A branch may have no instance after all; then the simplest of the others that has one takes its place. */
  #drawOther(others: readonly number[], manner: Manner, fuel: number): Draft {
    for (const index of others) {
      const drawn = unlessExhausted(() => this.#at(index).draw(manner, fuel));
      if (drawn !== undefined) return this.#wrap(index, drawn);
    }
    throw new Exhausted('an instance of any of the forms that a schema allows', this.#branches.length);
  }

  simplest(): Draft {
    for (const [index, branch] of this.#branches.entries()) {
      const simplest = unlessExhausted(() => branch.source.simplest());
      if (simplest !== undefined) return this.#wrap(index, simplest);
    }
    throw new Exhausted('an instance of any of the forms that a schema allows', this.#branches.length);
  }

  *shrink(draft: Draft): Iterable<Draft> {
    const { index, inner } = draft.parts as Chosen;
    for (let simpler = 0; simpler < index; simpler += 1) {
      const smaller = unlessExhausted(() => this.#at(simpler).simplest());
      // Forms overlap: the same value as of a simpler form is not smaller.
      if (smaller !== undefined && !equal(smaller.value, draft.value)) yield this.#wrap(simpler, smaller);
    }
    for (const smaller of inner.source.shrink(inner)) yield this.#wrap(index, smaller);
  }

  #at(index: number): Source {
    const branch = this.#branches[index];
    if (branch === undefined) throw new RangeError(`there is no branch ${index} of ${this.#branches.length}`);
    return branch.source;
  }

  #wrap(index: number, inner: Draft): Draft {
    return { value: inner.value, source: this, parts: { index, inner } satisfies Chosen };
  }
}

interface Chosen {
  readonly index: number;
  readonly inner: Draft;
}

function pick<T>(list: readonly T[], chance: Manner['chance']): T | undefined {
  return list.length === 1 ? list[0] : list[chance.nextInt(0, list.length - 1)];
}
