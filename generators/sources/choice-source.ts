/** The source of the instances of several domains: at each draw it chooses one of their sources. */

import { equal } from '../../core/json-equality.ts';
import { Exhausted, undefinedIfExhausted } from '../generation-errors.ts';
import type { DrawContext, DrawnInstance, InstanceSource } from './instance-source.ts';

/** One alternative of a choice. */
export interface Branch {
  readonly source: InstanceSource;
  readonly minDepth: number;
  /** Branches of a group share its probability, so that many domains of one type do not hide the others. */
  readonly group: string;
}

/** Chooses a group, then one of its branches. Branches are sorted, the simplest first. */
export class ChoiceSource implements InstanceSource {
  readonly #branches: readonly Branch[];
  readonly #groups: readonly (readonly number[])[];
  /** The branches to choose from when the depth budget is spent. */
  readonly #shallowest: readonly number[];
  readonly #isRecursive: boolean;

  constructor(branches: readonly Branch[], isRecursive: boolean) {
    this.#branches = branches;
    this.#isRecursive = isRecursive;
    const indexes = branches.map((_, index) => index);
    const groups = new Set(branches.map((branch) => branch.group));
    this.#groups = [...groups].map((group) => indexes.filter((index) => branches[index]?.group === group));
    const minDepth = Math.min(...branches.map((branch) => branch.minDepth));
    this.#shallowest = indexes.filter((index) => branches[index]?.minDepth === minDepth);
  }

  get size(): number {
    return this.#branches.reduce((sum, branch) => sum + (branch.source.size ?? Infinity), 0);
  }

  children(): readonly InstanceSource[] {
    return this.#branches.map((branch) => branch.source);
  }

  draw(context: DrawContext, depthBudget: number): DrawnInstance {
    const { random } = context;
    const isSpent = this.#isRecursive && depthBudget < 1;
    const group = (isSpent ? this.#shallowest : pick(this.#groups, random)) ?? [];
    const index = pick(group, random) ?? 0;
    const instance = undefinedIfExhausted(() => this.#at(index).draw(context, depthBudget));
    if (instance !== undefined) return this.#wrap(index, instance);
    // A branch may turn out to be empty: the simplest other branch with an instance replaces it.
    const otherIndexes = [...(isSpent ? this.#shallowest : this.#branches.keys())].filter((other) => other !== index);
    return this.#firstOf(otherIndexes, (source) => source.draw(context, depthBudget));
  }

  simplest(): DrawnInstance {
    return this.#firstOf(this.#branches.keys(), (source) => source.simplest());
  }

  #firstOf(indexes: Iterable<number>, make: (source: InstanceSource) => DrawnInstance): DrawnInstance {
    for (const index of indexes) {
      const instance = undefinedIfExhausted(() => make(this.#at(index)));
      if (instance !== undefined) return this.#wrap(index, instance);
    }
    throw new Exhausted('an instance of any domain of a schema', this.#branches.length);
  }

  *shrink(instance: DrawnInstance): Iterable<DrawnInstance> {
    const { index, branchInstance } = instance.parts as ChosenBranch;
    for (let simpler = 0; simpler < index; simpler += 1) {
      const smaller = undefinedIfExhausted(() => this.#at(simpler).simplest());
      if (smaller === undefined) continue;
      // Domains overlap, so the value may be the simplest of an earlier one. Beyond that domain, shrinking would come back to it.
      if (equal(smaller.value, instance.value)) return;
      yield this.#wrap(simpler, smaller);
    }
    for (const smaller of branchInstance.source.shrink(branchInstance)) yield this.#wrap(index, smaller);
  }

  #at(index: number): InstanceSource {
    const branch = this.#branches[index];
    if (branch === undefined) throw new RangeError(`there is no branch ${index} of ${this.#branches.length}`);
    return branch.source;
  }

  #wrap(index: number, branchInstance: DrawnInstance): DrawnInstance {
    return { value: branchInstance.value, source: this, parts: { index, branchInstance } satisfies ChosenBranch };
  }
}

interface ChosenBranch {
  readonly index: number;
  readonly branchInstance: DrawnInstance;
}

function pick<T>(list: readonly T[], random: DrawContext['random']): T | undefined {
  return list.length === 1 ? list[0] : list[random.nextInt(0, list.length - 1)];
}
