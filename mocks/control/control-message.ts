/** What goes over the control endpoint of a mock, as JSON. */

import type { LeftOut } from '../pact/recorder.ts';
import type { JournalEntry, JournalSummary } from './journal-entry.ts';

/**
 * How far an answer of the control endpoint reaches: clock, chaos, limits and journal belong to one process. Processes with the same seed agree
 * on everything else.
 */
export type Scope = 'this process';

/** What a mock serves. */
export interface ServedState {
  readonly scope: Scope;
  readonly url: string;
  readonly seed: number;
  readonly contracts: readonly ServedContract[];
  /** How the mock deviates from its contracts on purpose. */
  readonly mutants: readonly { readonly id: string; readonly title: string }[];
  /** The paths of the control endpoint, by what they are for. */
  readonly links: Readonly<Record<string, string>>;
}

/** A contract that a mock serves. */
export interface ServedContract {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly url: string;
  readonly operations: readonly { readonly id: string; readonly method: string; readonly path: string }[];
}

/** The keys of a mock. */
export interface KeysState {
  /** Keys by role. */
  readonly keys: Readonly<Record<string, string>>;
}

/** A mock's clock. */
export interface ClockState {
  readonly scope: Scope;
  /** The instant that it shows. */
  readonly now: string;
  /** How many seconds pass in one on the wall; 0 when it stands still. */
  readonly pace: number;
}

/** How to move a clock. `set` and `advance` exclude each other, and `reset` stands alone. */
export interface ClockChange {
  /** An instant, such as `2026-03-29T02:30:00+01:00`. */
  readonly set?: string;
  /** A duration, such as `PT2H` or `-P1D`. */
  readonly advance?: string;
  readonly pace?: number;
  readonly reset?: true;
}

/** The chaos of a mock. */
export interface ChaosState {
  readonly scope: Scope;
  /** As they were given. */
  readonly rules: readonly string[];
}

/** How to change the chaos: exactly one of these. */
export interface ChaosChange {
  /** The rules from now on. */
  readonly set?: readonly string[];
  /** Rules that come to those in force. */
  readonly add?: readonly string[];
  /** As it was when the mock was started. */
  readonly reset?: true;
}

/** A part of the journal. */
export interface JournalPage {
  readonly scope: Scope;
  readonly entries: readonly JournalSummary[];
  /** What to give as `after` for the entries that follow; `null` when there are none. */
  readonly next: number | null;
  /** The number of the last exchange so far. */
  readonly last: number;
}

/** One entry of the journal. */
export interface EntryState extends JournalEntry {
  readonly scope: Scope;
}

/** What is not in a recorded pact. */
export interface LeftOutState {
  readonly scope: Scope;
  readonly provider: string;
  /** How many interactions the pact has. */
  readonly interactions: number;
  /** What the mock was asked besides, with the reasons. */
  readonly leftOut: readonly LeftOut[];
}

/** What a reset made of a mock. */
export interface ResetState {
  readonly scope: Scope;
  readonly clock: ClockState;
  readonly chaos: ChaosState;
}

/** What happens in a mock, as it happens. */
export type ControlEvent =
  /** The first event of a stream: from here on nothing is missed. */
  | { readonly type: 'open'; readonly data: { readonly scope: Scope; readonly last: number } }
  | { readonly type: 'exchange'; readonly data: JournalSummary }
  | { readonly type: 'clock'; readonly data: ClockState }
  | { readonly type: 'chaos'; readonly data: ChaosState }
  /** The files of the mock were read anew; `problem` says why it serves the old ones still. */
  | { readonly type: 'reload'; readonly data: { readonly scope: Scope; readonly problem: string | null } };

/** The answer to a request that cannot be followed. */
export interface ControlFailure {
  readonly error: { readonly message: string };
}
