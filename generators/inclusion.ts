/**
 * Inclusion of schemas: is every instance of some schemas an instance of another? Answers with a counterexample, a proof, or neither. diff
 * and the pact check compare schemas with it.
 */

import type { Json } from '../core/json.ts';
import type { Document } from '../core/openapi/document.ts';
import type { Schema } from '../core/openapi/schema.ts';
import { fails, satisfies } from './constraints/domain.ts';
import { TooManyDomains } from './constraints/domain-union.ts';
import { type ConstraintConjunction, SchemaAnalysis } from './constraints/schema-analysis.ts';
import { isValid } from './constraints/validity.ts';
import { Unsatisfiable, Unsupported, undefinedIfExhausted } from './generation-errors.ts';
import { hasExactNumbers } from './schema/reference-graph.ts';
import { openDocument, type SchemaLocation } from './schema/schema-location.ts';
import { drawContext, type InstanceSource } from './sources/instance-source.ts';
import { SeededRandom } from './sources/scalar-generator.ts';
import { SourceFactory } from './sources/source-factory.ts';

/** The result of a search for an instance that separates schemas. */
export type Separation =
  /** An instance that is allowed and refused, as small as the generator makes it. */
  | { readonly kind: 'found'; readonly value: Json }
  /** Proved: there is no such instance. */
  | { readonly kind: 'none' }
  /** Not proved: no such instance was found in `tried` candidates. */
  | { readonly kind: 'open'; readonly tried: number; readonly why: string };

/** Compares schemas of one document. */
export interface Inclusions {
  /** Searches for an instance of all `allowed` schemas that the `refused` schema rejects. */
  readonly separate: (allowed: readonly Schema[], refused: Schema) => Separation;
  /** True when a value is an instance of a schema. */
  readonly allows: (schema: Schema, value: Json) => boolean;
}

const maxCandidates = 200;

/** Pairs of domains that one search may intersect: about half a second. */
const maxPairs = 200_000;

/** Opens a document for comparisons. Other schemas may be compared too when they have no references. */
export function createInclusions(document: Document): Inclusions {
  const open = openDocument(document);
  const analysis = new SchemaAnalysis();
  const factory = new SourceFactory(analysis);
  return {
    separate: (allowed, refused) => separate(analysis, factory, allowed.map(open), open(refused)),
    allows: (schema, value) => isValid(open(schema), value),
  };
}

function separate(
  analysis: SchemaAnalysis,
  factory: SourceFactory,
  allowed: readonly SchemaLocation[],
  refused: SchemaLocation,
): Separation {
  analysis.expansion.allow(maxPairs);
  try {
    const conjunction = analysis.conjunction([...allowed.map(satisfies), fails(refused)]);
    if (analysis.minDepth(conjunction) === Infinity) return proof(analysis, conjunction, [...allowed, refused]);
    return search(factory.sourceOf(conjunction), allowed, refused);
  } catch (error) {
    if (error instanceof Unsatisfiable || error instanceof Unsupported || error instanceof TooManyDomains)
      return { kind: 'open', tried: 0, why: error.message };
    // The call stack overflows for schemas that contain themselves through unevaluated parts.
    if (error instanceof RangeError) return { kind: 'open', tried: 0, why: 'the schemas are recursive in a way that does not end' };
    throw error;
  }
}

function proof(analysis: SchemaAnalysis, conjunction: ConstraintConjunction, locations: readonly SchemaLocation[]): Separation {
  if (!analysis.isCertain(conjunction)) return { kind: 'open', tried: 0, why: 'the alternatives of the schemas combine in too many ways' };
  if (!locations.every(hasExactNumbers))
    return { kind: 'open', tried: 0, why: 'the schemas contain numbers beyond the precision of a double' };
  return { kind: 'none' };
}

function search(source: InstanceSource, allowed: readonly SchemaLocation[], refused: SchemaLocation): Separation {
  const isRight = (value: Json): boolean => allowed.every((location) => isValid(location, value)) && !isValid(refused, value);
  let tried = 0;
  const random = new SeededRandom(1);
  for (; tried < maxCandidates; tried += 1) {
    const instance = undefinedIfExhausted(() => (tried === 0 ? source.simplest() : source.draw(drawContext(random, 4), 4)));
    if (instance !== undefined && isRight(instance.value)) return { kind: 'found', value: instance.value };
  }
  return { kind: 'open', tried, why: `${tried} candidates were tried` };
}
