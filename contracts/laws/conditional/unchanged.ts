/** The law that a current tag is answered with 304. */

import type { Call } from '../../call.ts';
import { conditionalCalls, isConditional, opaqueOf, readTagged, taggedSuccess, tagPlace, withTag } from '../../conditional.ts';
import type { Lab } from '../../lab.ts';
import type { Candidate, Finding, Law } from '../../law.ts';
import { isSuccess, type Reply } from '../../reply.ts';

const ignored: Candidate = { id: 'ignored', title: 'If-None-Match were not read', missing: taggedSuccess };
const restless: Candidate = { id: 'restless', title: 'each answer had a tag of its own, whatever its content', missing: taggedSuccess };

/** The law. */
export const unchanged: Law = {
  id: 'conditional/unchanged',
  title: 'A current tag is answered with 304',
  why: 'A client that polls with the tag of its copy relies on being told cheaply that nothing changed.',
  strength: 'stated',
  clause: (operation) => (isConditional(operation) ? (operation.responses.get('304')?.place ?? tagPlace(operation)) : undefined),
  examine: async (lab, operation) => {
    const made: Reading[] = [];
    for (const call of await conditionalCalls(lab, operation, 1)) made.push(...(await readConditionally(lab, call)));
    return { rivals: [ignored, restless], judge: () => made.flatMap(judgeReading) };
  },
};

/** A read, and the same read with its tag. */
interface Reading {
  readonly plain: Reply;
  readonly tag: string;
  readonly reply: Reply;
  /** The plain read once more, where the conditional one failed. */
  readonly after: Reply | undefined;
}

/** What changed between the two readings is asked for once more, with the tag that it has now. */
async function readConditionally(lab: Lab, call: Call): Promise<readonly Reading[]> {
  const first = await read(lab, await lab.ask(call));
  if (first === undefined || !isSuccess(first.reply) || isSame(first)) return first === undefined ? [] : [first];
  const second = await read(lab, first.reply);
  return second === undefined ? [first] : [first, second];
}

async function read(lab: Lab, plain: Reply): Promise<Reading | undefined> {
  const tag = readTagged(plain);
  if (tag === undefined) return undefined;
  const call = { ...plain.call, headers: {} };
  const reply = await lab.ask(withTag(call, tag));
  const isFailure = reply.response.status >= 400;
  return { plain, tag, reply, after: isFailure ? await lab.again(call) : undefined };
}

/** Whether a success shows what was there before, by its body or by its own tag. */
function isSame({ plain, tag, reply }: Reading): boolean {
  return plain.response.body === reply.response.body || opaqueOf(readTagged(reply) ?? '') === opaqueOf(tag);
}

function judgeReading(reading: Reading): readonly Finding[] {
  const { plain, tag, reply, after } = reading;
  const { status } = reply.response;
  const { id } = plain.call.operation;
  if (status === 304) return [{ kind: 'agrees', refutes: [ignored.id, restless.id] }];
  if (status >= 500) return [{ kind: 'obscured', by: 'response/no-server-error' }];
  if (after !== undefined && !isSuccess(after)) return [{ kind: 'moved', what: `${id} stopped succeeding` }];
  if (isSuccess(reply) && !isSame(reading)) return [{ kind: 'moved', what: `the content of ${id} changed between two readings` }];
  const isRestless = isSuccess(reply) && opaqueOf(readTagged(reply) ?? tag) !== opaqueOf(tag);
  return [
    {
      kind: 'contradicts',
      replies: [plain, reply],
      expected: `${id} with its current tag ${tag} is answered with 304`,
      actual: isSuccess(reply) ? `it is answered with ${status} and the same content` : `it is answered with ${status}`,
      ...(isSuccess(reply) ? { rival: isRestless ? restless : ignored } : {}),
      witnesses: [],
    },
  ];
}
