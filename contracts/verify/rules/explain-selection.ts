/** Which rival explains a selection that is not as it should be: that rival’s rule names it, and the general rules stay quiet. */

import type { MutantKind } from '../../../core/mutants/mutant-catalogue.ts';
import type { FilterArguments } from '../../../core/query/query.ts';
import { keyOf, type Pagination, toFilterArguments } from '../engine/paginate.ts';
import { mutantsOfKinds, type PredictableMutant } from '../engine/predictable-mutants.ts';
import { stableIn, type Witness } from '../engine/readings.ts';
import type { RunContext } from '../engine/run-context.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { explainedBy, type Judgement } from './rule.ts';

/**
 * The rival that explains best why a walk is wrong: it would have given the same records, nothing that was seen contradicts it, and it explains the most of
 * what is wrong elsewhere.
 */
export function explanationOf(lab: RunContext, universe: Snapshot, walk: Pagination): PredictableMutant | undefined {
  return explanationsOf(lab, universe, walk, mutantsOfKinds(lab.contract, universe.operation, namingKinds))[0];
}

/** Those of some rivals that explain a walk, the best first. */
export function explanationsOf(
  lab: RunContext,
  universe: Snapshot,
  walk: Pagination,
  rivals: readonly PredictableMutant[],
): readonly PredictableMutant[] {
  const comparison = compareWalk(lab, universe, walk);
  if (comparison.wrong.length === 0) return [];
  return rivals
    .filter((rival) => fits(rival, comparison) && isConsistent(lab, universe, rival))
    .map((rival) => ({ rival, reach: reachOf(lab, universe, rival) }))
    .toSorted((left, right) => right.reach - left.reach)
    .map(({ rival }) => rival);
}

/** Whether some rival of another law explains more of what is wrong than the best of these. */
export function isBetterNamed(lab: RunContext, universe: Snapshot, named: PredictableMutant, own: PredictableMutant | undefined): boolean {
  return own === undefined || reachOf(lab, universe, named) > reachOf(lab, universe, own);
}

/** The kinds of mutants by which a wrong selection is named. That a filter is ignored is for the general rule to say. */
export const namingKinds: readonly MutantKind[] = [
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

/** The finding that another rule names what is wrong with a walk; `undefined` when none does. */
export function namedElsewhere(lab: RunContext, universe: Snapshot, walk: Pagination): Judgement | undefined {
  const named = explanationOf(lab, universe, walk);
  return named === undefined ? undefined : explainedBy(named.rule);
}

/** A walk beside the replica. */
interface Comparison {
  readonly given: FilterArguments;
  /** The keys of what it gave. */
  readonly seen: ReadonlySet<string>;
  readonly witnesses: readonly Witness[];
  /** The witnesses that it should have given and did not, or the other way round. */
  readonly wrong: readonly Witness[];
}

const compared = new WeakMap<Pagination, { readonly answers: number; readonly comparison: Comparison }>();

/** Compares a walk with what the replica predicts. */
export function compareWalk(lab: RunContext, universe: Snapshot, walk: Pagination): Comparison {
  const answers = lab.replies.length;
  const known = compared.get(walk);
  if (known?.answers === answers) return known.comparison;
  const { operation } = universe;
  const given = toFilterArguments(walk.values);
  const seen = new Set(walk.records.map((record) => keyOf(operation, record)));
  const witnesses = stableIn(lab, universe, walk).filter((each) => universe.byKey.has(each.key));
  const wrong = witnesses.filter((each) => seen.has(each.key) !== operation.collection.query.matches(each.record, given));
  const comparison = { given, seen, witnesses, wrong };
  compared.set(walk, { answers, comparison });
  return comparison;
}

/** The records that were there all through a walk and satisfy its filters, and those of them that are not in it. */
export function leftOut(
  lab: RunContext,
  universe: Snapshot,
  walk: Pagination,
): { readonly due: readonly Witness[]; readonly missing: readonly Witness[] } {
  const { operation } = universe;
  const given = toFilterArguments(walk.values);
  const seen = new Set(walk.records.map((record) => keyOf(operation, record)));
  const due = stableIn(lab, universe, walk).filter((each) => operation.collection.query.matches(each.record, given));
  return { due, missing: due.filter((each) => !seen.has(each.key)) };
}

/** Whether a walk gave what the records predict that were read first: what is not as predicted may have moved, or may be worth a plainer request. */
export function isAsPredicted({ operation, records }: Snapshot, walk: Pagination): boolean {
  const given = toFilterArguments(walk.values);
  const seen = new Set(walk.records.map((record) => keyOf(operation, record)));
  return records.every((record) => seen.has(keyOf(operation, record)) === operation.collection.query.matches(record, given));
}

/** Whether a rival would have given exactly what a walk gave. */
function fits(rival: PredictableMutant, { given, seen, witnesses }: Comparison): boolean {
  return witnesses.every((each) => rival.accepts(each.record, given) === seen.has(each.key));
}

/**
 * Whether nothing contradicts a rival: it fits every walk that had just its filters, and every right answer that it would have made wrong is missing. By
 * chance a wrong rival may fit one walk, but hardly all.
 */
function isConsistent(lab: RunContext, universe: Snapshot, rival: PredictableMutant): boolean {
  return walksOf(lab, universe).every((walk) => {
    const comparison = compareWalk(lab, universe, walk);
    const isRight = comparison.wrong.length === 0;
    if (!isRight && !hasJust(universe, walk, rival.parameters)) return true;
    return fits(rival, comparison);
  });
}

/** How many of the answers that are wrong a rival explains. */
function reachOf(lab: RunContext, universe: Snapshot, rival: PredictableMutant): number {
  const wrong = walksOf(lab, universe)
    .map((walk) => compareWalk(lab, universe, walk))
    .filter((each) => each.wrong.length > 0);
  return wrong.filter((each) => fits(rival, each)).length;
}

/** The whole walks of a list in this round. */
export function walksOf(lab: RunContext, universe: Snapshot): readonly Pagination[] {
  return lab.walks.filter(
    (walk) => walk.operation === universe.operation && (walk.as ?? 'full') === universe.as && walk.end === 'complete',
  );
}

function hasJust({ base }: Snapshot, walk: Pagination, names: readonly string[]): boolean {
  const own = Object.keys(walk.values).filter(
    (name) => names.includes(name) || JSON.stringify(base[name]) !== JSON.stringify(walk.values[name]),
  );
  return own.length > 0 && own.length === names.length && own.every((name) => names.includes(name));
}
