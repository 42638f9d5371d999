/** The law about keys that have expired. */

import { isLookedAt, roomInQuickRun } from '../../guarded.ts';
import { documentsRefusal, examineKeyRefusals } from '../../key-refusal.ts';
import type { Law } from '../../law.ts';
import { exampleCall, needsKey } from '../../sample.ts';

/** The law. */
export const expired: Law = {
  id: 'keys/expired',
  title: 'With an expired key, the answer is 401',
  why: 'A key is given an end so that whoever still has it can do nothing with it.',
  strength: 'stated',
  slow: true,
  clause: (operation) =>
    needsKey(operation) && documentsRefusal(operation, 'unauthenticated')
      ? operation.document.place(operation.value, 'security')
      : undefined,
  examine: async (lab, operation) => {
    if (!lab.keys.has('expired')) return { untestable: 'an expired key: --key expired=VARIABLE' };
    if (!isLookedAt(lab, operation))
      return { rivals: [{ id: 'never-expires', title: 'keys never expired', missing: roomInQuickRun }], judge: () => [] };
    const call = await exampleCall(lab, operation);
    return examineKeyRefusals(lab, call, 'unauthenticated', [{ call: { ...call, as: 'expired' }, what: 'an expired key' }]);
  },
};
