/** The law that a walk comes to its end. */

import type { Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { createPageWalks } from '../../page-walks.ts';
import { isCursorList, requireList, routeOf, type Walk } from '../../walk.ts';
import { describeValues } from '../../words.ts';

const rival = { id: 'circle', title: 'the cursor led back to where it came from', missing: 'a list of more than one page' };

/** The law. */
export const progress: Law = {
  id: 'paging/progress',
  title: 'Following the cursor comes to an end',
  why: 'A client that is led in a circle never finishes, and asks for ever.',
  strength: 'implied',
  clause: (operation) => (isCursorList(operation) ? collectionPlace(operation, 'page') : undefined),
  examine: async (lab, operation) => {
    const list = requireList(operation);
    await createPageWalks(lab, await lab.universe(list));
    return { rivals: [rival], judge: () => lab.walks.filter((walk) => walk.operation === list && walk.replies.length > 1).flatMap(judge) };
  },
};

function judge(walk: Walk): readonly Finding[] {
  if (walk.end === 'complete') return [{ kind: 'agrees', refutes: [rival.id] }];
  if (walk.end !== 'stuck') return [];
  return [
    {
      kind: 'contradicts',
      replies: walk.replies.slice(-2),
      expected: `the next page of ${walk.operation.id} with ${describeValues(walk.values)} is another one`,
      actual:
        walk.pages.at(-1)?.length === 0
          ? 'one empty page promises the next, without end'
          : 'it is a page that came before, with the same cursor',
      rival,
      route: routeOf(walk),
      witnesses: [],
    },
  ];
}
