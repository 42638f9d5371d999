import type { ChangeWitness } from '../../../core/results/diff-result.ts';

/** Outcome of a search: a confirmed witness, a proof that no witness exists, or neither. */
export type SearchOutcome =
  | { readonly verdict: 'witnessed'; readonly witness: ChangeWitness }
  | { readonly verdict: 'proved' | 'unwitnessed' };

/** Outcome of a search without a witness and without a proof. */
export const unwitnessed: SearchOutcome = { verdict: 'unwitnessed' };

/** Outcome of a search that can find a witness but prove nothing. */
export function outcomeOf(witness: ChangeWitness | undefined): SearchOutcome {
  return witness === undefined ? unwitnessed : { verdict: 'witnessed', witness };
}

/** Runs searches until one is decided. Returns `undefined` for an empty list. */
export function searchInTurn(searches: Iterable<() => SearchOutcome>): SearchOutcome | undefined {
  let outcome: SearchOutcome | undefined;
  for (const search of searches) {
    outcome = search();
    if (outcome.verdict !== 'unwitnessed') return outcome;
  }
  return outcome;
}

/** Joins the outcomes of several findings: a witness of any of them, or a proof for all. */
export function joinOutcomes(outcomes: Iterable<SearchOutcome | undefined>): SearchOutcome | undefined {
  let joined: SearchOutcome | undefined;
  for (const outcome of outcomes) {
    if (outcome?.verdict === 'witnessed') return outcome;
    if (joined === undefined || outcome?.verdict === 'unwitnessed') joined = outcome ?? joined;
  }
  return joined;
}
