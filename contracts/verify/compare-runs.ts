import { UsageError } from '../../core/errors.ts';
import type { RunComparison } from '../../core/results/run-comparison.ts';
import type { Cause, CheckResult, RunResult } from '../../core/results/run-result.ts';

/**
 * Compares two runs by the ids of their causes: a cause is new, still there, gone, or unknown because it was not judged again.
 * @throws {UsageError} if they are about different contracts.
 */
export function compareRuns(before: RunResult, after: RunResult): RunComparison {
  if (before.contract.name !== after.contract.name)
    throw new UsageError(`the reports are about ${before.contract.name} and ${after.contract.name}; compare two runs of the same contract`);
  const earlierIds = new Set(before.causes.map(({ id }) => id));
  const laterIds = new Set(after.causes.map(({ id }) => id));
  const absentCauses = before.causes.filter(({ id }) => !laterIds.has(id));
  const holdingChecks = new Set(after.checks.filter(({ verdict }) => verdict === 'holds').map(checkKey));
  const isGone = ({ explains }: Cause): boolean => explains.every((each) => holdingChecks.has(checkKey(each)));
  const newCauses = after.causes.filter(({ id }) => !earlierIds.has(id));
  const hasNewViolation = newCauses.some(({ waiver }) => waiver === undefined);
  return {
    exitCode: hasNewViolation ? 1 : after.unavailable === undefined ? 0 : 3,
    before: summarizeRun(before),
    after: summarizeRun(after),
    found: newCauses,
    still: after.causes.filter(({ id }) => earlierIds.has(id)),
    unknown: absentCauses.filter((cause) => !isGone(cause)),
    gone: absentCauses.filter(isGone),
  };
}

function checkKey({ rule, operation }: Pick<CheckResult, 'rule' | 'operation'>): string {
  return `${rule} at ${operation}`;
}

function summarizeRun({ contract, target, started }: RunResult): RunComparison['before'] {
  return { contract, target, started };
}
