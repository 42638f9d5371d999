/**
 * How chaos and rate limit disturb one request: the decision that is made before its response, and that handlers and the sender carry out. Chooses nothing
 * itself.
 */

import type { HttpRequest } from '../../core/http/exchange.ts';

/** Caller and operation of a request. */
export interface ChaosContext {
  readonly contract: string;
  readonly operation: string;
  /** Role of the key, such as `full`; `anybody` if the operation needs no key, `stranger` for a missing or wrong key. */
  readonly role: string;
  readonly request: HttpRequest;
}

/** Transmission of a response. */
export interface Transmission {
  /** Delay before the first byte, in milliseconds. */
  readonly delayMs?: number;
  /** Reset of the connection before the first byte, or within the body. */
  readonly cut?: 'reset' | 'truncated';
  /** Speed of the body. */
  readonly bytesPerSecond?: number;
}

/** Disturbances of one request. */
export interface ChaosDecision {
  /** Respond 429 with this value of Retry-After: seconds or a date (RFC 9110 §10.2.3). */
  readonly throttled?: { readonly retryAfter: string };
  /** Respond 503 with this error code, if the operation documents several. */
  readonly unavailable?: { readonly code: string | undefined };
  readonly wire?: Transmission;
  /** Respond 400 with this message, because the header Mock-Chaos is invalid. */
  readonly refused?: string;
  /** Sentences for the journal: the disturbances and their reasons. */
  readonly notes?: readonly string[];
}

/** Decides on the disturbances of each request. */
export interface ChaosDecider {
  /** Returns the decision. Must be called once per request, since limits count the calls. */
  readonly decide: (context: ChaosContext) => ChaosDecision;
}

/** Never disturbs a request. */
export const noChaos: ChaosDecider = { decide: () => ({}) };
