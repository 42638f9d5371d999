/** The law about the size of pages. */

import { inspectReplies } from '../../inspection.ts';
import type { Law } from '../../law.ts';
import { parameterPlace } from '../../list-clause.ts';
import { createPageWalks } from '../../page-walks.ts';
import { recordsIn } from '../../reply.ts';
import { isCursorList, limitOf, requireList } from '../../walk.ts';

import { count } from '../../words.ts';

const rival = { id: 'one-too-many', title: 'a page held more records than its limit', missing: 'enough records to fill a page' };

/** The law. */
export const limitSize: Law = {
  id: 'paging/limit-size',
  title: 'A page holds no more records than its limit',
  why: 'A client that makes room for a page must not be sent more than fits.',
  strength: 'stated',
  clause: (operation) => (isCursorList(operation) ? parameterPlace(operation, requireList(operation).collection.page.limit) : undefined),
  examine: async (lab, operation) => {
    const list = requireList(operation);
    await createPageWalks(lab, await lab.universe(list));
    return inspectReplies(lab, list, [rival], (reply) => {
      const [limit, records] = [limitOf(list, reply), recordsIn(reply)];
      if (limit === undefined || records === undefined || records.length < limit) return undefined;
      if (records.length === limit) return { kind: 'agrees', refutes: [rival.id] };
      return {
        kind: 'contradicts',
        replies: [reply],
        expected: `a page of ${list.id} with limit ${limit} holds at most ${count(limit, 'record')}`,
        actual: `it holds ${records.length}`,
        rival,
        witnesses: [],
      };
    });
  },
};
