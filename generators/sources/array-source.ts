/**
 * The source of the arrays of one domain. At each draw it chooses a length, places the items that `contains` requires, and draws distinct or duplicate items.
 */

import type { Json } from '../../core/json.ts';
import { canonicalText, equal } from '../../core/json-equality.ts';
import { type Constraint, opposite } from '../constraints/constraint.ts';
import { type ArrayDomain, type Domain, type ItemRequirement, itemConstraints, prefixLength } from '../constraints/instance-domain.ts';
import type { ConstraintConjunction } from '../constraints/satisfiability-analysis.ts';
import { hasChecks, isInDomain } from '../constraints/validate-instance.ts';
import { Exhausted, undefinedIfExhausted } from '../generation-errors.ts';
import {
  countRetry,
  type DrawContext,
  type DrawnInstance,
  drawContext,
  type InstanceSource,
  type PartFactory,
  removals,
} from './instance-source.ts';
import { isAtEdge, type RandomNumbers, SeededRandom } from './random-numbers.ts';

/** Longer arrays are drawn only if the schema requires them. */
const usualMax = 100;
/** Usual number of items above the minimum. */
const usualExtra = 6;
/** Draws of an item until it is distinct, and of an array until it satisfies the domain. */
const maxAttempts = { item: 40, array: 40 } as const;
/** Text of the error after all attempts failed. */
const searchDescription = 'an array whose items satisfy its schema';

/** Makes an item; `retry` counts the rejected ones. */
type MakeItem = (conjunction: ConstraintConjunction, retry: number) => DrawnInstance;

/** Draws arrays of one domain. */
export class ArraySource implements InstanceSource {
  readonly #domain: Domain;
  readonly #factory: PartFactory;
  readonly #minDepth: number;
  /** From this index on, all items have the same constraints. */
  readonly #prefixLength: number;
  readonly #conjunctions: ConstraintConjunction[] = [];
  #cachedMaxLength: number | undefined;
  #simplest: DrawnInstance | undefined;

  /** `minDepth` is that of the shallowest of these arrays. */
  constructor(domain: Domain, factory: PartFactory, minDepth: number) {
    this.#minDepth = minDepth;
    this.#domain = domain;
    this.#factory = factory;
    this.#prefixLength = prefixLength(domain.array);
  }

  get size(): number {
    return this.#domain.array.max === 0 ? 1 : Infinity;
  }

