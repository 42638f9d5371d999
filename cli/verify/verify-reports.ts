/**
 * The reports of `touchstone verify`: its formats and options, and reading a JSON report back. `verify`, `merge`, `report`, `compare` and `replay` call it
 * at their start and end. The renderers are in `reports/`.
 */

import type { RunResult } from '../../core/results/run-result.ts';
import { renderHar } from '../../reports/verify/har.ts';
import { readJsonReport } from '../../reports/verify/read-verify-json.ts';
import { itemsOfRun } from '../../reports/verify/verify-items.ts';
import { renderJson } from '../../reports/verify/verify-json.ts';
import { reportOfRuns } from '../../reports/verify/verify-report.ts';
import { nameOfRun } from '../../reports/verify/verify-sentences.ts';
import type { Arguments, OptionSpec } from '../command.ts';
import { type CommandReports, createReports } from '../command-reports.ts';
import { readNamedFile } from '../named-file.ts';

/** The runs of a report: one for each contract and target. */
export type Runs = readonly [RunResult, ...RunResult[]];

/** The reports of `verify`, `merge` and `report`. */
export const verifyReports: CommandReports<Runs> = createReports<Runs>({
  json: (runs) => renderJson(...runs),
  reportOf: reportOfRuns,
  itemsOf: (runs) => runs.map((run) => itemsOfRun(run, nameOfRun(run, runs))),
  more: { har: (runs) => renderHar(...runs) },
});

/** Options for reports and the summary. */
export const verifyReportOptions: readonly OptionSpec[] = [
  verifyReports.option,
  {
    name: 'verbose',
    summary: 'Print every request of a violation with the relevant lines of its response, and the checks without a result.',
  },
];

/**
 * Reads a JSON report.
 * @throws {UsageError} if the file cannot be read.
 * @throws {SpecError} if it is not such a report.
 */
export async function loadEarlierRuns(file: string): Promise<Runs> {
  return readJsonReport(file, readNamedFile(file, { noun: 'the report', advice: 'name the file that --report json=FILE wrote' }));
}

/** Environment variables in which CI systems name the commit: GitHub, GitLab, Jenkins, Azure Pipelines. */
const commitVariables = ['GITHUB_SHA', 'CI_COMMIT_SHA', 'GIT_COMMIT', 'BUILD_SOURCEVERSION'] as const;

/** Adds the command line to a result, and the commit that the CI system is building. */
export function withOrigin(result: RunResult, { line }: Arguments, environment: Readonly<Record<string, string | undefined>>): RunResult {
  const commits = [result.commit, ...commitVariables.map((name) => environment[name])];
  const commit = commits.find((text = '') => /^[0-9a-f]{7,64}$/i.test(text));
  return { ...result, command: line, ...(commit && { commit }) };
}
