/** The results of `touchstone verify` for programs: a test for each check, an annotation for each cause, and the help of each rule. */

import { formatLocation, type SourceLocation } from '../../core/errors.ts';
import type { SetAside } from '../../core/openapi/mending/set-aside.ts';
import { type Cause, type CheckResult, describeWaiver, type RunResult, type Severity } from '../../core/results/run-result.ts';
import {
  type AnnotatedFinding,
  type Annotation,
  type JudgedReport,
  paragraph,
  type Report,
  type RuleHelp,
  type TestCase,
} from '../report-model.ts';
import { blocksOfCause, blocksOfCheck } from './cause-entry.ts';
import { checksIn, clausePlace, headCheck, stateOf, stateWords } from './check-states.ts';
import { describeEnd, describeRun } from './verify-sentences.ts';

/** Maximum number of mutants in the help of a rule. */
const mutantsMax = 30;

/** Builds the part of a report for programs. The suite of a check is its operation; `name` names the run in suites. */
export function resultsForPrograms(result: RunResult, name: string): Omit<JudgedReport, keyof Report> {
  const { toolVersion, started, durationMs, checks } = result;
  const rules = [...new Set(checks.map(({ rule }) => rule))].map((rule) => helpOf(checks.filter((check) => check.rule === rule)));
  return {
    command: 'touchstone verify',
    name,
    toolVersion,
    started,
    durationMs,
    tests: testsOf(result, name),
    annotations: annotationsOf(result),
    rules,
  };
}

function testsOf(result: RunResult, name: string): readonly TestCase[] {
  const { checks, exitCode, setAside = [] } = result;
  return [
    ...(exitCode === 0 || exitCode === 1 ? [] : [testOfRun(result, name)]),
    ...setAside.map((each) => testOfSetAside(name, each)),
    ...checks.map((check) => testOf(name, check, result)),
  ];
}

/** A place that is set aside is a skipped test. */
function testOfSetAside(run: string, { place, message }: SetAside): TestCase {
  const name = formatLocation(place);
  return {
    suite: `${run}: the contract`,
    className: run,
    name,
    state: 'skipped',
    message: `skipped: ${message}`,
    type: 'set-aside',
    blocks: [],
  };
}

/** Adds a test for a run with exit code 3, 4 or 130, because skipped tests alone would count as success. */
function testOfRun(result: RunResult, run: string): TestCase {
  const { exitCode, unavailable, notes = [] } = result;
  return {
    suite: `${run}: the run`,
    className: run,
    name: 'the run',
    state: 'error',
    message: describeEnd(result),
    type: `exit code ${exitCode}`,
    blocks: [...(unavailable === undefined ? [] : [unavailable]), ...notes].map(paragraph),
  };
}

/** Builds the test of a check. The first violation of a cause has the evidence, and the others refer to it. */
function testOf(run: string, check: CheckResult, result: RunResult): TestCase {
  const { rule, operation, title, message, waiver, durationMs } = check;
  const state = stateOf(check);
  const identity = { suite: `${run}: ${operation}`, className: operation, name: rule, ...(durationMs === undefined ? {} : { durationMs }) };
  if (state === 'holds') return { ...identity, state: 'passed', message: '', blocks: [] };
  const causes = result.causes.filter(({ explains }) => explains.some((each) => each.rule === rule && each.operation === operation));
  const ownCause = causes.find((each) => headCheck(each, [check]) === check);
  const cause = ownCause ?? causes[0];
  const explanation =
    ownCause !== undefined || cause === undefined ? '' : `caused by ${cause.rule} in ${cause.operations.join(', ')}: ${cause.message}`;
  return {
    ...identity,
    state: state === 'violated' ? 'failed' : 'skipped',
    message:
      state === 'violated'
        ? explanation || message || title
        : `${stateWords[state]}: ${waiver === undefined ? message : describeWaiver(waiver)}`,
    type: rule,
    blocks: ownCause === undefined ? blocksOfCheck(check, cause) : [paragraph(title), ...blocksOfCause(ownCause, result)],
  };
}

/** Builds the annotations of a run: its causes, the checks that could not be judged, and its notes. */
function annotationsOf(result: RunResult): readonly Annotation[] {
  const { unavailable, notes = [], setAside = [] } = result;
  return [
    ...(unavailable === undefined ? [] : [{ level: 'error', title: describeRun(result), blocks: [paragraph(unavailable)] } as const]),
    ...result.causes.map((cause) => annotateCause(cause, result)),
    ...checksIn(result, 'blocked', 'inconclusive').map((check) => annotateDoubt(check, result)),
    ...setAside.map(
      ({ place, message }) => ({ level: 'warning', title: 'Skipped, not checked', blocks: [paragraph(message)], place }) as const,
    ),
    ...notes.map((note) => ({ level: 'warning', title: 'Note of the run', blocks: [paragraph(note)] }) as const),
  ];
}

/** Severity of a cause for tools that know five. */
const severities: Readonly<Record<Severity, AnnotatedFinding['severity']>> = {
  leak: 'blocker',
  loss: 'critical',
  wrong: 'major',
  form: 'minor',
};

function annotateCause(cause: Cause, result: RunResult): Annotation {
  const { id, rule, operations, message, title, severity, waiver, counterexample } = cause;
  const subject = operations.join(', ');
  return {
    level: waiver === undefined ? 'error' : 'warning',
    title: `${rule} in ${subject} is violated${waiver === undefined ? '' : ', and waived'}`,
    blocks: [paragraph(title), ...blocksOfCause(cause, result)],
    ...placeOf(counterexample.clause, result),
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

/** A place in a file of the user; otherwise, for a contract of an installed package, the judged server. */
function placeOf(place: SourceLocation | undefined, { target }: RunResult): Pick<Annotation, 'place' | 'target'> {
  return place !== undefined && /(?:^|[\\/])node_modules[\\/]/.test(place.file) ? { target } : { place };
}

function annotateDoubt(check: CheckResult, result: RunResult): Annotation {
  const { rule, operation, verdict } = check;
  return {
    level: verdict === 'blocked' ? 'warning' : 'notice',
    title: `${rule} in ${operation} is ${stateWords[stateOf(check)]}`,
    blocks: blocksOfCheck(check, undefined),
    ...placeOf(clausePlace(check), result),
  };
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
