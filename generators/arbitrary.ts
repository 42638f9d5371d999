/** Arbitraries: any JSON Schema as a fast-check arbitrary of its instances. */

import { Arbitrary, type Random, Stream, sample, Value } from 'fast-check';
import type { Json } from '../core/json.ts';
import type { Schema } from '../core/schema.ts';
import { satisfies } from './algebra/facts.ts';
import { Space } from './algebra/node.ts';
import { Instances } from './instances.ts';
import { Unsatisfiable, Unsupported, unless } from './outcome.ts';
import { openSchema, type SchemaSources, type Site } from './schema/site.ts';
import { type Draft, Exhausted, mannerOf, type Source } from './source/source.ts';

/** How much nesting schemas that contain themselves get: each level shares what is left among its members. */
const fuel = 24;

/**
 * An arbitrary of the instances of a schema: JSON values, all of them valid, boundary values often, shrinking to what a person would write.
 * @throws {Unsatisfiable} when there is no instance.
 * @throws {Unsupported} when the schema cannot be generated from.
 */
export function arbitraryFor(schema: Schema, sources: SchemaSources = {}): Arbitrary<Json> {
  const site = openSchema(schema, sources);
  const source = sourceOf(site);
  refuseWhatIsNotFound(source, site);
  return new DraftArbitrary(source, (draft) => draft.value);
}

/** The instance of a schema that shrinking ends at; `undefined` when there is none, or none can be generated. */
export function simplestInstance(schema: Schema, sources: SchemaSources = {}): Json | undefined {
  return unless(() => sourceOf(openSchema(schema, sources)).simplest().value, Unsatisfiable, Unsupported, Exhausted);
}

/** One instance of a schema, the same for the same seed; `undefined` when there is none, or none can be generated. */
export function instanceOf(schema: Schema, sources: SchemaSources, seed: number): Json | undefined {
  return unless(() => sample(arbitraryFor(schema, sources), { seed, numRuns: 1 })[0], Unsatisfiable, Unsupported, Exhausted);
}

/** The source of the instances of a schema. What cannot be generated below it is refused at once and not in the middle of a run. */
function sourceOf(site: Site): Source {
  const space = new Space();
  const root = new Instances(space).sourceOf(space.node([satisfies(site)]));
  const seen = new Set<Source>([root]);
  for (const source of seen) for (const child of source.children?.() ?? []) seen.add(child);
  return root;
}

/** The first instance is made at once: where none can be found, that is said now and not in the middle of a run. */
function refuseWhatIsNotFound(source: Source, site: Site): void {
  try {
    source.simplest();
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error;
    throw new Unsupported(site.path, hardestOf(site), `no instance was found: ${error.message}`, { cause: error });
  }
}

/** The keyword that is most likely why nothing was found. */
function hardestOf(site: Site): string {
  const words = Object.keys(site.keywords);
  return hard.find((word) => words.includes(word)) ?? words[0] ?? 'schema';
}

const hard: readonly string[] = [
  'uniqueItems',
  'contains',
  'unevaluatedItems',
  'unevaluatedProperties',
  'not',
  'oneOf',
  'if',
  'anyOf',
  'allOf',
];

/** An arbitrary over a source; drafts are its contexts, which is how it shrinks what it has drawn. */
export class DraftArbitrary<T> extends Arbitrary<T> {
  readonly #source: Source;
  readonly #present: (draft: Draft) => T;

  constructor(source: Source, present: (draft: Draft) => T) {
    super();
    this.#source = source;
    this.#present = present;
  }

  override generate(random: Random, biasFactor: number | undefined): Value<T> {
    return this.#wrap(this.#source.draw(mannerOf(random, biasFactor), fuel));
  }

  /** A value that was not drawn here does not tell how it came about. */
  override canShrinkWithoutContext(_value: unknown): _value is T {
    return false;
  }

  override shrink(_value: T, context: unknown): Stream<Value<T>> {
    const draft = context as Draft | undefined;
    if (draft === undefined) return Stream.nil();
    return new Stream(draft.source.shrink(draft)[Symbol.iterator]() as IterableIterator<Draft>).map((smaller) => this.#wrap(smaller));
  }

  #wrap(draft: Draft): Value<T> {
    return new Value(this.#present(draft), draft);
  }
}
