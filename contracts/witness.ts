/** Witnesses: records that are known to have been there, unchanged, all through a walk. */

import type { Entry } from '../core/query.ts';
import type { Lab } from './lab.ts';
import type { Sighting } from './sightings.ts';
import type { Universe } from './universe.ts';
import { totalIn, type Walk } from './walk.ts';

/** A record that was seen before and after, with the same content and never with another between. */
export interface Witness {
  readonly key: string;
  readonly record: Entry;
  readonly before: Sighting;
  readonly after: Sighting;
}

/**
 * The witnesses of a walk. Where pages are counted by numbers, a record that comes or goes shifts all that follow, so a walk of several pages has
 * witnesses only if nothing at all moved.
 */
export function stableIn(lab: Lab, universe: Universe, walk: Walk): readonly Witness[] {
  if (!isSteady(universe, walk)) return [];
  const sightings = lab.sightings(universe.operation, universe.as);
  return sightings.keys.flatMap((key) => {
    const stable = sightings.stable(key, walk.startedMs, walk.endedMs);
    return stable === undefined ? [] : [{ key, record: stable.before.record, ...stable }];
  });
}

/** Whether shifting could not have disturbed a walk. */
export function isSteady(universe: Universe, walk: Walk): boolean {
  const { operation } = universe;
  if (operation.collection.page.style === 'cursor' || walk.replies.length <= 1) return true;
  return isQuiet(universe) && sameTotals(walk);
}

/** Whether a list was the same, record by record, when the round began and when it ended. */
export function isQuiet({ walk, closing, operation }: Universe): boolean {
  if (closing === undefined || closing.end !== walk.end) return false;
  const contents = (each: Walk): string => JSON.stringify(each.records.map((record) => JSON.stringify(record)).toSorted());
  const totals = (each: Walk): string => JSON.stringify(each.replies.map((reply) => totalIn(operation.collection.page, reply)));
  return totals(walk) === totals(closing) && contents(walk) === contents(closing);
}

/** Whether every page of a walk told the same total. */
function sameTotals(walk: Walk): boolean {
  return new Set(walk.replies.map((reply) => totalIn(walk.operation.collection.page, reply))).size <= 1;
}
