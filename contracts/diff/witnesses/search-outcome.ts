/**
 * Outcomes of searches for a witness, and the run of several searches until one is decided. Every search of `diff` returns them. `merge-differences.ts` runs
 * the searches of a change and puts their outcome into it; `compare-annotation-keyword.ts` and `find-request-annotation-witness.ts` also run several searches.
 * It searches nothing itself.
 */

import type { Change, ChangeWitness } from '../../../core/results/contract-change.ts';

/** Outcome of a search: a confirmed witness, a proof that no witness exists, or neither after `tried` candidates. */
export type SearchOutcome =
  | { readonly verdict: 'witnessed'; readonly witness: ChangeWitness }
  | { readonly verdict: 'proved' }
  | { readonly verdict: 'unwitnessed'; readonly tried: number };

/** Outcome when there is no candidate to try. */
export const nothingTried: SearchOutcome = { verdict: 'unwitnessed', tried: 0 };

/** Outcome of a search that can find a witness but prove nothing. */
export function outcomeOf(tried: number, witness: ChangeWitness | undefined): SearchOutcome {
  return witness === undefined ? { verdict: 'unwitnessed', tried } : { verdict: 'witnessed', witness };
}

/** Runs searches until one is decided. Sums the candidates of undecided searches. Returns `undefined` for an empty list. */
export function searchInTurn(searches: Iterable<() => SearchOutcome>): SearchOutcome | undefined {
  let tried: number | undefined;
  for (const search of searches) {
    const outcome = search();
    if (outcome.verdict !== 'unwitnessed') return outcome;
    tried = (tried ?? 0) + outcome.tried;
  }
  return tried === undefined ? undefined : { verdict: 'unwitnessed', tried };
}

/** The outcomes of several findings as one: a witness of any of them, or a proof for all. */
export function joinOutcomes(outcomes: Iterable<SearchOutcome | undefined>): SearchOutcome | undefined {
  let joined: SearchOutcome | undefined;
  for (const outcome of outcomes) {
    if (outcome?.verdict === 'witnessed') return outcome;
    if (joined === undefined || outcome?.verdict === 'unwitnessed') joined = outcome ?? joined;
  }
  return joined;
}

/** The members of a change that hold the outcome of its search. */
export function changeVerdict(outcome: SearchOutcome | undefined): Pick<Change, 'verdict' | 'tried' | 'witness'> {
  return {
    verdict: outcome?.verdict,
    ...(outcome?.verdict === 'unwitnessed' ? { tried: outcome.tried } : {}),
    witness: outcome?.verdict === 'witnessed' ? outcome.witness : undefined,
  };
}
