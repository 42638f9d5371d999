/** The law about requests without a key. */

import { nobody } from '../../call.ts';
import { firstGuarded, withKey } from '../../guarded.ts';
import { documentsRefusal, examineKeyRefusals } from '../../key-refusal.ts';
import type { Law } from '../../law.ts';
import type { Attempt } from '../../refusal.ts';
import { exampleCall, needsKey } from '../../sample.ts';

/** The law. */
export const missing: Law = {
  id: 'keys/missing',
  title: 'Without a key, the answer is 401',
  why: 'An operation that answers without a key is open to everybody.',
  strength: 'stated',
  clause: (operation) =>
    needsKey(operation) && documentsRefusal(operation, 'unauthenticated')
      ? operation.document.place(operation.value, 'security')
      : undefined,
  examine: async (lab, operation) => {
    const call = await exampleCall(lab, operation);
    const none: Attempt = { call: { ...call, as: nobody }, what: 'a request without a key' };
    const empty = firstGuarded(lab)?.id === operation.id ? withKey(call, '') : undefined;
    return examineKeyRefusals(lab, call, 'unauthenticated', [
      none,
      ...(empty === undefined ? [] : [{ call: empty, what: 'an empty key' }]),
    ]);
  },
};
