/** The law that a checkpoint leaves out what changed before it. */

import { rivalsOfKind } from '../../bounds.ts';
import { checkpointValues } from '../../checkpoint-values.ts';
import type { Finding, Law } from '../../law.ts';
import { filterPlace } from '../../list-clause.ts';
import { isSuccess, type Reply, recordsIn } from '../../reply.ts';
import { filterRivals } from '../../rival.ts';
import { examineSelections } from '../../selection.ts';
import { checkpointOf } from '../../universe.ts';
import { isList, keyOf, type ListOperation, requireList } from '../../walk.ts';
import { describeRecords } from '../../words.ts';

/** The law. */
export const sound: Law = {
  id: 'sync/sound',
  title: 'Nothing that changed before the checkpoint is given',
  why: 'A client that gets everything each time reads the whole business every minute, and its operator soon blocks it.',
  strength: 'stated',
  slow: true,
  clause: (operation) => {
    const parameter = isList(operation) ? checkpointOf(operation) : undefined;
    return parameter === undefined ? undefined : filterPlace(requireList(operation), parameter);
  },
  examine: async (lab, operation) => {
    const list = requireList(operation);
    const rivals = rivalsOfKind(filterRivals(lab.contract, list), [checkpointOf(list) ?? ''], ['ignored']);
    const candidates = checkpointValues(await lab.universe(list), 'any');
    const examination = await examineSelections(lab, list, { rivals, candidates, otherwise: 'filters/sound', times: 1 });
    const judge = (): readonly Finding[] => [...examination.judge(), ...lab.replies.flatMap((reply) => judgeReply(list, reply))];
    return { rivals: examination.rivals, judge };
  },
};

/** A record and the checkpoint that it came through stand in one answer, so nothing can have moved between them. */
function judgeReply(list: ListOperation, reply: Reply): readonly Finding[] {
  const { call } = reply;
  const parameter = checkpointOf(list) ?? '';
  const checkpoint = call.values?.[parameter];
  const isOther = call.operation.id !== list.id || (call.raw ?? []).length > 0 || !isSuccess(reply);
  if (isOther || typeof checkpoint !== 'string') return [];
  const older = (recordsIn(reply) ?? []).filter((record) => !list.collection.query.matches(record, new Map([[parameter, checkpoint]])));
  if (older.length === 0) return [];
  const keys = older.map((record) => keyOf(list, record));
  return [
    {
      kind: 'contradicts',
      replies: [reply],
      expected: `${list.id} with ${parameter}=${checkpoint} gives nothing that changed before`,
      actual: `it gives ${describeRecords(list, keys)}, which changed before`,
      records: older.slice(0, 3),
      witnesses: keys,
    },
  ];
}
