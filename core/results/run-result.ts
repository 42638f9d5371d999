/** The result of a verify run, and the events that `verify` and `pact verify` send while they work. */

import { withoutUndefined } from '../drop-undefined.ts';
import type { SourceLocation } from '../errors.ts';
import type { TextExcerpt } from '../excerpt.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Json } from '../json.ts';
import type { SetAside } from '../openapi/mending/set-aside.ts';

/**
 * The verdict of a check: one rule applied to one operation.
 *
 * - `holds`: all responses satisfy the rule, and at least one of them killed a mutant of the rule.
 * - `violated`: a counterexample was seen, and seen again when it was repeated; or seen once, if no change in the data accounts for it (`flaky`).
 * - `not-exercised`: the data could not show a violation; the message names the missing data.
 * - `not-testable`: a key or a setting is missing; the message names it.
 * - `inconclusive`: the data changed during the run; the message names the change.
 * - `blocked`: the operation was not available (503, too many requests, unreachable).
 */
export type Verdict = 'holds' | 'violated' | 'not-exercised' | 'not-testable' | 'inconclusive' | 'blocked';

/** All verdicts, most severe first. */
export const verdicts: readonly Verdict[] = ['violated', 'blocked', 'inconclusive', 'not-testable', 'not-exercised', 'holds'];

/** Source of a rule: the API documentation states it, an RFC requires it, or the documentation implies it. */
export type Strength = 'stated' | 'required' | 'implied';

/** A mutant of a check: a plausible wrong implementation of its rule. */
export interface Mutant {
  /** The id, such as `total-off-by-one:listEntries`. */
  readonly id: string;
  /** The behaviour, as a clause after "the server behaves as if". */
  readonly title: string;
}

/** A mutant that an observation of the run killed. */
export interface KilledMutant extends Mutant {
  /** The last requests that it took, at most three: `GET /books?limit=1`. */
  readonly by?: readonly string[];
}

/** A mutant that no observation of the run killed. */
export interface OpenMutant extends Mutant {
  /** Data that would kill it: `two records of the same day`. */
  readonly missing: string;
}

/** A request in the form from which it was written, so that `replay` can send the same one. Keys in its strings appear as `$NAME`. */
export interface ReportedCall {
  /** The operation that was called. */
  readonly operation: string;
  /** The method, if it was not that of the operation. */
  readonly method?: 'HEAD';
  /** Parameter values by key. */
  readonly values?: Readonly<Record<string, Json>>;
  /** Pieces of the query exactly as sent. */
  readonly raw?: readonly string[];
  /** Path segments by parameter, exactly as sent. */
  readonly segments?: Readonly<Record<string, string>>;
  /** Headers without the key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The role of the key, and the index of its documented carrier; absent if none was sent. */
  readonly key?: { readonly role: string; readonly carrier: number };
  /** The variables of the keys in its texts. */
  readonly variables: readonly string[];
}

/** An exchange of a report. */
export interface ReportedExchange extends Exchange {
  /** The call behind the request. Absent if it holds a masked personal value, or a key in an encoding that nobody can restore. */
  readonly call?: ReportedCall;
}

/** An exchange of a run with its time. Keys appear as `$NAME`; personal data is masked, except with `--show-personal`. */
export interface TimedExchange extends Exchange {
  /** Milliseconds from the first request of the run to this one. */
  readonly startedMs: number;
  /** Milliseconds from the request to the end of its response. */
  readonly durationMs: number;
}

/** The fewest requests that show a violation. Keys appear as `$NAME`; personal data is masked, except with `--show-personal`. */
export interface Counterexample {
  /** Exchanges in the order of the run. */
  readonly exchanges: readonly ReportedExchange[];
  /** The expected value, as text. */
  readonly expected: string;
  /** The actual value, as text. */
  readonly actual: string;
  /** The records that the violation concerns. */
  readonly records: readonly Json[];
  /** Place of the violated clause in the contract. */
  readonly clause: SourceLocation;
  /** The lines around the clause. Absent in older reports. */
  readonly clauseExcerpt?: TextExcerpt;
  /** The same requests as command lines that run as printed, with the keys as variables of the environment. */
  readonly curl: readonly string[];
  /** Index of the exchange that shows the violation best; the last one by default. */
  readonly best?: number;
  /** For each exchange, the lines of its response body that matter. Absent in older reports. */
  readonly excerpts?: readonly TextExcerpt[];
}

