/** The law that hidden records are not listed. */

import { hasKey, hidesRecords, isHidden, type VisibleList } from '../../hidden.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { collectionPlace } from '../../list-clause.ts';
import { firstOfEach } from '../../list-parts.ts';
import { type Reply, recordsIn } from '../../reply.ts';
import { keyOf } from '../../walk.ts';
import { describeRecords } from '../../words.ts';

/** The law. */
export const lists: Law = {
  id: 'visible/lists',
  title: 'Hidden records are not listed',
  why: 'What is not published yet, or not meant for everybody, is read by everybody.',
  strength: 'stated',
  clause: (operation) => (hidesRecords(operation) ? collectionPlace(operation, 'visible') : undefined),
  examine: async (lab, operation) => {
    if (!hidesRecords(operation)) throw new TypeError(`${operation.id} hides no records`);
    await lab.universe(operation);
    await firstOfEach(lab, operation);
    return {
      rivals,
      judge: () => lab.replies.flatMap((reply) => (reply.call.operation.id === operation.id ? judgeReply(lab, operation, reply) : [])),
    };
  },
};

const rivals: readonly Candidate[] = [
  { id: 'listed', title: 'hidden records were listed', missing: 'a record that is known to be hidden (--hidden KEY)' },
];

function judgeReply(lab: Lab, operation: VisibleList, reply: Reply): readonly Finding[] {
  const records = recordsIn(reply);
  if (records === undefined) return [];
  const wrong = records.filter((record) => isHidden(operation, record));
  // A record that was named as hidden may be public by now: what it says of itself counts.
  const isTelling = lab.hidden.length > 0 && !records.some((record) => hasKey(operation, record, lab.hidden));
  if (wrong.length === 0) return [{ kind: 'agrees', refutes: isTelling ? ['listed'] : [] }];
  const keys = wrong.map((record) => keyOf(operation, record));
  return [
    {
      kind: 'contradicts',
      replies: [reply],
      expected: `${operation.id} lists only records whose ${operation.collection.visible.field} is ${operation.collection.visible.shown.join(' or ')}`,
      actual: `it lists ${describeRecords(operation, keys)}`,
      records: wrong.slice(0, 3),
      rival: { id: 'listed', title: 'hidden records were listed' },
      witnesses: keys,
    },
  ];
}
