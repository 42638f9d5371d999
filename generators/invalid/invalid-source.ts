/**
 * Sources that draw and shrink invalid instances with one labelled fault, at the instance itself or in one of its parts. `invalid-source-factory.ts` builds
 * them, and `invalid-arbitrary.ts` draws from the root. They know no keywords: the faults come from `schema-faults.ts`.
 */

import type { Json } from '../../core/json.ts';
import { equal } from '../../core/json-equality.ts';
import { toPointer } from '../../core/pointer.ts';
import { Exhausted, Unsatisfiable, undefinedIfExhausted } from '../generation-errors.ts';
import type { ArraySource } from '../sources/array-source.ts';
import { countRetry, type DrawContext, type DrawnInstance, drawContext, type InstanceSource } from '../sources/instance-source.ts';
import type { DrawnMembers } from '../sources/object-source.ts';
import { SeededRandom } from '../sources/random-numbers.ts';

/** The fault of an invalid instance. */
export interface FaultLabel {
  /** JSON Pointer into the instance. */
  readonly path: string;
  /** The keyword that is violated there. */
  readonly keyword: string;
  /** The problem, as a clause without a subject: `is above 100`. */
  readonly problem: string;
}

/** A source that knows the fault of each instance that it draws. */
export interface LabelledSource extends InstanceSource {
  /** Returns the fault of an instance of this source. */
  readonly labelOf: (instance: DrawnInstance) => FaultLabel;
}

/** Returns the label of a drawn object, from its invalid member `name`; `step` is the JSON Pointer of that member. */
export function labelOf(instance: DrawnInstance, step: string, name: string): FaultLabel {
  const { slots, instances } = instance.parts as DrawnMembers;
  const member = instances[slots.findIndex((slot) => slot.name === name)];
  if (member === undefined) throw new RangeError(`the invalid member ${name} is missing`);
  return labelOfPart(step, member);
}

/** Returns the label of a part, with the path from the whole instance. */
function labelOfPart(step: string, part: DrawnInstance): FaultLabel {
  const label = (part.source as LabelledSource).labelOf(part);
  return { ...label, path: step + label.path };
}

/** Depth budget of an instance with an invalid part: a small one shows the fault as well. */
const partDepthBudget = 6;
/** Depth budget of an instance that is invalid as a whole, such as a list instead of a number. */
const wholeDepthBudget = 1.5;
/** Limit of attempts, for a whole instance and for a part. An attempt fails if its branch yields nothing, or a valid instance. */
const maxAttempts = { root: 400, part: 30 } as const;
/** Limit of failed attempts inside one attempt for a whole instance. After that, another fault is more likely to succeed. */
const innerRetries = 50;

/** A fault at the instance itself, or all faults of one part. */
export interface InvalidBranch {
  /** The number of faults in this branch, which is its probability. */
  readonly weight: number;
  /** Nesting depth of the nearest fault. */
  readonly distance: number;
  /** Returns the source of instances with these faults; `undefined` if there are none. */
  readonly source: () => InstanceSource | undefined;
  /** Returns the fault of an instance of that source. */
  readonly label: (instance: DrawnInstance) => FaultLabel;
}

type OpenBranch = Omit<InvalidBranch, 'source'> & { readonly source: InstanceSource };

/** Draws instances with one fault. The root source validates each, because a branch of a choice may accept what another rejects. */
export class InvalidSource implements LabelledSource {
  readonly #listBranches: () => readonly InvalidBranch[];
  readonly #isInvalid: (value: Json) => boolean;
  readonly #isRoot: boolean;
  #branches: readonly OpenBranch[] | undefined;
  #simplest: DrawnInstance | undefined;

  constructor(listBranches: () => readonly InvalidBranch[], isInvalid: (value: Json) => boolean, isRoot = false) {
    this.#listBranches = listBranches;
    this.#isInvalid = isInvalid;
    this.#isRoot = isRoot;
  }

