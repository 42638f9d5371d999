/**
 * Sources draw instances and shrink them. One fast-check arbitrary wraps the source of a whole schema; its parts have no wrappers, so large instances are
 * drawn fast. This file has the interface and the sources of scalars, listed values and choices.
 */

import type { Json } from '../../core/json.ts';
import { equal } from '../../core/json-equality.ts';
import { Exhausted, undefinedIfExhausted } from '../generation-errors.ts';
import type { RandomNumbers, ScalarGenerator } from './scalar-generator.ts';

/** A drawn value with what is needed to shrink it. */
export interface DrawnInstance {
  readonly value: Json;
  readonly source: InstanceSource;
  /** Data of the source for shrinking, such as the drawn items. */
  readonly parts?: unknown;
}

/** The state of drawing one instance: randomness, bias and remaining retries. */
export interface DrawContext {
  readonly random: RandomNumbers;
  /** fast-check's bias factor: one of `bias` draws is a boundary value; `undefined` for none. */
  readonly bias: number | undefined;
  /** Failed attempts left for all parts of the instance together. Nested retries would otherwise multiply without end. */
  readonly retries: { left: number };
}

/** Failed attempts allowed for one instance. */
const maxRetries = 400;

/** The context for drawing one instance. */
export function drawContext(random: RandomNumbers, bias?: number, retries: number = maxRetries): DrawContext {
  return { random, bias, retries: { left: retries } };
}

/**
 * Counts a failed attempt.
 * @throws {Exhausted} when there were too many.
 */
export function countRetry({ retries }: DrawContext, what: string): void {
  retries.left -= 1;
  if (retries.left < 0) throw new Exhausted(what, maxRetries);
}

/** Draws instances and shrinks them. */
export interface InstanceSource {
  /** The number of values, when it is known to be small. */
  readonly size?: number;
  /** The sources of its parts. */
  readonly children?: () => readonly InstanceSource[];
  /** Draws an instance. `depthBudget` is the nesting left for recursive schemas: below 1 only their shallowest domains are drawn. */
  readonly draw: (context: DrawContext, depthBudget: number) => DrawnInstance;
  /** The instance that shrinking ends at when every instance fails. */
  readonly simplest: () => DrawnInstance;
  /** Smaller instances, the smallest first. */
  readonly shrink: (instance: DrawnInstance) => Iterable<DrawnInstance>;
}

/** The source of numbers or texts. */
export class ScalarSource<T extends Json> implements InstanceSource {
  readonly size: number;
  readonly #scalars: ScalarGenerator<T>;
  readonly #simplest: DrawnInstance;

  constructor(scalars: ScalarGenerator<T>) {
    this.#scalars = scalars;
    this.size = scalars.size;
    this.#simplest = { value: scalars.simplest, source: this };
  }

  draw({ random, bias }: DrawContext): DrawnInstance {
    return { value: this.#scalars.draw(random, bias), source: this };
  }

  simplest(): DrawnInstance {
    return this.#simplest;
  }

  *shrink(instance: DrawnInstance): Iterable<DrawnInstance> {
    // The instance was drawn by this source, so its value has this type.
    for (const value of this.#scalars.shrink(instance.value as T)) yield { value, source: this };
  }
}

/** The source of listed values. The first counts as the simplest, as its author probably meant. */
export class ValuesSource implements InstanceSource {
  readonly size: number;
  readonly #values: readonly Json[];

  /** `values` is not empty. */
  constructor(values: readonly Json[]) {
    this.#values = values;
    this.size = values.length;
  }

  draw({ random }: DrawContext): DrawnInstance {
    return this.#instance(this.#values.length === 1 ? 0 : random.nextInt(0, this.#values.length - 1));
  }

  simplest(): DrawnInstance {
    return this.#instance(0);
  }

  *shrink(instance: DrawnInstance): Iterable<DrawnInstance> {
    const index = this.#values.findIndex((value) => equal(value, instance.value));
    for (let smaller = 0; smaller < index; smaller += 1) yield this.#instance(smaller);
  }

  #instance(index: number): DrawnInstance {
    const value = this.#values[index] ?? null;
    // Callers may change an instance; the schema must stay unchanged.
    return { value: typeof value === 'object' && value !== null ? structuredClone(value) : value, source: this };
  }
}

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
    const shallowest = Math.min(...branches.map((branch) => branch.minDepth));
    this.#shallowest = indexes.filter((index) => branches[index]?.minDepth === shallowest);
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
    const drawn = undefinedIfExhausted(() => this.#at(index).draw(context, depthBudget));
    if (drawn !== undefined) return this.#wrap(index, drawn);
    // A branch may turn out to be empty: the simplest other branch with an instance replaces it.
    const others = [...(isSpent ? this.#shallowest : this.#branches.keys())].filter((other) => other !== index);
    return this.#firstOf(others, (source) => source.draw(context, depthBudget));
  }

  simplest(): DrawnInstance {
    return this.#firstOf(this.#branches.keys(), (source) => source.simplest());
  }

  #firstOf(indexes: Iterable<number>, make: (source: InstanceSource) => DrawnInstance): DrawnInstance {
    for (const index of indexes) {
      const made = undefinedIfExhausted(() => make(this.#at(index)));
      if (made !== undefined) return this.#wrap(index, made);
    }
    throw new Exhausted('an instance of any domain of a schema', this.#branches.length);
  }

  *shrink(instance: DrawnInstance): Iterable<DrawnInstance> {
    const { index, inner } = instance.parts as Chosen;
    for (let simpler = 0; simpler < index; simpler += 1) {
      const smaller = undefinedIfExhausted(() => this.#at(simpler).simplest());
      // Domains overlap: an equal value of a simpler domain is not smaller.
      if (smaller !== undefined && !equal(smaller.value, instance.value)) yield this.#wrap(simpler, smaller);
    }
    for (const smaller of inner.source.shrink(inner)) yield this.#wrap(index, smaller);
  }

  #at(index: number): InstanceSource {
    const branch = this.#branches[index];
    if (branch === undefined) throw new RangeError(`there is no branch ${index} of ${this.#branches.length}`);
    return branch.source;
  }

  #wrap(index: number, inner: DrawnInstance): DrawnInstance {
    return { value: inner.value, source: this, parts: { index, inner } satisfies Chosen };
  }
}

interface Chosen {
  readonly index: number;
  readonly inner: DrawnInstance;
}

function pick<T>(list: readonly T[], random: DrawContext['random']): T | undefined {
  return list.length === 1 ? list[0] : list[random.nextInt(0, list.length - 1)];
}

/** `count` members of a list, chosen at random. */
export function pickSome<T>(list: readonly T[], count: number, random: RandomNumbers): readonly T[] {
  if (count >= list.length) return list;
  const rest = [...list];
  for (let index = 0; index < count; index += 1) {
    const other = random.nextInt(index, rest.length - 1);
    [rest[index], rest[other]] = [rest[other] as T, rest[index] as T];
  }
  return rest.slice(0, count);
}

/** Yields the members to remove from a list: first as many as allowed, then half of them, down to one, from the end. */
export function* removals<T>(list: readonly T[], limit: number): Iterable<readonly T[]> {
  for (let chunk = Math.min(limit, list.length); chunk >= 1; chunk = Math.floor(chunk / 2)) {
    for (let end = list.length; end - chunk >= 0; end -= chunk) yield list.slice(end - chunk, end);
  }
}
