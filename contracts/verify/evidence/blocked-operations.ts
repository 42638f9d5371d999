/**
 * Counts failed requests, and decides when an operation, or the whole target, counts as unavailable for the rest of a run. Waiting and what
 * follows are decided where `Blocked` is caught.
 */

import { documentsStatus } from '../../../core/openapi/operation.ts';
import type { Failure } from '../target/explain-network-failure.ts';
import type { Reply } from './call.ts';

/** An operation or the whole target is not available, so nothing can be judged. */
export class Blocked extends Error {
  override readonly name = 'Blocked' as const;
  /** Advice, as an imperative. */
  readonly advice: string;

  constructor(message: string, advice = 'try again when the target responds') {
    super(message);
    this.advice = advice;
  }
}

/** Number of network failures in a row after which the target counts as lost. */
const lossLimit = 4;

/** Number of failures in a row after which an operation is blocked, by cause, and number of such operations after which the target counts as lost. */
const failureLimits = { timeout: 2, broken: 4, 'not-http': 1, operations: 3 } as const;

/** Lower limits for a target that has not replied at all, since nobody wants to wait for its timeouts. */
const firstLimits = { ...failureLimits, timeout: 1, operations: 2 } as const;

/** Remembers which operations are blocked, and why. */
export class BlockedOperations {
  private readonly reasons = new Map<string, string>();
  private lossCount = 0;
  /** By operation, the number of failures since its last reply. */
  private readonly failures = new Map<string, number>();
  /** Number of operations that were blocked since the last reply. */
  private blockedCount = 0;

  /** The reason why the whole target is blocked; `undefined` while it responds. */
  get targetReason(): string | undefined {
    return this.reasons.get('');
  }

  /** @throws {Blocked} for an operation that is blocked, and for all if the target is. */
  refuse(operation: string): void {
    const reason = this.reasons.get(operation) ?? this.targetReason;
    if (reason !== undefined) throw new Blocked(reason);
  }

  /**
   * Blocks an operation; an empty id blocks the whole target.
   * @throws {Blocked} always.
   */
  block(operation: string, reason: string): never {
    this.reasons.set(operation, reason);
    throw new Blocked(reason);
  }

  /** Notes a reply, which ends all series of failures. */
  noteReply(operation: string): void {
    this.lossCount = 0;
    this.blockedCount = 0;
    this.failures.delete(operation);
  }

  /**
   * Notes a failed request. It may be repeated, unless too many failed in a row. `isFirst` is true while the target has not replied at all.
   * @throws {Blocked} if the request is not worth repeating.
   */
  noteFailure(operation: string, { cause, message }: Failure, isFirst: boolean): void {
    // A repeated response would be as large.
    if (cause === 'too-large') this.block(operation, message);
    if (cause === 'timeout' || cause === 'broken' || cause === 'not-http') {
      this.countFailure(operation, message, cause, isFirst ? firstLimits : failureLimits);
      return;
    }
    this.lossCount += 1;
    const isLasting = ['unknown-host', 'certificate', 'proxy'].includes(cause);
    if (this.lossCount >= lossLimit || isLasting || (isFirst && cause === 'unreachable')) this.block('', message);
  }

  private countFailure(
    operation: string,
    message: string,
    cause: 'timeout' | 'broken' | 'not-http',
    limits: Readonly<Record<keyof typeof failureLimits, number>>,
  ): void {
    const count = (this.failures.get(operation) ?? 0) + 1;
    this.failures.set(operation, count);
    if (count < limits[cause]) return;
    this.blockedCount += 1;
    if (this.blockedCount >= limits.operations) this.block('', message);
    this.block(operation, cause === 'timeout' ? `${operation} does not respond: ${message}` : `${operation}: ${message}`);
  }
}

/**
 * Refuses a redirect to another origin that the contract does not document (RFC 9110 §15.4).
 * @throws {Blocked} for such a redirect.
 */
export function refuseRedirect({ call: { operation }, response: { status }, redirectedTo }: Reply): void {
  if (![301, 302, 303, 307, 308].includes(status) || documentsStatus(operation, status)) return;
  const place = redirectedTo?.split('?')[0] ?? 'another place';
  throw new Blocked(
    `${operation.id} redirects to ${place} (${status}), and keys are not sent there`,
    'give --target the address that responds without a redirect',
  );
}
