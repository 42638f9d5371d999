/** Helpers for tests of generators: path segments of generated requests, and results of shrinking. */

import fc from 'fast-check';
import type { Operation } from '../../core/openapi/operation.ts';
import { routeTo } from '../../core/openapi/route-request.ts';
import type { GeneratedRequest } from '../../generators/requests/generated-request.ts';

/**
 * The undecoded text of each path parameter.
 * @throws if the request belongs to another operation.
 */
export function segmentsOf(operation: Operation, request: GeneratedRequest): ReadonlyMap<string, string> {
  const route = routeTo([operation], request.method, request.target);
  if (route.kind !== 'operation') throw new Error(`${request.method} ${request.target} is not a request to ${operation.path}`);
  return route.segments;
}

/** An operation of a contract, by its id. */
export function operationIn(contract: { readonly operations: readonly Operation[] }, id: string): Operation {
  const found = contract.operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`the contract has no operation ${id}`);
  return found;
}

/** Result of shrinking when values with a property fail, with the message of a test runner. */
export function shrunk<T>(
  arbitrary: fc.Arbitrary<T>,
  isFailure: (value: T) => boolean,
  seed = 4,
): { readonly value: T; readonly report: string } {
  const details = fc.check(
    fc.property(arbitrary, (value) => !isFailure(value)),
    { seed, numRuns: 1000 },
  );
  const [value] = details.counterexample ?? [];
  if (value === undefined) throw new Error('no value is a failure');
  return { value, report: fc.defaultReportMessage(details) ?? '' };
}
