import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../core/errors.ts';
import type { ExamReport, ExamScenarioId } from '../../core/results/exam-result.ts';
import { type ExamRun, type ExamRunEnd, runExam } from '../../mocks/exam/exam.ts';
import { examScenarios } from '../../mocks/exam/exam-scenarios.ts';
import { loadContractsByName } from '../../mocks/load-contracts.ts';
import { reportOfExam } from '../../reports/client/exam-report.ts';
import { printReport } from '../../reports/print-json.ts';
import type { Arguments, CommandBody, Terminal } from '../command.ts';
import { strictOption, warnAbout } from '../open-contract.ts';
import { readWholeNumber, selectIds } from '../read-option-values.ts';
import { createReports } from '../report-option.ts';
import { environmentOf, runClientProcess } from './client-process.ts';

const reports = createReports<ExamReport>({ json: printReport, reportsOf: (result) => [reportOfExam(result)] });
const scenarioIds: readonly ExamScenarioId[] = examScenarios.map(({ id }) => id);
const [defaultSeed, defaultTimeout, timeoutMax] = [1, 60, 3600];

/** `touchstone exam`: plays scenarios in which mistakes of a client have consequences, and reports the records that it ends up with. */
export const examCommand: CommandBody = {
  takesClientCommand: true,
  description: [
    "Puts a client through failures that typically lose records. COMMAND brings the client's copy of the data up to date once, and ends. Each scenario runs COMMAND twice against a fresh mock, whose clock moves forward by an hour in between, and reports which records the client ended up with and what to correct.",
    ['Scenarios:', ...examScenarios.map(({ id, title, isExtra }) => `- ${id}${isExtra === true ? ' (with --all)' : ''}: ${title}`)].join(
      '\n',
    ),
    'The client finds the mock through the environment variables API_URL, API_KEY, API_KEY_ROLE and API_CONTROL_URL. It must start with an empty store when EXAM_RUN is 1, and go on with that store when EXAM_RUN is 2. EXAM_FOLDER is a folder for the store, empty at first; EXAM_SCENARIO names the scenario.',
    'At the end of a run, the client should POST what it has stored to $API_CONTROL_URL/client/compare. Otherwise the exam can only check which records were delivered to the client, not which it kept.',
    'Exit code 1: a scenario failed; 4: the client exercised no scenario, or not every scenario named by --require.',
  ],
  options: [
    { name: 'all', summary: 'Run every scenario. By default, only the ten that find the most mistakes.' },
    { name: 'only', value: 'SCENARIO', repeatable: true, summary: 'Run only this scenario; * matches anything. Repeatable.' },
    {
      name: 'require',
      value: 'SCENARIO',
      repeatable: true,
      summary: 'Exit code 4 unless the client exercised this scenario; * matches anything. Repeatable.',
    },
    { name: 'seed', value: 'NUMBER', summary: `Seed of the records and the keys. Default ${defaultSeed}.` },
    {
      name: 'data',
      value: 'FILE',
      repeatable: true,
      summary: 'YAML or JSON file with records of your own, as for touchstone mock. Repeatable.',
    },
    {
      name: 'profile',
      value: 'PROFILE',
      summary: 'Answers to the questions that the API documentation leaves open, as for touchstone mock.',
    },
    {
      name: 'timeout',
      value: 'SECONDS',
      summary: `Time limit for one run of the client. Default ${defaultTimeout}.`,
    },
    strictOption,
    reports.option,
  ],
  examples: [
    { line: 'touchstone exam business -- npm run sync', about: 'the ten scenarios that find the most mistakes' },
    { line: 'touchstone exam business --only unavailable -- npm run sync', about: 'one scenario' },
    { line: "touchstone exam my-api.yaml --require '*' --report junit=exam.xml -- ./sync.sh", about: 'a file of your own, in CI' },
  ],
  run: runExamCommand,
};

async function runExamCommand(
  { clientCommand: command = [], positionals, values, switches, lists }: Arguments,
  terminal: Terminal,
): Promise<number> {
  if (command.length === 0)
    throw new UsageError("exam needs the client's command after --; write, for example, touchstone exam business -- npm run sync");
  const select = (option: string): readonly ExamScenarioId[] =>
    (lists[option] ?? []).flatMap((pattern) => selectIds(option, pattern, scenarioIds, 'scenario'));
  const [only, required] = [select('only'), select('require')];
  const timeoutMs = (readWholeNumber(values, 'timeout', 1, timeoutMax) ?? defaultTimeout) * 1000;
  const { profile } = values;
  const contracts = await loadContractsByName(positionals.length === 0 ? undefined : positionals, profile, {
    strict: switches.has('strict'),
  });
  warnAbout(
    contracts.map(({ written }) => written),
    terminal,
  );
  const requested = reports.read({ lists });
  const { interrupted } = terminal;
  let isInterrupted = false;
  void interrupted.then(() => {
    isInterrupted = true;
  });
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-exam-'));
  const client = async ({ scenario, run, mock, killed }: ExamRun): Promise<ExamRunEnd> => {
    const storeFolder = join(folder, scenario);
    if (run === 1) mkdirSync(storeFolder);
    const environment = { ...environmentOf(mock), EXAM_SCENARIO: scenario, EXAM_RUN: String(run), EXAM_FOLDER: storeFolder };
    const { code, output } = await runClientProcess({ command, environment, interrupted, killed, timeoutMs });
    return { code, output: hideKeys(output, mock.keys) };
  };
  const report = await runExam({
    seed: readWholeNumber(values, 'seed', 0, Number.MAX_SAFE_INTEGER) ?? defaultSeed,
    ...(positionals.length > 0 && { contracts: positionals }),
    ...(profile && { profile }),
    ...(switches.has('all') && { scenarios: scenarioIds }),
    ...(only.length > 0 && { scenarios: only }),
    data: lists['data'] ?? [],
    client,
    onScenario: ({ id, title }) => terminal.error(`${id}: ${title} …\n`),
    isInterrupted: () => isInterrupted,
  }).finally(() => rmSync(folder, { recursive: true, force: true }));
  const unexercised = required.filter((id) => !report.scenarios.some((each) => each.id === id && each.state !== 'not-exercised'));
  const code = reports.end(report, requested, exitCodeOfExam(report, unexercised, isInterrupted), terminal);
  if (unexercised.length > 0) terminal.error(`touchstone: the client did not exercise ${unexercised.join(', ')}\n`);
  return code;
}

function exitCodeOfExam({ verdict }: ExamReport, unexercised: readonly string[], isInterrupted: boolean): number {
  if (verdict === 'failed') return 1;
  if (isInterrupted) return 130;
  return verdict === 'not-exercised' || unexercised.length > 0 ? 4 : 0;
}

/** Replaces the keys of the mock in the output of a client. */
function hideKeys(output: string, keys: Readonly<Record<string, string>>): string {
  return Object.values(keys).reduce((text, key) => text.replaceAll(key, '$KEY'), output);
}
