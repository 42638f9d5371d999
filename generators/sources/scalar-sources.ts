/** Sources of values without parts: numbers, texts and listed values. How a number or a text is drawn is left to its generator. */

import type { Json } from '../../core/json.ts';
import { equal } from '../../core/json-equality.ts';
import type { DrawContext, DrawnInstance, InstanceSource } from './instance-source.ts';
import type { ScalarGenerator } from './scalar-generator.ts';

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
