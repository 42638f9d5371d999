/**
 * The items of `touchstone verify` for JUnit, GitHub, GitLab and SARIF: a test case for each check, and an annotation for each cause. `verify-reports.ts` of
 * the command line builds them for each run and each of these formats, at the end of `verify`, `merge` and `report`. It leaves the report for people to
 * `verify-report.ts`.
 */

import { formatLocation } from '../../core/errors.ts';
import { printExcerpt } from '../../core/lines-around-place.ts';
import type { Cause, CheckResult, RunResult, Severity } from '../../core/results/run-result-and-events.ts';
import { clip } from '../clip-text.ts';
import type { AnnotatedFinding, Annotation, Item, ItemList, RuleHelp } from '../report-model.ts';
import { checksIn, clausePlace, headCheck, stateOf, stateWords } from './states-of-checks.ts';
import {
  describeCheckCounts,
  describeChecks,
  describeEffort,
  describeEnd,
  describeFacts,
  describeRun,
  describeWaiver,
} from './verify-sentences.ts';

/** Limits: exchanges with bodies, characters of each body, commands, and mutants in the help of a rule. */
const exchangesMax = 6;
const bodyMax = 1000;
const commandsMax = 5;
const mutantsMax = 30;

/** Builds the items of a run. The suite of a check is its operation. `name` names the run in suites, by default by its contract. */
export function itemsOfRun(result: RunResult, name: string = result.contract.name): ItemList {
  const { checks, durationMs, started, toolVersion, notes = [], unavailable, exitCode } = result;
  const run = describeRun(result);
  return {
    command: 'touchstone verify',
    subject: name,
    toolVersion,
    started,
    durationMs,
    exitCode,
    items: [
      ...(exitCode === 0 || exitCode === 1 ? [] : [itemOfRun(result, name)]),
      ...checks.map((check) => itemOf(name, check, result.causes)),
    ],
    about: [run, describeEnd(result), describeCheckCounts(result), describeEffort(result), ...notes].filter((each) => each !== ''),
    annotations: [
      ...(unavailable === undefined ? [] : [{ level: 'error', title: run, lines: [unavailable] } as const]),
      ...result.causes.map((cause) => annotateCause(cause, checksIn(result, 'violated', 'waived'))),
      ...checksIn(result, 'blocked', 'inconclusive').map(annotateDoubt),
      ...notes.map((note) => ({ level: 'warning', title: 'Note of the run', lines: [note] }) as const),
      { level: 'notice', title: run, lines: [`${describeEnd(result)}.`, describeCheckCounts(result), `${describeEffort(result)}.`] },
    ],
    rules: [...new Set(checks.map(({ rule }) => rule))].map((rule) => helpOf(checks.filter((check) => check.rule === rule))),
  };
}

/** Adds an item for a run with exit code 3, 4 or 130, because skipped cases alone would count as success. */
function itemOfRun(result: RunResult, run: string): Item {
  const { exitCode, unavailable, notes = [] } = result;
  return {
    suite: `${run}: the run`,
    className: run,
    name: 'the run',
    state: 'error',
    message: describeEnd(result),
    type: `exit code ${exitCode}`,
    details: [...(unavailable === undefined ? [] : [unavailable]), ...notes],
  };
}

/** Builds the item of a check. The first violation of a cause has the evidence, and the others refer to it. */
function itemOf(run: string, check: CheckResult, causes: readonly Cause[]): Item {
  const { rule, operation, title, message, waiver, durationMs } = check;
  const state = stateOf(check);
  const identity = { suite: `${run}: ${operation}`, className: operation, name: rule, ...(durationMs === undefined ? {} : { durationMs }) };
  if (state === 'holds') return { ...identity, state: 'passed', message: '', details: [] };
  const ownCause = causes.find((candidate) => headCheck(candidate, [check]) === check);
  const cause = ownCause ?? causes.find(({ explains }) => explains.some((each) => each.rule === rule && each.operation === operation));
  if (state === 'violated' && ownCause === undefined && cause !== undefined) {
    const headText = `${cause.rule} at ${cause.operations.join(', ')}`;
    return {
      ...identity,
      state: 'failed',
      message: `explained by ${headText}: ${cause.message}`,
      type: rule,
      ...explainBriefly(check, cause),
    };
  }
  return {
    ...identity,
    state: state === 'violated' ? 'failed' : 'skipped',
    message: state === 'violated' ? message || title : `${stateWords[state]}: ${waiver === undefined ? message : describeWaiver(waiver)}`,
    type: rule,
    ...explainViolation(check, ownCause),
  };
}

