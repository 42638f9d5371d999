/**
 * Values that make no sense. Where the contract says so they are refused; where it leaves that open, a server may still not fail on them, nor answer
 * with something that was not asked for.
 */

import type { Place } from '../core/errors.ts';
import { statusOf } from '../core/operation.ts';
import type { Call } from './call.ts';
import { isOrdinary } from './inspection.ts';
import type { Lab } from './lab.ts';
import type { Candidate, Contradiction, Examination, Finding } from './law.ts';
import { isRefused } from './mistakes.ts';
import { documents } from './refusal.ts';
import { isSuccess, type Reply } from './reply.ts';

/** A request with such a value. */
export interface Oddity {
  readonly call: Call;
  /** The value with its parameter: `limit=abc`. */
  readonly what: string;
  readonly clause?: Place;
}

/** How a success is wrong, as a clause that follows "it is answered with 200": `and no list`; `undefined` when it is right. */
export type JudgeSuccess = (reply: Reply) => string | undefined;

const failing: Candidate = {
  id: 'server-error',
  title: 'a value that makes no sense led to a server error',
  missing: 'room in the budget',
};

/** Sends requests with such values and judges how they are answered. */
export async function examineOddities(lab: Lab, oddities: readonly Oddity[], judgeSuccess: JudgeSuccess): Promise<Examination> {
  const made: { readonly oddity: Oddity; readonly reply: Reply; readonly isWrong: boolean }[] = [];
  for (const oddity of oddities) {
    const reply = await lab.ask(oddity.call);
    // What is no text at all may be refused by the web server in its own way, and a refusal that no file documents is not demanded.
    const isWrong = isOrdinary(lab, reply) && documents(oddity.call.operation, 'invalid') && isRefused(lab.contract, oddity.call);
    made.push({ oddity, reply, isWrong });
  }
  const refused = made.filter(({ isWrong }) => isWrong).map(({ oddity }) => rivalOf(oddity));
  return {
    rivals: [failing, ...refused],
    judge: () => made.map(({ oddity, reply, isWrong }) => judgeOddity(oddity, reply, isWrong, judgeSuccess)),
  };
}

function rivalOf({ what }: Oddity): Candidate {
  return { id: `accepted:${what}`, title: `${what} were right`, missing: 'room in the budget' };
}

function judgeOddity(oddity: Oddity, reply: Reply, isWrong: boolean, judgeSuccess: JudgeSuccess): Finding {
  const { call, what, clause } = oddity;
  const { status } = reply.response;
  const wanted = statusOf(call.operation, 'invalid');
  const answered = `it is answered with ${status}`;
  const contradiction = (expected: string, actual: string, rival?: Candidate): Contradiction => ({
    kind: 'contradicts',
    replies: [reply],
    expected: `${call.operation.id} with ${what} ${expected}`,
    actual,
    ...(clause === undefined ? {} : { clause }),
    ...(rival === undefined ? {} : { rival }),
    witnesses: [],
  });
  const refusal = `is refused with ${wanted}`;
  if (status >= 500) return contradiction(isWrong ? refusal : 'never leads to a server error', answered, failing);
  if (isWrong && status !== wanted)
    return contradiction(
      refusal,
      answered,
      status < 400 ? rivalOf(oddity) : { ...rivalOf(oddity), title: `${what} were another mistake (${status})` },
    );
  const wrong = isSuccess(reply) ? judgeSuccess(reply) : undefined;
  if (wrong !== undefined) return contradiction('gives what was asked for, or is refused', `${answered} ${wrong}`);
  return { kind: 'agrees', refutes: isWrong ? [failing.id, `accepted:${what}`] : [failing.id] };
}
