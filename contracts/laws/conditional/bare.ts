/** The law about what a 304 brings. */

import { headerOf } from '../../../core/exchange.ts';
import { conditionalCalls, isConditional, opaqueOf, readTagged, withTag } from '../../conditional.ts';
import { inspectReplies } from '../../inspection.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { type Reply, tagOf } from '../../reply.ts';

const withBody: Candidate = { id: 'body', title: 'a 304 brought a body', missing: 'something that can be read, and a 304 to its tag' };
const otherTag: Candidate = {
  id: 'other-tag',
  title: 'a 304 showed another tag than the current one',
  missing: 'something that can be read, and a 304 that shows its tag',
};

/** The law. */
export const bare: Law = {
  id: 'conditional/bare',
  title: 'A 304 has no body, and no other tag than the current one',
  why: 'A body after a 304 is read as the beginning of the next answer, and another tag makes a client forget which copy it has.',
  strength: 'stated',
  rfc: 'RFC 9110 §15.4.5',
  clause: (operation) => (isConditional(operation) ? operation.responses.get('304')?.place : undefined),
  examine: async (lab, operation) => {
    for (const call of await conditionalCalls(lab, operation, 1)) {
      const tag = readTagged(await lab.ask(call));
      if (tag !== undefined) await lab.ask(withTag(call, tag));
    }
    return inspectReplies(lab, operation, [withBody, otherTag], (reply) => inspect(lab, reply));
  },
};

function inspect(lab: Lab, reply: Reply): Finding | undefined {
  if (reply.response.status !== 304) return undefined;
  const { id } = reply.call.operation;
  const base = { kind: 'contradicts', replies: [reply], witnesses: [] } as const;
  const { length } = reply.response.body;
  if (length > 0) {
    const actual = `it has one of ${length} characters`;
    return { ...base, expected: `a 304 of ${id} has no body`, actual, rival: withBody };
  }
  const [shown, sent] = [tagOf(reply), headerOf(reply.request.headers, 'if-none-match')];
  // Only what was given out for this very request is known to be its tag.
  const source = lab.replies.find((each) => each.request.target === reply.request.target && readTagged(each) === sent);
  if (shown === undefined || sent === undefined || source === undefined) return { kind: 'agrees', refutes: [withBody.id] };
  if (opaqueOf(shown) === opaqueOf(sent)) return { kind: 'agrees', refutes: [withBody.id, otherTag.id] };
  const actual = `it has the tag ${shown}`;
  return { ...base, replies: [source, reply], expected: `a 304 of ${id} to the tag ${sent} has that tag or none`, actual, rival: otherTag };
}
