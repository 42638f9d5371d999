/** Requests that must be refused: each is sent, and its status is compared with the one that the contract documents. */

import type { Place } from '../core/errors.ts';
import { type Operation, responseFor, statusOf } from '../core/operation.ts';
import type { Condition } from '../core/rules.ts';
import type { Call } from './call.ts';
import type { Lab } from './lab.ts';
import type { Candidate, Examination, Finding } from './law.ts';
import { isSuccess, type Reply, recordsIn } from './reply.ts';
import type { ListOperation } from './walk.ts';

/** A request that must not succeed. */
export interface Attempt {
  readonly call: Call;
  /** What is wrong with it, as a noun: `limit=101`. */
  readonly what: string;
  readonly clause?: Place;
  /** The listed record that the request names: without it, the answer may be that there is none. */
  readonly named?: { readonly list: ListOperation; readonly key: string };
}

/** Sends requests that the contract refuses and judges how they are answered. */
export async function examineRefusals(
  lab: Lab,
  operation: Operation,
  condition: Condition,
  attempts: readonly Attempt[],
): Promise<Examination> {
  const made: { readonly attempt: Attempt; readonly reply: Reply }[] = [];
  for (const attempt of attempts) made.push({ attempt, reply: await lab.ask(attempt.call) });
  const rivals = attempts.map(
    ({ what }): Candidate => ({ id: `accepted:${what}`, title: `${what} were right`, missing: 'room in the budget' }),
  );
  return { rivals, judge: () => made.map(({ attempt, reply }) => judgeRefusal(lab, operation, condition, attempt, reply)) };
}

function judgeRefusal(lab: Lab, operation: Operation, condition: Condition, attempt: Attempt, reply: Reply): Finding {
  const { what, clause, named } = attempt;
  const wanted = statusOf(operation, condition);
  const { status } = reply.response;
  if (status === wanted) return { kind: 'agrees', refutes: [`accepted:${what}`] };
  if (named !== undefined && status === statusOf(operation, 'absent')) {
    const stable = lab.sightings(named.list).stable(named.key, reply.startedMs, reply.endedMs);
    if (stable === undefined) return { kind: 'moved', what: `the record that ${what} name did not stay in ${named.list.id}` };
  }
  // A server that fails on it does not take it for right; that it must not fail is another law.
  if (status >= 500) return { kind: 'obscured', by: 'response/no-server-error' };
  const records = recordsIn(reply);
  const given = isSuccess(reply) && records !== undefined ? ` with ${records.length} records` : '';
  return {
    kind: 'contradicts',
    replies: [reply],
    expected: `${operation.id} with ${what} is answered with ${wanted}`,
    actual: `it is answered with ${status}${given}`,
    ...(clause === undefined ? {} : { clause }),
    rival: { id: `accepted:${what}`, title: status < 400 ? `${what} were right` : `${what} were another mistake (${status})` },
    witnesses: [],
  };
}

/** Whether an operation documents an answer for a condition. */
export function documents(operation: Operation, condition: Condition): boolean {
  return responseFor(operation, statusOf(operation, condition)) !== undefined;
}
