/** What a run comes to, once every law has its verdict: what is waived, what is lacking, and the exit code. */

import type { LawResult, RunResult, Verdict } from '../core/verdict.ts';
import { findLack, type Requirement } from './requirement.ts';
import { applyWaivers, type Named, type WaiverEntry } from './waiver.ts';

/** What decides beside the verdicts. */
export interface Terms {
  readonly require?: Requirement | undefined;
  readonly waivers?: readonly WaiverEntry[] | undefined;
  /** The day in UTC, as `2026-12-31`. */
  readonly today: string;
  /** What the contract has and nobody was to judge. */
  readonly leftOut?: readonly Named[];
}

/** What was seen of the target. */
export type Seen = Pick<RunResult, 'laws'> & Partial<Pick<RunResult, 'unavailable' | 'cutShort' | 'notes'>>;

/** The part of a result that follows from the rest. */
export type Conclusion = Pick<RunResult, 'verdict' | 'exitCode' | 'laws' | 'notes'>;

/** Concludes. Violations count most; then that the user stopped it, then that the target was not there, then that too little was shown. */
export function conclude(seen: Seen, { require, waivers = [], today, leftOut = [] }: Terms): Conclusion {
  const waived = applyWaivers(seen.laws, waivers, today, leftOut);
  const lack = seen.unavailable === undefined ? findLack(require, waived.laws) : { verdict: undefined, notes: [] };
  const notes = [...new Set([...(seen.notes ?? []), ...waived.notes, ...lack.notes])];
  return { ...weigh({ ...seen, laws: waived.laws }, lack.verdict), laws: waived.laws, ...(notes.length === 0 ? {} : { notes }) };
}

function weigh({ laws, unavailable, cutShort }: Seen, lacking: Verdict | undefined): Pick<RunResult, 'verdict' | 'exitCode'> {
  if (laws.some((law) => law.verdict === 'violated' && law.waiver === undefined)) return { verdict: 'violated', exitCode: 1 };
  if (cutShort === 'interrupted') return { verdict: 'inconclusive', exitCode: 130 };
  if (unavailable !== undefined || cutShort === 'lost' || laws.some(isBlocked)) return { verdict: 'blocked', exitCode: 3 };
  if (lacking !== undefined) return { verdict: lacking, exitCode: 4 };
  // What was not looked at for want of requests is no evidence of anything; a violation that is waived shows that something was.
  const isShown = laws.some((law) => law.verdict === 'holds' || law.waiver !== undefined);
  return isShown && cutShort !== 'budget' ? { verdict: 'holds', exitCode: 0 } : { verdict: 'not-exercised', exitCode: 4 };
}

function isBlocked({ verdict, strength }: LawResult): boolean {
  return verdict === 'blocked' && strength === 'stated';
}
