/** Which rival explains a selection that is not as it should be: that rival's law names it, and the general laws stay quiet. */

import type { Lab } from './lab.ts';
import { compareWalk, fits, isConsistent, reachOf } from './mismatch.ts';
import { type FilterRival, filterRivals } from './rival.ts';
import type { Universe } from './universe.ts';
import type { Walk } from './walk.ts';

/**
 * The rival that explains best why a walk is wrong: it would have given the same records, nothing that was seen contradicts it, and it explains the most of
 * what is wrong elsewhere. That a filter is ignored is for the general law to say.
 */
export function explanationOf(lab: Lab, universe: Universe, walk: Walk): FilterRival | undefined {
  return explanationsOf(
    lab,
    universe,
    walk,
    filterRivals(lab.contract, universe.operation).filter((rival) => rival.kind !== 'ignored'),
  )[0];
}

/** Those of some rivals that explain a walk, the best first. */
export function explanationsOf(lab: Lab, universe: Universe, walk: Walk, rivals: readonly FilterRival[]): readonly FilterRival[] {
  const comparison = compareWalk(lab, universe, walk);
  if (comparison.wrong.length === 0) return [];
  return rivals
    .filter((rival) => fits(rival, comparison) && isConsistent(lab, universe, rival))
    .map((rival) => ({ rival, reach: reachOf(lab, universe, rival) }))
    .toSorted((left, right) => right.reach - left.reach)
    .map(({ rival }) => rival);
}

/** Whether some rival of another law explains more of what is wrong than the best of these. */
export function isBetterNamed(lab: Lab, universe: Universe, named: FilterRival | undefined, own: FilterRival | undefined): boolean {
  if (named === undefined || own === undefined) return named !== undefined;
  return reachOf(lab, universe, named) > reachOf(lab, universe, own);
}

/** The law that names a kind of rival. */
export function lawOf(rival: FilterRival, checkpoint: string | undefined): string {
  const isCheckpoint = rival.parameters[0] === checkpoint && rival.parameters.length === 1;
  if (rival.parameters.length > 1) return 'filters/conjunction';
  if (['first-only', 'last-only', 'whole-text'].includes(rival.kind)) return 'filters/union';
  if (rival.kind === 'exclusive') return isCheckpoint ? 'sync/inclusive' : 'ranges/inclusive';
  if (rival.kind === 'day-only') return 'sync/within-day';
  return isCheckpoint ? 'sync/offsets' : 'ranges/own-field';
}