/** An accepted violation, which does not fail the run. */
export interface Waiver {
  /** The reason in one sentence. */
  readonly reason: string;
  /** Last day of the waiver (`YYYY-MM-DD`). */
  readonly expires?: string;
}

/** The parts of a wrong response that causes compare. Requests are digests, so that no value shows. */
export interface WrongResponse {
  /** The operation that was called. */
  readonly operation: string;
  /** The request; of a pagination its filters and page size, whatever the page. */
  readonly request: string;
  /** The names of its parameters, in alphabetical order; for wrong records, without those of paging. */
  readonly parameters: readonly string[];
  /** The status of the response. */
  readonly status: number;
  /** The wrong part: `answer` for all of it, `records`, `header etag`, `body /data/status`, where `*` stands for any index. */
  readonly part: string;
  /** Parts of the response that decide this one: the fields by which records were chosen, or the records that a total counts. */
  readonly follows?: readonly string[];
  /** Another response, which may be the wrong one instead. */
  readonly or?: Pick<WrongResponse, 'operation' | 'request' | 'part'>;
  /** Subjects of the mutants that predict the response. */
  readonly mutants: readonly string[];
}

/** One violation of a check. */
export interface CheckViolation {
  /** Hash of the rule, the operation and the kind of violation. It stays the same between runs and data, so waivers refer to it. */
  readonly fingerprint: string;
  /** The pointer and keyword, or the kind of mutant and its parameter. It is the same for every operation. */
  readonly subject: string;
  /** The expected and the actual value, in one sentence. */
  readonly message: string;
  /** The wrong responses that show it. */
  readonly evidence: readonly WrongResponse[];
  /** The mutant that explains the violation completely. */
  readonly diagnosis?: string;
  /** A likely mistake in the server's code. */
  readonly hint?: string;
  /** The requests that show the violation. */
  readonly counterexample: Counterexample;
  /** The waiver; absent if the violation is not waived. */
  readonly waiver?: Waiver;
}

/** Harm done by a mistake, the worst first: data reaches the wrong reader, data is lost, a response is wrong, or only the form of a response is wrong. */
export type Severity = 'leak' | 'loss' | 'wrong' | 'form';

/** One mistake of the target, and every violation that it causes. */
export interface Cause {
  /** A name that stays the same from run to run, whatever the data: a hash of the rule and the kind of mistake. */
  readonly id: string;
  /** The rule that best describes the mistake. */
  readonly rule: string;
  /** The operations that have the mistake. */
  readonly operations: readonly string[];
  /** The rule as a sentence. */
  readonly title: string;
  /** The harm that the mistake does. */
  readonly severity: Severity;
  /** The expected and the actual value, in one sentence. */
  readonly message: string;
  /** The mutant that accounts for every violation that the mistake causes. */
  readonly diagnosis?: string;
  /** A likely mistake in the server's code. */
  readonly hint?: string;
  /** Every violation that the mistake causes. Reports show the first of them. */
  readonly explains: readonly { readonly rule: string; readonly operation: string; readonly fingerprint: string }[];
  /** The requests that show the mistake. */
  readonly counterexample: Counterexample;
  /** Present when its violations are waived. */
  readonly waiver?: Waiver;
}

