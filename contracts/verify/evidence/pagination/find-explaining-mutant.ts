/** Finds the mutant that explains a wrong pagination best. Makes no contradiction: the rule of that mutant reports it. */

import { printJson } from '../../../../core/json.ts';
import type { MutantKind } from '../../../../core/mutants/mutant-catalogue.ts';
import { type Contradiction, type Deferral, reportedBy } from '../../rules/rule.ts';
import { paginationsOf } from '../read-filtered-lists.ts';
import type { RoundContext } from '../round-context.ts';
import type { Snapshot } from '../snapshot.ts';
import { comparePagination, type SelectionComparison } from './compare-with-snapshot.ts';
import type { Pagination } from './pagination.ts';
import { mutantsOfKinds, type PredictableMutant } from './predict-filter-mutants.ts';

/**
 * The best explanation of a wrong pagination: the mutant that would have returned the same records, contradicts no other observation, and explains the
 * most other wrong paginations.
 */
export function explanationOf(context: RoundContext, snapshot: Snapshot, pagination: Pagination): PredictableMutant | undefined {
  return explanationsOf(context, snapshot, pagination, mutantsOfKinds(context.contract, snapshot.operation, explainingKinds))[0];
}

/** The mutants among some that explain a pagination, the best first. */
export function explanationsOf(
  context: RoundContext,
  snapshot: Snapshot,
  pagination: Pagination,
  mutants: readonly PredictableMutant[],
): readonly PredictableMutant[] {
  const comparison = comparePagination(context, snapshot, pagination);
  if (comparison.wrongRecords.length === 0) return [];
  return mutants
    .filter((mutant) => predictsExactly(mutant, comparison) && isConsistent(context, snapshot, mutant))
    .map((mutant) => ({ mutant, reach: countExplained(context, snapshot, mutant) }))
    .toSorted((left, right) => right.reach - left.reach)
    .map(({ mutant }) => mutant);
}

/** True if a mutant of another rule explains more wrong paginations than the rule's own mutant. */
export function explainsMore(
  context: RoundContext,
  snapshot: Snapshot,
  otherMutant: PredictableMutant,
  ownMutant: PredictableMutant | undefined,
): boolean {
  return ownMutant === undefined || countExplained(context, snapshot, otherMutant) > countExplained(context, snapshot, ownMutant);
}

/** The kinds of mutants that explain a wrong pagination. Ignored filters are not among them: the general rules report those. */
export const explainingKinds: readonly MutantKind[] = [
  'filter-first-only',
  'filter-last-only',
  'filter-whole-text',
  'exclusive-lower',
  'exclusive-upper',
  'bound-included',
  'checkpoint-exclusive',
  'bound-by-day',
  'bound-as-text',
  'bound-by-wall-clock',
  'bound-on-version',
  'bound-in-utc',
  'checkpoint-by-day',
  'checkpoint-as-text',
  'checkpoint-by-wall-clock',
  'filters-either',
  'filter-ignored-beside-other',
];

/** Leaves a contradiction about a pagination to the rule of the mutant that explains it, if there is one. */
export function unlessExplained(
  context: RoundContext,
  snapshot: Snapshot,
  pagination: Pagination,
  contradiction: Contradiction,
): Contradiction | Deferral {
  const mutant = explanationOf(context, snapshot, pagination);
  return mutant === undefined ? contradiction : reportedBy(mutant.rule, contradiction);
}

/** True when a mutant predicts exactly the result of a pagination. */
function predictsExactly(mutant: PredictableMutant, { filterArguments, returnedKeys, stable }: SelectionComparison): boolean {
  const accepts = mutant.accepting(filterArguments);
  return stable.every((each) => accepts(each.record) === returnedKeys.has(each.key));
}

/**
 * True when no pagination contradicts a mutant: it predicts all right paginations, and the wrong ones that had just its filters. A wrong mutant may fit
 * one pagination by chance, but hardly all.
 */
function isConsistent(context: RoundContext, snapshot: Snapshot, mutant: PredictableMutant): boolean {
  return wholePaginationsOf(context, snapshot).every((pagination) => {
    const comparison = comparePagination(context, snapshot, pagination);
    const isRight = comparison.wrongRecords.length === 0;
    if (!isRight && !hasOnlyFilters(snapshot, pagination, mutant.parameters)) return true;
    return predictsExactly(mutant, comparison);
  });
}

/** Number of wrong paginations that a mutant explains. */
function countExplained(context: RoundContext, snapshot: Snapshot, mutant: PredictableMutant): number {
  return wholePaginationsOf(context, snapshot)
    .map((pagination) => comparePagination(context, snapshot, pagination))
    .filter((comparison) => comparison.wrongRecords.length > 0 && predictsExactly(mutant, comparison)).length;
}

/** The whole paginations of a list in this round. */
export function wholePaginationsOf(context: RoundContext, snapshot: Snapshot): readonly Pagination[] {
  return paginationsOf(context, snapshot).filter(({ end }) => end === 'complete');
}

function hasOnlyFilters({ base }: Snapshot, pagination: Pagination, names: readonly string[]): boolean {
  const ownFilters = Object.keys(pagination.values).filter(
    (name) => names.includes(name) || printJson(base[name]) !== printJson(pagination.values[name]),
  );
  return ownFilters.length > 0 && ownFilters.length === names.length && ownFilters.every((name) => names.includes(name));
}
