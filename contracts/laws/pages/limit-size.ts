/** The law about the size of counted pages. */

import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { parameterPlace } from '../../list-clause.ts';
import { askSecondPage, isNumbered, isPage, numbered, wantedOf } from '../../numbered.ts';

import { type Reply, recordsIn } from '../../reply.ts';
import { totalIn } from '../../walk.ts';
import { count } from '../../words.ts';

/** The law. */
export const limitSize: Law = {
  id: 'pages/limit-size',
  title: 'A page has no more records than were asked for',
  why: 'Clients make room for the page size that they name, and count on from it.',
  strength: 'stated',
  clause: (operation) => (isNumbered(operation) ? parameterPlace(operation, operation.collection.page.limit) : undefined),
  examine: async (lab, operation) => {
    await askSecondPage(lab, numbered(operation));
    return { rivals, judge: () => judgeAll(lab, operation.id) };
  },
};

const rivals: readonly Candidate[] = [
  { id: 'size-ignored', title: 'the page size were not looked at', missing: 'more records than a small page holds' },
  { id: 'one-more', title: 'a page had one record more than its size', missing: 'more records than a small page holds' },
];

function judgeAll(lab: Lab, operation: string): readonly Finding[] {
  return lab.replies.flatMap((reply) => (reply.call.operation.id === operation && isPage(reply) ? judgeReply(reply) : []));
}

/** A page and its size stand in one answer, so nothing can have moved between them. */
function judgeReply(reply: Reply): readonly Finding[] {
  const wanted = wantedOf(reply);
  const records = recordsIn(reply);
  if (wanted === undefined || records === undefined) return [];
  const { collection, parameters, id } = numbered(reply.call.operation);
  const { limit } = wanted;
  const more = records.length - limit;
  if (more <= 0) {
    const total = totalIn(collection.page, reply);
    const isFull = more === 0 && (total === undefined || total > limit + wanted.skip);
    const isDefault = limit === parameters.find((each) => each.key === collection.page.limit)?.fallback;
    return [{ kind: 'agrees', refutes: isFull ? ['one-more', ...(isDefault ? [] : ['size-ignored'])] : [] }];
  }
  const rival = rivals[more === 1 ? 1 : 0];
  return [
    {
      kind: 'contradicts',
      replies: [reply],
      expected: `${id} gives at most ${count(limit, 'record')} on a page of ${limit}`,
      actual: `it gives ${records.length}`,
      ...(rival === undefined ? {} : { rival }),
      witnesses: [],
    },
  ];
}
