/** The law that a walk delivers nothing twice. */

import type { Lab } from '../../lab.ts';
import type { Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { createPageWalks, repeatedIn, repeats, tieOfRepeated } from '../../page-walks.ts';
import { stableIn } from '../../sightings.ts';
import type { Universe } from '../../universe.ts';
import { isCursorList, requireList, type Walk } from '../../walk.ts';

const rival = { id: 'repeats', title: 'a page began with records of the page before', missing: 'a list of more than one page' };

/** The law. */
export const once: Law = {
  id: 'paging/once',
  title: 'Following the cursor delivers no record twice',
  why: 'A record that comes twice is counted twice by whoever adds up, and a page of repetitions is a page of requests for nothing.',
  strength: 'implied',
  clause: (operation) => (isCursorList(operation) ? collectionPlace(operation, 'page') : undefined),
  examine: async (lab, operation) => {
    const universe = await lab.universe(requireList(operation));
    await createPageWalks(lab, universe);
    const isOurs = (walk: Walk): boolean =>
      walk.operation === universe.operation && (walk.as ?? 'full') === universe.as && walk.replies.length > 1;
    return { rivals: [rival], judge: () => lab.walks.filter(isOurs).flatMap((walk) => judge(lab, universe, walk)) };
  },
};

function judge(lab: Lab, universe: Universe, walk: Walk): readonly Finding[] {
  if (walk.end === 'stuck') return [{ kind: 'obscured', by: 'paging/progress' }];
  const repeated = repeatedIn(lab, universe, walk);
  if (repeated.length === 0) return stableIn(lab, universe, walk).length === 0 ? [] : [{ kind: 'agrees', refutes: [rival.id] }];
  const tie = tieOfRepeated(
    universe.operation,
    walk,
    repeated.map((each) => each.record),
  );
  return tie === undefined ? [repeats(universe, walk, repeated, rival)] : [{ kind: 'obscured', by: 'paging/ties' }];
}
