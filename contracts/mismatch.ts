/** What a walk gave beside what it should have given, by its witnesses; and which rivals fit everything that was seen. */

import type { Arguments } from '../core/query.ts';
import type { Lab } from './lab.ts';
import type { FilterRival } from './rival.ts';
import type { Universe } from './universe.ts';
import { keyOf, toArguments, type Walk } from './walk.ts';
import { stableIn, type Witness } from './witness.ts';

/** A walk beside the replica. */
export interface Comparison {
  readonly given: Arguments;
  /** The keys of what it gave. */
  readonly seen: ReadonlySet<string>;
  readonly witnesses: readonly Witness[];
  /** The witnesses that it should have given and did not, or the other way round. */
  readonly wrong: readonly Witness[];
}

const compared = new WeakMap<Walk, { readonly answers: number; readonly comparison: Comparison }>();

/** Compares a walk with what the replica predicts. */
export function compareWalk(lab: Lab, universe: Universe, walk: Walk): Comparison {
  const answers = lab.replies.length;
  const known = compared.get(walk);
  if (known?.answers === answers) return known.comparison;
  const { operation } = universe;
  const given = toArguments(walk.values);
  const seen = new Set(walk.records.map((record) => keyOf(operation, record)));
  const witnesses = stableIn(lab, universe, walk).filter((each) => universe.byKey.has(each.key));
  const wrong = witnesses.filter((each) => seen.has(each.key) !== operation.collection.query.matches(each.record, given));
  const comparison = { given, seen, witnesses, wrong };
  compared.set(walk, { answers, comparison });
  return comparison;
}

/** Whether a walk gave what the records predict that were read first: what is not as predicted may have moved, or may be worth a plainer request. */
export function isAsPredicted({ operation, records }: Universe, walk: Walk): boolean {
  const given = toArguments(walk.values);
  const seen = new Set(walk.records.map((record) => keyOf(operation, record)));
  return records.every((record) => seen.has(keyOf(operation, record)) === operation.collection.query.matches(record, given));
}

/** Whether a rival would have given exactly what a walk gave. */
export function fits(rival: FilterRival, { given, seen, witnesses }: Comparison): boolean {
  return witnesses.every((each) => rival.accepts(each.record, given) === seen.has(each.key));
}

/**
 * Whether nothing contradicts a rival: it fits every walk that had just its filters, and every right answer that it would have made wrong is missing. By
 * chance a wrong rival may fit one walk, but hardly all.
 */
export function isConsistent(lab: Lab, universe: Universe, rival: FilterRival): boolean {
  return walksOf(lab, universe).every((walk) => {
    const comparison = compareWalk(lab, universe, walk);
    const isRight = comparison.wrong.length === 0;
    if (!isRight && !hasJust(universe, walk, rival.parameters)) return true;
    return fits(rival, comparison);
  });
}

/** How many of the answers that are wrong a rival explains. */
export function reachOf(lab: Lab, universe: Universe, rival: FilterRival): number {
  const wrong = walksOf(lab, universe)
    .map((walk) => compareWalk(lab, universe, walk))
    .filter((each) => each.wrong.length > 0);
  return wrong.filter((each) => fits(rival, each)).length;
}

/** The whole walks of a list in this round. */
export function walksOf(lab: Lab, universe: Universe): readonly Walk[] {
  return lab.walks.filter(
    (walk) => walk.operation === universe.operation && (walk.as ?? 'full') === universe.as && walk.end === 'complete',
  );
}

function hasJust({ base }: Universe, walk: Walk, names: readonly string[]): boolean {
  const own = Object.keys(walk.values).filter(
    (name) => names.includes(name) || JSON.stringify(base[name]) !== JSON.stringify(walk.values[name]),
  );
  return own.length > 0 && own.length === names.length && own.every((name) => names.includes(name));
}
