/** What the schemas that hold at one place of an instance have looked at there: the annotations that `unevaluated*` goes by. */

import type { Json } from '../../core/json.ts';

/** Judges an instance, and notes what it evaluates there when a schema above wants to know. */
export type Check = (instance: Json, seen: Evaluated | undefined) => boolean;

/** The members of one object, or the elements of one array, that were evaluated. */
export class Evaluated {
  /** Whether every member or element was. */
  #whole = false;
  /** How many elements from the first on. */
  #prefix = 0;
  readonly #names = new Set<string>();
  readonly #indexes = new Set<number>();

  /** Notes that everything was evaluated. */
  addAll(): void {
    this.#whole = true;
  }

  /** Notes a member of an object. */
  addName(name: string): void {
    this.#names.add(name);
  }

  /** Notes an element of an array. */
  addIndex(index: number): void {
    this.#indexes.add(index);
  }

  /** Notes the first elements of an array. */
  addPrefix(length: number): void {
    this.#prefix = Math.max(this.#prefix, length);
  }

  /** Notes all that another schema evaluated at the same place. */
  addFrom(other: Evaluated): void {
    this.#whole ||= other.#whole;
    this.addPrefix(other.#prefix);
    for (const name of other.#names) this.#names.add(name);
    for (const index of other.#indexes) this.#indexes.add(index);
  }

  /** Whether a member of an object was evaluated. */
  hasName(name: string): boolean {
    return this.#whole || this.#names.has(name);
  }

  /** Whether an element of an array was evaluated. */
  hasIndex(index: number): boolean {
    return this.#whole || index < this.#prefix || this.#indexes.has(index);
  }
}
