/** The law about records that do not exist. */

import { responseFor, statusOf } from '../../../core/operation.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { Call } from '../../call.ts';
import { isRecordRead, listOf, type RecordRead } from '../../detail.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { locate } from '../../place.ts';
import { isSuccess, type Reply } from '../../reply.ts';
import { absentIdentity, unknownIdentity } from '../../sample.ts';
import { showValue } from '../../words.ts';

/** The law. */
export const absent: Law = {
  id: 'details/absent',
  title: 'A record that does not exist is answered with 404',
  why: 'A client that is given something else takes it for the record, or never learns that the record is gone.',
  strength: 'stated',
  clause: (operation, contract) =>
    isRecordRead(operation, contract) ? responseFor(operation, statusOf(operation, 'absent'))?.place : undefined,
  examine: async (lab, operation) => {
    if (!isRecordRead(operation, lab.contract)) throw new TypeError(`${operation.id} reads no record of a list`);
    const replies: Reply[] = [];
    for (const call of await callsFor(lab, operation)) replies.push(await lab.ask(call));
    return { rivals, judge: () => replies.map((reply) => judgeReply(lab, reply)) };
  },
};

const rivals: readonly Candidate[] = [
  { id: 'another-record', title: 'what does not exist were some other record', missing: 'a name that no record has' },
  { id: 'empty-success', title: 'what does not exist were an empty success', missing: 'a name that no record has' },
  { id: 'other-failure', title: 'what does not exist were another failure', missing: 'a name that no record has' },
];

/** How far beyond the largest number that was seen, and the largest number that still fits 32 bits. */
const step = 1_000_003;
const largest = 2 ** 31 - 1;

async function callsFor(lab: Lab, operation: RecordRead): Promise<readonly Call[]> {
  const { records } = await lab.universe(listOf(lab, operation));
  const calls = [...operation.resource.by].flatMap(([parameter, field]): readonly Call[] => {
    const values = records.map((record) => valueAt(record, field));
    if (operation.parameters.find((each) => each.key === parameter)?.kinds.includes('string') !== true) {
      const most = Math.max(0, ...values.filter((value) => typeof value === 'number'));
      const value = most + step <= largest ? most + step : most + 7;
      return Number.isSafeInteger(value) ? [{ operation, values: { [parameter]: value } }] : [];
    }
    const name = absentIdentity(operation, parameter);
    return values.includes(name) ? [] : [{ operation, values: { [parameter]: name } }];
  });
  // What other laws ask for costs nothing: it comes first.
  return [{ operation, values: unknownIdentity(operation) }, ...calls].slice(0, lab.quick ? 1 : 4);
}

function judgeReply(lab: Lab, reply: Reply): Finding {
  const { operation, values = {} } = reply.call;
  const [parameter = '', value = ''] = Object.entries(values)[0] ?? [];
  const located = locate(lab.contract, reply);
  const field = operation.resource?.by.get(parameter) ?? '';
  const named = `${parameter}=${showValue(value)}`;
  if (located !== undefined && String(valueAt(located.record, field)) === String(value))
    return { kind: 'moved', what: `there is a record with ${named} after all` };
  const wanted = statusOf(operation, 'absent');
  const { status } = reply.response;
  if (status === wanted) return { kind: 'agrees', refutes: rivals.map(({ id }) => id) };
  if (status >= 500) return { kind: 'obscured', by: 'response/no-server-error' };
  const rival = rivals[located !== undefined ? 0 : isSuccess(reply) ? 1 : 2];
  return {
    kind: 'contradicts',
    replies: [reply],
    expected: `${operation.id} with ${named}, which names no record, is answered with ${wanted}`,
    actual: located === undefined ? `it is answered with ${status}` : `it is answered with ${status} and a record of another ${parameter}`,
    ...(located === undefined ? {} : { records: [located.record] }),
    ...(rival === undefined ? {} : { rival }),
    witnesses: [],
  };
}
