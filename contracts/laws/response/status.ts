/** The law about statuses that no document names. */

import { documentedStatuses } from '../../../core/response.ts';
import { inspectReplies, inspectViolations } from '../../inspection.ts';
import type { Lab } from '../../lab.ts';
import type { Finding, Law } from '../../law.ts';
import { isOrdinary } from '../../ordinary.ts';
import { isSuccess, type Reply } from '../../reply.ts';

const rivals = [
  {
    id: 'other-successes',
    title: 'successes had a status of their own',
    missing: 'a success, of something that can be read and that other laws ask for',
  },
  { id: 'other-failures', title: 'failures had a status of their own', missing: 'a failure, such as other laws bring about' },
];

/** The law. */
export const status: Law = {
  id: 'response/status',
  title: 'Every answer has a documented status',
  why: 'Clients decide by the status: one that is not documented leads them into code that nobody wrote.',
  strength: 'stated',
  clause: (operation) => operation.place,
  examine: async (lab, operation) => inspectReplies(lab, operation, rivals, (reply) => inspect(lab, reply)),
};

function inspect(lab: Lab, reply: Reply): readonly Finding[] | undefined {
  const { status: given } = reply.response;
  // What throttles a client may stand before the API; failures of the server are another law's.
  if (given === 429 || given >= 500 || !isOrdinary(lab, reply)) return undefined;
  // That a damaged value is refused is asserted, and not by which status.
  if (reply.call.isDamaged === true && given >= 400) return undefined;
  const { operation } = reply.call;
  const expected = `${operation.id} answers with one of ${documentedStatuses(operation).join(', ')}`;
  return inspectViolations(lab, reply, ({ part }) => part === 'status', expected, [
    isSuccess(reply) ? 'other-successes' : 'other-failures',
  ]);
}
