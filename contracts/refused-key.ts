/** Operations that refuse the key `full`: it seems to lack a scope, and what they answer to it says nothing of the target. */

import type { Operation } from '../core/operation.ts';
import { type Outcome, violated, withoutEvidence } from './outcome.ts';
import type { Reply } from './reply.ts';

/**
 * The operations that answered the key `full` with 403 (RFC 9110 §15.5.4), and never with a success or with 404, for which they must have looked: with the
 * scopes that they need.
 */
export function refusedOperations(replies: readonly Reply[]): ReadonlyMap<Operation, string> {
  const asked = new Map<Operation, readonly Reply[]>();
  for (const reply of replies.filter(isOfFullKey)) asked.set(reply.call.operation, [...(asked.get(reply.call.operation) ?? []), reply]);
  const refused = [...asked].filter(
    ([, own]) =>
      own.some(({ response }) => response.status === 403) && own.every(({ response: { status } }) => status >= 400 && status !== 404),
  );
  return new Map(refused.flatMap(([operation]) => (scopesOf(operation) === '' ? [] : [[operation, scopesOf(operation)] as const])));
}

/** The outcome of a check; one that rests on nothing but refusals of the key `full` is not testable. */
export function withinScope(operation: Operation, outcome: Outcome, refused: ReadonlyMap<Operation, string>): Outcome {
  const { verdict, contradictions } = outcome;
  const isBlamed = (reply: Reply): boolean => isOfFullKey(reply) && reply.response.status === 403 && refused.has(reply.call.operation);
  const others = contradictions.filter(({ replies }) => !replies.some(isBlamed));
  if (others.length > 0) return violated({ ...outcome, contradictions: others });
  const blamed = contradictions[0]?.replies.find(isBlamed);
  const isIdle = verdict === 'not-exercised' || verdict === 'inconclusive';
  const scope = refused.get(blamed?.call.operation ?? operation);
  if (scope === undefined || (blamed === undefined && !isIdle)) return outcome;
  return withoutEvidence('not-testable', `a key with the scope ${scope}: --key full=VARIABLE`);
}

/** A sentence for each scope that the key `full` seems to lack. */
export function noteRefusedKey(replies: readonly Reply[]): readonly string[] {
  const refused = [...refusedOperations(replies)];
  return [...new Set(refused.map(([, scope]) => scope))].map((scope) => {
    const ids = refused.flatMap(([{ id }, needed]) => (needed === scope ? [id] : [])).join(' and ');
    return `The key full seems to lack the scope ${scope}: ${ids} refused it with 403, and what needs it is not testable; name a key that has it by --key full=VARIABLE`;
  });
}

function isOfFullKey({ call: { as = 'full' } }: Reply): boolean {
  return as === 'full';
}

function scopesOf({ security }: Operation): string {
  return [...new Set(security.flat().flatMap((credential) => credential.scopes))].join(' and ');
}
