/**
 * Entry point `touchstone/control`: a client for the control endpoint of a running mock. This module contains only re-exports.
 *
 * @module touchstone/control
 */

export type { InvalidClass } from '../../core/annotations/annotations.ts';
export { type SourceLocation, UsageError } from '../../core/errors.ts';
export type { HttpHeaders } from '../../core/http/exchange.ts';
export type { Json, JsonNumber, JsonObject } from '../../core/json.ts';
export type {
  ClientComparison,
  ClientDifference,
  ClientDifferenceKind,
  ClientFinding,
  ClientGap,
  ClientRecords,
  ClientReport,
  ClientVerdict,
} from '../../core/results/client-result.ts';
export type { ClientLevel, ClientRuleId } from '../../core/results/client-rule.ts';
export type { ClientQuery } from '../client/client-judge.ts';
export type { JournalProblem } from '../handler/call.ts';
export type { CursorProvenance, JournalEntry, JournalQuery, JournalSummary } from '../journal/journal-types.ts';
export type { LeftOut, PactQuery } from '../pact/pact-recorder.ts';
export type {
  ChaosState,
  ClockState,
  ControlEvent,
  ControlScope,
  EntryState,
  JournalPage,
  LeftOutState,
  ResetState,
  ServedContract,
  ServedState,
} from './control-bodies.ts';
export { type ControlClient, connectControl } from './control-client.ts';
