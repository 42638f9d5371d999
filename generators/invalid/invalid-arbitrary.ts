/** The public arbitraries of invalid examples. Each example has exactly one known fault, and the whole schema has confirmed that it is invalid. */

import type { Arbitrary } from 'fast-check';
import type { Json } from '../../core/json.ts';
import type { Schema } from '../../core/openapi/schema-facts.ts';
import { fails, satisfies } from '../constraints/constraint.ts';
import { SatisfiabilityAnalysis } from '../constraints/satisfiability-analysis.ts';
import { isValid } from '../constraints/validate-instance.ts';
import { Unsatisfiable, Unsupported, undefinedIfExhausted } from '../generation-errors.ts';
import { openSchema, type SchemaSources } from '../schema/located-schema.ts';
import { SourceArbitrary } from '../schema-arbitrary.ts';
import { SourceFactory } from '../sources/source-factory.ts';
import { type FaultLabel, InvalidSource } from './invalid-source.ts';
import { listLocatedFaults, listUnrestrictedFaults } from './located-faults.ts';

/** An invalid instance with one known fault. */
export interface InvalidExample extends FaultLabel {
  /** The invalid value. */
  readonly value: Json;
}

/**
 * An arbitrary of invalid examples: each violates one keyword in one place, which it names, and is confirmed to be invalid.
 * @throws {Unsatisfiable} when every instance is valid.
 * @throws {Unsupported} when the schema cannot be generated from.
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { invalidExampleFor } from 'touchstone/generators';
 *
 * for (const { value, keyword } of fc.sample(invalidExampleFor({ type: 'integer', minimum: 1 }), 10)) console.log(keyword, value);
 * ```
 */
export function invalidExampleFor(schema: Schema, sources: SchemaSources = {}): Arbitrary<InvalidExample> {
  const source = openInvalidSource(schema, sources);
  return new SourceArbitrary(source, (instance) => ({ value: instance.value, ...source.labelOf(instance) }));
}

/**
 * An arbitrary of invalid values. By default, every validator rejects them, even one that treats `format` as an annotation (JSON Schema
 * 2020-12 validation §7.2.1).
 * @throws {Unsatisfiable} when every instance is valid.
 * @throws {Unsupported} when the schema cannot be generated from.
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { invalidArbitraryFor } from 'touchstone/generators';
 *
 * const wrong = fc.sample(invalidArbitraryFor({ type: 'integer', minimum: 1 }), 10);
 * ```
 */
export function invalidArbitraryFor(schema: Schema, sources: SchemaSources = {}): Arbitrary<Json> {
  return new SourceArbitrary(openInvalidSource(schema, { formats: 'annotation', ...sources }), (instance) => instance.value);
}

/** Opens the source of invalid instances. The whole schema validates each instance, since one branch may accept what another rejects. */
function openInvalidSource(schema: Schema, sources: SchemaSources): InvalidSource {
  const analysis = new SatisfiabilityAnalysis();
  // Apart from its fault, an example is valid, formats included.
  const location = openSchema(schema, { ...sources, formats: 'assertion' });
  const validator = openSchema(schema, sources);
  const keptKeywords = sources.formats === 'annotation' ? ['format'] : [];
  const [factory, root] = [new SourceFactory(analysis), analysis.conjunction([satisfies(location)])];
  // The sources of valid instances refuse malformed keywords.
  if (factory.isPossible(root)) factory.openAll(root);
  for (const listFaults of [listLocatedFaults, listUnrestrictedFaults]) {
    const faults = listFaults(factory, root).filter(({ keyword }) => !keptKeywords.includes(keyword));
    const source = new InvalidSource(faults, (value) => !isValid(validator, value));
    // Drawing the simplest example shows that one exists.
    if (undefinedIfExhausted(() => source.simplest()) !== undefined) return source;
  }
  if (analysis.minDepth(analysis.conjunction([fails(location)])) === Infinity)
    throw new Unsatisfiable(location.path, 'every instance is valid');
  throw new Unsupported(location.path, Object.keys(location.keywords)[0] ?? 'schema', 'no invalid instance was found');
}
