/** The law about operations that everybody may use. */

import type { Operation } from '../../../core/operation.ts';
import { type Call, nobody } from '../../call.ts';
import type { Lab } from '../../lab.ts';
import type { Finding, Law } from '../../law.ts';
import type { Reply } from '../../reply.ts';
import { exampleCall, needsKey } from '../../sample.ts';

const demanded = { id: 'key-demanded', title: 'a key were needed', missing: 'a record that is listed' };

/** The law. */
export const noneNeeded: Law = {
  id: 'keys/none-needed',
  title: 'No key is needed where none is documented',
  why: 'Public pages load without a key; when one is suddenly asked for, they stay empty.',
  strength: 'stated',
  clause: (operation) => (needsKey(operation) ? undefined : operation.place),
  examine: async (lab, operation) => {
    const call = await exampleFor(lab, operation);
    const reply = call === undefined ? undefined : await lab.ask(call);
    return { rivals: [demanded], judge: () => (reply === undefined ? [] : [judgeReply(reply)]) };
  },
};

/** What an anonymous caller gets for a record that is not listed is often left open, so only a listed one is asked for. */
async function exampleFor(lab: Lab, operation: Operation): Promise<Call | undefined> {
  const list = lab.listOf(operation);
  if (operation.resource !== undefined && list !== undefined && (await lab.universe(list)).records.length === 0) return undefined;
  const call = await exampleCall(lab, operation);
  // Without any documented key the request is the same for everybody, and other laws have asked it already.
  return operation.security.length === 0 ? call : { ...call, as: nobody };
}

function judgeReply(reply: Reply): Finding {
  const { status } = reply.response;
  if (status !== 401 && status !== 403) return { kind: 'agrees', refutes: [demanded.id] };
  return {
    kind: 'contradicts',
    replies: [reply],
    expected: `${reply.call.operation.id} answers without a key`,
    actual: `it is answered with ${status}`,
    rival: demanded,
    witnesses: [],
  };
}
