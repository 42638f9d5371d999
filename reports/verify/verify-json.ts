/**
 * The JSON report of `touchstone verify`; its schema is specs/verify-report.schema.json. The command calls it for `--report json`, and
 * `read-verify-json.ts` checks the version by it. It shortens nothing.
 */

import type { BodyExcerpt } from '../../core/http/body-excerpt.ts';
import type {
  Cause,
  CheckResult,
  CheckViolation,
  Counterexample,
  Mutant,
  Observation,
  RunResult,
  Waiver,
  WrongResponse,
} from '../../core/results/run-result.ts';
import { exitCodeOf } from '../../core/results/run-result.ts';

/** Version of the format. A removed or changed field makes a new version, a new field does not. */
export const verifyReportVersion = 'touchstone-verify/2' as const;

/** Renders a run, or several as a list, with keys in the order of the schema and `null` for absent values: two reports can be compared line by line. */
export function renderJson(...results: readonly RunResult[]): string {
  const [report, ...others] = results.map((result) => ({ schema: verifyReportVersion, ...toRun(result) }));
  const whole = others.length === 0 ? report : { schema: verifyReportVersion, exitCode: exitCodeOf(results), runs: results.map(toRun) };
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}

function toRun(result: RunResult): object {
  return {
    verdict: result.verdict,
    exitCode: result.exitCode,
    contract: { name: result.contract.name, title: result.contract.title, version: result.contract.version },
    target: result.target,
    requests: result.requests,
    budget: result.budget,
    durationMs: result.durationMs,
    seed: result.seed,
    started: result.started,
    toolVersion: result.toolVersion,
    ...(result.command === undefined ? {} : { command: result.command }),
    ...(result.commit === undefined ? {} : { commit: result.commit }),
    ...(result.unavailable === undefined ? {} : { unavailable: result.unavailable }),
    ...(result.cutShort === undefined ? {} : { cutShort: result.cutShort }),
    ...(result.shard === undefined ? {} : { shard: { index: result.shard.index, of: result.shard.of } }),
    ...(result.notes === undefined ? {} : { notes: result.notes }),
    causes: result.causes.map(toCause),
    checks: result.checks.map(toCheck),
    observations: result.observations.map(toObservation),
  };
}

function toCause({ id, rule, operations, title, severity, message, explains, ...cause }: Cause): object {
  const explained = explains.map((each) => ({ rule: each.rule, operation: each.operation, fingerprint: each.fingerprint }));
  return { id, rule, operations, title, severity, message, explains: explained, ...toViolation(cause) };
}

function toCheck(check: CheckResult): object {
  const { rule, operation, title, source, strength, verdict, instances, message } = check;
  return {
    rule,
    operation,
    title,
    source,
    strength,
    verdict,
    instances,
    killed: check.killed.map(toMutant),
    alive: check.alive.map((mutant) => ({ ...toMutant(mutant), missing: mutant.missing })),
    message,
    ...toViolation(check),
    ...(check.further === undefined ? {} : { further: check.further.map((each) => ({ message: each.message, ...toViolation(each) })) }),
    ...(check.failed === undefined ? {} : { failed: check.failed }),
    ...(check.durationMs === undefined ? {} : { durationMs: check.durationMs }),
  };
}

function toViolation({ fingerprint, subject, diagnosis, hint, counterexample, evidence, waiver }: Partial<CheckViolation>): object {
  return {
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(subject === undefined ? {} : { subject }),
    diagnosis: diagnosis ?? null,
    ...(hint === undefined ? {} : { hint }),
    counterexample: counterexample === undefined ? null : toCounterexample(counterexample),
    ...(evidence === undefined ? {} : { evidence: evidence.map(toWrongResponse) }),
    ...(waiver === undefined ? {} : { waiver: toWaiver(waiver) }),
  };
}

function toWrongResponse({ operation, request, selection, parameters, caller, status, part, follows, or, mutants }: WrongResponse): object {
  return {
    operation,
    request,
    selection,
    parameters,
    caller,
    status,
    part,
    ...(follows === undefined ? {} : { follows }),
    ...(or === undefined ? {} : { or: { operation: or.operation, request: or.request, selection: or.selection, part: or.part } }),
    mutants,
  };
}

/** Returns a mutant without the members that only the run needs. */
function toMutant({ id, title }: Mutant): Mutant {
  return { id, title };
}

function toWaiver({ reason, expires }: Waiver): object {
  return { reason, expires: expires ?? null };
}

function toCounterexample({ exchanges, expected, actual, records, clause, curl, best, excerpts }: Counterexample): object {
  return {
    exchanges: exchanges.map(({ request, response }) => ({
      request: { method: request.method, target: request.target, headers: request.headers },
      response: { status: response.status, headers: response.headers, body: response.body },
    })),
    expected,
    actual,
    records,
    clause: { file: clause.file, line: clause.line, column: clause.column },
    curl,
    ...(best === undefined ? {} : { best }),
    ...(excerpts === undefined ? {} : { excerpts: excerpts.map(toExcerpt) }),
  };
}

function toExcerpt({ lines, of }: BodyExcerpt): object {
  return { of, lines: lines.map(({ number, text, marked }) => ({ number, text, ...(marked === true ? { marked } : {}) })) };
}

function toObservation({ id, question, source, answers, evidence }: Observation): object {
  return { id, question, source, answers, evidence };
}
