/** Concludes a run or a watch from its checks: the verdict, the exit code, the causes, and the reason for an early end. */

import type { CheckResult, RunResult, Verdict } from '../../core/results/run-result.ts';
import { findCauses } from './find-causes.ts';
import type { RunSettings } from './play-run.ts';
import { findEvidenceGap, type Requirement } from './required-checks.ts';
import { applyWaivers, type WaiverEntry } from './waivers.ts';

/** Terms that decide the exit code besides the verdicts. */
export interface Terms {
  readonly require?: Requirement | undefined;
  readonly waivers?: readonly WaiverEntry[] | undefined;
  /** The checks of an earlier run, whose violations fail nothing. */
  readonly baseline?: readonly CheckResult[] | undefined;
  readonly allowFlaky?: boolean | undefined;
  /** The day in UTC, as `2026-12-31`. */
  readonly today: string;
}

/** The checks of a run, and the reasons why it ended early. */
export type RunFindings = Pick<RunResult, 'checks' | 'coverage'> &
  Partial<Pick<RunResult, 'unavailable' | 'cutShort' | 'notes' | 'setAside'>> & {
    /** True when an internal error prevented the observation of open questions. */
    readonly hasInternalError?: boolean;
  };

/** The part of a result that follows from its checks. */
type Conclusion = Pick<RunResult, 'verdict' | 'exitCode' | 'causes' | 'checks' | 'notes'>;

/** Concludes a run. In this order: a violation, an interruption, an absent target, missing evidence. */
export function concludeRun(findings: RunFindings, { require, waivers = [], today, baseline, allowFlaky }: Terms): Conclusion {
  const afterWaivers = applyWaivers(findings.checks, waivers, today, baseline, allowFlaky);
  const gap =
    findings.unavailable === undefined
      ? findEvidenceGap(require, afterWaivers.checks, findings.coverage, findings.setAside)
      : { verdict: undefined, notes: [] };
  const notes = [...new Set([...(findings.notes ?? []), ...afterWaivers.notes, ...gap.notes])];
  return {
    ...chooseVerdict({ ...findings, checks: afterWaivers.checks }, gap.verdict),
    causes: findCauses(afterWaivers.checks),
    checks: afterWaivers.checks,
    ...(notes.length === 0 ? {} : { notes }),
  };
}

function chooseVerdict(
  { checks, unavailable, cutShort, hasInternalError = false }: RunFindings,
  gapVerdict: Verdict | undefined,
): Pick<RunResult, 'verdict' | 'exitCode'> {
  if (checks.some((check) => check.verdict === 'violated' && check.waiver === undefined)) return { verdict: 'violated', exitCode: 1 };
  if (cutShort === 'interrupted') return { verdict: 'inconclusive', exitCode: 130 };
  if (unavailable !== undefined || cutShort === 'lost' || hasInternalError || checks.some(isBlocked))
    return { verdict: 'blocked', exitCode: 3 };
  if (gapVerdict !== undefined) return { verdict: gapVerdict, exitCode: 4 };
  // A check without requests left is no evidence.
  return hasEnoughEvidence(checks) && cutShort !== 'budget' ? { verdict: 'holds', exitCode: 0 } : { verdict: 'not-exercised', exitCode: 4 };
}

/** True when at least a tenth of the testable checks was exercised. A waived violation counts as exercised. */
function hasEnoughEvidence(checks: readonly CheckResult[]): boolean {
  const exercised = checks.filter(({ verdict, waiver }) => verdict === 'holds' || waiver !== undefined).length;
  return exercised > 0 && exercised * 10 >= checks.filter(({ verdict }) => verdict !== 'not-testable').length;
}

function isBlocked({ verdict, strength, failed }: CheckResult): boolean {
  return verdict === 'blocked' && (strength === 'stated' || failed === true);
}

/** Reason why the run ended early, with notes. A spent budget does not count for an absent target or an interrupted run. */
export function describeCut(
  { session, printing: { clean } }: RunSettings,
  isInterrupted: boolean,
  { checks, unavailable, failure }: Pick<RunResult, 'checks' | 'unavailable'> & { readonly failure?: string | undefined },
): Pick<RunResult, 'cutShort'> & { readonly notes: readonly string[] } {
  const failureNotes = failure === undefined ? [] : [clean(failure)];
  const notes = [...noteRedirects(session.redirects), ...failureNotes];
  const decided = checks.filter(({ verdict }) => verdict === 'holds' || verdict === 'violated').length;
  const decidedText = `${decided} of ${checks.length} checks had a result by then`;
  if (isInterrupted)
    return { cutShort: 'interrupted', notes: [`The run was interrupted after ${session.requests} requests; ${decidedText}`, ...notes] };
  if (unavailable !== undefined) return { notes: [] };
  if (session.loss !== undefined)
    return {
      cutShort: 'lost',
      notes: [clean(`The target stopped responding after ${session.requests} requests (${session.loss}); ${decidedText}`), ...notes],
    };
  if (session.isSpent)
    return {
      cutShort: 'budget',
      notes: [
        session.fullness === undefined
          ? `The budget was spent after ${session.requests} requests; ${decidedText}, and a larger --budget may cover the rest`
          : `No more requests were sent after the first ${session.requests}, because ${session.fullness}; ${decidedText}`,
        ...notes,
      ],
    };
  return { notes };
}

function noteRedirects(redirects: ReadonlyMap<string, number>): readonly string[] {
  const total = [...redirects.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return [];
  return [
    `The target redirected ${total} requests within its origin, in ${[...redirects.keys()].join(', ')}; each redirect counts as a request`,
  ];
}
