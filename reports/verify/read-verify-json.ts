/**
 * Reads a JSON report of `touchstone verify`. The commands that start from an earlier run call it: `merge`, `replay`, `compare`, `report` and
 * `--baseline`. It checks the published schema, and judges nothing.
 */

import { SpecError } from '../../core/errors.ts';
import { checkBySchema } from '../../core/openapi/check-file-by-schema.ts';
import { parseJsonText } from '../../core/openapi/json-text.ts';
import type { Cause, CheckResult, CheckViolation, Counterexample, RunResult, Waiver } from '../../core/results/run-result.ts';
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
  await checkBySchema(publishedSchemaFile('verify-report'), file, root);
  const { schema: _, ...run } = root;
  // The schema wants at least one run.
  return (Array.isArray(root['runs']) ? root['runs'] : [run]).map((each) => toRun(each as RunResult)) as [RunResult, ...RunResult[]];
}

function toRun({ causes, checks, ...rest }: RunResult): RunResult {
  return {
    ...rest,
    causes: causes.map((cause) => toViolation(cause as unknown as WrittenViolation) as unknown as Cause),
    checks: checks.map((check) => toCheck(check as unknown as WrittenCheck)),
  };
}

/** A violation in the report, where absent values are `null`. */
type WrittenViolation = Omit<CheckViolation, 'diagnosis' | 'counterexample' | 'waiver'> & {
  readonly diagnosis: string | null;
  readonly counterexample: Counterexample | null;
  readonly waiver?: Pick<Waiver, 'reason'> & { readonly expires: string | null };
};

type WrittenCheck = Omit<CheckResult, keyof CheckViolation | 'further'> &
  WrittenViolation & { readonly further?: readonly WrittenViolation[] };

function toCheck({ further, ...check }: WrittenCheck): CheckResult {
  return {
    ...toViolation(check),
    ...(further === undefined ? {} : { further: further.map((each) => toViolation(each) as CheckViolation) }),
  };
}

function toViolation<T extends Pick<WrittenViolation, 'diagnosis' | 'counterexample' | 'waiver'>>({
  diagnosis,
  counterexample,
  waiver,
  ...rest
}: T) {
  return {
    ...rest,
    ...(diagnosis === null ? {} : { diagnosis }),
    ...(counterexample === null ? {} : { counterexample }),
    ...(waiver === undefined ? {} : { waiver: { reason: waiver.reason, ...(waiver.expires === null ? {} : { expires: waiver.expires }) } }),
  };
}
