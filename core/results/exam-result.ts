/** The result of `touchstone exam`, which takes a client through scenarios, each against a fresh mock. */

import type { ClientComparison, ClientFinding } from './client-result.ts';

/** The id of a scenario. */
export type ExamScenarioId =
  | 'pages'
  | 'unavailable'
  | 'killed'
  | 'throttled'
  | 'same-second'
  | 'change-while-paging'
  | 'unknown-values'
  | 'null-members'
  | 'absent-members'
  | 'left-filter'
  | 'details'
  | 'midnight'
  | 'clock-change'
  | 'lost-scope';

/**
 * Result of a scenario.
 *
 * - `failed`: the client made a mistake that it did not make in an earlier scenario.
 * - `repeated`: it made only mistakes that an earlier scenario already showed.
 * - `not-exercised`: it made none, but did not meet the situation either.
 * - `passed`: it met the situation and made no mistake.
 */
export type ExamState = 'failed' | 'repeated' | 'not-exercised' | 'passed';

/** A request from the client in a scenario. */
export interface ExamRequest {
  /** The number of the exchange, as in the findings. */
  readonly number: number;
  /** The method in capitals. */
  readonly method: string;
  /** Path and query, without keys. */
  readonly target: string;
  /** The status of the response. */
  readonly status: number;
}

/** The result of one scenario. */
export interface ExamScenarioResult {
  /** The id of the scenario. */
  readonly id: ExamScenarioId;
  /** The situation, in a few words. */
  readonly title: string;
  /** The result. */
  readonly state: ExamState;
  /** The reason for a failure without findings, or the situation that did not arise for the client; `null` for other results. */
  readonly reason: string | null;
  /** The records that the client ended up with, by list. */
  readonly records: readonly ClientComparison[];
  /** Mistakes that no earlier scenario showed. */
  readonly findings: readonly ClientFinding[];
  /** Mistakes that an earlier scenario already showed: rules, or `exit-code`. */
  readonly repeated: readonly string[];
  /** The requests that the findings name. */
  readonly requests: readonly ExamRequest[];
  /** Exit codes of the client's runs. */
  readonly exitCodes: readonly number[];
  /** The end of the client's output in its last run, if that failed; otherwise empty. */
  readonly output: string;
}

/** The result of an exam. */
export interface ExamReport {
  /** Version of the format. */
  readonly schema: 'touchstone-exam/1';
  /** The names of the contracts. */
  readonly contracts: readonly string[];
  /** The seed of the mocks. */
  readonly seed: number;
  /** `failed` if a scenario failed, `not-exercised` if none was exercised, otherwise `passed`. */
  readonly verdict: 'passed' | 'failed' | 'not-exercised';
  /** The scenarios, in their order. */
  readonly scenarios: readonly ExamScenarioResult[];
}
