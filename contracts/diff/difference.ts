/**
 * Type of a difference between two contracts, with the default reason of each level. The comparisons of annotations create differences themselves; for standard
 * OpenAPI, `add-difference.ts` creates them with the default reason. `merge-differences.ts` makes changes of them, with `fold-consequences.ts` and
 * `affected-consumers.ts`. It compares nothing.
 */

import type { Change, ChangeLevel, HalfOfExchange } from '../../core/results/diff-result.ts';
import type { SearchOutcome } from './witnesses/search-outcome.ts';

/** A difference at one operation. */
export interface Difference extends Omit<Change, 'fingerprint' | 'operations' | 'verdict' | 'witness' | 'consequences' | 'consumers'> {
  /** The name, value or keyword that changed. Tells apart differences of one rule at the same lines. */
  readonly changedItem: string;
  /** Rule without its location, for differences in shared schemas; the id by default. */
  readonly rule?: string;
  /** Key of the edit, where the places of both values do not identify it. */
  readonly edit?: string;
  /** Names of parameters and JSON Pointers that the edit is about. Differences at them are its consequences. */
  readonly names?: readonly string[];
  /** Searches for a witness. The search is expensive, so `mergeDifferences` runs it for the merged change only. */
  readonly findWitness: (() => SearchOutcome) | undefined;
}

/** Default reason and affected parties of a level. */
export function defaultImpact(level: ChangeLevel, direction: HalfOfExchange | undefined): Pick<Difference, 'reason' | 'affects'> {
  return { reason: reasons[level][direction ?? 'both'], affects: level === 'documentation' || level === 'compatible' ? [] : ['clients'] };
}

const reasons: Readonly<Record<ChangeLevel, Readonly<Record<HalfOfExchange | 'both', string>>>> = {
  security: {
    request: 'Requests that were refused before are answered now.',
    response: 'Clients receive what was hidden before.',
    both: 'Somebody sees or does more than the old contract allowed.',
  },
  breaking: {
    request: 'A deployed client may still send what was allowed before, and is refused.',
    response: 'A deployed client may receive what the old contract did not allow.',
    both: 'A deployed client that relies on the old contract fails.',
  },
  risky: {
    request: 'No promise is broken, but clients that sent more than the contract allows may notice.',
    response: 'No promise is broken, but clients that relied on unpromised details may notice.',
    both: 'No promise is broken, but some clients may notice.',
  },
  compatible: {
    request: 'Every request that was allowed before is still allowed.',
    response: 'Clients receive nothing that the old contract did not allow.',
    both: 'Clients of the old contract work as before.',
  },
  documentation: {
    request: 'Requests are treated as before.',
    response: 'Responses stay the same.',
    both: 'Requests and responses stay the same.',
  },
};
