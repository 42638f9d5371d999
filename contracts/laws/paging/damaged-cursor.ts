/** The law about cursors that no page gave. */

import { statusOf } from '../../../core/operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { parameterPlace } from '../../list-clause.ts';
import { isStated } from '../../openness.ts';
import { documents } from '../../refusal.ts';
import { isSuccess, type Reply, recordsIn } from '../../reply.ts';
import { isCursorList, keyOf, type ListOperation, requireList } from '../../walk.ts';

const rivals: readonly Candidate[] = [
  { id: 'restarts:made-up', title: 'a cursor that no page gave were none: the walk silently starts again', missing: 'a record' },
  { id: 'restarts:cut', title: 'half a cursor were none: the walk silently starts again', missing: 'a list of more than one page' },
];

/** The law. */
export const damagedCursor: Law = {
  id: 'paging/damaged-cursor',
  title: 'A damaged cursor is refused',
  why: 'A client whose cursor was cut off on its way and that is given the first page again believes that it reads on, and loses the rest.',
  strength: 'implied',
  clause: (operation, contract) => {
    if (!isCursorList(operation) || !documents(operation, 'invalid')) return undefined;
    const { page } = requireList(operation).collection;
    const isAsserted = page.style === 'cursor' && operation.invalid['damaged-cursor'] === 'refused' && isStated(contract, 'damaged-cursor');
    return isAsserted ? parameterPlace(operation, page.cursor) : undefined;
  },
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const { page } = list.collection;
    if (page.style !== 'cursor') throw new TypeError(`${list.id} has no cursors`);
    const [first] = (await lab.universe(list)).walk.replies;
    const cursor = valueAt(first?.body, page.next);
    const made: { readonly id: string; readonly reply: Reply }[] = [];
    for (const [id, text] of damages(typeof cursor === 'string' ? cursor : '')) {
      const limit = first?.call.values?.[page.limit];
      const reply = await lab.ask({
        operation: list,
        values: { [page.cursor]: text, ...(limit === undefined ? {} : { [page.limit]: limit }) },
        isDamaged: true,
      });
      made.push({ id, reply });
    }
    return { rivals, judge: () => made.flatMap(({ id, reply }) => judge(list, first, id, reply)) };
  },
};

/** A text that is no cursor, and half of one. */
function damages(cursor: string): readonly (readonly [string, string])[] {
  const made: readonly (readonly [string, string])[] = [['restarts:made-up', 'touchstone-no-such-cursor']];
  return cursor.length < 4 ? made : [...made, ['restarts:cut', cursor.slice(0, Math.floor(cursor.length / 2))]];
}

/**
 * Any refusal will do, though only one is documented. A success is a violation when it is the first page; a text that is no cursor at all may not
 * succeed in any way, but half a cursor may happen to be one.
 */
function judge(list: ListOperation, first: Reply | undefined, id: string, reply: Reply): readonly Finding[] {
  const { status } = reply.response;
  if (status >= 500) return [{ kind: 'obscured', by: 'response/no-server-error' }];
  if (!isSuccess(reply)) return [{ kind: 'agrees', refutes: [id] }];
  const [given, start] = [recordsIn(reply) ?? [], first === undefined ? [] : (recordsIn(first) ?? [])];
  const known = new Set(start.map((record) => keyOf(list, record)));
  const shared = given.filter((record) => known.has(keyOf(list, record))).length;
  const isRestart = given.length > 0 && shared * 2 > Math.min(given.length, known.size);
  if (!isRestart && id !== 'restarts:made-up') return [];
  const rival = rivals.find((each) => each.id === id);
  return [
    {
      kind: 'contradicts',
      replies: [...(first === undefined ? [] : [first]), reply],
      expected: `${list.id} with a damaged cursor is answered with ${statusOf(list, 'invalid')}`,
      actual: isRestart ? `it is answered with ${status} and the first page` : `it is answered with ${status} and ${given.length} records`,
      ...(rival === undefined ? {} : { rival: { id: rival.id, title: rival.title } }),
      witnesses: [],
    },
  ];
}
