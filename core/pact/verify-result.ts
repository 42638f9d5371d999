/** What a verification of pacts finds: each interaction with its result, and why. */

import type { Place } from '../errors.ts';
import type { Exchange } from '../exchange.ts';

/** What became of an interaction. */
export type InteractionVerdict = 'passed' | 'failed' | 'not-exercised';

/** One thing in which an answer is not as the consumer expects it. */
export interface PactFailure {
  /** `identity` is what Pact does not look at: whether what came is what was asked for. */
  readonly kind: 'status' | 'header' | 'body' | 'identity' | 'other';
  /** A header's name, or a path into the body such as `$.data.thing.id`; empty for the whole. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
  /** What it means, in one sentence, where that can be told. */
  readonly diagnosis?: string;
}

/** An interaction of a pact, and what became of it. */
export interface InteractionResult {
  readonly consumer: string;
  readonly provider: string;
  /** The name of the contract. */
  readonly contract: string;
  readonly description: string;
  /** The names of the provider states. */
  readonly states: readonly string[];
  /** Where the interaction stands. */
  readonly place: Place;
  /** A failure of what is pending is told, and fails nothing. */
  readonly isPending: boolean;
  readonly verdict: InteractionVerdict;
  /** Why it was not exercised. */
  readonly reason?: string;
  readonly failures: readonly PactFailure[];
  /** What else was seen: what the contract says of the answer, whether a second look was needed. */
  readonly notes: readonly string[];
  /** What was sent and what came, without keys and without personal data; absent when nothing was sent. */
  readonly exchange?: Exchange;
  /** The same request as a command line. */
  readonly curl?: string;
}

/** The result of a verification. */
export interface PactVerification {
  /** The gravest of all: `blocked` when the target could not be judged. */
  readonly verdict: InteractionVerdict | 'blocked';
  /** 0 all that was exercised passed, 1 failures, 3 the target could not be judged, 4 less was exercised than wanted, 130 interrupted. */
  readonly exitCode: 0 | 1 | 3 | 4 | 130;
  readonly target: string;
  /** Why the target could not be judged by a contract, by the contract's name. */
  readonly unavailable: readonly { readonly contract: string; readonly reason: string }[];
  readonly interactions: readonly InteractionResult[];
  /** How many interactions have to be exercised for an exit code of 0. */
  readonly required: number;
  /** How many requests were sent, what was read to find out the conditions included, and how many could have been. */
  readonly requests: number;
  readonly budget: number;
  readonly durationMs: number;
}
