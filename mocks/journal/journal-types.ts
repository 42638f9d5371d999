/** The journal as readers see it, without keys and personal data, and the exchanges as it keeps them, with personal data. */

import type { HttpHeaders } from '../../core/http/exchange.ts';
import type { JournalProblem } from '../handler/call.ts';
import type { FinishedExchange } from '../served-exchange.ts';

/**
 * Origin of the cursor of a request.
 *
 * - `first`: the request has no cursor.
 * - `given`: a response in the journal gave the cursor.
 * - `given-elsewhere`: the cursor is valid for this seed, but no response in the journal gave it. Another process with the same seed may have.
 * - `not-given`: no mock with this seed gives this cursor.
 */
export type CursorProvenance =
  | { readonly kind: 'first' }
  | {
      readonly kind: 'given';
      /** Number of the entry that gave the cursor. */
      readonly by: number;
    }
  | { readonly kind: 'given-elsewhere' }
  | { readonly kind: 'not-given' };

/** An exchange without its headers and its body. Keys and personal fields are hidden. */
export interface JournalSummary {
  /** The number of the exchange, from 1 on. A cleared journal continues the numbers. */
  readonly number: number;
  /** The instant of the response: the mock's clock, or the header Mock-Clock of the request. */
  readonly instant: string;
  /** The real time of the response. */
  readonly wallInstant: string;
  /** The name of the contract whose API responded; `null` for a request that reached no API. */
  readonly contract: string | null;
  /** The id of the operation; `null` for an unknown path or a wrong method. */
  readonly operation: string | null;
  /** The role of the key, such as `full`; `anybody` if the operation needs no key, `stranger` for a missing or wrong key; `null` without an API. */
  readonly role: string | null;
  /** The method in capitals. */
  readonly method: string;
  /** Path and query, without keys. */
  readonly target: string;
  /** The status of the response. */
  readonly status: number;
  /** Duration of the exchange in milliseconds. */
  readonly durationMs: number;
  /** True if the response comes from the cache. */
  readonly isCached: boolean;
  /** Effects of the chaos, in words. */
  readonly chaos: readonly string[];
  /** Mistakes in the request. */
  readonly problems: readonly JournalProblem[];
  /** What was skipped of the operation that the request calls, as sentences; absent if nothing was. */
  readonly setAside?: readonly string[];
  /** The message of an error response; `null` without one. */
  readonly reason: string | null;
  /** Origin of the request's cursor; only for lists with cursors. */
  readonly cursor?: CursorProvenance;
}

/** An exchange with headers and body. */
export interface JournalEntry extends JournalSummary {
  /** Request headers, with API keys removed. */
  readonly requestHeaders: HttpHeaders;
  /** Response headers. */
  readonly responseHeaders: HttpHeaders;
  /** The response body; `null` if it was too large to keep, or was dropped for newer ones. */
  readonly body: string | null;
  /** Length of the uncompressed body in bytes, also if the body was not kept. */
  readonly bodyLength: number;
}

/** Filter for entries. */
export interface JournalQuery {
  /** Selects entries with a greater number. */
  readonly after?: number | undefined;
  /** Selects entries with a smaller number. */
  readonly before?: number | undefined;
  /** `oldest` (default) or `newest`: the first entry. */
  readonly first?: 'oldest' | 'newest' | undefined;
  /** Maximum number of entries. Default: all for `mock.journal`, 100 at the control endpoint. */
  readonly limit?: number | undefined;
  /** The id of an operation. */
  readonly operation?: string | undefined;
  /** A key role, such as `full`. */
  readonly role?: string | undefined;
  /** A status such as `404`, or a class such as `4xx`. */
  readonly status?: string | undefined;
}

/** An exchange as the journal keeps it. Personal data is masked only when an entry is read, since masking takes longer than serving. */
export interface KeptExchange extends FinishedExchange {
  readonly number: number;
  readonly wallMs: number;
  readonly nowMs: number;
  readonly bodyLength: number;
  /** True while the body is kept; it may be dropped for newer ones. */
  readonly hasBody: boolean;
  readonly cursor: CursorProvenance | undefined;
}
