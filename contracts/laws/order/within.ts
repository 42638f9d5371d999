/** The law about the order inside a page. */

import type { Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { judgeOrder, orderRivals, type Shown } from '../../order-law.ts';
import { isOrdered, neighboursIn } from '../../ordering.ts';
import { recordsIn } from '../../reply.ts';
import { isList, requireList } from '../../walk.ts';

/** The law. */
export const within: Law = {
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
