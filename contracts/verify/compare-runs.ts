/**
 * Compares two runs by the ids of their causes: a cause is new, still there, gone, or was not judged again. `touchstone compare` calls it for each run of its
 * second JSON report. It reads no file and prints nothing.
 */

import { UsageError } from '../../core/errors.ts';
import type { RunComparison } from '../../core/results/run-comparison.ts';
import type { Cause, CheckResult, RunResult } from '../../core/results/run-result.ts';

/**
 * Compares two runs.
 * @throws {UsageError} if they are about different contracts.
 */
export function compareRuns(before: RunResult, after: RunResult): RunComparison {
  if (before.contract.name !== after.contract.name)
    throw new UsageError(`the reports are about ${before.contract.name} and ${after.contract.name}; compare two runs of the same contract`);
  const known = new Set(before.causes.map(({ id }) => id));
  const present = new Set(after.causes.map(({ id }) => id));
  const absent = before.causes.filter(({ id }) => !present.has(id));
  const holding = new Set(after.checks.filter(({ verdict }) => verdict === 'holds').map(checkKey));
  const isGone = ({ explains }: Cause): boolean => explains.every((each) => holding.has(checkKey(each)));
  const found = after.causes.filter(({ id }) => !known.has(id));
  const isNew = found.some(({ waiver }) => waiver === undefined);
  return {
    exitCode: isNew ? 1 : after.unavailable === undefined ? 0 : 3,
    before: summarizeRun(before),
    after: summarizeRun(after),
    found,
    still: after.causes.filter(({ id }) => known.has(id)),
    unknown: absent.filter((cause) => !isGone(cause)),
    gone: absent.filter(isGone),
  };
}

function checkKey({ rule, operation }: Pick<CheckResult, 'rule' | 'operation'>): string {
  return `${rule} at ${operation}`;
}

function summarizeRun({ contract, target, started }: RunResult): RunComparison['before'] {
  return { contract, target, started };
}
