/** Which rival explains a selection that is not as it should be: that rival's law names it, and the general laws stay quiet. */

import type { Lab } from './lab.ts';
import { type FilterRival, filterRivals } from './rival.ts';
import { toArguments } from './selection.ts';
import type { Universe } from './universe.ts';
import { keyOf, type Walk } from './walk.ts';
import { stableIn } from './witness.ts';

/** The rival of another law that gives exactly the records that a walk gave, among those that did not change meanwhile. */
export function explanationOf(lab: Lab, universe: Universe, walk: Walk): FilterRival | undefined {
  const { operation } = universe;
  const witnesses = stableIn(lab, universe, walk);
  if (witnesses.length === 0) return undefined;
  const given = toArguments(walk.values);
  const seen = new Set(walk.records.map((record) => keyOf(operation, record)));
  return filterRivals(lab.contract, operation).find(
    (rival) => rival.kind !== 'ignored' && witnesses.every((each) => rival.accepts(each.record, given) === seen.has(each.key)),
  );
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
