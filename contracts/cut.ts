/** Runs that end before everything was looked at. */

import type { RunResult } from '../core/verdict.ts';
import { noteRefusedKey } from './refused-key.ts';
import type { RunSettings } from './run.ts';

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
