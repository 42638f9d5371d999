/** The face of `touchstone/control`: a client of the control endpoint of a running mock. */

export { UsageError } from './core/errors.ts';
export { type ControlClient, connectControl } from './mocks/control/client.ts';
export type {
  ClockState,
  ControlEvent,
  EntryState,
  JournalPage,
  LeftOutState,
  ResetState,
  Scope,
  ServedContract,
  ServedState,
  TroubleState,
} from './mocks/control/message.ts';
export type { CursorProvenance, JournalEntry, JournalProblem, JournalQuery, JournalSummary } from './mocks/journal-entry.ts';
export type { LeftOut, PactQuery } from './mocks/pact/recorder.ts';
