/** Entry of the journal for an exchange, as JSON. */

import type { InvalidClass } from '../../core/annotations/annotations.ts';
import type { HttpHeaders } from '../../core/http/exchange.ts';
import type { Served } from '../handler/mock-response.ts';

/**
 * Origin of the cursor of a request.
 *
 * - `first`: the request has no cursor.
 * - `given`: an answer in the journal gave the cursor.
 * - `given-elsewhere`: it is a cursor of this mock, but no answer in the journal gave it. Another process of the same seed may have.
 * - `not-given`: no mock of this seed ever gave it.
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
  /** Counts from 1 on; no number is given twice, not even after the journal was cleared. */
  readonly number: number;
  /** The instant that the answer shows: the mock's clock, or the request's own. */
  readonly instant: string;
  /** The instant on the wall at which the answer was given. */
  readonly wallInstant: string;
  /** The name of the contract whose API answered; `null` for what never came to an API. */
  readonly contract: string | null;
  /** `null` when no operation was meant: an unknown path, a wrong method. */
  readonly operation: string | null;
  /** The role of the key, such as `full`; `anybody` where none is asked for, `stranger` where it is missing or wrong; `null` without an API. */
  readonly role: string | null;
  /** The method in capitals. */
  readonly method: string;
  /** Path and query, without keys. */
  readonly target: string;
  /** The status of the response. */
  readonly status: number;
  /** Duration of the exchange in milliseconds. */
  readonly durationMs: number;
  /** True if the answer comes from the cache. */
  readonly isCached: boolean;
  /** Effects of the chaos, in words. */
  readonly chaos: readonly string[];
  /** Mistakes in the request. */
  readonly problems: readonly JournalProblem[];
  /** Only for lists that are paged by cursors. */
  readonly cursor?: CursorProvenance;
}

/** A mistake in a request. */
export interface JournalProblem {
  /** Names of the parameters concerned. */
  readonly parameters: readonly string[];
  /** The class of the mistake. */
  readonly class: InvalidClass;
  /** The mistake in one sentence. */
  readonly message: string;
}

/** An exchange with all that is kept of it. */
export interface JournalEntry extends JournalSummary {
  /** Request headers, without keys. */
  readonly requestHeaders: HttpHeaders;
  /** Response headers. */
  readonly responseHeaders: HttpHeaders;
  /** `null` when the body was too large to be kept, or had to make room for later ones. */
  readonly body: string | null;
  /** Length of the uncompressed body in bytes, also if the body was not kept. */
  readonly bodyLength: number;
}

/** Filter for entries. */
export interface JournalQuery {
  /** Entries with a greater number. */
  readonly after?: number;
  /** The most entries; all unless said otherwise. */
  readonly limit?: number;
  /** The id of an operation. */
  readonly operation?: string;
  /** A key role, such as `full`. */
  readonly role?: string;
  /** A status such as `404`, or all of a kind such as `4xx`. */
  readonly status?: string;
}

/** An exchange as it is kept. What must not be shown is hidden when it is read: hiding takes longer than answering. */
export interface KeptExchange extends Served {
  readonly number: number;
  readonly wallMs: number;
  readonly nowMs: number;
  readonly bodyLength: number;
  /** True while the body is kept; it may be dropped for newer ones. */
  readonly hasBody: boolean;
  readonly cursor: CursorProvenance | undefined;
}
