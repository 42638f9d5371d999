/** What a run comes to, once every law has its verdict: what is waived, what is lacking, and the exit code. */

import type { LawResult, RunResult, Verdict } from '../core/verdict.ts';
import { findLack, type Requirement } from './requirement.ts';
import { applyWaivers, type WaiverEntry } from './waiver.ts';

/** What decides beside the verdicts. */
export interface Terms {
  readonly require?: Requirement | undefined;
  readonly waivers?: readonly WaiverEntry[] | undefined;
  /** The laws of an earlier run, whose violations fail nothing. */
  readonly baseline?: readonly LawResult[] | undefined;
  /** The day in UTC, as `2026-12-31`. */
  readonly today: string;
}

/** What was seen of the target. */
export type Seen = Pick<RunResult, 'laws'> &
  Partial<Pick<RunResult, 'unavailable' | 'cutShort' | 'notes'>> & {
    /** Whether a mistake of Touchstone kept it from observing the open questions. */
    readonly failed?: boolean;
  };

/** The part of a result that follows from the rest. */
export type Conclusion = Pick<RunResult, 'verdict' | 'exitCode' | 'laws' | 'notes'>;

/** Concludes. Violations count most; then that the user stopped it, then that the target was not there, then that too little was shown. */
export function conclude(seen: Seen, { require, waivers = [], today, baseline }: Terms): Conclusion {
  const waived = applyWaivers(seen.laws, waivers, today, baseline);
  const lack = seen.unavailable === undefined ? findLack(require, waived.laws) : { verdict: undefined, notes: [] };
  const notes = [...new Set([...(seen.notes ?? []), ...waived.notes, ...lack.notes])];
  return { ...weigh({ ...seen, laws: waived.laws }, lack.verdict), laws: waived.laws, ...(notes.length === 0 ? {} : { notes }) };
}

function weigh(
  { laws, unavailable, cutShort, failed = false }: Seen,
  lacking: Verdict | undefined,
): Pick<RunResult, 'verdict' | 'exitCode'> {
  if (laws.some((law) => law.verdict === 'violated' && law.waiver === undefined)) return { verdict: 'violated', exitCode: 1 };
  if (cutShort === 'interrupted') return { verdict: 'inconclusive', exitCode: 130 };
  if (unavailable !== undefined || cutShort === 'lost' || failed || laws.some(isBlocked)) return { verdict: 'blocked', exitCode: 3 };
  if (lacking !== undefined) return { verdict: lacking, exitCode: 4 };
  // What was not looked at for want of requests is no evidence of anything.
  return isShown(laws) && cutShort !== 'budget' ? { verdict: 'holds', exitCode: 0 } : { verdict: 'not-exercised', exitCode: 4 };
}

/** Whether more than almost nothing was exercised: a tenth of what could be. A violation that is waived shows that something was. */
function isShown(laws: readonly LawResult[]): boolean {
  const shown = laws.filter(({ verdict, waiver }) => verdict === 'holds' || waiver !== undefined).length;
  return shown > 0 && shown * 10 >= laws.filter(({ verdict }) => verdict !== 'not-testable').length;
}

function isBlocked({ verdict, strength, failed }: LawResult): boolean {
  return verdict === 'blocked' && (strength === 'stated' || failed === true);
}
