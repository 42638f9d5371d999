/** Reads the JSON report of an earlier `verify`: to send its violations again, to compare it, to render it in other formats, or as a baseline. */

import type { RunResult } from '../../core/results/run-result.ts';
import { readJsonReport } from '../../reports/verify/verify-json.ts';
import { readNamedFile } from '../read-named-file.ts';

/** The runs of a report: one for each contract and target. */
export type Runs = readonly [RunResult, ...RunResult[]];

/**
 * Reads a report that `--report json=FILE` wrote.
 * @throws {UsageError} if the file cannot be read.
 * @throws {SpecError} if it is not such a report.
 */
export async function loadEarlierRuns(file: string): Promise<Runs> {
  return readJsonReport(file, readNamedFile(file, { noun: 'the report', advice: 'name the file that --report json=FILE wrote' }));
}
