/**
 * The reader of JSON reports of `touchstone verify`. `load-earlier-runs.ts` calls it for each report that `merge`, `replay`, `compare`, `report` or
 * `--baseline` names. Users of `touchstone` read reports of earlier runs by it. It checks the published schema, and judges nothing; `verify-json.ts` writes
 * such reports.
 */

import { SpecError } from '../../core/errors.ts';
import { parseJsonText } from '../../core/openapi/json-parser.ts';
import { checkAgainstSchema } from '../../core/openapi/read-and-check-user-file.ts';
import type { RunResult, Waiver } from '../../core/results/run-result-and-events.ts';
import { publishedSchemaFile } from '../../core/shipped-files.ts';
import { verifyReportVersion } from './verify-json.ts';

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
    const message = 'this is not a report of touchstone verify; write one with --report json=FILE';
    throw new SpecError({ file, line: 1, column: 1 }, message);
  }
  await checkAgainstSchema(publishedSchemaFile('verify-report'), file, root);
  const { schema: _, ...run } = root;
  // The schema wants at least one run.
  return (Array.isArray(root['runs']) ? root['runs'] : [run]).map((each) => toRun(each as RunResult)) as [RunResult, ...RunResult[]];
}

function toRun({ causes, checks, ...otherMembers }: RunResult): RunResult {
  return {
    ...otherMembers,
    causes: causes.map(withoutNullMembers),
    checks: checks.map((check) => ({
      ...withoutNullMembers(check),
      ...(check.further && { further: check.further.map(withoutNullMembers) }),
    })),
  };
}

/** Removes the members that are `null` in the report, and absent in a result. */
function withoutNullMembers<T extends { readonly waiver?: Waiver }>(violation: T): T {
  return { ...withoutNulls(violation), ...(violation.waiver && { waiver: withoutNulls(violation.waiver) }) };
}

function withoutNulls<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) as T;
}
