/** Arbitraries: any JSON Schema as a fast-check arbitrary of its instances. */

import { Arbitrary, type Random, Stream, Value } from 'fast-check';
import type { Json } from '../core/json.ts';
import type { Schema } from '../core/schema.ts';
import { satisfies } from './algebra/claim.ts';
import { Space } from './algebra/node.ts';
import { Instances } from './instances.ts';
import { openSchema, type SchemaSources } from './schema/site.ts';
import type { Draft, Source } from './source/source.ts';

/** How much nesting schemas that contain themselves get: each level shares what is left among its members. */
const fuel = 24;

/**
 * An arbitrary of the instances of a schema: JSON values, all of them valid, boundary values often, shrinking to what a person would write.
 * @throws {Unsatisfiable} when there is no instance.
 * @throws {Unsupported} when the schema cannot be generated from.
 */
export function arbitraryFor(schema: Schema, sources: SchemaSources = {}): Arbitrary<Json> {
  const space = new Space();
  const instances = new Instances(space);
  const source = instances.sourceOf(space.node([satisfies(openSchema(schema, sources))]));
  instances.prepare(source);
  return new DraftArbitrary(source, (draft) => draft.value);
}

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
    return this.#wrap(this.#source.draw({ chance: random, bias: biasFactor }, fuel));
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
