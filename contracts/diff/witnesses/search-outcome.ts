/** Outcomes of searches for a witness, and the search through several candidates in turn. */

import type { Change, ChangeWitness } from '../../../core/results/contract-change.ts';

/** Outcome of a search: a confirmed witness, a proof that there is none, or neither after `tried` candidates. */
export type SearchOutcome =
  | { readonly verdict: 'witnessed'; readonly witness: ChangeWitness }
  | { readonly verdict: 'proved' }
  | { readonly verdict: 'unwitnessed'; readonly tried: number };

/** Outcome when there is no candidate to try. */
export const nothingTried: SearchOutcome = { verdict: 'unwitnessed', tried: 0 };

/** Outcome of a search that can find a witness and cannot prove that there is none. */
export function outcomeOf(tried: number, witness: ChangeWitness | undefined): SearchOutcome {
  return witness === undefined ? { verdict: 'unwitnessed', tried } : { verdict: 'witnessed', witness };
}

/** Runs searches until one is decided. Undecided searches add up their candidates; `undefined` without any search. */
export function searchInTurn(searches: Iterable<() => SearchOutcome>): SearchOutcome | undefined {
  let tried: number | undefined;
  for (const search of searches) {
    const outcome = search();
    if (outcome.verdict !== 'unwitnessed') return outcome;
    tried = (tried ?? 0) + outcome.tried;
  }
  return tried === undefined ? undefined : { verdict: 'unwitnessed', tried };
}

/** The members of a change that say what its search came to. */
export function changeVerdict(outcome: SearchOutcome | undefined): Pick<Change, 'verdict' | 'tried' | 'witness'> {
  return {
    verdict: outcome?.verdict,
    ...(outcome?.verdict === 'unwitnessed' ? { tried: outcome.tried } : {}),
    witness: outcome?.verdict === 'witnessed' ? outcome.witness : undefined,
  };
}
