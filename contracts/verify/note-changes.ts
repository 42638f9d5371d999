/** At the end of a run, reads plain operations once more, and notes content that differs from the first read although reads in between were alike. */

import { isPlain } from '../../core/openapi/operation.ts';
import { Blocked } from './evidence/blocked-operations.ts';
import { isReplyTo, isSuccess, type Reply } from './evidence/call.ts';
import { describePlace, differencesBetween } from './evidence/compare-replies.ts';
import { BudgetSpent } from './evidence/request-session.ts';
import type { RoundContext } from './evidence/round-context.ts';

/** Maximum number of operations that are read again. */
const readAgainMax = 20;

/** Notes the changes, a sentence for all operations. */
export async function noteChanges(context: RoundContext): Promise<readonly string[]> {
  const { contract, session } = context;
  const settled = contract.operations
    .filter(isPlain)
    .flatMap((operation) => firstOfSettled(session.replies.filter((reply) => isReplyTo(reply, operation))) ?? []);
  const changed: string[] = [];
  for (const before of settled.slice(0, readAgainMax)) {
    if (session.requestsLeft === 0) break;
    try {
      const after = await context.askAgain(before.call);
      const [place] = differencesBetween(before, after, { headers: [] });
      if (place !== undefined) changed.push(`${before.call.operation.id} (${describePlace(place)})`);
    } catch (error) {
      if (!(error instanceof Blocked || error instanceof BudgetSpent)) throw error;
    }
  }
  if (changed.length === 0) return [];
  return [
    `Content changed during the run, at ${changed.slice(0, 3).join(', ')}${changed.length > 3 ? ` and ${changed.length - 3} others` : ''}: if nobody else writes to the target, a GET request of this run caused it`,
  ];
}

/** The first read, if two reads in a row were alike at some time: content that always differs says nothing. */
function firstOfSettled([first, ...others]: readonly Reply[]): Reply | undefined {
  if (first === undefined || !isSuccess(first)) return undefined;
  const same = [
    first,
    ...others.filter(({ request: { target, method } }) => target === first.request.target && method === first.request.method),
  ];
  return same.some((reply, index) => index > 0 && reply.response.body === same[index - 1]?.response.body) ? first : undefined;
}
