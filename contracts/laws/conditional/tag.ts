/** The law that successes carry a tag. */

import { conditionalCalls, tagPlace } from '../../conditional.ts';
import { inspectReplies, isOrdinary } from '../../inspection.ts';
import type { Lab } from '../../lab.ts';
import type { Finding, Law } from '../../law.ts';

import { isSuccess, type Reply, tagOf } from '../../reply.ts';

const untagged = { id: 'untagged', title: 'successes had no tag', missing: 'something that can be read' };

/** The law. */
export const tag: Law = {
  id: 'conditional/tag',
  title: 'Every success of a conditional read carries an ETag',
  why: 'Without a tag a client has nothing to send back, and downloads everything each time.',
  strength: 'stated',
  clause: tagPlace,
  examine: async (lab, operation) => {
    for (const call of await conditionalCalls(lab, operation, 1)) await lab.ask(call);
    return inspectReplies(lab, operation, [untagged], (reply) => inspect(lab, reply));
  },
};

function inspect(lab: Lab, reply: Reply): Finding | undefined {
  if (!isSuccess(reply) || !isOrdinary(lab, reply)) return undefined;
  if (tagOf(reply) !== undefined) return { kind: 'agrees', refutes: [untagged.id] };
  return {
    kind: 'contradicts',
    replies: [reply],
    expected: `a success of ${reply.call.operation.id} has the header ETag`,
    actual: 'it has none',
    rival: untagged,
    witnesses: [],
  };
}
