/** Requests that a contract allows. */

import type { Arbitrary } from 'fast-check';
import type { Operation } from '../../core/operation.ts';
import type { GeneratedRequest, RequestOptions } from './generated-request.ts';
import { openDesk } from './request-parts.ts';
import { sieve } from './sieve.ts';
import { agrees, readBack, writeRequest } from './wire.ts';

/**
 * Whole requests to an operation, all of which the contract allows. A strict reader finds in each exactly the values that it means.
 *
 * - Optional parameters come and go, from none of them to all; rules about several parameters are kept.
 * - Every way of writing a value comes up that means the same: encoded letters, `+` for a space, pairs in another order, header names in another
 *   case. Values are drawn from the whole schema, boundaries often, and from `known` values.
 * - With `keys`, each alternative of `security` is used that there are keys for. Without any, requests use the anonymous alternative; where there is
 *   none they are sent without a key and say so (`lacksKey`). Counterexamples never show a key.
 * - A page cursor is sent only if `known` has some, and then without the filters that must not change from page to page: take known cursors from a list
 *   without filters.
 * - Failures shrink to the required parameters with the smallest values in the plainest spelling.
 *
 * Not generated: bodies that are not JSON, more than one key alternative at once, texts that HTTP cannot carry (empty header fields and path
 * segments, the segments `.` and `..`, header texts beyond ASCII), and optional parameters that no style can write, such as arrays of arrays.
 * @throws {UsageError} for a known value or a key that cannot be sent.
 * @throws {Unsatisfiable} when the contract allows no request.
 * @throws {Unsupported} when a parameter or a required body cannot be generated.
 */
export function requestFor(operation: Operation, options: RequestOptions = {}): Arbitrary<GeneratedRequest> {
  const requests = openDesk(operation, options)
    .parts()
    .map((parts) => writeRequest(operation, parts));
  return sieve(requests, (request) => isAllowed(operation, request), `a request that ${operation.id} allows`);
}

function isAllowed(operation: Operation, request: GeneratedRequest): boolean {
  const reading = readBack(operation, request);
  return reading?.problems.length === 0 && agrees(operation, reading, request);
}