/** Result of a check. The members of `CheckViolation` describe its most severe violation. */
export interface CheckResult extends Partial<CheckViolation> {
  /** `group/name`. */
  readonly rule: string;
  /** The operation's identifier in the contract. */
  readonly operation: string;
  /** The rule in one sentence. */
  readonly title: string;
  /** The source of the rule: a section of an RFC, or a place in the contract. */
  readonly source: string;
  /** The kind of source. */
  readonly strength: Strength;
  /** The verdict on the check. */
  readonly verdict: Verdict;
  /** Number of observations that satisfy the rule. */
  readonly instances: number;
  /** Mutants that an observation killed. */
  readonly killed: readonly KilledMutant[];
  /** Mutants that no observation killed. */
  readonly alive: readonly OpenMutant[];
  /** Explanation of the verdict in one sentence; empty for a check that holds. */
  readonly message: string;
  /** Present if all violations of the check are waived. */
  readonly waiver?: Waiver;
  /** Other violations of the same check. */
  readonly further?: readonly CheckViolation[];
  /** Present if a wrong response was right when its request was repeated: the number of wrong responses, and of all responses that the check examined. */
  readonly flaky?: { readonly responses: number; readonly of: number };
  /** Present if an internal error ended the check, which is then `blocked`. */
  readonly failed?: true;
  /** Time that its requests took, in milliseconds, without those that an earlier check had already sent. Absent for a check without requests. */
  readonly durationMs?: number;
}

/** Evidence about an open question. It never fails a run. */
export interface Observation {
  /** The question's identifier in the contract. */
  readonly id: string;
  /** The question as a sentence. */
  readonly question: string;
  /** The section of the API documentation that leaves it open. */
  readonly source: string;
  /** The remaining choices after the evidence excluded others; empty if the question stays open. */
  readonly answers: readonly string[];
  /** The evidence, or the missing evidence, in one sentence. */
  readonly evidence: string;
}

/** What a run checked of one operation. */
export interface OperationCoverage {
  /** The operation's identifier in the contract. */
  readonly operation: string;
  /** Its method in capitals. */
  readonly method: string;
  /** Its path template. */
  readonly path: string;
  /** Number of responses. */
  readonly requests: number;
  /**
   * Reason why it was not checked: it writes, it seems to change something though it is a GET, its key was not given, a parameter has no value, the key was
   * rejected, the target did not respond, or the run did not get there. Absent if it was checked.
   */
  readonly notJudged?: 'writes' | 'changes' | 'key' | 'value' | 'refused' | 'unavailable' | 'not-asked';
  /** The required parameters without a value, if that is the reason. */
  readonly lacks?: readonly string[];
  /** The documented statuses, with the number of responses, and the reason why their bodies were not compared. */
  readonly statuses: readonly { readonly status: string; readonly responses: number; readonly notCompared?: string }[];
  /** The parameters and the body, and whether a request had them. */
  readonly parameters: readonly {
    /** The name of the parameter, or `body`. */
    readonly name: string;
    /** Its place in a request. */
    readonly in: 'query' | 'path' | 'header' | 'cookie' | 'body';
    /** True if a request had it. */
    readonly isSent: boolean;
  }[];
}

/** Counts the operations of a run: those that were judged, those that it may send, and all. */
export function countCoverage(coverage: readonly OperationCoverage[]): {
  readonly judged: number;
  readonly sendable: number;
  readonly all: number;
} {
  const sendable = coverage.filter(({ notJudged }) => notJudged !== 'writes' && notJudged !== 'changes' && notJudged !== 'key');
  return { judged: coverage.filter(({ notJudged }) => notJudged === undefined).length, sendable: sendable.length, all: coverage.length };
}

