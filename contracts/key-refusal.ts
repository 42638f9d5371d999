/**
 * Requests that a key must not open. Each differs from a request that succeeds in its key alone: where several errors apply at once,
 * contracts often leave open which of them is told.
 */

import { type Operation, responseFor, statusOf } from '../core/operation.ts';
import type { Call } from './call.ts';
import type { Lab } from './lab.ts';
import type { Candidate, Examination, Finding } from './law.ts';
import type { Attempt } from './refusal.ts';
import { isSuccess, type Reply } from './reply.ts';

/** What a key must not open, and why. */
export type KeyCondition = 'unauthenticated' | 'forbidden';

interface Made {
  readonly attempt: Attempt;
  readonly reply: Reply;
  /** The same request with the full key, before and, where it matters, after. */
  readonly full: Reply;
  readonly after: Reply | undefined;
}

/** Sends requests whose keys must not open what the full key opens, and judges how they are refused. */
export async function examineKeyRefusals(
  lab: Lab,
  call: Call,
  condition: KeyCondition,
  attempts: readonly Attempt[],
): Promise<Examination> {
  const { operation } = call;
  const full = await lab.ask(call);
  const made: Made[] = [];
  for (const attempt of attempts) {
    const reply = await lab.ask(attempt.call);
    // What vanished meanwhile is absent for everybody.
    const isOther = isSuccess(full) && !isSuccess(reply) && reply.response.status !== statusOf(operation, condition);
    made.push({ attempt, reply, full, after: isOther ? await lab.again(call) : undefined });
  }
  const rivals = attempts.map(({ what }): Candidate => {
    const missing = isSuccess(full) ? 'room in the budget' : `a request that succeeds with the full key (${full.response.status})`;
    return { id: idOf(what), title: `${what} were enough`, missing };
  });
  return { rivals, judge: () => made.flatMap((each) => judgeAttempt(operation, condition, each)) };
}

function idOf(what: string): string {
  return `accepted:${what}`;
}

function judgeAttempt(operation: Operation, condition: KeyCondition, { attempt, reply, full, after }: Made): readonly Finding[] {
  const { what, clause } = attempt;
  const wanted = statusOf(operation, condition);
  const { status } = reply.response;
  if (status === wanted) return [{ kind: 'agrees', refutes: [idOf(what)] }];
  if (status >= 500) return [{ kind: 'obscured', by: 'response/no-server-error' }];
  const isOpened = isSuccess(reply);
  if (!isOpened && !isSuccess(full)) return [];
  if (!isOpened && after !== undefined && !isSuccess(after))
    return [{ kind: 'moved', what: `${operation.id} stopped succeeding with the full key` }];
  return [
    {
      kind: 'contradicts',
      replies: [reply],
      expected: `${operation.id} with ${what} is answered with ${wanted}`,
      actual: `it is answered with ${status}`,
      ...(clause === undefined ? {} : { clause }),
      ...(isOpened ? { rival: { id: idOf(what), title: `${what} were enough` } } : {}),
      witnesses: [],
    },
  ];
}

/** Whether an operation documents how it refuses a key. */
export function documentsRefusal(operation: Operation, condition: KeyCondition): boolean {
  return responseFor(operation, statusOf(operation, condition)) !== undefined;
}
