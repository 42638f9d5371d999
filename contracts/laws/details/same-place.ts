/** The law that a record always stands at the same place of the answer. */

import { isRecordRead, readSample } from '../../detail.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { type Located, locate, resourcePlace } from '../../place.ts';
import type { Reply } from '../../reply.ts';

/** The law. */
export const samePlace: Law = {
  id: 'details/same-place',
  title: 'The record stands at one place of the answer, the same for each record',
  why: 'A client that finds one record finds the next one only where it found the first.',
  strength: 'implied',
  clause: (operation, contract) => (isRecordRead(operation, contract) ? resourcePlace(operation, 'at') : undefined),
  examine: async (lab, operation) => {
    await readSample(lab, operation);
    return {
      rivals,
      judge: () =>
        judgePlaces(
          lab,
          lab.replies.filter((reply) => reply.call.operation.id === operation.id),
        ),
    };
  },
};

const rivals: readonly Candidate[] = [
  { id: 'place-varies', title: 'some records stood at another place of the answer than others', missing: 'two records that can be read' },
];

interface Found extends Located {
  readonly reply: Reply;
}

function judgePlaces(lab: Lab, replies: readonly Reply[]): readonly Finding[] {
  const all = replies.flatMap((reply): readonly Found[] => {
    const located = locate(lab.contract, reply);
    return located === undefined ? [] : [{ ...located, reply }];
  });
  const [first] = all;
  if (first === undefined) return [];
  const other = all.find((each) => each.at !== first.at);
  const distinct = new Set(all.map(({ record }) => JSON.stringify(record))).size;
  if (other === undefined) return distinct < 2 ? [] : [{ kind: 'agrees', refutes: ['place-varies'] }];
  return [
    {
      kind: 'contradicts',
      replies: [first.reply, other.reply],
      expected: `${first.reply.call.operation.id} puts each record at ${showPlace(first.at)}, as it did the first`,
      actual: `it puts another one at ${showPlace(other.at)}`,
      records: [first.record, other.record],
      rival: { id: 'place-varies', title: 'some records stood at another place of the answer than others' },
      witnesses: [],
    },
  ];
}

function showPlace(at: string): string {
  return at === '' ? 'the top' : at;
}
