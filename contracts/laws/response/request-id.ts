/** The law about the identifiers of failed requests. */

import { isObject } from '../../../core/json.ts';
import { hasBody, requestIdOf } from '../../failure.ts';
import { inspectReplies } from '../../inspection.ts';
import type { Lab } from '../../lab.ts';
import type { Finding, Law } from '../../law.ts';
import type { Reply } from '../../reply.ts';

const constant = { id: 'constant', title: 'all failures had one identifier', missing: 'two failures, such as other laws bring about' };

/** The law. */
export const requestId: Law = {
  id: 'response/request-id',
  title: 'Every failure has an identifier of its own',
  why: 'Support finds a failed request by the identifier that the client quotes; one that several requests share finds the wrong one.',
  strength: 'stated',
  clause: (operation, { error, document }) => {
    const api = document.root['x-api'];
    const shape = isObject(api) ? api['error'] : undefined;
    if (error?.request === undefined || ![...operation.responses.values()].some(hasBody)) return undefined;
    return isObject(shape) ? document.place(shape, 'request') : operation.place;
  },
  examine: async (lab, operation) => inspectReplies(lab, operation, [constant], (reply) => inspect(lab, reply)),
};

function inspect(lab: Lab, reply: Reply): Finding | undefined {
  const id = requestIdOf(lab.contract, reply);
  if (id === undefined) return undefined;
  // A cache may give the same failure to the same request twice, so only different requests are compared.
  const others = lab.replies.filter((each) => requestIdOf(lab.contract, each) !== undefined && !isSameRequest(each, reply));
  const twin = others.find((each) => requestIdOf(lab.contract, each) === id);
  if (twin === undefined) return others.length === 0 ? undefined : { kind: 'agrees', refutes: [constant.id] };
  return {
    kind: 'contradicts',
    replies: [twin, reply],
    expected: 'each failed request has an identifier of its own',
    actual: `two requests were both given the identifier ${id}`,
    witnesses: [],
    ...(others.every((each) => requestIdOf(lab.contract, each) === id) ? { rival: constant } : {}),
  };
}

function isSameRequest({ request: first }: Reply, { request: second }: Reply): boolean {
  return first.target === second.target && JSON.stringify(first.headers) === JSON.stringify(second.headers);
}
