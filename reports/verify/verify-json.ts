/**
 * The JSON report of `touchstone verify`; its schema is specs/verify-report.schema.json. `verify-reports.ts` of the command line calls it for `--report json`
 * at the end of `verify`, `merge` and `report`. `read-verify-json.ts` takes the version from it to check each earlier report that it reads. It shortens
 * nothing.
 */

import type { TextExcerpt } from '../../core/lines-around-place.ts';
import type {
  Cause,
  CheckResult,
  CheckViolation,
  Counterexample,
  RunResult,
  WrongResponse,
} from '../../core/results/run-result-and-events.ts';
import { exitCodeOf } from '../../core/results/run-result-and-events.ts';
import { pick, printReport } from '../json-report-parts.ts';

/** Version of the format. A removed or changed field makes a new version, a new field does not. */
export const verifyReportVersion = 'touchstone-verify/2' as const;

/**
 * Renders a run, or several as a list. Members have the order of the schema, so that two reports can be compared line by line. Members that are undefined
 * are left out.
 */
export function renderJson(...results: readonly RunResult[]): string {
  const [run, ...others] = results.map(toRun);
  const content = others.length === 0 ? run : { exitCode: exitCodeOf(results), runs: [run, ...others] };
  return printReport({ schema: verifyReportVersion, ...content });
}

function toRun(result: RunResult): object {
  return {
    ...pick(result, 'verdict', 'exitCode'),
    contract: pick(result.contract, 'name', 'title', 'version'),
    ...pick(result, 'target', 'requests', 'budget', 'durationMs', 'seed', 'started', 'toolVersion'),
    ...pick(result, 'command', 'commit', 'unavailable', 'cutShort'),
    shard: result.shard && pick(result.shard, 'index', 'of'),
    notes: result.notes,
    causes: result.causes.map(toCause),
    checks: result.checks.map(toCheck),
    observations: result.observations.map((each) => pick(each, 'id', 'question', 'source', 'answers', 'evidence')),
  };
}

function toCause(cause: Cause): object {
  return {
    ...pick(cause, 'id', 'rule', 'operations', 'title', 'severity', 'message'),
    explains: cause.explains.map((each) => pick(each, 'rule', 'operation', 'fingerprint')),
    ...toViolation(cause),
  };
}

function toCheck(check: CheckResult): object {
  return {
    ...pick(check, 'rule', 'operation', 'title', 'source', 'strength', 'verdict', 'instances'),
    killed: check.killed.map((mutant) => pick(mutant, 'id', 'title')),
    alive: check.alive.map((mutant) => pick(mutant, 'id', 'title', 'missing')),
    message: check.message,
    ...toViolation(check),
    further: check.further?.map((each) => ({ message: each.message, ...toViolation(each) })),
    ...pick(check, 'failed', 'durationMs'),
  };
}

function toViolation(violation: Partial<CheckViolation>): object {
  const { diagnosis, hint, counterexample, evidence, waiver } = violation;
  return {
    ...pick(violation, 'fingerprint', 'subject'),
    diagnosis: diagnosis ?? null,
    hint,
    counterexample: counterexample === undefined ? null : toCounterexample(counterexample),
    evidence: evidence?.map(toWrongResponse),
    waiver: waiver && { reason: waiver.reason, expires: waiver.expires ?? null },
  };
}

function toWrongResponse(response: WrongResponse): object {
  return {
    ...pick(response, 'operation', 'request', 'parameters', 'status', 'part', 'follows'),
    or: response.or && pick(response.or, 'operation', 'request', 'part'),
    mutants: response.mutants,
  };
}

function toCounterexample(counterexample: Counterexample): object {
  const { exchanges, clause, clauseExcerpt, excerpts } = counterexample;
  return {
    exchanges: exchanges.map(({ request, response, call }) => ({
      request: pick(request, 'method', 'target', 'headers'),
      response: pick(response, 'status', 'headers', 'body'),
      call,
    })),
    ...pick(counterexample, 'expected', 'actual', 'records'),
    clause: pick(clause, 'file', 'line', 'column'),
    clauseExcerpt: clauseExcerpt && toExcerpt(clauseExcerpt),
    ...pick(counterexample, 'curl', 'best'),
    excerpts: excerpts?.map(toExcerpt),
  };
}

function toExcerpt({ of, lines }: TextExcerpt): object {
  return { of, lines: lines.map((line) => pick(line, 'number', 'text', 'marked')) };
}
