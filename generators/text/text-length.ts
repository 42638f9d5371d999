/** Which lengths the texts of a language have, found by reading all texts at once, one character further each time. */

import type { Automaton, State } from './automaton.ts';

/** The lengths of a language's texts, counted in code points. */
export class TextLengths {
  readonly #automaton: Automaton;
  /** For each length, the states in which a text of that length can be. */
  readonly #levels: (readonly State[])[];
  readonly #levelOf = new Map<string, number>();
  /** From here on, the levels repeat with this period. */
  #cycle: { readonly from: number; readonly period: number } | undefined;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#levels = [[automaton.start]];
    this.#levelOf.set(keyOf([automaton.start]), 0);
  }

  /** Whether there is a text of exactly this length. */
  has(length: number): boolean {
    return this.#levelAt(length).some((state) => state.ends);
  }

  /** The least length from `min` to `max`; `undefined` says that there is none. */
  first(min: number, max: number): number | undefined {
    for (let length = min; length <= max; length += 1) {
      if (this.has(length)) return length;
      if (this.#levelAt(length).length === 0) return undefined;
      if (this.#cycle !== undefined && length >= Math.max(min, this.#cycle.from) + this.#cycle.period) return undefined;
    }
    return undefined;
  }

  /** Each length from `min` to `max`. */
  between(min: number, max: number): readonly number[] {
    const found: number[] = [];
    for (let length = min; length <= max && this.#levelAt(length).length > 0; length += 1) {
      if (this.has(length)) found.push(length);
    }
    return found;
  }

  /** The greatest length from `min` to `max`. */
  last(min: number, max: number): number | undefined {
    // Texts may end long before `max`; the first level without a state says where.
    let length = max;
    for (let known = min; known <= max && this.#cycle === undefined; known += 1) {
      if (this.#levelAt(known).length === 0) length = known;
      if (length === known) break;
    }
    while (length >= min && !this.has(length)) length -= 1;
    return length < min ? undefined : length;
  }

  /** Whether no text is longer than this. */
  endsBefore(length: number): boolean {
    return this.#levelAt(length + 1).length === 0;
  }

  #levelAt(length: number): readonly State[] {
    while (this.#cycle === undefined && this.#levels.length <= length) this.#extend();
    const index = this.#cycle === undefined || length < this.#cycle.from ? length : this.#repeated(length, this.#cycle);
    return this.#levels[index] ?? [];
  }

  #repeated(length: number, { from, period }: { readonly from: number; readonly period: number }): number {
    return from + ((length - from) % period);
  }

  #extend(): void {
    const level = this.#levels.at(-1) ?? [];
    const targets = new Set<State>();
    for (const state of level) for (const { target } of this.#automaton.edgesOf(state)) targets.add(target);
    const next = [...targets];
    this.#automaton.spend(1 + next.length);
    const key = keyOf(next);
    const seen = this.#levelOf.get(key);
    if (seen !== undefined) {
      this.#cycle = { from: seen, period: this.#levels.length - seen };
      return;
    }
    this.#levelOf.set(key, this.#levels.length);
    this.#levels.push(next);
  }
}

function keyOf(level: readonly State[]): string {
  return level
    .map(({ id }) => id)
    .sort((left, right) => left - right)
    .join();
}
