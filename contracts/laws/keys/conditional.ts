/** The law that a tag opens nothing. */

import { type Call, nobody } from '../../call.ts';
import { readTagged, withTag } from '../../conditional.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { isSuccess, type Reply } from '../../reply.ts';
import { exampleCall, needsKey } from '../../sample.ts';

/** The law. */
export const conditional: Law = {
  id: 'keys/conditional',
  title: 'A current tag opens nothing without a valid key',
  why: 'A 304 tells whoever has no key that the record is there and has not changed.',
  strength: 'stated',
  clause: (operation) =>
    needsKey(operation) && operation.responses.has('304') ? operation.document.place(operation.value, 'security') : undefined,
  examine: async (lab, operation) => {
    const call = await exampleCall(lab, operation);
    const tagged = readTagged(await lab.ask(call));
    const callers = callersFor(lab, call);
    const made: { readonly who: Caller; readonly reply: Reply; readonly plain: Reply }[] = [];
    for (const who of tagged === undefined ? [] : callers) {
      const asked = { ...call, as: who.as };
      made.push({ who, reply: await lab.ask(withTag(asked, tagged ?? '')), plain: await lab.ask(asked) });
    }
    const rivals = callers.map(
      (who): Candidate => ({ id: who.as, title: titleFor(who), missing: 'something that can be read, with a tag' }),
    );
    return { rivals, judge: () => made.map(({ who, reply, plain }) => judgeReply(who, reply, plain)) };
  },
};

interface Caller {
  readonly as: string;
  readonly what: string;
}

/** Who must not get through: nobody, and, where a run has the key, one without the scope. */
function callersFor({ keys, quick }: Lab, { operation }: Call): readonly Caller[] {
  const scopes = [...new Set(operation.security.flat().flatMap((credential) => credential.scopes))];
  const [lacking] = scopes.map((scope) => `without:${scope}`).filter((role) => keys.has(role));
  const bare: Caller = { as: nobody, what: 'no key' };
  return lacking === undefined || quick || operation.resource?.by.size === 0
    ? [bare]
    : [bare, { as: lacking, what: `a key ${lacking.replace(':', ' the scope ')}` }];
}

function titleFor({ what }: Caller): string {
  return `a current tag were enough with ${what}`;
}

function judgeReply(who: Caller, reply: Reply, plain: Reply): Finding {
  const { status } = reply.response;
  if (status >= 400) return { kind: 'agrees', refutes: [who.as] };
  // What is open without a tag is open with one.
  if (isSuccess(plain)) return { kind: 'obscured', by: who.as === nobody ? 'keys/missing' : 'keys/scopes' };
  return {
    kind: 'contradicts',
    replies: [plain, reply],
    expected: `${reply.call.operation.id} with a current tag and ${who.what} is refused, as it is without the tag`,
    actual: `it is answered with ${status}`,
    rival: { id: who.as, title: titleFor(who) },
    witnesses: [],
  };
}
