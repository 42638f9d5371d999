/** What answers vary by, so that caches in between keep them apart. */

import type { Operation } from '../core/operation.ts';
import { type Answer, withHeader } from './answer.ts';

/** What is answered to one key must not be given to another by a cache in between (RFC 9110 §12.5.5). */
export function varyingByKey(operation: Operation, answer: Answer): Answer {
  const vary = variances.get(operation) ?? listCarriers(operation);
  variances.set(operation, vary);
  const { status, headers, body } = answer;
  return vary === '' ? answer : { status, headers: withHeader(headers, 'vary', vary), body };
}

/** What the answers of an operation vary by, as far as that is a key. */
const variances = new WeakMap<Operation, string>();

function listCarriers(operation: Operation): string {
  const carriers = operation.security
    .flat()
    .filter(({ carrier }) => carrier.in !== 'query')
    .map(({ carrier }) => (carrier.in === 'authorization' ? 'Authorization' : carrier.in === 'cookie' ? 'Cookie' : carrier.name));
  return [...new Set(carriers)].join(', ');
}
