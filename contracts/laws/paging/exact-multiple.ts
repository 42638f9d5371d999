/** The law about lists that end with a full page. */

import { valueAt } from '../../../core/pointer.ts';
import { compareWalk } from '../../explanation.ts';
import type { Lab } from '../../lab.ts';
import type { Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { cutOfSize, cutsOf, walkCut } from '../../page-walks.ts';
import { stableIn } from '../../sightings.ts';
import { largestPage, type Universe } from '../../universe.ts';
import { isCursorList, keyOf, requireList, toArguments, type Walk } from '../../walk.ts';

const rival = {
  id: 'full-means-more',
  title: 'a full page meant that another one follows',
  missing: 'a filter that at least one record passes, and no more than fit on a page',
};

/** The law. */
export const exactMultiple: Law = {
  id: 'paging/exact-multiple',
  title: 'No further page is promised when the records end with a page',
  why: 'A promised page that is empty is a request for nothing, and a client that waits for its records waits for ever.',
  strength: 'stated',
  slow: true,
  clause: (operation) => (isCursorList(operation) ? collectionPlace(operation, 'page') : undefined),
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const universe = await lab.universe(list);
    const cuts = cutsOf(lab, universe, 1);
    // The same few records as those that are read in pages of every size, where there are such.
    const cut = cutOfSize(cuts, 3, 4, 6) ?? cutOfSize(cuts, 1, 3, largestPage(list));
    const walk = cut === undefined ? undefined : await walkCut(lab, universe, cut, cut.records.length);
    return { rivals: [rival], judge: () => (walk === undefined ? [] : judge(lab, universe, walk)) };
  },
};

/** A page that is full of records that stayed, and after it only pages without any. */
function judge(lab: Lab, universe: Universe, walk: Walk): readonly Finding[] {
  const { operation } = universe;
  const stable = new Set(stableIn(lab, universe, walk).map((each) => each.key));
  const [first = []] = walk.pages;
  const [reply] = walk.replies;
  const { page } = operation.collection;
  if (page.style !== 'cursor' || reply === undefined) return [];
  if (compareWalk(lab, universe, walk).wrong.length > 0) return [{ kind: 'obscured', by: 'filters/complete' }];
  if (first.length !== walk.limit || first.some((record) => !stable.has(keyOf(operation, record))))
    return [{ kind: 'moved', what: 'the records of the only page changed while it was read' }];
  if (valueAt(reply.body, page.more) !== true) return [{ kind: 'agrees', refutes: [rival.id] }];
  const given = toArguments(walk.values);
  // A page in between may be empty: what came meanwhile may stand on any of those that follow.
  const added = walk.pages.slice(1).flat();
  if (added.some((record) => !operation.collection.query.matches(record, given))) return [{ kind: 'obscured', by: 'paging/filters-kept' }];
  if (added.length > 0) return [{ kind: 'moved', what: 'a record was added to the only page' }];
  return [
    {
      kind: 'contradicts',
      replies: walk.replies.slice(0, 2),
      expected: `${operation.id} says that nothing follows the ${first.length} records that there are`,
      actual: walk.replies.length > 1 ? 'it promises another page, which is empty' : 'it promises another page',
      records: [],
      rival,
      witnesses: [...stable],
    },
  ];
}
