/** Sources of values without parts: null, booleans, numbers, texts and listed values. */

import type { Json } from '../../core/json.ts';
import { equal } from '../schema/equality.ts';
import type { Chance } from './dice.ts';
import type { Draft, Manner, Source } from './source.ts';

/** What numbers and texts are drawn from. */
export interface Scalars<T extends Json> {
  readonly simplest: T;
  readonly draw: (chance: Chance, bias: number | undefined) => T;
  readonly size: number;
  readonly shrink: (value: T) => Iterable<T>;
}

/** A source of numbers or texts. */
export class ScalarSource<T extends Json> implements Source {
  readonly size: number;
  readonly #scalars: Scalars<T>;
  readonly #simplest: Draft;

  constructor(scalars: Scalars<T>) {
    this.#scalars = scalars;
    this.size = scalars.size;
    this.#simplest = { value: scalars.simplest, source: this };
  }

  children(): readonly Source[] {
    return [];
  }

  draw({ chance, bias }: Manner): Draft {
    return { value: this.#scalars.draw(chance, bias), source: this };
  }

  simplest(): Draft {
    return this.#simplest;
  }

  *shrink(draft: Draft): Iterable<Draft> {
    // What comes back is what was drawn here, so it is of the type that is drawn here.
    for (const value of this.#scalars.shrink(draft.value as T)) yield { value, source: this };
  }
}

/** A source of listed values: the first is the simplest, as whoever wrote the list will have meant it. */
export class ValuesSource implements Source {
  readonly size: number;
  readonly #values: readonly Json[];

  /** `values` is not empty. */
  constructor(values: readonly Json[]) {
    this.#values = values;
    this.size = values.length;
  }

  children(): readonly Source[] {
    return [];
  }

  draw({ chance }: Manner): Draft {
    return this.#draft(this.#values.length === 1 ? 0 : chance.nextInt(0, this.#values.length - 1));
  }

  simplest(): Draft {
    return this.#draft(0);
  }

  *shrink(draft: Draft): Iterable<Draft> {
    const index = this.#values.findIndex((value) => equal(value, draft.value));
    for (let smaller = 0; smaller < index; smaller += 1) yield this.#draft(smaller);
  }

  #draft(index: number): Draft {
    const value = this.#values[index] ?? null;
    // Whoever gets an instance may change it; the schema must stay as it is.
    return { value: typeof value === 'object' && value !== null ? structuredClone(value) : value, source: this };
  }
}
