/** What the journal tells of an exchange, as JSON. */

import type { InvalidClass } from '../../core/annotations/annotations.ts';
import type { HttpHeaders } from '../../core/http/exchange.ts';
import type { Served } from '../handler/mock-response.ts';

/**
 * Where the cursor of a request comes from. `first`: it has none. `given`: an answer gave it, by the number of that answer's entry.
 * `given-elsewhere`: it is a cursor of this mock, but no answer in the journal gave it; another process of the same seed may have.
 * `not-given`: no mock of this seed ever gave it.
 */
export type CursorProvenance =
  | { readonly kind: 'first' }
  | { readonly kind: 'given'; readonly by: number }
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
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly durationMs: number;
  /** Whether the answer was made before and kept. */
  readonly isKept: boolean;
  /** What the chaos of the mock did, in words. */
  readonly chaos: readonly string[];
  /** What the request validator found. */
  readonly problems: readonly JournalProblem[];
  /** Only for lists that are paged by cursors. */
  readonly cursor?: CursorProvenance;
}

/** What is wrong with a request. */
export interface JournalProblem {
  readonly parameters: readonly string[];
  readonly class: InvalidClass;
  readonly message: string;
}

/** An exchange with all that is kept of it. */
export interface JournalEntry extends JournalSummary {
  readonly requestHeaders: HttpHeaders;
  readonly responseHeaders: HttpHeaders;
  /** `null` when the body was too large to be kept, or had to make room for later ones. */
  readonly body: string | null;
  /** How many bytes the body has without compression, whether it is kept or not. */
  readonly bodyLength: number;
}

/** Which entries are wanted. */
export interface JournalQuery {
  /** Entries with a greater number. */
  readonly after?: number;
  /** The most entries; all unless said otherwise. */
  readonly limit?: number;
  readonly operation?: string;
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
  /** Whether the body is kept, or had to make room. */
  readonly hasBody: boolean;
  readonly cursor: CursorProvenance | undefined;
}
