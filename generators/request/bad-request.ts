/** Requests that break one rule of a contract. */

import { type Arbitrary, oneof } from 'fast-check';
import type { Operation } from '../../core/operation.ts';
import { Unsatisfiable } from '../outcome.ts';
import { bodyFaults } from './body-fault.ts';
import { type BadRequest, confirm, type Fault } from './fault.ts';
import type { RequestOptions } from './generated-request.ts';
import { keyFaults } from './key-fault.ts';
import { openDesk } from './request-parts.ts';
import { ruleFaults } from './rule-fault.ts';
import { hasFitting, sieve } from './sieve.ts';
import { textFaults } from './text-fault.ts';
import { valueFaults } from './value-fault.ts';

/**
 * Requests to an operation that break one rule and are right in all else, each with the rule's name and the answers that the contract documents: a
 * refusal, or a success where it says that such a fault is ignored, clamped or accepted (`x-invalid`).
 *
 * - A strict reader finds in each the named problem and no other; what the wire does not show is no fault: the text `5` is an integer.
 * - Values are wrong by the schema (near misses) or by their text: spaces, a leading plus, a broken escape, the same parameter twice.
 * - Parameters are wrong together: a required one is missing, exclusive ones are there together, ordered ones are not in order, one is unknown.
 * - Where a key is needed, it is missing, empty, unknown, or in a place where none is read; all other requests carry the caller's.
 * - Bodies are near misses of their schema, no JSON, or missing.
 * - These kinds come up equally often, and so do the parameters and rules within each. Failures shrink within their rule, to what else is plainest.
 *
 * Not generated: keys that lack a scope, since only the caller knows one, and what `requestFor` does not generate.
 * @throws {UsageError} for a known value or a key that cannot be sent.
 * @throws {Unsatisfiable} when there is no request to spoil.
 * @throws {Unsupported} when a parameter or a required body cannot be generated.
 */
export function badRequestFor(operation: Operation, options: RequestOptions = {}): Arbitrary<BadRequest> {
  const desk = openDesk(operation, options);
  const kinds = [valueFaults(desk), textFaults(desk), ruleFaults(desk), keyFaults(desk), bodyFaults(desk)]
    .map((faults) => faults.flatMap((fault) => confirmed(operation, fault)))
    .filter((faults) => faults.length > 0);
  if (kinds.length === 0) throw new Unsatisfiable(operation.pointer, 'there is no way to break a request to it');
  return oneof(...kinds.map((faults) => oneof(...faults)));
}

/** Many faults are none for the parameter at hand: no text is too short for one that may be empty. */
function confirmed(operation: Operation, faults: Arbitrary<Fault | undefined>): readonly Arbitrary<BadRequest>[] {
  const requests = faults.map((fault) => (fault === undefined ? undefined : confirm(operation, fault)));
  return hasFitting(requests, isBad) ? [sieve(requests, isBad, `a request that ${operation.id} refuses`) as Arbitrary<BadRequest>] : [];
}

function isBad(bad: BadRequest | undefined): boolean {
  return bad !== undefined;
}
