/** What a request meets on its way that has nothing to do with what it asks for: limits, outages, and chaos on the wire. */

import type { HttpRequest } from '../../core/http/exchange.ts';

/** Who sends a request, and where it is going. */
export interface ChaosContext {
  readonly contract: string;
  readonly operation: string;
  /** The role of the key, such as `full`; `anybody` where the operation asks for none, `stranger` where the key is missing or wrong. */
  readonly role: string;
  readonly request: HttpRequest;
}

/** How an answer goes over the wire. */
export interface Transmission {
  /** How long it waits before its first byte. */
  readonly delayMs?: number;
  /** Whether the connection is reset before any byte, or in the middle of the body. */
  readonly cut?: 'reset' | 'truncated';
  /** How fast the body goes. */
  readonly bytesPerSecond?: number;
}

/** What a request meets. */
export interface ChaosDecision {
  /** The value of Retry-After: seconds or a date (RFC 9110 §10.2.3). */
  readonly throttled?: { readonly retryAfter: string };
  /** The code that is asked for, where the operation documents several. */
  readonly unavailable?: { readonly code: string | undefined };
  readonly wire?: Transmission;
  /** What is wrong with the chaos that the request itself asks for; it is answered 400 with this message. */
  readonly refused?: string;
  /** In words, for the journal: what happened and why. */
  readonly notes?: readonly string[];
}

/** Tells the chaos. */
export interface ChaosDecider {
  /** The chaos for a request. Each request is told once, so that limits can count. */
  readonly meet: (asked: ChaosContext) => ChaosDecision;
}

/** Nothing happens. */
export const noChaos: ChaosDecider = { meet: () => ({}) };
