/** The law about the way to the next page. */

import { valueAt } from '../../../core/pointer.ts';
import type { CursorPage } from '../../../core/rules.ts';
import { inspectReplies } from '../../inspection.ts';
import type { Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { createPageWalks } from '../../page-walks.ts';
import { type Reply, recordsIn } from '../../reply.ts';
import { isCursorList, type ListOperation, requireList } from '../../walk.ts';

const rival = {
  id: 'dead-end',
  title: 'a page promised another one and did not say how to get there',
  missing: 'a list of more than one page',
};
const unsaid = { id: 'unsaid', title: 'a page did not say whether another one follows', missing: 'a page' };

/** The law. */
export const nextCursor: Law = {
  id: 'paging/next-cursor',
  title: 'A page says whether another one follows, and how to get there',
  why: 'A client that is promised more and cannot get it has no way to finish its copy.',
  strength: 'stated',
  clause: (operation) => (isCursorList(operation) ? collectionPlace(operation, 'page') : undefined),
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const { page } = list.collection;
    if (page.style !== 'cursor') throw new TypeError(`${list.id} has no cursors`);
    await createPageWalks(lab, await lab.universe(list));
    return inspectReplies(lab, list, [rival, unsaid], (reply) => (recordsIn(reply) === undefined ? undefined : judge(list, page, reply)));
  },
};

function judge(list: ListOperation, page: CursorPage, reply: Reply): Finding {
  const [more, next] = [valueAt(reply.body, page.more), valueAt(reply.body, page.next)];
  if (more === false) return { kind: 'agrees', refutes: [unsaid.id] };
  if (more === true && typeof next === 'string' && next !== '') return { kind: 'agrees', refutes: [rival.id, unsaid.id] };
  const isUnsaid = more !== true;
  return {
    kind: 'contradicts',
    replies: [reply],
    expected: isUnsaid
      ? `${page.more} of ${list.id} is true or false`
      : `${page.next} of ${list.id} leads to the page that ${page.more} promises`,
    actual: `it is ${JSON.stringify((isUnsaid ? more : next) ?? null)}`,
    rival: isUnsaid ? unsaid : rival,
    witnesses: [],
  };
}
