import type { Arbitrary } from 'fast-check';
import type { Operation } from '../../core/openapi/operation.ts';
import { boundedFilter } from './bounded-filter.ts';
import { type GeneratedRequest, hasIntendedValues, readBack, writeRequest } from './generated-request.ts';
import { createRequestPartsFactory, type RequestOptions } from './request-parts.ts';

/**
 * Returns an arbitrary of valid requests to an operation. A strict server reads exactly the intended values from each.
 *
 * - Optional parameters come and go; rules about several parameters are kept.
 * - Equivalent spellings occur: encoded letters, `+` for a space, reordered pairs, header names in another case. Values come from the whole
 *   schema, often its boundaries, and from `known`.
 * - With `keys`, each alternative of `security` with known keys is used. Without keys, requests are anonymous if the operation allows it;
 *   if not, `lacksKey` is true. Counterexamples never show a key.
 * - A page cursor is sent only if `known` has one, and without the filters that must not change between pages: take known cursors from an
 *   unfiltered list.
 * - Failures shrink to the required parameters, with the smallest values in the simplest spelling.
 *
 * Not generated: bodies that are not JSON, several key alternatives at once, texts that HTTP cannot carry (empty header fields and path
 * segments, the segments `.` and `..`, header texts beyond ASCII), and optional parameters that no style can write, such as arrays of
 * arrays.
 * @throws {UsageError} for a known value or a key that cannot be sent.
 * @throws {Unsatisfiable} when the contract allows no request.
 * @throws {Unsupported} when a parameter or a required body cannot be generated.
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { contractFile, loadContract } from 'touchstone';
 * import { requestFor } from 'touchstone/generators';
 *
 * const [operation] = (await loadContract(contractFile('wiki'))).operations;
 * if (operation === undefined) throw new Error('the contract has no operation');
 * for (const { method, target } of fc.sample(requestFor(operation), 10)) console.log(method, target);
 * ```
 */
export function requestFor(operation: Operation, options: RequestOptions = {}): Arbitrary<GeneratedRequest> {
  const requests = createRequestPartsFactory(operation, options)
    .parts()
    .map((parts) => writeRequest(operation, parts));
  return boundedFilter(requests, (request) => isAllowed(operation, request), `a request that ${operation.id} allows`);
}

function isAllowed(operation: Operation, request: GeneratedRequest): boolean {
  const reading = readBack(operation, request);
  return reading?.problems.length === 0 && hasIntendedValues(operation, reading, request);
}
