/**
 * Decides, for `diff` and `pact check`, whether every instance of some schemas is also an instance of another. The result is a counterexample, a proof, or
 * neither.
 */

import type { Json } from '../core/json.ts';
import { getOrCompute } from '../core/memo.ts';
import type { Document } from '../core/openapi/document.ts';
import type { Schema } from '../core/openapi/schema-facts.ts';
import { fails, satisfies } from './constraints/constraint.ts';
import { type ConstraintConjunction, SatisfiabilityAnalysis } from './constraints/satisfiability-analysis.ts';
import { isValid } from './constraints/validate-instance.ts';
import { Unsatisfiable, Unsupported, undefinedIfExhausted } from './generation-errors.ts';
import { type LocatedSchema, openSchemasOf } from './schema/located-schema.ts';
import { nextSchemas } from './schema/recursive-schemas.ts';
import { drawContext, type InstanceSource } from './sources/instance-source.ts';
import { SeededRandom } from './sources/random-numbers.ts';
import { SourceFactory } from './sources/source-factory.ts';

/** The result of a search for a separating instance: an instance of all `allowed` schemas that is not an instance of the `refused` schema. */
export type Separation =
  /** A separating instance, as small as the generator makes it. */
  | { readonly kind: 'found'; readonly value: Json }
  /** A proof that no separating instance exists. */
  | { readonly kind: 'none' }
  /** Undecided: no separating instance among `tried` candidates, and no proof. */
  | { readonly kind: 'open'; readonly tried: number; readonly why: string };

/** Compares schemas of one document. */
export interface Inclusions {
  /**
   * Searches for a separating instance: an instance of all `allowed` schemas that the `refused` schema rejects. Stops after `pairsMax` pairs of domains,
   * about half a second of work unless stated.
   */
  readonly separate: (allowed: readonly Schema[], refused: Schema, pairsMax?: number) => Separation;
  /** The work of all searches so far, in pairs of domains. */
  readonly pairsCompared: () => number;
  /** Returns true if a value is an instance of a schema. */
  readonly allows: (schema: Schema, value: Json) => boolean;
}

/** Limit of generated candidates of one search. */
const maxCandidates = 200;

/** Limit of pairs of domains that one search intersects, unless stated. */
const defaultPairsMax = 200_000;

/** Creates the comparisons for schemas of a document. Schemas from elsewhere can be compared too if they have no references. */
export function createInclusions(document: Document): Inclusions {
  const toLocation = openSchemasOf(document);
  const analysis = new SatisfiabilityAnalysis();
  const factory = new SourceFactory(analysis);
  let pairsCompared = 0;
  return {
    separate: (allowed, refused, pairsMax = defaultPairsMax) => {
      analysis.expansion.allow(pairsMax);
      const separation = separate(analysis, factory, allowed.map(toLocation), toLocation(refused));
      pairsCompared += pairsMax - analysis.expansion.pairsLeft;
      return separation;
    },
    pairsCompared: () => pairsCompared,
    allows: (schema, value) => isValid(toLocation(schema), value),
  };
}

function separate(
  analysis: SatisfiabilityAnalysis,
  factory: SourceFactory,
  allowed: readonly LocatedSchema[],
  refused: LocatedSchema,
): Separation {
  try {
    const conjunction = analysis.conjunction([...allowed.map(satisfies), fails(refused)]);
    if (analysis.minDepth(conjunction) === Infinity) return proveNone(analysis, conjunction, [...allowed, refused]);
    return search(factory.sourceOf(conjunction), allowed, refused);
  } catch (error) {
    if (error instanceof Unsatisfiable || error instanceof Unsupported) return { kind: 'open', tried: 0, why: error.message };
    // The call stack overflows for schemas that contain themselves through unevaluated parts.
    if (error instanceof RangeError) return { kind: 'open', tried: 0, why: 'the schemas are recursive in a way that does not end' };
    throw error;
  }
}

function proveNone(analysis: SatisfiabilityAnalysis, conjunction: ConstraintConjunction, locations: readonly LocatedSchema[]): Separation {
  if (!analysis.isCertain(conjunction)) return { kind: 'open', tried: 0, why: 'the alternatives of the schemas combine in too many ways' };
  if (!locations.every(hasExactNumbers))
    return { kind: 'open', tried: 0, why: 'the schemas contain numbers beyond the precision of a double' };
  return { kind: 'none' };
}

function search(source: InstanceSource, allowed: readonly LocatedSchema[], refused: LocatedSchema): Separation {
  const isSeparating = (value: Json): boolean => allowed.every((location) => isValid(location, value)) && !isValid(refused, value);
  let candidateCount = 0;
  const random = new SeededRandom(1);
  for (; candidateCount < maxCandidates; candidateCount += 1) {
    const instance = undefinedIfExhausted(() => (candidateCount === 0 ? source.simplest() : source.draw(drawContext(random, 4), 4)));
    if (instance !== undefined && isSeparating(instance.value)) return { kind: 'found', value: instance.value };
  }
  return { kind: 'open', tried: candidateCount, why: `${candidateCount} candidates were tried` };
}

const exactness = new WeakMap<LocatedSchema, boolean>();

/** True when doubles represent exactly all numbers of a schema and of the schemas it leads to. */
function hasExactNumbers(root: LocatedSchema): boolean {
  return getOrCompute(exactness, root, () => {
    const reachable = new Set<LocatedSchema>([root]);
    for (const location of reachable) for (const next of nextSchemas(location)) reachable.add(next);
    return [...reachable].every((location) => comparingKeywords.every((keyword) => isExactValue(location.keywords[keyword])));
  });
}

const comparingKeywords = ['const', 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;

function isExactValue(value: Json | undefined): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((member) => isExactValue(member as Json));
}
