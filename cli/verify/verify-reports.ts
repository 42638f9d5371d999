/**
 * The reports of `touchstone verify`: formats, the file or stream of each report, and reading a JSON report back. `verify`, `merge`, `report`, `compare`
 * and `replay` call it at their start and end. The renderers are in `reports/`.
 */

import { didYouMean, UsageError } from '../../core/errors.ts';
import { exitCodeOf, type RunResult } from '../../core/results/run-result.ts';
import { readTextFileNow } from '../../core/text-file.ts';
import { renderTerminal } from '../../reports/terminal.ts';
import { renderHar } from '../../reports/verify/har.ts';
import { readJsonReport } from '../../reports/verify/read-verify-json.ts';
import { itemsOfRun } from '../../reports/verify/verify-items.ts';
import { renderJson } from '../../reports/verify/verify-json.ts';
import { reportOfRuns } from '../../reports/verify/verify-report.ts';
import { nameOfRun } from '../../reports/verify/verify-sentences.ts';
import type { Arguments, OptionSpec, Terminal } from '../command.ts';
import { type Ended, endWithReports, type ReportFile, readReportFiles } from '../report-file.ts';
import { commonFormats, type ReportFormats } from '../report-formats.ts';

/** The runs of a report: one for each contract and target. */
export type Runs = readonly [RunResult, ...RunResult[]];

const formats: ReportFormats<Runs> = {
  json: (runs) => renderJson(...runs),
  ...commonFormats(reportOfRuns, (runs) => runs.map((run) => itemsOfRun(run, nameOfRun(run, runs)))),
  har: (runs) => renderHar(...runs),
};

/** Names of the formats, in the order of the help. */
export const verifyFormats: readonly string[] = Object.keys(formats);

/** Options for reports and the summary. */
export const verifyReportOptions: readonly OptionSpec[] = [
  {
    name: 'report',
    value: 'FORMAT=FILE',
    repeatable: true,
    summary: `Write a report: ${verifyFormats.join(', ')}. The file - is standard output, in place of the summary. Repeatable.`,
  },
  {
    name: 'verbose',
    summary: 'Print every request of a violation with the relevant lines of its response, and the checks without a result.',
  },
];

/** The requested reports. */
export interface VerifyReports {
  readonly files: readonly ReportFile[];
  /** Format for standard output in place of the summary. */
  readonly standard: string | undefined;
  /** True for a summary with all details. */
  readonly verbose: boolean;
}

/**
 * Reads `--report FORMAT=FILE`, and checks that each file can be written.
 * @throws {UsageError} for an unknown format, a file that cannot be written, or two reports for standard output.
 */
export function readReportOptions({ lists, switches }: Pick<Arguments, 'lists' | 'switches'>): VerifyReports {
  const values = lists['report'] ?? [];
  const streams = values.filter((value) => value.endsWith('=-')).map((value) => value.slice(0, -'=-'.length));
  for (const format of streams) checkFormat(format);
  if (streams.length > 1) throw new UsageError('two reports would be written to standard output; give one of them a file');
  const files = values.filter((value) => !value.endsWith('=-'));
  return { files: readReportFiles(files, verifyFormats), standard: streams[0], verbose: switches.has('verbose') };
}

/**
 * Reads a JSON report.
 * @throws {UsageError} if the file cannot be read.
 * @throws {SpecError} if it is not such a report.
 */
export async function loadEarlierRuns(file: string): Promise<Runs> {
  let text: string;
  try {
    text = readTextFileNow(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new UsageError(`the report ${file} cannot be read (${code}); name the file that --report json=FILE wrote`, { cause: error });
  }
  return readJsonReport(file, text);
}

/** Environment variables in which CI systems name the commit: GitHub, GitLab, Jenkins, Azure Pipelines. */
const commitVariables = ['GITHUB_SHA', 'CI_COMMIT_SHA', 'GIT_COMMIT', 'BUILD_SOURCEVERSION'] as const;

/** Adds the command line to a result, and the commit that the CI system is building. */
export function withOrigin(result: RunResult, { line }: Arguments, environment: Readonly<Record<string, string | undefined>>): RunResult {
  const commits = [result.commit, ...commitVariables.map((name) => environment[name])];
  const commit = commits.find((text = '') => /^[0-9a-f]{7,64}$/i.test(text));
  return { ...result, command: line, ...(commit === undefined ? {} : { commit }) };
}

/** Writes the reports of runs, and prints their summary or the report for standard output. Returns the exit code. */
export function endVerify(runs: Runs, { files, standard, verbose }: VerifyReports, terminal: Terminal): number {
  const { decorated, columns } = terminal;
  const ending = {
    reports: files,
    render: ({ format }: ReportFile) => renderVerifyReport(format, runs),
    exitCode: exitCodeOf(runs),
    summary: (end: Ended) =>
      standard === undefined
        ? renderTerminal(reportOfRuns(runs), { ...end, decorated, verbose, ...(columns === undefined ? {} : { columns }) })
        : renderVerifyReport(standard, runs),
  };
  return endWithReports(ending, terminal);
}

function renderVerifyReport(format: string, runs: Runs): string {
  const render = formats[format];
  if (render === undefined) throw new Error(`${format} is not a report format`);
  return render(runs);
}

function checkFormat(format: string): void {
  if (verifyFormats.includes(format)) return;
  const advice = didYouMean(format, verifyFormats, `formats are ${verifyFormats.join(', ')}`);
  throw new UsageError(`--report ${format}=-: there is no format ${format}; ${advice}`);
}
