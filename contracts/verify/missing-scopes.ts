/** At the end of a round, explains responses 403 to the key `full` by a missing scope. A check that nothing but such refusals decides becomes not testable. */

import { getOrCompute } from '../../core/memo.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { type RoundOutcome, violatedOutcome, withoutEvidence } from './conclude-check.ts';
import type { Reply } from './evidence/call.ts';

/**
 * The operations that refused the key `full` with 403 (RFC 9110 §15.5.4), with the scopes that they need. An operation that also returned a success or a
 * 404 is not among them, since it accepted the key.
 */
export function refusedOperations(replies: readonly Reply[]): ReadonlyMap<Operation, string> {
  const requested = new Map<Operation, Reply[]>();
  for (const reply of replies.filter(isOfFullKey)) getOrCompute(requested, reply.call.operation, () => []).push(reply);
  const refused = [...requested].filter(
    ([, ownReplies]) =>
      ownReplies.some(({ response }) => response.status === 403) &&
      ownReplies.every(({ response: { status } }) => status >= 400 && status !== 404),
  );
  return new Map(refused.flatMap(([operation]) => (scopesOf(operation) === '' ? [] : [[operation, scopesOf(operation)] as const])));
}

/** Returns the outcome of a check without refusals of the key `full`. A check with nothing else is not testable. */
export function withinScope(operation: Operation, outcome: RoundOutcome, refused: ReadonlyMap<Operation, string>): RoundOutcome {
  const { verdict, contradictions } = outcome;
  const isBlamed = (reply: Reply): boolean => isOfFullKey(reply) && reply.response.status === 403 && refused.has(reply.call.operation);
  const otherContradictions = contradictions.filter(({ replies }) => !replies.some(isBlamed));
  if (otherContradictions.length > 0) return violatedOutcome({ ...outcome, contradictions: otherContradictions });
  const blamedReply = contradictions[0]?.replies.find(isBlamed);
  const isUndecided = verdict === 'not-exercised' || verdict === 'inconclusive';
  const scope = refused.get(blamedReply?.call.operation ?? operation);
  if (scope === undefined || (blamedReply === undefined && !isUndecided)) return outcome;
  return withoutEvidence('not-testable', `a key with the scope ${scope}: --key full=VARIABLE`);
}

function isOfFullKey({ call: { as = 'full' } }: Reply): boolean {
  return as === 'full';
}

function scopesOf({ security }: Operation): string {
  return [...new Set(security.flat().flatMap((credential) => credential.scopes))].join(' and ');
}
