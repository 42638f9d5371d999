/** Types of the JSON bodies and events of `/__mock/`, shared by the mock, its clients and the front page. */

import type { JournalEntry, JournalSummary } from '../journal/journal-types.ts';
import type { LeftOut } from '../pact/pact-recorder.ts';

/**
 * Scope of a state: clock, chaos, rate limit and journal belong to one process of the mock. Processes with the same seed share everything else.
 */
export type ControlScope = 'this process';

/** The contracts and mutants of a mock, and its URLs. */
export interface ServedState {
  /** The scope of the state. */
  readonly scope: ControlScope;
  /** URL of the mock. */
  readonly url: string;
  /** The seed of the data and the keys. */
  readonly seed: number;
  /** Served contracts. */
  readonly contracts: readonly ServedContract[];
  /** Deliberate deviations from the contracts. */
  readonly mutants: readonly { readonly id: string; readonly title: string }[];
  /** URLs of the control endpoints by name, such as `clock`. */
  readonly links: Readonly<Record<string, string>>;
}

/** A contract that a mock serves. */
export interface ServedContract {
  /** The name of the contract. */
  readonly name: string;
  /** The title of the API. */
  readonly title: string;
  /** The version of the API. */
  readonly version: string;
  /** URL of the API. */
  readonly url: string;
  /** Operations with method and path template. */
  readonly operations: readonly { readonly id: string; readonly method: string; readonly path: string }[];
}

/** The keys of a mock. */
export interface KeysState {
  /** Keys by role. */
  readonly keys: Readonly<Record<string, string>>;
}

/** A mock's clock. */
export interface ClockState {
  /** The scope of the state. */
  readonly scope: ControlScope;
  /** The instant of the clock, such as `2026-03-29T16:00:00Z`. */
  readonly now: string;
  /** The pace: seconds of the clock in one second of real time; 0 for a stopped clock. */
  readonly pace: number;
}

/** Change of a clock. `set` and `advance` exclude each other, and `reset` excludes all others. */
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
  /** The scope of the state. */
  readonly scope: ControlScope;
  /** The rules as written, such as `503 10%`. */
  readonly rules: readonly string[];
}

/** Change of the chaos, with exactly one member. */
export interface ChaosChange {
  /** Rules that replace those in force. */
  readonly set?: readonly string[];
  /** Rules to add to those in force. */
  readonly add?: readonly string[];
  /** Restores the rules from the start of the mock. */
  readonly reset?: true;
}

/** A part of the journal. */
export interface JournalPage {
  /** The scope of the journal. */
  readonly scope: ControlScope;
  /** Entries, in the order of `first`. */
  readonly entries: readonly JournalSummary[];
  /** Cursor of the next page: pass it as `after`, or as `before` if the newest entries come first. `null` if there are no more entries. */
  readonly next: number | null;
  /** The number of the last exchange so far. */
  readonly last: number;
}

/** One entry of the journal. */
export interface EntryState extends JournalEntry {
  /** The scope of the journal. */
  readonly scope: ControlScope;
}

/** Requests that are not in a recorded pact. */
export interface LeftOutState {
  /** The scope of the journal. */
  readonly scope: ControlScope;
  /** The name of the contract. */
  readonly provider: string;
  /** Number of interactions in the pact. */
  readonly interactions: number;
  /** Requests that are not in the pact, with the reasons. */
  readonly leftOut: readonly LeftOut[];
}

/** State of a mock after a reset. */
export interface ResetState {
  /** The scope of the reset. */
  readonly scope: ControlScope;
  /** The clock after the reset. */
  readonly clock: ClockState;
  /** The chaos after the reset. */
  readonly chaos: ChaosState;
}

/** Event of a mock. */
export type ControlEvent =
  /** First event of a stream; all later events of the mock follow. */
  | {
      readonly type: 'open';
      /** The number of the last exchange so far. */
      readonly data: { readonly scope: ControlScope; readonly last: number };
    }
  | {
      readonly type: 'exchange';
      /** The new exchange. */
      readonly data: JournalSummary;
    }
  | {
      readonly type: 'clock';
      /** The changed clock. */
      readonly data: ClockState;
    }
  | {
      readonly type: 'chaos';
      /** The changed chaos. */
      readonly data: ChaosState;
    }
  /** Result of a reload of the mock's files. */
  | {
      readonly type: 'reload';
      /** Reason why the mock still serves its old files; `null` if it serves the new ones. */
      readonly data: { readonly scope: ControlScope; readonly problem: string | null };
    };

/** Body of an error response. */
export interface ControlFailure {
  readonly error: { readonly message: string };
}
