/** The law that what is listed can be read. */

import { valueAt } from '../../../core/pointer.ts';
import type { Entry } from '../../../core/query.ts';
import { isRecordRead, listOf, readSample } from '../../detail.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { resourcePlace } from '../../place.ts';
import { isSuccess, type Reply } from '../../reply.ts';
import { keyOf, type ListOperation } from '../../walk.ts';
import { describeRecords } from '../../words.ts';

/** The law. */
export const reachable: Law = {
  id: 'details/reachable',
  title: 'Every listed record can be read by itself',
  why: 'A client that follows its own list runs into an error that it has no reason to expect.',
  strength: 'stated',
  clause: (operation, contract) => (isRecordRead(operation, contract) ? resourcePlace(operation, 'by') : undefined),
  examine: async (lab, operation) => {
    const list = listOf(lab, operation);
    await readSample(lab, operation);
    const { records } = await lab.universe(list);
    const [parameter = '', field = ''] = [...(operation.resource?.by ?? [])][0] ?? [];
    const byName = new Map(records.map((record) => [JSON.stringify(valueAt(record, field) ?? null), record]));
    return {
      rivals,
      // Other laws read records too, and what they could not read counts as well.
      judge: () =>
        lab.replies.flatMap((reply): readonly Finding[] => {
          // What only came to be told to come back later was asked again.
          const isTurnedAway = reply.response.status === 429 || reply.response.status === 503;
          const record =
            isPlain(reply, operation.id) && !isTurnedAway ? byName.get(JSON.stringify(reply.call.values?.[parameter])) : undefined;
          return record === undefined ? [] : [judgeReply(lab, list, record, reply)];
        }),
    };
  },
};

const rivals: readonly Candidate[] = [
  { id: 'absent', title: 'some of what is listed could not be read by itself', missing: 'a listed record that is still there' },
];

/** Whether a request only names one record, with the caller's own key. */
function isPlain({ call }: Reply, operation: string): boolean {
  const isOther = call.raw !== undefined || call.segments !== undefined || call.headers !== undefined || call.carrier !== undefined;
  const isOwn = call.as === undefined || call.as === 'full';
  return call.operation.id === operation && !isOther && isOwn && Object.keys(call.values ?? {}).length === 1;
}

function judgeReply(lab: Lab, list: ListOperation, record: Entry, reply: Reply): Finding {
  if (isSuccess(reply)) return { kind: 'agrees', refutes: ['absent'] };
  if (reply.response.status >= 500) return { kind: 'obscured', by: 'response/no-server-error' };
  const key = keyOf(list, record);
  const named = describeRecords(list, [key]);
  const stable = lab.sightings(list).stable(key, reply.startedMs, reply.endedMs);
  if (stable === undefined) return { kind: 'moved', what: `${named} did not stay as it was in ${list.id}` };
  return {
    kind: 'contradicts',
    replies: [stable.before.reply, reply],
    expected: `${reply.call.operation.id} gives ${named}, which ${list.id} shows before and after`,
    actual: `it is answered with ${reply.response.status}`,
    records: [stable.before.record],
    rival: { id: 'absent', title: 'some of what is listed could not be read by itself' },
    witnesses: [key],
  };
}
