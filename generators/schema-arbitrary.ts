/** Draws instances of a JSON Schema: as an arbitrary, or a single one. A schema that cannot be drawn from is refused when the arbitrary is built. */

import { Arbitrary, type Random, Stream, sample, Value } from 'fast-check';
import type { Json } from '../core/json.ts';
import type { Document } from '../core/openapi/document.ts';
import type { Schema } from '../core/openapi/schema-facts.ts';
import { satisfies } from './constraints/constraint.ts';
import { SatisfiabilityAnalysis } from './constraints/satisfiability-analysis.ts';
import { Exhausted, Unsatisfiable, Unsupported, undefinedOn } from './generation-errors.ts';
import { type LocatedSchema, openSchema, openSchemasOf, type SchemaSources } from './schema/located-schema.ts';
import { type DrawnInstance, drawContext, type InstanceSource } from './sources/instance-source.ts';
import { SourceFactory } from './sources/source-factory.ts';

/** Depth budget of recursive schemas: each level shares the rest among its members. */
const depthBudget = 24;

/**
 * An arbitrary of the instances of a schema: valid JSON values, often at a boundary, that shrink to simple ones.
 * @throws {Unsatisfiable} when there is no instance.
 * @throws {Unsupported} when the schema cannot be generated from.
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { arbitraryFor } from 'touchstone/generators';
 *
 * const [id] = fc.sample(arbitraryFor({ type: 'string', pattern: '^[a-z]{3}$' }), 1);
 * ```
 */
export function arbitraryFor(schema: Schema, sources: SchemaSources = {}): Arbitrary<Json> {
  const location = openSchema(schema, sources);
  const source = sourceOf(location);
  requireInstance(source, location);
  return new SourceArbitrary(source, (instance) => instance.value);
}

/** Returns the simplest instance of a schema, at which shrinking ends; `undefined` if none exists or none can be generated. */
export function simplestInstance(schema: Schema, sources: SchemaSources = {}): Json | undefined {
  return undefinedOn(() => sourceOf(openSchema(schema, sources)).simplest().value, Unsatisfiable, Unsupported, Exhausted);
}

/**
 * Returns the simplest common instance of some schemas of a document; `undefined` if there is none, or none is found within a limited number of pairs of
 * domains.
 */
export function simplestCommonInstance(schemas: readonly Schema[], document: Document, pairsMax: number): Json | undefined {
  const findInstance = (): Json => {
    const analysis = new SatisfiabilityAnalysis();
    analysis.expansion.allow(pairsMax);
    const locations = schemas.map(openSchemasOf(document));
    return new SourceFactory(analysis).sourceOf(analysis.conjunction(locations.map(satisfies))).simplest().value;
  };
  // The call stack overflows for schemas that contain themselves through unevaluated parts.
  return undefinedOn(findInstance, Unsatisfiable, Unsupported, Exhausted, RangeError);
}

/** Returns one instance of a schema, the same for the same seed; `undefined` if none exists or none can be generated. */
export function instanceOf(schema: Schema, sources: SchemaSources, seed: number): Json | undefined {
  return undefinedOn(() => sample(arbitraryFor(schema, sources), { seed, numRuns: 1 })[0], Unsatisfiable, Unsupported, Exhausted);
}

function sourceOf(location: LocatedSchema): InstanceSource {
  const analysis = new SatisfiabilityAnalysis();
  return new SourceFactory(analysis).openAll(analysis.conjunction([satisfies(location)]));
}

/** Generates the first instance, so that a failure is thrown now and not during a run. */
function requireInstance(source: InstanceSource, location: LocatedSchema): void {
  try {
    source.simplest();
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error;
    throw new Unsupported(location.path, hardestKeyword(location), `no instance was found: ${error.message}`, { cause: error });
  }
}

/** Returns the keyword that most likely is the reason why no instance was found. */
function hardestKeyword(location: LocatedSchema): string {
  const keywords = Object.keys(location.keywords);
  return hardKeywords.find((keyword) => keywords.includes(keyword)) ?? keywords[0] ?? 'schema';
}

/** Keywords that can make all attempts fail, the most difficult first. */
const hardKeywords: readonly string[] = [
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

/** An arbitrary over a source. The drawn instance is fast-check's context, from which values are shrunk. */
export class SourceArbitrary<T> extends Arbitrary<T> {
  readonly #source: InstanceSource;
  readonly #toValue: (instance: DrawnInstance) => T;

  constructor(source: InstanceSource, toValue: (instance: DrawnInstance) => T) {
    super();
    this.#source = source;
    this.#toValue = toValue;
  }

  override generate(random: Random, biasFactor: number | undefined): Value<T> {
    return this.#wrap(this.#source.draw(drawContext(random, biasFactor), depthBudget));
  }

  /** A value from elsewhere has no context. */
  override canShrinkWithoutContext(_value: unknown): _value is T {
    return false;
  }

  override shrink(_value: T, context: unknown): Stream<Value<T>> {
    const instance = context as DrawnInstance | undefined;
    if (instance === undefined) return Stream.nil();
    return new Stream(instance.source.shrink(instance)[Symbol.iterator]() as IterableIterator<DrawnInstance>).map((smaller) =>
      this.#wrap(smaller),
    );
  }

  #wrap(instance: DrawnInstance): Value<T> {
    return new Value(this.#toValue(instance), instance);
  }
}