function explainBriefly(check: CheckResult, cause: Cause): Pick<Item, 'details'> {
  return { details: [check.title, ...describeFacts(check).map(([label, text]) => `${label}: ${text}`), `cause: ${cause.id}`] };
}

function explainViolation(check: CheckResult, cause: Cause | undefined): Pick<Item, 'details' | 'evidence'> {
  const { title, waiver, source, counterexample } = check;
  const facts = [
    ...(waiver === undefined ? [] : [`Waived: ${describeWaiver(waiver)}`]),
    title,
    ...describeFacts(check).map(([label, text]) => `${label}: ${text}`),
    ...(cause === undefined ? [] : describeCause(cause)),
  ];
  if (counterexample === undefined) return { details: [...facts, `source: ${source}`] };
  const { curl, exchanges, clause, excerpts } = counterexample;
  const exchangesWithExcerpt = exchanges.map((exchange, index) => ({ ...exchange, excerpt: excerpts?.[index] }));
  const includedExchanges = exchangesWithExcerpt.filter(
    (_, index) => index < exchangesMax / 2 || index >= exchanges.length - exchangesMax / 2,
  );
  const omitted = curl.length - commandsMax;
  return {
    details: [
      ...facts,
      `clause: ${formatLocation(clause)}, from ${source}`,
      ...curl.slice(0, commandsMax),
      ...(omitted <= 0 ? [] : [`… and ${omitted} more requests`]),
    ],
    evidence: [
      ...includedExchanges.flatMap(({ request, response, excerpt }) => [
        `${request.method} ${request.target} gave ${response.status}`,
        ...(excerpt === undefined ? [clip(response.body, bodyMax)].filter((body) => body !== '') : printExcerpt(excerpt)),
      ]),
      ...(includedExchanges.length === exchanges.length
        ? []
        : [`… and ${exchanges.length - includedExchanges.length} more exchanges: the JSON report has them`]),
    ],
  };
}

/** The id of a cause, and the checks of other rules that it explains. */
function describeCause({ id, rule, explains }: Cause): readonly string[] {
  const otherRules = explains.filter((each) => each.rule !== rule);
  return [`cause: ${id}`, ...(otherRules.length === 0 ? [] : [`explains: ${describeChecks(otherRules)}`])];
}

/** Severity of a cause for tools that know five. */
const severities: Readonly<Record<Severity, AnnotatedFinding['severity']>> = {
  leak: 'blocker',
  loss: 'critical',
  wrong: 'major',
  form: 'minor',
};

function annotateCause(cause: Cause, checks: readonly CheckResult[]): Annotation {
  const { id, rule, operations, message, title, severity, waiver, counterexample } = cause;
  const check = headCheck(cause, checks);
  const subject = operations.join(', ');
  return {
    level: waiver === undefined ? 'error' : 'warning',
    title: `${rule} at ${subject} is violated${waiver === undefined ? '' : ', and waived'}`,
    lines: check === undefined ? [title, message, ...describeCause(cause)] : explainViolation(check, cause).details,
    place: check === undefined ? counterexample.clause : clausePlace(check),
    finding: {
      id,
      rule,
      subject,
      message: message || title,
      severity: severities[severity],
      ...(waiver === undefined ? {} : { accepted: describeWaiver(waiver) }),
    },
  };
}

function annotateDoubt(check: CheckResult): Annotation {
  const { rule, operation, verdict } = check;
  const level = verdict === 'blocked' ? 'warning' : 'notice';
  const title = `${rule} at ${operation} is ${stateWords[stateOf(check)]}`;
  return { level, title, lines: explainViolation(check, undefined).details, place: clausePlace(check) };
}

/** Describes a rule by its checks: its statement, its source and its mutants. */
function helpOf(checks: readonly CheckResult[]): RuleHelp {
  const [{ rule: id = '', title = '', strength = 'stated' } = {}] = checks;
  const sources = [...new Set(checks.map(({ source }) => source))];
  const mutants = [...new Set(checks.flatMap(({ killed, alive }) => [...killed, ...alive].map((mutant) => mutant.title)))];
  const omitted = mutants.length - mutantsMax;
  return {
    id,
    title,
    tags: [id.split('/')[0] ?? id, strength],
    help: [
      `${title}.`,
      `${strength === 'required' ? 'Required' : strength === 'implied' ? 'Implied' : 'Stated'} by ${sources.slice(0, mutantsMax).join(', ')}.`,
      ...(mutants.length === 0 ? [] : ['A server gets it wrong when:']),
      ...mutants.slice(0, mutantsMax).map((mutant) => `- ${mutant}`),
      ...(omitted <= 0 ? [] : [`- … and in ${omitted} more ways`]),
      `Run touchstone explain ${id} for more.`,
    ],
  };
}