/** The result of a run. */
export interface RunResult {
  /** The verdict that decides the exit code. */
  readonly verdict: Verdict;
  /** 0 nothing found, 1 violations, 3 the target could not be checked, 4 too little evidence, 130 interrupted. */
  readonly exitCode: 0 | 1 | 3 | 4 | 130;
  /** Name, title and version of the contract. */
  readonly contract: { readonly name: string; readonly title: string; readonly version: string };
  /** URL of the target. */
  readonly target: string;
  /** Number of requests sent. */
  readonly requests: number;
  /** Maximum number of requests. */
  readonly budget: number;
  /** Duration of the run in milliseconds. */
  readonly durationMs: number;
  /** The seed of the random choices. */
  readonly seed: number;
  /** Start of the run in UTC, as `2026-12-31T23:59:59.000Z`. */
  readonly started: string;
  /** Version of Touchstone that checked the target. */
  readonly toolVersion: string;
  /** Command line of the run, with `$NAME` for secrets; absent for a run that a program started. */
  readonly command?: string;
  /** Commit that the CI system was building; absent outside of CI. */
  readonly commit?: string;
  /** Reason why the target could not be checked, in one paragraph; absent if it could. */
  readonly unavailable?: string;
  /** Reason for an early end: the user, a target that became unreachable, or the budget of requests. */
  readonly cutShort?: 'interrupted' | 'lost' | 'budget';
  /** The mistakes behind the violations, the worst first. */
  readonly causes: readonly Cause[];
  /** Results of the checks in the order of the rules. */
  readonly checks: readonly CheckResult[];
  /** What was checked of each operation; absent for a replay, a watch, and a target that could not be checked. */
  readonly coverage?: readonly OperationCoverage[];
  /** Every exchange of the run, in its order, if they were asked for. */
  readonly exchanges?: readonly TimedExchange[];
  /** Evidence about open questions. */
  readonly observations: readonly Observation[];
  /** What cannot be read in the contract, so that it was not checked; absent if everything can be read. */
  readonly setAside?: readonly SetAside[];
  /** Remarks, a sentence each: expired or unused waivers, required verdicts that are lacking. */
  readonly notes?: readonly string[];
}

/** The exit code of several runs: violations first, then whatever prevented a result. */
export function exitCodeOfRuns(results: readonly Pick<RunResult, 'exitCode'>[]): RunResult['exitCode'] {
  return ([1, 130, 3, 4] as const).find((code) => results.some(({ exitCode }) => exitCode === code)) ?? 0;
}

/** Describes a waiver: its reason and its last day. */
export function describeWaiver({ reason, expires }: { readonly reason: string; readonly expires?: string | undefined }): string {
  return expires === undefined ? reason : `${reason} (until ${expires})`;
}

/** Returns the violations of a check, the most severe first; empty unless the check is violated. */
export function violationsIn(check: CheckResult): readonly CheckViolation[] {
  const { fingerprint, subject, message, diagnosis, hint, counterexample, evidence, waiver, further = [] } = check;
  if (fingerprint === undefined || counterexample === undefined) return [];
  const gravest = { fingerprint, subject: subject ?? '', message, counterexample, evidence: evidence ?? [] };
  return [{ ...gravest, ...withoutUndefined({ diagnosis, hint, waiver }) }, ...further];
}

/** Event during a run, for progress and debug output. */
export type RunEvent =
  | {
      readonly kind: 'started';
      /** URL of the target. */
      readonly target: string;
      /** Maximum number of requests. */
      readonly budget: number;
      /** Number of checks to make. */
      readonly checks: number;
    }
  | {
      readonly kind: 'request';
      /** Number of the request, from 1 on. */
      readonly number: number;
      /** Method of the request. */
      readonly method: string;
      /** Path and query of the request. */
      readonly target: string;
      /** Status of the response; `undefined` without a response. */
      readonly status: number | undefined;
    }
  | {
      readonly kind: 'waiting';
      /** Length of the pause in seconds. */
      readonly seconds: number;
      /** Reason for the pause, as a clause. */
      readonly because: string;
    }
  | {
      readonly kind: 'phase';
      /** Name of the phase. */
      readonly title: string;
      /** Finished steps of the phase. */
      readonly done: number;
      /** All steps of the phase. */
      readonly of: number;
      /** Kind of the steps. Default: check. */
      readonly unit?: 'check' | 'second';
    }
  | {
      readonly kind: 'check';
      /** Result of the check. */
      readonly result: CheckResult;
    }
  | {
      readonly kind: 'failed';
      /** The internal error, which ended a check or the observation of open questions. */
      readonly error: Error;
    }
  | {
      readonly kind: 'finished';
      /** Result of the run. */
      readonly result: RunResult;
    };
