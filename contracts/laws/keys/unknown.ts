/** The law about keys that were never issued. */

import { type Call, stranger } from '../../call.ts';
import { firstGuarded, isLookedAt, roomInQuickRun, withKey } from '../../guarded.ts';
import { documentsRefusal, examineKeyRefusals } from '../../key-refusal.ts';
import { type KeyVariant, variantsOf } from '../../key-variant.ts';
import type { Lab } from '../../lab.ts';
import type { Law } from '../../law.ts';
import type { Attempt } from '../../refusal.ts';
import { exampleCall, needsKey } from '../../sample.ts';

/** The law. */
export const unknown: Law = {
  id: 'keys/unknown',
  title: 'With a key that was never issued, the answer is 401',
  why: 'A server that only looks whether there is a key is open to everybody who sends one.',
  strength: 'stated',
  clause: (operation) =>
    needsKey(operation) && documentsRefusal(operation, 'unauthenticated')
      ? operation.document.place(operation.value, 'security')
      : undefined,
  examine: async (lab, operation) => {
    if (!isLookedAt(lab, operation)) {
      const title = 'any key were right';
      return { rivals: [{ id: 'any-key', title, missing: roomInQuickRun }], judge: () => [] };
    }
    const call = await exampleCall(lab, operation);
    const attempts: readonly Attempt[] = [
      { call: { ...call, as: stranger }, what: 'a key that was never issued' },
      ...(firstGuarded(lab)?.id === operation.id ? nearlyRight(lab, call) : []),
    ];
    return examineKeyRefusals(lab, call, 'unauthenticated', attempts);
  },
};

/** Keys that differ from the right one where careless comparisons do not look. They are as secret as the key: outputs hide them as well. */
function nearlyRight(lab: Lab, call: Call): readonly Attempt[] {
  const key = lab.keys.get('full');
  if (key === undefined || lab.quick) return [];
  return variantsOf(key).flatMap((variant) => {
    const sent = withKey(call, variant.value);
    return sent === undefined ? [] : [{ call: sent, what: describe(variant) }];
  });
}

function describe({ id }: KeyVariant): string {
  return id === 'case-ignored' ? 'the key in the other case' : 'the beginning of the key';
}
