/**
 * The source of the arrays of one domain. It chooses a length, places the items that `contains` requires, and draws distinct or duplicate items.
 * `source-factory.ts` creates it for each domain of arrays, and `invalid-source-factory.ts` asks it for invalid items. Items come from other sources.
 */

import type { Json } from '../../core/json.ts';
import { canonicalText, equal } from '../../core/json-equality.ts';
import { type Constraint, opposite } from '../constraints/constraint.ts';
import { type ArrayDomain, type Domain, type ItemRequirement, itemConstraints, prefixLength } from '../constraints/domain.ts';
import type { ConstraintConjunction, SchemaAnalysis } from '../constraints/schema-analysis.ts';
import { hasChecks, isInDomain } from '../constraints/validate-instance.ts';
import { Exhausted } from '../generation-errors.ts';
import { countRetry, type DrawContext, type DrawnInstance, drawContext, type InstanceSource, removals } from './instance-source.ts';
import { isAtEdge, type RandomNumbers, SeededRandom } from './random-numbers.ts';

/** The sources of the parts of an instance. `SourceFactory` implements it. */
export interface PartFactory {
  readonly analysis: SchemaAnalysis;
  /**
   * The source of the instances of a conjunction.
   * @throws {Unsatisfiable} when there are none.
   * @throws {Unsupported} when they cannot be generated.
   */
  readonly sourceOf: (conjunction: ConstraintConjunction) => InstanceSource;
  /** True when a conjunction has instances. */
  readonly isPossible: (conjunction: ConstraintConjunction) => boolean;
}

/** Longer arrays are drawn only if the schema requires them. */
const usualMax = 100;
/** Usual number of items above the minimum. */
const usualExtra = 6;
/** Draws of an item until it is distinct, and of an array until it satisfies the domain. */
const maxAttempts = { item: 40, array: 40 } as const;
/** Text of the error after all attempts failed. */
const searchedFor = 'an array whose items satisfy its schema';

