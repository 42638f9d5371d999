/** Compares two finished verify runs by the ids of their causes. Sends nothing, and judges no response again. */

import { UsageError } from '../errors.ts';
import type { Cause, CheckResult, RunResult } from './run-result.ts';

/** The causes of two runs, which are new, remaining, gone or unknown. */
export interface RunComparison {
  /** 0 nothing new, 1 a new cause that is not waived, 3 the new run could not check the target. */
  readonly exitCode: 0 | 1 | 3;
  readonly before: Pick<RunResult, 'contract' | 'target' | 'started'>;
  readonly after: Pick<RunResult, 'contract' | 'target' | 'started'>;
  /** Causes that only the new run has. */
  readonly found: readonly Cause[];
  /** Causes that both runs have, as the new run shows them. */
  readonly still: readonly Cause[];
  /** Causes that only the old run has, some of whose checks do not hold in the new run. */
  readonly unknown: readonly Cause[];
  /** Causes of the old run whose checks all hold in the new run. */
  readonly gone: readonly Cause[];
}

/**
 * Compares two runs by the ids of their causes.
 * @throws {UsageError} if they are about different contracts.
 */
export function compareRuns(before: RunResult, after: RunResult): RunComparison {
  if (before.contract.name !== after.contract.name)
    throw new UsageError(`the reports are of ${before.contract.name} and ${after.contract.name}; compare two runs of the same contract`);
  const earlierIds = new Set(before.causes.map(({ id }) => id));
  const laterIds = new Set(after.causes.map(({ id }) => id));
  const absentCauses = before.causes.filter(({ id }) => !laterIds.has(id));
  const holdingChecks = new Set(after.checks.filter(({ verdict }) => verdict === 'holds').map(nameCheck));
  const isGone = ({ explains }: Cause): boolean => explains.every((each) => holdingChecks.has(nameCheck(each)));
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

function nameCheck({ rule, operation }: Pick<CheckResult, 'rule' | 'operation'>): string {
  return `${rule} in ${operation}`;
}

function summarizeRun({ contract, target, started }: RunResult): RunComparison['before'] {
  return { contract, target, started };
}
