/** Whether the key that should open everything is refused: then the key may lack a scope, and what is reported may be no fault of the target. */

import type { Operation } from '../core/operation.ts';
import type { Reply } from './reply.ts';

/** A sentence for each operation that answered every request of the key `full` with 403 (RFC 9110 §15.5.4), and perhaps rightly so. */
export function noteRefusedKey(replies: readonly Reply[]): readonly string[] {
  const asked = new Map<Operation, readonly Reply[]>();
  for (const reply of replies) {
    const { operation, as = 'full' } = reply.call;
    if (as === 'full' && scopesOf(operation).length > 0) asked.set(operation, [...(asked.get(operation) ?? []), reply]);
  }
  return [...asked].flatMap(([operation, own]) => {
    // Only the answers say something; what never came to the operation does not.
    const answered = own.filter(({ response }) => response.status !== 429 && response.status < 500);
    if (answered.length === 0 || answered.some(({ response }) => response.status !== 403)) return [];
    const scopes = scopesOf(operation).join(' and ');
    return [
      `${operation.id} answered every request of the key full with 403: if that key lacks the scope ${scopes}, what is reported of ${operation.id} is due to the key; name one that has it by --key full=VARIABLE, or leave the operation out by --skip ${operation.id}`,
    ];
  });
}

function scopesOf({ security }: Operation): readonly string[] {
  return [...new Set(security.flat().flatMap((credential) => credential.scopes))];
}
