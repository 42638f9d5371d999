/** The result of `pact verify`, which sends the requests of pacts to a server. */

import type { SourceLocation } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { UnrecognisedState } from '../pact/interpret-state.ts';

/** The verdict on an interaction. */
export type InteractionVerdict = 'passed' | 'failed' | 'not-exercised';

/** One difference between a response and what the consumer expects. */
export interface PactFailure {
  /** The compared part. `identity`: the response belongs to another request, for example to another id. Pact itself does not check this. */
  readonly kind: 'status' | 'header' | 'body' | 'identity' | 'other';
  /** Name of a header, or a body path such as `$.data.thing.id`; empty for the whole. */
  readonly path: string;
  /** The expected value, as text. */
  readonly expected: string;
  /** The actual value, as text. */
  readonly actual: string;
  /** The meaning in one sentence, if it is known. */
  readonly diagnosis?: string;
}

/** An interaction and its verdict. */
export interface InteractionResult {
  /** Name of the consumer. */
  readonly consumer: string;
  /** Name of the provider. */
  readonly provider: string;
  /** Name of the contract. */
  readonly contract: string;
  /** The description in the pact. */
  readonly description: string;
  /** Names of the provider states. */
  readonly states: readonly string[];
  /** Place of the interaction in its file. */
  readonly place: SourceLocation;
  /** A failure of a pending interaction is reported, but does not fail the run. */
  readonly pending: boolean;
  /** The verdict on the interaction. */
  readonly verdict: InteractionVerdict;
  /** Reason why the interaction was not exercised. */
  readonly reason?: string;
  /** Differences from the expectation; empty unless the verdict is `failed`. */
  readonly failures: readonly PactFailure[];
  /** Notes, such as that the contract forbids the response, or that a retry passed. */
  readonly notes: readonly string[];
  /** Request and response without keys and personal data; absent if nothing was sent. */
  readonly exchange?: Exchange;
  /** The request as a curl command. */
  readonly curl?: string;
}

/** The result of `verifyPacts`. */
export interface PactVerification {
  /** The worst verdict of all interactions; `blocked` if the target could not be verified. */
  readonly verdict: InteractionVerdict | 'blocked';
  /** 0 passed, 1 failed, 3 the target could not be verified, 4 too few interactions exercised, 130 interrupted. */
  readonly exitCode: 0 | 1 | 3 | 4 | 130;
  /** URL of the target. */
  readonly target: string;
  /** Contracts that the target could not be verified against, with the reason. */
  readonly unavailable: readonly { readonly contract: string; readonly reason: string }[];
  /** Provider states with a guessed or an unknown meaning; empty if a state change URL sets states up. */
  readonly states: readonly UnrecognisedState[];
  /** Results in the order of the pacts. */
  readonly interactions: readonly InteractionResult[];
  /** Number of exercised interactions that exit code 0 needs. */
  readonly required: number;
  /** Requests sent, including those that find provider states. */
  readonly requests: number;
  /** Maximum number of requests. */
  readonly budget: number;
  /** Duration of the run in milliseconds. */
  readonly durationMs: number;
}

/** Counts the interactions by verdict. */
export function countResults(results: readonly InteractionResult[]): {
  readonly passed: number;
  readonly failed: number;
  readonly notExercised: number;
} {
  const number = (verdict: InteractionResult['verdict']): number => results.filter((each) => each.verdict === verdict).length;
  return { passed: number('passed'), failed: number('failed'), notExercised: number('not-exercised') };
}
