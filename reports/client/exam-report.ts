import { countNoun } from '../../core/count-noun.ts';
import type { ClientComparison, ClientFinding } from '../../core/results/client-result.ts';
import type { ExamReport, ExamRequest, ExamScenarioResult, ExamState } from '../../core/results/exam-result.ts';
import { shortenTarget } from '../clip-text.ts';
import {
  type Annotation,
  type Block,
  type Entry,
  type JudgedReport,
  paragraph,
  type Row,
  type TestCase,
  type Tone,
} from '../report-model.ts';
import { annotate, entryOf, factsOf } from './client-report.ts';

const tones: Readonly<Record<ExamState, Tone>> = { failed: 'bad', repeated: 'doubtful', 'not-exercised': 'neutral', passed: 'good' };
const words: Readonly<Record<ExamState, string>> = {
  failed: 'failed',
  repeated: 'same failure',
  'not-exercised': 'not exercised',
  passed: 'passed',
};
const states = Object.keys(tones) as readonly ExamState[];

/** Builds the report: each scenario is a test, and each finding an annotation. */
export function reportOfExam(report: ExamReport): JudgedReport {
  const { contracts, seed, scenarios } = report;
  const tone: Tone = report.verdict === 'failed' ? 'bad' : report.verdict === 'passed' ? 'good' : 'neutral';
  const sources = new Set(scenarios.flatMap(({ records }) => records.map(({ source }) => source)));
  return {
    subject: 'Exam',
    headline: { text: `Client exam for ${contracts.join(' and ')}, seed ${seed}`, as: tone },
    verdict: describeExam(report),
    tone,
    shares: states.map((state) => ({ word: words[state], tone: tones[state], number: countState(report, state) })),
    lead: sources.has('delivered') && !sources.has('posted') ? [hint] : [],
    sections: [
      {
        id: 'scenarios',
        title: 'Scenarios',
        tone,
        blocks: [{ kind: 'table', columns: ['result', 'scenario', 'records', 'situation'], rows: scenarios.map(rowOf) }],
        open: true,
      },
      { id: 'mistakes', title: 'Mistakes', tone, entries: scenarios.flatMap(entriesOf), full: true, open: true },
    ],
    command: 'touchstone exam',
    name: contracts.join(' and '),
    tests: scenarios.map(testOf),
    annotations: scenarios.flatMap(annotateScenario),
  };
}

const hint =
  'The client did not send the records that it stored, so the exam checked which records were delivered to it. To have the stored records checked, POST {"collection": NAME, "records": […]} to $API_CONTROL_URL/client/compare.';

function rowOf(result: ExamScenarioResult): Row {
  const { id, state, records } = result;
  const recordsText = records.map(describeRecords).join(', ');
  return {
    cells: [{ text: words[state], as: tones[state] }, id, recordsText, describeSituation(result)],
    state: { word: words[state], tone: tones[state] },
  };
}

function describeRecords({ collection, expected, correct }: ClientComparison): string {
  return `${correct} of ${expected} ${collection}`;
}

/** Describes the situation, and why it was not exercised; of a scenario that shows nothing new, only what an earlier one showed already. */
function describeSituation({ title, state, reason, repeated }: ExamScenarioResult): string {
  if (state === 'repeated') return `${repeated.join(' and ')}, as above`;
  return state === 'not-exercised' && reason !== null ? `${title}: ${reason}` : title;
}

/** The entries of a failed scenario: its findings, and a run that failed. */
function entriesOf(result: ExamScenarioResult): readonly Entry[] {
  const { state, title, reason, findings, exitCodes } = result;
  if (state !== 'failed') return [];
  const failedRun: Entry = {
    name: [{ text: 'error exit-code', as: 'strong' }],
    title: `exit codes ${exitCodes.join(' and ')}`,
    tone: 'bad',
    line: reason ?? '',
    blocks: blocksOfRun(result),
  };
  const entries = findings.map((finding): Entry => ({ ...entryOf(finding), blocks: blocksOf(finding, result) }));
  return [...entries, ...(isFailedRun(result) ? [failedRun] : [])].map((entry) => ({ ...entry, group: title }));
}

/** The blocks show no commands: the mock has stopped, so nothing can repeat a request. */
function blocksOf(finding: ClientFinding, { requests }: ExamScenarioResult): readonly Block[] {
  return [{ kind: 'facts', facts: factsOf(finding) }, ...listing('requests', requestsOf(finding, requests))];
}

function blocksOfRun({ reason, output }: ExamScenarioResult): readonly Block[] {
  const advice =
    "Recover from temporary errors, ignore unknown members and values, and exit with 0 when the client's records are complete.";
  return [
    {
      kind: 'facts',
      facts: [
        ['mistake', reason ?? ''],
        ['fix', advice],
      ],
    },
    ...listing('output', linesOf(output)),
  ];
}

/** True if the last run of the client failed, for the first time in the exam. */
function isFailedRun({ exitCodes, repeated }: ExamScenarioResult): boolean {
  return exitCodes.at(-1) !== 0 && !repeated.includes('exit-code');
}

function listing(label: string, lines: readonly string[]): readonly Block[] {
  return lines.length === 0 ? [] : [{ kind: 'listing', label, parts: [{ title: '', lines }], conclusion: [] }];
}

/** Maximum number of lines of the client's output. */
const outputLinesMax = 10;

function linesOf(output: string): readonly string[] {
  return output === '' ? [] : output.split('\n').slice(-outputLinesMax);
}

/** The requests of a finding, one per line. */
function requestsOf({ exchanges }: ClientFinding, requests: readonly ExamRequest[]): readonly string[] {
  return requests
    .filter(({ number }) => exchanges.includes(number))
    .map(({ number, method, target, status }) => `${number}: ${status} ${method} ${shortenTarget(target)}`);
}

function testOf(result: ExamScenarioResult): TestCase {
  const { id, title, state, reason, findings } = result;
  const [first] = findings;
  return {
    suite: 'exam',
    className: 'exam',
    name: `${id}: ${title}`,
    state: state === 'failed' ? 'failed' : state === 'passed' ? 'passed' : 'skipped',
    message: first?.message ?? reason ?? (state === 'repeated' ? describeSituation(result) : ''),
    ...(first === undefined ? {} : { type: first.rule }),
    blocks: [...findings.flatMap((finding) => blocksOf(finding, result)), ...(isFailedRun(result) ? blocksOfRun(result) : [])],
  };
}

function annotateScenario(result: ExamScenarioResult): readonly Annotation[] {
  const scenario = paragraph(`Scenario ${result.id}.`);
  return [
    ...result.findings.map((finding) => annotate(finding, [scenario, ...blocksOf(finding, result)])),
    ...(isFailedRun(result) ? [{ level: 'error', title: result.id, blocks: blocksOfRun(result) } as const] : []),
  ];
}

/** Describes the result in one line, without a full stop: `6 scenarios: 1 failed, 5 passed`. */
function describeExam(report: ExamReport): string {
  const parts = states.flatMap((state) => {
    const text = state === 'repeated' ? 'failed for a reason already shown' : words[state];
    return countState(report, state) === 0 ? [] : [`${countState(report, state)} ${text}`];
  });
  return [countNoun(report.scenarios.length, 'scenario'), ...(parts.length === 0 ? [] : [parts.join(', ')])].join(': ');
}

function countState({ scenarios }: ExamReport, state: ExamState): number {
  return scenarios.filter((each) => each.state === state).length;
}
