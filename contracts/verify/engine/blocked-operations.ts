/** Operations of a target, or all of it, that give no usable answer. */

import { responseFor } from '../../../core/openapi/operation.ts';
import type { Failure } from '../target/target-failure.ts';
import type { Reply } from './call.ts';

/** Nothing could be judged, because the operation or the whole target was not available. */
export class Blocked extends Error {
  override readonly name = 'Blocked' as const;
  /** Advice, as an imperative. */
  readonly advice: string;

  constructor(message: string, advice = 'try again when the target answers') {
    super(message);
    this.advice = advice;
  }
}

/** After so many failures of the network without an answer between them, the target is gone. */
const lossLimit = 4;

/**
 * So often in a row an operation may keep a request waiting for too long or break its answer, and so many operations may: one may fail by itself, all of them
 * are a target that is gone.
 */
const failingMost = { timeout: 2, broken: 4, 'not-http': 1, operations: 3 } as const;

/** Remembers what is asked no more, and why. */
export class BlockedOperations {
  private readonly closed = new Map<string, string>();
  private lost = 0;
  /** By operation, the failures since it last answered. */
  private readonly failures = new Map<string, number>();
  /** Operations that were found to fail since the last answer. */
  private failing = 0;

  /** Why the whole target is gone; `undefined` while it answers. */
  get ofTarget(): string | undefined {
    return this.closed.get('');
  }

  /** @throws {Blocked} when an operation, or the target, is asked no more. */
  refuse(operation: string): void {
    const reason = this.closed.get(operation) ?? this.ofTarget;
    if (reason !== undefined) throw new Blocked(reason);
  }

  /**
   * Asks nothing more of an operation, or of the whole target where none is named.
   * @throws {Blocked} always.
   */
  block(operation: string, reason: string): never {
    this.closed.set(operation, reason);
    throw new Blocked(reason);
  }

  /** An operation has answered. */
  noteAnswer(operation: string): void {
    this.lost = 0;
    this.failing = 0;
    this.failures.delete(operation);
  }

  /**
   * Notes that a request failed. One failure of the network is repeated; several in a row mean that the target is gone, or that the operation hangs.
   * @throws {Blocked} when it is not worth repeating.
   */
  noteFailure(operation: string, { cause, message }: Failure, isFirst: boolean): void {
    // Asked again, it would only be as large.
    if (cause === 'too-large') this.block(operation, message);
    if (cause === 'timeout' || cause === 'broken' || cause === 'not-http') {
      this.countFailure(operation, message, cause);
      return;
    }
    this.lost += 1;
    const isLasting = ['unknown-host', 'certificate', 'proxy'].includes(cause);
    if (this.lost >= lossLimit || isLasting || (isFirst && cause === 'unreachable')) this.block('', message);
  }

  private countFailure(operation: string, message: string, cause: 'timeout' | 'broken' | 'not-http'): void {
    const count = (this.failures.get(operation) ?? 0) + 1;
    this.failures.set(operation, count);
    if (count < failingMost[cause]) return;
    this.failing += 1;
    if (this.failing >= failingMost.operations) this.block('', message);
    this.block(operation, cause === 'timeout' ? `${operation} keeps its answer back: ${message}` : `${operation}: ${message}`);
  }
}

/** A redirect that the documents do not speak of says nothing of the API but that it is elsewhere (RFC 9110 §15.4). */
export function refuseRedirect({ call: { operation }, response: { status }, redirectedTo }: Reply): void {
  if (![301, 302, 303, 307, 308].includes(status) || responseFor(operation, status) !== undefined) return;
  const place = redirectedTo?.split('?')[0] ?? 'another place';
  throw new Blocked(
    `${operation.id} redirects to ${place} (${status}), where no key is sent`,
    'name the address that answers itself as --target',
  );
}
