/** The law about records that nothing but their key tells apart, at the edge of a page. */

import type { Lab } from '../../lab.ts';
import type { Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import {
  leavesOut,
  missingFrom,
  pagesOf,
  repeatedIn,
  repeats,
  tieEdges,
  tieOfMissing,
  tieOfRepeated,
  tieRivals,
  walkCut,
} from '../../page-walks.ts';
import { stableIn } from '../../sightings.ts';
import type { Universe } from '../../universe.ts';
import { isCursorList, requireList, type Walk } from '../../walk.ts';

const skips = {
  id: 'tie-skipped',
  title: `${tieRivals.equal}, and went on after all of them`,
  missing: 'two records that changed in the same moment',
};
const again = { id: 'tie-repeated', title: `${tieRivals.equal}, and went on with the first of them`, missing: skips.missing };

/** The most requests that one tie may take. */
const dearest = 6;

/** The law. */
export const ties: Law = {
  id: 'paging/ties',
  title: 'Records that changed in the same moment survive the edge of a page',
  why: 'An import changes hundreds of records in one moment; a cursor that remembers only the moment loses whatever does not fit on its page.',
  strength: 'stated',
  clause: (operation) => (isCursorList(operation) ? collectionPlace(operation, 'page') : undefined),
  examine: async (lab, operation) => {
    const universe = await lab.universe(requireList(operation));
    const edges = tieEdges(lab, universe).filter((edge) => pagesOf(edge) <= dearest);
    const walks: Walk[] = [];
    for (const edge of edges.slice(0, 1)) walks.push(await walkCut(lab, universe, edge.cut, edge.limit));
    return { rivals: [skips, again], judge: () => walks.flatMap((walk) => judge(lab, universe, walk)) };
  },
};

function judge(lab: Lab, universe: Universe, walk: Walk): readonly Finding[] {
  // A walk in a circle misses what comes after it; what it repeats shows why it does not get further.
  const isStuck = walk.end === 'stuck';
  if (walk.end !== 'complete' && !isStuck) return [{ kind: 'obscured', by: 'paging/progress' }];
  const [missing, repeated] = [isStuck ? [] : missingFrom(lab, universe, walk), repeatedIn(lab, universe, walk)];
  const { operation } = universe;
  if (missing.length > 0) {
    const how = tieOfMissing(
      operation,
      walk,
      missing.map((each) => each.record),
    );
    if (how === undefined) return [{ kind: 'obscured', by: 'paging/complete' }];
    return [leavesOut(lab, universe, walk, missing, { id: skips.id, title: `${tieRivals[how]}, and went on after all of them` })];
  }
  if (repeated.length > 0) {
    const how = tieOfRepeated(
      operation,
      walk,
      repeated.map((each) => each.record),
    );
    return how === undefined
      ? [{ kind: 'obscured', by: isStuck ? 'paging/progress' : 'paging/once' }]
      : [repeats(universe, walk, repeated, { id: again.id, title: `${tieRivals[how]}, and went on with the first of them` })];
  }
  if (isStuck) return [{ kind: 'obscured', by: 'paging/progress' }];
  return stableIn(lab, universe, walk).length > 0
    ? [{ kind: 'agrees', refutes: [skips.id, again.id] }]
    : [{ kind: 'moved', what: `no record of ${operation.id} stayed as it was` }];
}