/** Makes an item; `retry` counts the rejected ones. */
type Make = (conjunction: ConstraintConjunction, retry: number) => DrawnInstance;

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
    const most = this.#maxLength();
    const conjunctions = Array.from({ length: this.#prefixLength + 1 }, (_, index) => this.itemConjunction(index)).slice(0, most);
    return conjunctions
      .filter((conjunction) => this.#factory.isPossible(conjunction))
      .map((conjunction) => this.#factory.sourceOf(conjunction));
  }

  /** Number of positions with constraints of their own; the last stands for all later items. */
  get positionCount(): number {
    return Math.min(this.#prefixLength + 1, this.#maxLength());
  }

  /** The minimum number of items. */
  get least(): number {
    return this.#domain.array.min;
  }

  /** An array of `count` items, or of a random length; `undefined` when the attempt fails. `isSpent` stops further nesting. */
  drawOf(
    count: number | undefined,
    context: DrawContext,
    depthBudget: number,
    isSpent: boolean = depthBudget < 1,
  ): DrawnInstance | undefined {
    const length = Math.min(this.#maxLength(), count ?? this.#length(context, this.#isSpent(depthBudget)));
    return this.#attempt(
      length,
      (conjunction) => this.#factory.sourceOf(conjunction).draw(context, this.#share(conjunction, depthBudget, length)),
      context.random,
      isSpent,
    );
  }

  draw(context: DrawContext, depthBudget: number): DrawnInstance {
    for (let attempt = 0; attempt < maxAttempts.array; attempt += 1) {
      // Every other attempt grows the length from the minimum, since some lengths leave no room for the requirements.
      const found = this.drawOf(attempt % 2 === 0 ? undefined : this.#domain.array.min + (attempt >> 1), context, depthBudget);
      if (found !== undefined) return found;
      countRetry(context, searchedFor);
    }
    throw new Exhausted(searchedFor, maxAttempts.array);
  }

  simplest(): DrawnInstance {
    this.#simplest ??= this.drawSimplest(this.#domain.array.min);
    return this.#simplest;
  }

  /** The simplest array of at least `min` items. */
  drawSimplest(min: number): DrawnInstance {
    const context = drawContext(new SeededRandom(1));
    for (let attempt = 0; attempt < maxAttempts.array; attempt += 1) {
      const length = Math.min(this.#maxLength(), min + Math.floor(attempt / 4));
      // The first attempt takes the simplest items; where they conflict, random ones replace them.
      const make: Make = (conjunction, retry) => {
        const source = this.#factory.sourceOf(conjunction);
        return retry === 0 ? source.simplest() : source.draw(context, 0);
      };
      const found = this.#attempt(length, make, context.random, min === this.#domain.array.min);
      if (found !== undefined) return found;
      countRetry(context, searchedFor);
    }
    throw new Exhausted(searchedFor, maxAttempts.array);
  }

  *shrink(instance: DrawnInstance): Iterable<DrawnInstance> {
    const items = instance.parts as readonly DrawnInstance[];
    const simplest = this.simplest();
    if (equal(instance.value, simplest.value)) return;
    yield simplest;
    for (const smaller of this.#smaller(items)) {
      const candidate = this.#wrap(smaller);
      if (isInDomain(this.#domain, candidate.value)) yield candidate;
    }
  }

  *#smaller(items: readonly DrawnInstance[]): Iterable<readonly DrawnInstance[]> {
    for (const gone of removals([...items.keys()], items.length - this.#domain.array.min))
      yield items.filter((_, index) => !gone.includes(index));
    for (const [index, item] of items.entries()) {
      for (const smaller of item.source.shrink(item)) yield items.with(index, smaller);
    }
  }

  #length(context: DrawContext, isSpent: boolean): number {
    const { min } = this.#domain.array;
    const most = this.#maxLength();
    if (most <= min || isSpent) return Math.min(min, most);
    const { random } = context;
    if (isAtEdge(context.random, context.bias)) {
      const high = most <= Math.max(usualMax, min + 1) ? most : min + usualExtra;
      return random.nextInt(0, 1) === 0 ? min : high;
    }
    return min + random.nextInt(0, Math.min(most - min, Math.max(usualExtra, this.#prefixLength - min + 2)));
  }

  /** The greatest length for which every item is possible. */
  #maxLength(): number {
    if (this.#cachedMaxLength !== undefined) return this.#cachedMaxLength;
    const { array } = this.#domain;
    const positionCount = Array.from({ length: this.#prefixLength + 1 }, (_, index) => index);
    const impossible = positionCount.find((index) => !this.#factory.isPossible(this.itemConjunction(index)));
    const most = Math.min(array.max, impossible ?? Infinity);
    const isDistinct = array.unique && most > this.#prefixLength;
    const kinds = isDistinct ? (this.#factory.sourceOf(this.itemConjunction(this.#prefixLength)).size ?? Infinity) : Infinity;
    this.#cachedMaxLength = Math.min(most, this.#prefixLength + kinds);
    return this.#cachedMaxLength;
  }

  /** An array of a length; `undefined` when its items do not satisfy the domain. */
  #attempt(length: number, make: Make, random: RandomNumbers, isSpent: boolean): DrawnInstance | undefined {
    const { array } = this.#domain;
    const minDepthAt = (index: number, added: readonly Constraint[]): number =>
      this.#factory.analysis.minDepth(this.#conjunctionWith(index, added));
    const extra = placeRequirements(array.requirements, length, minDepthAt, random, isSpent);
    const duplicates = array.repeated ? chooseDuplicates(array, length, minDepthAt, random) : undefined;
    if (extra === undefined || (array.repeated && duplicates === undefined)) return undefined;
    const [first = -1, second = -1] = duplicates ?? [];
    const conjunctions = extra.map((added, index) =>
      this.#conjunctionWith(index, index === first ? [...added, ...itemConstraints(array, second)] : added),
    );
    // When the depth budget is spent, items must be shallower than the array: otherwise they could be such arrays again, without end.
    if (
      isSpent &&
      conjunctions.some((conjunction) => conjunction.isRecursive && this.#factory.analysis.minDepth(conjunction) >= this.#minDepth)
    )
      return undefined;
    const items = this.#fill(conjunctions, make);
    const duplicate = items?.[first];
    const found = items && this.#wrap(duplicate === undefined ? items : items.with(second, duplicate));
    const needsCheck = array.requirements.length > 0 || hasChecks(this.#domain);
    return found !== undefined && needsCheck && !isInDomain(this.#domain, found.value) ? undefined : found;
  }

  /** An item for each conjunction. Fewer when no further distinct item is found and the minimum is reached. */
  #fill(conjunctions: readonly ConstraintConjunction[], make: Make): readonly DrawnInstance[] | undefined {
    const { min, unique } = this.#domain.array;
    const existing = unique ? new Set<string>() : undefined;
    const items: DrawnInstance[] = [];
    for (const conjunction of conjunctions) {
      const item = this.#drawItem(conjunction, make, existing);
      if (item === undefined) return items.length >= min ? items : undefined;
      items.push(item);
    }
    return items;
  }

  /** A distinct item, where `uniqueItems` asks for it. */
  #drawItem(conjunction: ConstraintConjunction, make: Make, existing: Set<string> | undefined): DrawnInstance | undefined {
    if (!this.#factory.isPossible(conjunction)) return undefined;
    if (existing === undefined) return make(conjunction, 0);
    for (let retry = 0; retry < maxAttempts.item; retry += 1) {
      const item = make(conjunction, retry);
      const text = canonicalText(item.value);
      if (existing.has(text)) continue;
      existing.add(text);
      return item;
    }
    return undefined;
  }

  #conjunctionWith(index: number, added: readonly Constraint[]): ConstraintConjunction {
    return added.length === 0
      ? this.itemConjunction(index)
      : this.#factory.analysis.conjunction([...itemConstraints(this.#domain.array, index), ...added]);
  }

  /** The constraints on the item at an index, by its position. */
  itemConjunction(index: number): ConstraintConjunction {
    const at = Math.min(index, this.#prefixLength);
    this.#conjunctions[at] ??= this.#factory.analysis.conjunction(itemConstraints(this.#domain.array, at));
    return this.#conjunctions[at];
  }

  #isSpent(depthBudget: number): boolean {
    return depthBudget < 1 && this.itemConjunction(this.#prefixLength).isRecursive;
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
type MinDepthAt = (index: number, added: readonly Constraint[]) => number;

/** The constraints to add to each item so that all requirements are met; `undefined` when they cannot be met. */
function placeRequirements(
  requirements: readonly ItemRequirement[],
  length: number,
  minDepthAt: MinDepthAt,
  random: RandomNumbers,
  isSpent: boolean,
): readonly (readonly Constraint[])[] | undefined {
  const added: (readonly Constraint[])[] = Array.from({ length }, () => []);
  return requirements.every((requirement) => applyRequirement(requirement, added, minDepthAt, random, isSpent)) ? added : undefined;
}

function applyRequirement(
  { constraint, min, max, from }: ItemRequirement,
  added: (readonly Constraint[])[],
  minDepthAt: MinDepthAt,
  random: RandomNumbers,
  isSpent: boolean,
): boolean {
  const positions = shuffle([...added.keys()].slice(from), random);
  const minDepth = (index: number, extra: Constraint): number => minDepthAt(index, [...(added[index] ?? []), extra]);
  const isPossible = (index: number, extra: Constraint): boolean => minDepth(index, extra) < Infinity;
  const possible = positions.filter((index) => isPossible(index, constraint));
  // When the depth budget is spent, the shallowest items meet the requirement.
  const ordered = isSpent ? possible.toSorted((left, right) => minDepth(left, constraint) - minDepth(right, constraint)) : possible;
  // Only with a maximum do the other items matter.
  const isLimited = max < positions.length;
  const inevitable = isLimited ? ordered.filter((index) => !isPossible(index, opposite(constraint))) : [];
  const most = Math.min(max, ordered.length);
  const least = Math.max(min, inevitable.length);
  if (least > most) return false;
  const count = isLimited ? random.nextInt(least, most) : least;
  const chosen = new Set([...inevitable, ...ordered.filter((index) => !inevitable.includes(index))].slice(0, count));
  for (const index of positions) {
    const extra = chosen.has(index) ? constraint : isLimited ? opposite(constraint) : undefined;
    if (extra !== undefined) added[index] = [...(added[index] ?? []), extra];
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
  const possible = pairs.filter(([left, right]) => minDepthAt(left, itemConstraints(array, right)) < Infinity);
  return possible.length === 0 ? undefined : possible[random.nextInt(0, possible.length - 1)];
}

function shuffle(list: number[], random: RandomNumbers): readonly number[] {
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = random.nextInt(0, last);
    [list[last], list[other]] = [list[other] ?? 0, list[last] ?? 0];
  }
  return list;
}
