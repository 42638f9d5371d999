/** `touchstone mock CONTRACT -- COMMAND`: runs a client against the mock, and reports its mistakes once both have stopped. */

import { UsageError } from '../../core/errors.ts';
import type { ClientReport } from '../../core/results/client-result.ts';
import { type ClientLevel, type ClientRuleId, clientLevels, clientRuleIds } from '../../core/results/client-rule.ts';
import { clientRules } from '../../mocks/client/client-rules.ts';
import type { RunningMock } from '../../mocks/start-mock.ts';
import { reportOfClient } from '../../reports/client/client-report.ts';
import { printReport } from '../../reports/print-json.ts';
import type { Arguments, OptionSpec, Terminal } from '../command.ts';
import { selectIds } from '../read-option-values.ts';
import { type CommandReports, createReports, type RequestedReports } from '../report-option.ts';
import { type EndOfClient, environmentOf, runClientProcess } from './client-process.ts';

const reportsWith = (restart: string): CommandReports<ClientReport> =>
  createReports<ClientReport>({ json: printReport, reportsOf: (result) => [reportOfClient(result, restart)] });
const reports = reportsWith('');

/** The options of `touchstone mock` that need the command of a client. */
export const clientOptions: readonly OptionSpec[] = [
  {
    name: 'fail-on',
    value: 'LEVEL',
    summary: 'With COMMAND: the least severe level of finding that gives exit code 1: error, warning, advice or never. Default error.',
  },
  {
    name: 'require',
    value: 'RULE',
    repeatable: true,
    summary: 'With COMMAND: exit code 4 unless the client exercised this client rule; * matches anything. Repeatable.',
  },
  reports.option,
];

/** Settings of a run. */
interface ClientRun {
  readonly command: readonly string[];
  readonly failOn: ClientLevel | 'never';
  readonly required: readonly ClientRuleId[];
  readonly reports: RequestedReports;
  /** The command line without the command of the client and without a port. */
  readonly mockLine: string;
}

/**
 * Reads the options; `undefined` without a command.
 * @throws {UsageError} for an unknown level or rule, for a report that cannot be written, and for these options without a command, or `--` without one.
 */
export function readClientRun({ clientCommand: command, values, lists, line }: Arguments): ClientRun | undefined {
  const { 'fail-on': level = 'error' } = values;
  if (command?.length === 0) throw new UsageError('there is no command after --; write, for example, touchstone mock -- npm run sync');
  if (command === undefined) {
    const option = ['fail-on', 'require', 'report'].find((name) => values[name] !== undefined || lists[name] !== undefined);
    if (option === undefined) return undefined;
    throw new UsageError(`--${option} needs the command of a client; write, for example, touchstone mock -- npm run sync`);
  }
  const levels = [...clientLevels, 'never'] as const;
  const failOn = levels.find((each) => each === level);
  if (failOn === undefined) throw new UsageError(`--fail-on ${level} is not a level; the levels are ${levels.join(', ')}`);
  const required = (lists['require'] ?? []).flatMap((pattern) => selectIds('require', pattern, clientRuleIds, 'client rule'));
  const mockLine = (line.split(' -- ')[0] ?? '').replace(/ --(port|fail-on|require|report)[ =]\S+/g, '');
  return { command, failOn, required, reports: reports.read({ lists }), mockLine };
}

/** Runs the command against the mock, stops the mock, and prints the report. Resolves to the exit code. */
export async function runClient(mock: RunningMock, run: ClientRun, terminal: Terminal): Promise<number> {
  // A mock that stays open keeps the process alive.
  const client = runClientProcess({ command: run.command, environment: environmentOf(mock), interrupted: terminal.interrupted });
  const end = await client.finally(() => mock.close());
  const report = mock.client();
  const unexercised = run.required.filter((rule) => !report.exercised.includes(rule));
  const restart = `${run.mockLine} --port ${mock.port}`;
  const code = reportsWith(restart).end(report, run.reports, exitCodeOfClient(report, run, unexercised, end), terminal);
  if (unexercised.length > 0) terminal.error(`touchstone: the command did not exercise ${unexercised.join(', ')}\n`);
  if (isIdle(report)) terminal.error('touchstone: the command sent no request to an operation of the mock; its URL is in API_URL\n');
  return code;
}

/** Findings win over missing evidence, and missing evidence over the success of the command. */
function exitCodeOfClient(
  report: ClientReport,
  { failOn }: ClientRun,
  unexercised: readonly string[],
  { code, isInterrupted }: EndOfClient,
): number {
  const limit = failOn === 'never' ? -1 : clientLevels.indexOf(failOn);
  if (report.findings.some(({ level }) => clientLevels.indexOf(level) <= limit)) return 1;
  if (isInterrupted) return 130;
  const isMissing = unexercised.length > 0 || isIdle(report);
  return isMissing && code === 0 ? 4 : code;
}

/** True if no request reached an operation. */
function isIdle({ notExercised }: ClientReport): boolean {
  return notExercised.some(({ rule }) => clientRules[rule].situation === 'request');
}
