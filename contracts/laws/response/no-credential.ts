/** The law about credentials in answers. */

import type { Operation } from '../../../core/operation.ts';
import { findCredentials } from '../../credential.ts';
import { inspectReplies } from '../../inspection.ts';
import type { Finding, Law } from '../../law.ts';
import { isSuccess, type Reply } from '../../reply.ts';
import { needsKey } from '../../sample.ts';

const shown = {
  id: 'shown',
  title: 'credentials were fit to be shown',
  missing: 'a success with a body, of something that can be read and that other laws ask for',
};

/** The law. */
export const noCredential: Law = {
  id: 'response/no-credential',
  title: 'No answer carries a credential or a payment provider’s reference',
  why: 'Whoever may read synchronised data must not thereby be able to pay, to refund or to log in.',
  strength: 'implied',
  clause: (operation) => {
    const { document } = operation;
    const { info = {} } = document.root;
    // Public texts may show anything, as an example; what is behind a key is data.
    return needsKey(operation) ? document.place(typeof info === 'object' && info !== null ? info : document.root) : undefined;
  },
  examine: async (lab, operation) =>
    inspectReplies(lab, operation, [shown], (reply) => inspect(reply, exemptions(operation, lab.contract.error?.request))),
};

/** Cursors and request identifiers are opaque: whatever they look like, they are for the server alone. */
function exemptions({ collection }: Operation, request: string | undefined): readonly string[] {
  const next = collection?.page.style === 'cursor' ? [collection.page.next] : [];
  return request === undefined ? next : [...next, request];
}

function inspect(reply: Reply, exempt: readonly string[]): Finding | undefined {
  if (reply.body === undefined) return undefined;
  const [first, ...others] = findCredentials(reply.body, exempt);
  if (first === undefined) return isSuccess(reply) ? { kind: 'agrees', refutes: [shown.id] } : undefined;
  return {
    kind: 'contradicts',
    replies: [reply],
    expected: `no answer of ${reply.call.operation.id} holds what looks like a credential`,
    actual: `${first.pointer} looks like ${first.what}${others.length === 0 ? '' : `, and ${others.length} more values do`}`,
    witnesses: [],
  };
}
