/** The law about the way to the next page. */

import { valueAt } from '../../../core/pointer.ts';
import type { CursorPage } from '../../../core/rules.ts';
import { inspectReplies } from '../../inspection.ts';
import type { Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { createPageWalks } from '../../page-walks.ts';
import { isSuccess, type Reply, recordsIn } from '../../reply.ts';
import { isCursorList, type ListOperation, requireList, routeOf, type Walk } from '../../walk.ts';

const rival = {
  id: 'dead-end',
  title: 'a page promised another one and did not say how to get there',
  missing: 'a list of more than one page',
};
const refused = {
  id: 'refused',
  title: 'the cursor that was just given were not accepted',
  missing: 'a list of more than one page',
};
const unsaid = {
  id: 'unsaid',
  title: 'a page did not say whether another one follows',
  missing: 'a list that can be read with the full key',
};

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
    const asked = inspectReplies(lab, list, [rival, unsaid, refused], (reply) =>
      recordsIn(reply) === undefined ? undefined : judge(list, page, reply),
    );
    return { rivals: asked.rivals, judge: () => [...asked.judge(), ...lab.walks.flatMap((walk) => judgeUse(list, walk))] };
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

/** A walk follows each cursor at once, with nothing else changed, and once: whatever else may be open about cursors, this must work. */
function judgeUse(list: ListOperation, walk: Walk): readonly Finding[] {
  const { operation, replies } = walk;
  if (operation !== list || replies.length < 2) return [];
  const [before, last] = replies.slice(-2);
  if (before === undefined || last === undefined || isSuccess(last)) return [{ kind: 'agrees', refutes: [refused.id] }];
  if (last.response.status >= 500) return [{ kind: 'obscured', by: 'response/no-server-error' }];
  return [
    {
      kind: 'contradicts',
      replies: [before, last],
      expected: `${list.id} accepts the cursor that it has just given`,
      actual: `it is answered with ${last.response.status}`,
      rival: refused,
      route: routeOf(walk),
      witnesses: [],
    },
  ];
}