  draw(outerContext: DrawContext, depthBudget: number): DrawnInstance {
    const branches = this.#openBranches();
    const nearestBranches = nearestOf(branches);
    const tries = this.#isRoot ? maxAttempts.root : maxAttempts.part;
    let context = outerContext;
    for (let attempt = 0; attempt < tries; attempt += 1) {
      if (this.#isRoot) context = drawContext(outerContext.random, outerContext.bias, innerRetries);
      // Late attempts take the nearest fault, since other branches of a choice rarely accept it. A spent budget allows no deeper one.
      const branch = pickWeighted(depthBudget < 1 || attempt >= tries / 2 ? nearestBranches : branches, context);
      const instance = undefinedIfExhausted(() =>
        branch.source.draw(context, Math.min(depthBudget, branch.distance === 0 ? wholeDepthBudget : partDepthBudget)),
      );
      if (instance !== undefined && this.#isInvalid(instance.value)) return this.#wrap(branch, instance);
      if (!this.#isRoot) countRetry(context, 'an invalid instance');
    }
    throw new Exhausted('an invalid instance', tries);
  }

  simplest(): DrawnInstance {
    this.#simplest ??= this.#findSimplest();
    return this.#simplest;
  }

  #findSimplest(): DrawnInstance {
    for (const branch of this.#openBranches().toSorted((left, right) => left.distance - right.distance)) {
      const instance = undefinedIfExhausted(() => branch.source.simplest());
      if (instance !== undefined && this.#isInvalid(instance.value)) return this.#wrap(branch, instance);
    }
    return this.draw(drawContext(new SeededRandom(1)), 0);
  }

  *shrink(instance: DrawnInstance): Iterable<DrawnInstance> {
    const { branch, branchInstance } = instance.parts as ChosenBranch;
    if (this.#isRoot) {
      const simplest = this.simplest();
      if (equal(instance.value, simplest.value)) return;
      yield simplest;
    }
    for (const smaller of branchInstance.source.shrink(branchInstance))
      if (!this.#isRoot || this.#isInvalid(smaller.value)) yield this.#wrap(branch, smaller);
  }

  /** The fault of an instance of this source. */
  labelOf(instance: DrawnInstance): FaultLabel {
    const { branch, branchInstance } = instance.parts as ChosenBranch;
    return branch.label(branchInstance);
  }

  /** Returns the branches with a source. All sources are opened before the first draw, so that no draw depends on earlier ones. */
  #openBranches(): readonly OpenBranch[] {
    this.#branches ??= this.#listBranches().flatMap((branch) => {
      const source = branch.weight > 0 ? branch.source() : undefined;
      return source === undefined ? [] : [{ ...branch, source }];
    });
    if (this.#branches.length > 0) return this.#branches;
    throw new Unsatisfiable('#', 'no invalid instance can be generated');
  }

  #wrap(branch: OpenBranch, branchInstance: DrawnInstance): DrawnInstance {
    return { value: branchInstance.value, source: this, parts: { branch, branchInstance } satisfies ChosenBranch };
  }
}

interface ChosenBranch {
  readonly branch: OpenBranch;
  readonly branchInstance: DrawnInstance;
}

/** The branches with the nearest fault. */
function nearestOf(branches: readonly OpenBranch[]): readonly OpenBranch[] {
  const least = Math.min(...branches.map((branch) => branch.distance));
  return branches.filter((branch) => branch.distance === least);
}

function pickWeighted(branches: readonly OpenBranch[], { random }: DrawContext): OpenBranch {
  const total = branches.reduce((sum, branch) => sum + branch.weight, 0);
  let remainingWeight = random.nextInt(1, total);
  const weightedBranch = branches.find((branch) => {
    remainingWeight -= branch.weight;
    return remainingWeight <= 0;
  });
  const chosenBranch = weightedBranch ?? branches[0];
  if (chosenBranch === undefined) throw new RangeError('no branch to choose from');
  return chosenBranch;
}

/** Attempts to draw an array that is long enough for the invalid item. */
const lengthAttempts = 40;
/** Named in the error when there is no such array. */
const searchDescription = 'an array that is long enough for the invalid item';

/** Draws an array and replaces one item by an invalid one. */
export class InvalidItemSource implements LabelledSource {
  readonly #arraySource: ArraySource;
  readonly #invalid: LabelledSource;
  readonly #index: number;
  /** True if any later item may be the invalid one instead. */
  readonly #isOpenEnded: boolean;

  constructor(arraySource: ArraySource, invalid: LabelledSource, index: number, isOpenEnded: boolean) {
    this.#arraySource = arraySource;
    this.#invalid = invalid;
    this.#index = index;
    this.#isOpenEnded = isOpenEnded;
  }

  draw(context: DrawContext, depthBudget: number): DrawnInstance {
    // The budget shrinks at each level, so that the search for a fault ends.
    const invalidItem = this.#invalid.draw(context, depthBudget - 1);
    for (let attempt = 0; attempt < lengthAttempts; attempt += 1) {
      // The other items are shallow, since their number multiplies at each level.
      const array = this.#arraySource.drawOf(attempt === 0 ? undefined : this.#index + attempt, context, 0, false);
      const items = array?.parts as readonly DrawnInstance[] | undefined;
      if (items === undefined || items.length <= this.#index) {
        countRetry(context, searchDescription);
        continue;
      }
      const index = this.#isOpenEnded ? context.random.nextInt(this.#index, items.length - 1) : this.#index;
      return this.#wrap(items.with(index, invalidItem), index);
    }
    throw new Exhausted(searchDescription, lengthAttempts);
  }

  simplest(): DrawnInstance {
    const items = this.#arraySource.drawSimplest(this.#index + 1).parts as readonly DrawnInstance[];
    return this.#wrap(items.with(this.#index, this.#invalid.simplest()), this.#index);
  }

  *shrink(instance: DrawnInstance): Iterable<DrawnInstance> {
    const { items, index } = instance.parts as InvalidItem;
    const least = Math.max(this.#arraySource.least, this.#index + 1);
    if (this.#isOpenEnded) {
      for (let removedIndex = items.length - 1; removedIndex >= this.#index && items.length > least; removedIndex -= 1) {
        if (removedIndex !== index) yield this.#wrap(items.toSpliced(removedIndex, 1), removedIndex < index ? index - 1 : index);
      }
    }
    for (const [position, item] of items.entries()) {
      for (const smaller of item.source.shrink(item)) yield this.#wrap(items.with(position, smaller), index);
    }
  }

  /** The fault of an instance of this source. */
  labelOf(instance: DrawnInstance): FaultLabel {
    const { items, index } = instance.parts as InvalidItem;
    const invalidItem = items[index];
    if (invalidItem === undefined) throw new RangeError(`the invalid item ${index} is missing`);
    return labelOfPart(toPointer([index]), invalidItem);
  }

  #wrap(items: readonly DrawnInstance[], index: number): DrawnInstance {
    return { value: items.map((item) => item.value), source: this, parts: { items, index } satisfies InvalidItem };
  }
}

interface InvalidItem {
  readonly items: readonly DrawnInstance[];
  readonly index: number;
}
