/** The JSON report of `touchstone verify`; its schema is specs/verify-report.schema.json. Nothing is shortened. */

import { SpecError, startOf } from '../../core/errors.ts';
import { checkAgainstSchema } from '../../core/openapi/check-touchstone-file.ts';
import { parseJsonText } from '../../core/openapi/loading/json-parser.ts';
import { exitCodeOfRuns, type RunResult } from '../../core/results/run-result.ts';
import { publishedSchemaFile } from '../../core/shipped-files.ts';
import { printReport } from '../print-json.ts';

/** Version of the format. A removed or changed field makes a new version, a new field does not. */
const verifyReportVersion = 'touchstone-verify/4' as const;

/** Renders runs, or a single one. */
export function renderJson(...results: readonly RunResult[]): string {
  return printReport({ schema: verifyReportVersion, exitCode: exitCodeOfRuns(results), runs: results });
}

/**
 * Reads the runs of a JSON report: one for each contract and target.
 * @throws {SpecError} at the first violation of the published schema.
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { readJsonReport } from 'touchstone';
 *
 * const runs = await readJsonReport('report.json', await readFile('report.json', 'utf8'));
 * for (const { contract, verdict } of runs) console.log(contract.name, verdict);
 * ```
 */
export async function readJsonReport(file: string, text: string): Promise<readonly [RunResult, ...RunResult[]]> {
  const root = parseJsonText(file, text, 'a report of touchstone verify');
  if (root['schema'] !== verifyReportVersion) {
    const message = 'this is not a report of touchstone verify, or it is from another version; write one with --report json=FILE';
    throw new SpecError(startOf(file), message);
  }
  await checkAgainstSchema(publishedSchemaFile('verify-report'), file, root);
  // The schema wants at least one run.
  return root['runs'] as unknown as [RunResult, ...RunResult[]];
}