  children(): readonly InstanceSource[] {
    const maxLength = this.#maxLength();
    const conjunctions = Array.from({ length: this.#prefixLength + 1 }, (_, index) => this.#itemConjunction(index)).slice(0, maxLength);
    return conjunctions
      .filter((conjunction) => this.#factory.isPossible(conjunction))
      .map((conjunction) => this.#factory.sourceOf(conjunction));
  }

  draw(context: DrawContext, depthBudget: number): DrawnInstance {
    for (let attempt = 0; attempt < maxAttempts.array; attempt += 1) {
      // Every other attempt grows the length from the minimum, since some lengths leave no room for the requirements.
      const usualLength = attempt % 2 === 0 ? this.#length(context, this.#isSpent(depthBudget)) : this.#domain.array.min + (attempt >> 1);
      const length = Math.min(this.#maxLength(), usualLength);
      const make: MakeItem = (conjunction) =>
        this.#factory.sourceOf(conjunction).draw(context, this.#share(conjunction, depthBudget, length));
      const array = this.#attempt(length, make, context.random, depthBudget < 1);
      if (array !== undefined) return array;
      countRetry(context, searchDescription);
    }
    throw new Exhausted(searchDescription, maxAttempts.array);
  }

  simplest(): DrawnInstance {
    this.#simplest ??= this.#findSimplest();
    return this.#simplest;
  }

  #findSimplest(): DrawnInstance {
    const context = drawContext(new SeededRandom(1));
    for (let attempt = 0; attempt < maxAttempts.array; attempt += 1) {
      const length = Math.min(this.#maxLength(), this.#domain.array.min + Math.floor(attempt / 4));
      // The first attempt takes the simplest items; where they conflict, random ones replace them.
      const make: MakeItem = (conjunction, retry) => {
        const source = this.#factory.sourceOf(conjunction);
        return retry === 0 ? source.simplest() : source.draw(context, 0);
      };
      const array = this.#attempt(length, make, context.random, true);
      if (array !== undefined) return array;
      countRetry(context, searchDescription);
    }
    throw new Exhausted(searchDescription, maxAttempts.array);
  }

  *shrink(instance: DrawnInstance): Iterable<DrawnInstance> {
    const items = instance.parts as readonly DrawnInstance[];
    // Random items can fit together where the simplest ones do not.
    const simplest = undefinedIfExhausted(() => this.simplest());
    if (simplest !== undefined) {
      if (equal(instance.value, simplest.value)) return;
      yield simplest;
    }
    for (const smaller of this.#smaller(items)) {
      const candidate = this.#wrap(smaller);
      if (isInDomain(this.#domain, candidate.value)) yield candidate;
    }
  }

  *#smaller(items: readonly DrawnInstance[]): Iterable<readonly DrawnInstance[]> {
    for (const removedIndexes of removals([...items.keys()], items.length - this.#domain.array.min))
      yield items.filter((_, index) => !removedIndexes.includes(index));
    for (const [index, item] of items.entries()) {
      for (const smaller of item.source.shrink(item)) yield items.with(index, smaller);
    }
  }

  #length(context: DrawContext, isSpent: boolean): number {
    const { min } = this.#domain.array;
    const maxLength = this.#maxLength();
    if (maxLength <= min || isSpent) return Math.min(min, maxLength);
    const { random } = context;
    if (isAtEdge(context.random, context.bias)) {
      const high = maxLength <= Math.max(usualMax, min + 1) ? maxLength : min + usualExtra;
      return random.nextInt(0, 1) === 0 ? min : high;
    }
    return min + random.nextInt(0, Math.min(maxLength - min, Math.max(usualExtra, this.#prefixLength - min + 2)));
  }

  /** The greatest length for which every item is possible. */
  #maxLength(): number {
    if (this.#cachedMaxLength !== undefined) return this.#cachedMaxLength;
    const { array } = this.#domain;
    const positions = Array.from({ length: this.#prefixLength + 1 }, (_, index) => index);
    const firstImpossible = positions.find((index) => !this.#factory.isPossible(this.#itemConjunction(index)));
    const maxPossible = Math.min(array.max, firstImpossible ?? Infinity);
    const isDistinct = array.unique && maxPossible > this.#prefixLength;
    const distinctCount = isDistinct ? (this.#factory.sourceOf(this.#itemConjunction(this.#prefixLength)).size ?? Infinity) : Infinity;
    this.#cachedMaxLength = Math.min(maxPossible, this.#prefixLength + distinctCount);
    return this.#cachedMaxLength;
  }

  /** An array of a length; `undefined` when its items do not satisfy the domain. */
  #attempt(length: number, make: MakeItem, random: RandomNumbers, isSpent: boolean): DrawnInstance | undefined {
    const { array } = this.#domain;
    const minDepthAt = (index: number, addedConstraints: readonly Constraint[]): number =>
      this.#factory.analysis.minDepth(this.#conjunctionWith(index, addedConstraints));
    const addedByIndex = placeRequirements(array.requirements, length, minDepthAt, random, isSpent);
    const duplicates = array.repeated ? chooseDuplicates(array, length, minDepthAt, random) : undefined;
    if (addedByIndex === undefined || (array.repeated && duplicates === undefined)) return undefined;
    const [first = -1, second = -1] = duplicates ?? [];
    const conjunctions = addedByIndex.map((addedConstraints, index) =>
      this.#conjunctionWith(index, index === first ? [...addedConstraints, ...itemConstraints(array, second)] : addedConstraints),
    );
    // If the depth budget is spent, items must be shallower than the array: otherwise they could be such arrays again, without end.
    if (
      isSpent &&
      conjunctions.some((conjunction) => conjunction.isRecursive && this.#factory.analysis.minDepth(conjunction) >= this.#minDepth)
    )
      return undefined;
    const items = this.#fill(conjunctions, make);
    const duplicate = items?.[first];
    const drawnArray = items && this.#wrap(duplicate === undefined ? items : items.with(second, duplicate));
    const needsCheck = array.requirements.length > 0 || hasChecks(this.#domain);
    return drawnArray !== undefined && needsCheck && !isInDomain(this.#domain, drawnArray.value) ? undefined : drawnArray;
  }

  /** An item for each conjunction. Fewer when no further distinct item is found and the minimum is reached. */
  #fill(conjunctions: readonly ConstraintConjunction[], make: MakeItem): readonly DrawnInstance[] | undefined {
    const { min, unique } = this.#domain.array;
    const drawnTexts = unique ? new Set<string>() : undefined;
    const items: DrawnInstance[] = [];
    for (const conjunction of conjunctions) {
      const item = this.#drawItem(conjunction, make, drawnTexts);
      if (item === undefined) return items.length >= min ? items : undefined;
      items.push(item);
    }
    return items;
  }

  /** A distinct item, where `uniqueItems` asks for it. */
  #drawItem(conjunction: ConstraintConjunction, make: MakeItem, drawnTexts: Set<string> | undefined): DrawnInstance | undefined {
    if (!this.#factory.isPossible(conjunction)) return undefined;
    if (drawnTexts === undefined) return make(conjunction, 0);
    for (let retry = 0; retry < maxAttempts.item; retry += 1) {
      const item = make(conjunction, retry);
      const text = canonicalText(item.value);
      if (drawnTexts.has(text)) continue;
      drawnTexts.add(text);
      return item;
    }
    return undefined;
  }

  #conjunctionWith(index: number, addedConstraints: readonly Constraint[]): ConstraintConjunction {
    return addedConstraints.length === 0
      ? this.#itemConjunction(index)
      : this.#factory.analysis.conjunction([...itemConstraints(this.#domain.array, index), ...addedConstraints]);
  }

  /** The constraints on the item at an index, by its position. */
  #itemConjunction(index: number): ConstraintConjunction {
    const position = Math.min(index, this.#prefixLength);
    this.#conjunctions[position] ??= this.#factory.analysis.conjunction(itemConstraints(this.#domain.array, position));
    return this.#conjunctions[position];
  }

  #isSpent(depthBudget: number): boolean {
    return depthBudget < 1 && this.#itemConjunction(this.#prefixLength).isRecursive;
  }

  #share(conjunction: ConstraintConjunction, depthBudget: number, length: number): number {
    return conjunction.isRecursive ? (depthBudget - 1) / length : depthBudget;
  }

  #wrap(items: readonly DrawnInstance[]): DrawnInstance {
    const value: Json[] = [];
    for (const item of items) value.push(item.value);
    return { value, source: this, parts: items };
  }
}

/** The depth of the shallowest item at an index with added constraints; infinite when there is none. */
type MinDepthAt = (index: number, addedConstraints: readonly Constraint[]) => number;

/** The constraints to add to each item so that all requirements are met; `undefined` when they cannot be met. */
function placeRequirements(
  requirements: readonly ItemRequirement[],
  length: number,
  minDepthAt: MinDepthAt,
  random: RandomNumbers,
  isSpent: boolean,
): readonly (readonly Constraint[])[] | undefined {
  const addedByIndex: (readonly Constraint[])[] = Array.from({ length }, () => []);
  return requirements.every((requirement) => applyRequirement(requirement, addedByIndex, minDepthAt, random, isSpent))
    ? addedByIndex
    : undefined;
}

function applyRequirement(
  { constraint, min, max, from }: ItemRequirement,
  addedByIndex: (readonly Constraint[])[],
  minDepthAt: MinDepthAt,
  random: RandomNumbers,
  isSpent: boolean,
): boolean {
  const positions = shuffle([...addedByIndex.keys()].slice(from), random);
  const minDepth = (index: number, addedConstraint: Constraint): number =>
    minDepthAt(index, [...(addedByIndex[index] ?? []), addedConstraint]);
  const isPossible = (index: number, addedConstraint: Constraint): boolean => minDepth(index, addedConstraint) < Infinity;
  const possibleIndexes = positions.filter((index) => isPossible(index, constraint));
  // If the depth budget is spent, the shallowest items meet the requirement.
  const orderedIndexes = isSpent
    ? possibleIndexes.toSorted((left, right) => minDepth(left, constraint) - minDepth(right, constraint))
    : possibleIndexes;
  // Only with a maximum do the other items matter.
  const isLimited = max < positions.length;
  const inevitableIndexes = isLimited ? orderedIndexes.filter((index) => !isPossible(index, opposite(constraint))) : [];
  const maxCount = Math.min(max, orderedIndexes.length);
  const minCount = Math.max(min, inevitableIndexes.length);
  if (minCount > maxCount) return false;
  const count = isLimited ? random.nextInt(minCount, maxCount) : minCount;
  const chosenIndexes = new Set(
    [...inevitableIndexes, ...orderedIndexes.filter((index) => !inevitableIndexes.includes(index))].slice(0, count),
  );
  for (const index of positions) {
    const addedConstraint = chosenIndexes.has(index) ? constraint : isLimited ? opposite(constraint) : undefined;
    if (addedConstraint !== undefined) addedByIndex[index] = [...(addedByIndex[index] ?? []), addedConstraint];
  }
  return true;
}

/** Two positions whose items can be equal. */
function chooseDuplicates(
  array: ArrayDomain,
  length: number,
  minDepthAt: MinDepthAt,
  random: RandomNumbers,
): readonly [number, number] | undefined {
  const indexes = Array.from({ length }, (_, index) => index);
  const pairs = indexes.flatMap((left) => indexes.slice(left + 1).map((right) => [left, right] as const));
  const possiblePairs = pairs.filter(([left, right]) => minDepthAt(left, itemConstraints(array, right)) < Infinity);
  return possiblePairs.length === 0 ? undefined : possiblePairs[random.nextInt(0, possiblePairs.length - 1)];
}

function shuffle(list: number[], random: RandomNumbers): readonly number[] {
  for (let last = list.length - 1; last > 0; last -= 1) {
    const position = random.nextInt(0, last);
    [list[last], list[position]] = [list[position] ?? 0, list[last] ?? 0];
  }
  return list;
}
