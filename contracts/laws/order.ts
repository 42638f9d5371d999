/** Rules about the order of a list, on one page and across pages. */

import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import { collectionPlace } from '../list-clause.ts';
import { judgeOrder, orderRivals, type Shown } from '../order-law.ts';
import { compareNeighbours, isOrdered, neighboursIn } from '../ordering.ts';
import { createPageWalks } from '../page-walks.ts';
import { recordsIn } from '../reply.ts';
import { isList, keyOf, requireList, routeOf, type Walk } from '../walk.ts';
import { isSteady } from '../witness.ts';

const within: Law = {
  id: 'order/within',
  title: 'A page comes in the stated order',
  why: 'A client that reads the latest changes first, and stops when it knows a record, misses what stands in the wrong place.',
  strength: 'stated',
  clause: (operation, contract) =>
    isList(operation) && operation.collection.order.length > 0 && isOrdered(contract, operation)
      ? collectionPlace(operation, 'order')
      : undefined,
  examine: async (lab, operation) => {
    const list = requireList(operation);
    await lab.universe(list);
    return {
      rivals: orderRivals(list),
      judge: () => {
        // Both records stand in one answer, so nothing can have moved between them.
        const replies = lab.replies.filter((reply) => reply.call.operation.id === list.id);
        const shown = replies.flatMap((reply) =>
          neighboursIn(list, recordsIn(reply) ?? []).map((each): Shown => ({ ...each, replies: [reply] })),
        );
        return judgeOrder(lab, list, shown);
      },
    };
  },
};

const across: Law = {
  id: 'order/across',
  title: 'The order goes on from one page to the next',
  why: 'Pages that are sorted only inside themselves make a list that is not sorted at all.',
  strength: 'stated',
  clause: (operation, contract) =>
    isList(operation) && operation.collection.order.length > 0 && isOrdered(contract, operation)
      ? collectionPlace(operation, 'order')
      : undefined,
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const universe = await lab.universe(list);
    await createPageWalks(lab, universe);
    return {
      rivals: orderRivals(list)
        .slice(0, 2)
        .map((rival, index) =>
          index === 0 ? rival : { ...rival, missing: 'a page edge inside a block of records that are equal in all before it' },
        ),
      judge: () => {
        const walks = lab.walks.filter((walk) => walk.operation === list && (walk.as ?? 'full') === 'full' && isSteady(universe, walk));
        const shown = walks.flatMap((walk) => edges(lab, walk));
        // A page that is sorted inside itself says which way the list goes.
        return judgeOrder(lab, list, shown, [...shown, ...walks.flatMap(({ pages }) => pages.flatMap((page) => neighboursIn(list, page)))]);
      },
    };
  },
};

/** The last record of a page and the first of the next, if neither changed while they were read. */
function edges(lab: Lab, walk: Walk): readonly Shown[] {
  const { operation, pages, replies } = walk;
  const sightings = lab.sightings(operation);
  return pages.slice(1).flatMap((page, index) => {
    const [first, second] = [pages[index]?.at(-1), page[0]];
    const [before, after] = [replies[index], replies[index + 1]];
    if (first === undefined || second === undefined || before === undefined || after === undefined) return [];
    const isStill = [first, second].every(
      (record) => sightings.stable(keyOf(operation, record), before.startedMs, after.endedMs)?.before.content === JSON.stringify(record),
    );
    return isStill ? [{ ...compareNeighbours(operation, first, second), replies: [before, after], route: routeOf(walk) }] : [];
  });
}

/** The rules, in the order in which a run looks at them. */
export const order: readonly Law[] = [within, across];
