/** The law that an error stays an error on the way to a 304. */

import { type Operation, responseFor, statusOf } from '../../../core/operation.ts';
import type { Call } from '../../call.ts';
import { conditionalCalls, foreignTag, isConditional, readTagged, withTag } from '../../conditional.ts';
import { otherTenants } from '../../keyring.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Examination, Finding, Law, Untestable } from '../../law.ts';
import { refusedTexts } from '../../mistakes.ts';
import { isSuccess, type Reply } from '../../reply.ts';
import { unknownIdentity } from '../../sample.ts';

const absent: Candidate = { id: 'absent', title: 'a record that does not exist had not changed', missing: 'a record that does not exist' };
const invalid: Candidate = {
  id: 'invalid',
  title: 'a tag were looked at before the request',
  missing: 'an identifier that is certainly refused',
};

/** The law. */
export const failures: Law = {
  id: 'conditional/failures',
  title: 'An error stays an error when a tag is sent',
  why: 'A client that is told 304 for a record that is gone keeps it for ever.',
  strength: 'implied',
  slow: true,
  rfc: 'RFC 9110 §13.2.1',
  clause: (operation) => (isConditional(operation) && operation.resource !== undefined ? responseFor(operation, 404)?.place : undefined),
  examine: async (lab, operation) => {
    const [example] = await conditionalCalls(lab, operation, 1);
    const tag = (example === undefined ? undefined : readTagged(await lab.ask(example))) ?? foreignTag;
    if ((operation.resource?.by.size ?? 0) === 0) return examineSingleton(lab, operation, tag);
    const made = [await attempt(lab, { operation, values: unknownIdentity(operation) }, tag, absent)];
    const isLookedInto = !lab.quick;
    const [refused] = isLookedInto ? refusedCalls(lab, operation) : [];
    if (refused !== undefined) made.push(await attempt(lab, refused, tag, invalid));
    return { rivals: isLookedInto ? [absent, invalid] : [absent], judge: () => made.map(judgeAttempt) };
  },
};

/** What exists once is absent for a tenant that has none. */
async function examineSingleton(lab: Lab, operation: Operation, tag: string): Promise<Examination | Untestable> {
  const roles = otherTenants(lab.keys).toSorted((left, right) => Number(left === 'other') - Number(right === 'other'));
  if (roles.length === 0) return { untestable: `a key of a tenant for which ${operation.id} finds nothing: --key ROLE=VARIABLE` };
  const made: Attempt[] = [];
  for (const role of lab.quick ? roles.slice(0, 1) : roles) {
    const call: Call = { operation, as: role };
    if ((await lab.ask(call)).response.status !== statusOf(operation, 'absent')) continue;
    made.push(await attempt(lab, call, tag, absent));
    break;
  }
  return {
    rivals: [{ ...absent, missing: `a key of a tenant for which ${operation.id} finds nothing: --key ROLE=VARIABLE` }],
    judge: () => made.map(judgeAttempt),
  };
}

/** Requests whose identifier the contract refuses. */
function refusedCalls(lab: Lab, operation: Operation): readonly Call[] {
  const [name] = [...(operation.resource?.by.keys() ?? [])];
  const parameter = operation.parameters.find((each) => each.key === name);
  if (name === undefined || parameter?.in !== 'query') return [];
  return refusedTexts(lab.contract, operation, name, ['out-of-range', 'malformed'], ['0', '-1', 'abc']).map(({ call }) => call);
}

interface Attempt {
  readonly rival: Candidate;
  readonly plain: Reply;
  readonly reply: Reply;
}

async function attempt(lab: Lab, call: Call, tag: string, rival: Candidate): Promise<Attempt> {
  return { rival, plain: await lab.ask(call), reply: await lab.ask(withTag(call, tag)) };
}

function judgeAttempt({ rival, plain, reply }: Attempt): Finding {
  const { status } = reply.response;
  if (status >= 400) return { kind: 'agrees', refutes: [rival.id] };
  if (isSuccess(plain)) return { kind: 'obscured', by: rival === absent ? 'details/absent' : 'details/identifier' };
  return {
    kind: 'contradicts',
    replies: [plain, reply],
    expected: `${reply.call.operation.id} with a tag is refused, as it is without one (${plain.response.status})`,
    actual: `it is answered with ${status}`,
    rival,
    witnesses: [],
  };
}
