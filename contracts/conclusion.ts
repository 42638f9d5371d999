/** What a run comes to, once every rule has its verdict: what is waived, what is lacking, what ended it early, and the exit code. */

import type { LawResult, RunResult, Verdict } from '../core/verdict.ts';
import { noteRefusedKey } from './outcome.ts';
import { findLack, type Requirement } from './requirement.ts';
import type { RunSettings } from './run.ts';
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
type Conclusion = Pick<RunResult, 'verdict' | 'exitCode' | 'laws' | 'notes'>;

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

/** What ended the run before everything was looked at, and what is to be said of it. The ceiling of a target that is not there, or that nobody is to ask any more, is none. */
export function describeCut(
  { session, printing: { clean } }: RunSettings,
  isInterrupted: boolean,
  { laws, unavailable, failure }: Pick<RunResult, 'laws' | 'unavailable'> & { readonly failure?: string | undefined },
): Pick<RunResult, 'cutShort'> & { readonly notes: readonly string[] } {
  const mistake = failure === undefined ? [] : [clean(failure)];
  const notes = [...noteRefusedKey(session.replies), ...noteRedirects(session.redirects), ...mistake];
  const judged = laws.filter(({ verdict }) => verdict === 'holds' || verdict === 'violated').length;
  const left = `${judged} of ${laws.length} checks were decided until then`;
  if (isInterrupted)
    return { cutShort: 'interrupted', notes: [`The run was interrupted after ${session.requests} requests; ${left}`, ...notes] };
  if (unavailable !== undefined) return { notes: [] };
  if (session.loss !== undefined)
    return {
      cutShort: 'lost',
      notes: [clean(`The target was lost after ${session.requests} requests (${session.loss}); ${left}`), ...notes],
    };
  if (session.isSpent)
    return {
      cutShort: 'budget',
      notes: [
        session.fullness === undefined
          ? `The budget was spent after ${session.requests} requests; ${left}, and more requests may decide the rest`
          : `Nothing was asked after ${session.requests} requests, since ${session.fullness}; ${left}`,
        ...notes,
      ],
    };
  return { notes };
}

function noteRedirects(redirects: ReadonlyMap<string, number>): readonly string[] {
  const total = [...redirects.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return [];
  return [
    `The target redirected ${total} requests within its origin, at ${[...redirects.keys()].join(', ')}; each redirect counts as a request`,
  ];
}
