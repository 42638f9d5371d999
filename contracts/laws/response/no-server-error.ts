/** The law about failures of the server itself. */

import { inspectReplies } from '../../inspection.ts';
import type { Finding, Law } from '../../law.ts';
import { isSuccess, type Reply } from '../../reply.ts';
import { searchCall, searchParameter } from '../../text-search.ts';
import { isList } from '../../walk.ts';

const rivals = [
  {
    id: 'fails-on-usual',
    title: 'the server could not cope with ordinary requests',
    missing: 'an answer to an ordinary request, such as other laws send',
  },
  {
    id: 'fails-on-unusual',
    title: 'the server could not cope with values that it refuses',
    missing: 'a refusal, such as other laws bring about',
  },
];

/** Texts that people do search for, and that careless programs stumble over: marks that mean something to databases, and very little. */
const oddTexts = [`100% d'"Oro"_\\ 💥`, 'a'];

/** The law. */
export const noServerError: Law = {
  id: 'response/no-server-error',
  title: 'No request makes the server fail',
  why: 'An internal error means a mistake that nobody thought of: a client cannot tell whether to try again, and what else broke.',
  strength: 'implied',
  clause: (operation) => operation.place,
  examine: async (lab, operation) => {
    if (isList(operation) && searchParameter(operation) !== undefined)
      for (const text of lab.quick ? oddTexts.slice(0, 1) : oddTexts) await lab.ask(searchCall(lab, operation, text));
    return inspectReplies(lab, operation, rivals, inspect);
  },
};

function inspect(reply: Reply): Finding | undefined {
  const { operation } = reply.call;
  const { status } = reply.response;
  if (status < 500) return { kind: 'agrees', refutes: [isSuccess(reply) ? 'fails-on-usual' : 'fails-on-unusual'] };
  // That a service is not available for a while is no mistake of its code: whoever stands before it may say so at any time.
  if (status === 503) return undefined;
  return {
    kind: 'contradicts',
    replies: [reply],
    expected: `${operation.id} answers without an error of the server`,
    actual: `it is answered with ${status}`,
    witnesses: [],
  };
}
