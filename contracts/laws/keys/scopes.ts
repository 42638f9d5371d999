/** The law about what a key may do. */

import type { Operation } from '../../../core/operation.ts';
import { roomInQuickRun } from '../../guarded.ts';
import { documentsRefusal, examineKeyRefusals } from '../../key-refusal.ts';
import type { Law } from '../../law.ts';
import { exampleCall } from '../../sample.ts';

/** The law. */
export const scopes: Law = {
  id: 'keys/scopes',
  title: 'With a key that lacks the scope, the answer is 403',
  why: 'Scopes are what keeps a key that was made for one task from doing another.',
  strength: 'stated',
  clause: (operation) =>
    scopesOf(operation).length > 0 && documentsRefusal(operation, 'forbidden')
      ? operation.document.place(operation.value, 'security')
      : undefined,
  examine: async (lab, operation) => {
    const needed = scopesOf(operation);
    const known = needed.filter((scope) => lab.keys.has(`without:${scope}`));
    const [first] = needed;
    if (known.length === 0) return { untestable: `a key without the scope ${first ?? ''}: --key without:${first ?? ''}=VARIABLE` };
    // A scope is asked for in one place, so that a run with few requests only looks at the lists.
    if (lab.quick && operation.collection === undefined)
      return { rivals: [{ id: 'unchecked', title: 'any valid key were enough', missing: roomInQuickRun }], judge: () => [] };
    const call = await exampleCall(lab, operation);
    const attempts = known.map((scope) => ({ call: { ...call, as: `without:${scope}` }, what: `a key without the scope ${scope}` }));
    return examineKeyRefusals(lab, call, 'forbidden', attempts);
  },
};

/** The scopes that every way of asking needs. */
function scopesOf({ security }: Operation): readonly string[] {
  const [first = [], ...others] = security;
  const needed = first.flatMap((credential) => credential.scopes);
  return [...new Set(needed)].filter((scope) => others.every((each) => each.some((credential) => credential.scopes.includes(scope))));
}
