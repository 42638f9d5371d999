/** Which interactions are verified. */

import type { Contract } from '../../../core/contract.ts';
import { nearest, UsageError } from '../../../core/errors.ts';
import type { Pact } from '../../../core/pact.ts';
import { matchesPattern } from '../../pattern.ts';
import type { Item } from './round.ts';

/** Pacts, and what of them is wanted. */
export interface Selection {
  /** Pacts, each with the contract of its provider. */
  readonly pairs: readonly { readonly pact: Pact; readonly contract: Contract }[];
  /** Patterns with `*` for descriptions of interactions; only what matches one is verified. */
  readonly only?: readonly string[];
  /** Names of consumers; only their pacts are verified. */
  readonly consumers?: readonly string[];
}

/**
 * The interactions that the options choose.
 * @throws {UsageError} when an option chooses nothing, or all of them together do.
 */
export function chooseItems({ pairs, only = [], consumers = [] }: Selection): readonly Item[] {
  const known = [...new Set(pairs.map(({ pact }) => pact.consumer))];
  for (const consumer of consumers) {
    if (known.includes(consumer)) continue;
    const meant = nearest(consumer, known);
    throw new UsageError(
      `no pact is of the consumer ${consumer}; ${meant === undefined ? `consumers are ${known.join(', ')}` : `is ${meant} meant?`}`,
    );
  }
  const own = pairs.filter(({ pact }) => consumers.length === 0 || consumers.includes(pact.consumer));
  const all = own.flatMap(({ pact, contract }) => pact.interactions.map((interaction) => ({ pact, contract, interaction })));
  for (const pattern of only) {
    if (all.some(({ interaction }) => isDescribed(pattern, interaction.description))) continue;
    throw new UsageError(`--only ${pattern} matches the description of no interaction; * stands for anything`);
  }
  const chosen = all.filter(
    ({ interaction }) => only.length === 0 || only.some((pattern) => isDescribed(pattern, interaction.description)),
  );
  if (chosen.length === 0) throw new UsageError('there is no interaction to verify; name pacts that have some');
  return chosen.map((each, index) => ({ number: index + 1, ...each }));
}

/** Descriptions are sentences, in which a capital letter means nothing. */
function isDescribed(pattern: string, description: string): boolean {
  return matchesPattern(pattern.toLowerCase(), description.toLowerCase());
}
