/** What a run could not show, gathered by what was lacking: the list of what to bring for the next run. */

import type { LawResult } from '../core/verdict.ts';

/** Something that was lacking, and the laws that it would have decided. */
export interface Gap {
  readonly missing: string;
  readonly laws: readonly LawResult[];
}

/** Gathers laws by what the data or the settings lacked; what would decide most comes first. */
export function gatherGaps(laws: readonly LawResult[]): readonly Gap[] {
  const gaps = new Map<string, LawResult[]>();
  for (const law of laws) {
    for (const missing of missingOf(law)) gaps.set(missing, [...(gaps.get(missing) ?? []), law]);
  }
  const found = [...gaps].map(([missing, decided]) => ({ missing, laws: decided }));
  return found.toSorted((left, right) => right.laws.length - left.laws.length);
}

/** The laws of a gap in a few words: `order/within at 2 operations, sync/closure`. */
export function describeLaws(laws: readonly LawResult[]): string {
  const operations = new Map<string, string[]>();
  for (const { id, operation } of laws) operations.set(id, [...(operations.get(id) ?? []), operation]);
  return [...operations].map(([id, at]) => `${id} at ${at.length === 1 ? at[0] : `${at.length} operations`}`).join(', ');
}

/** What the data lacks is in the rivals that stay open; what a run lacks (requests, a key, time) is in the message. */
function missingOf({ verdict, open, message }: LawResult): readonly string[] {
  const named = verdict === 'not-exercised' ? [...new Set(open.map((rival) => rival.missing))] : [];
  return named.length > 0 ? named : [message.replace(/\.$/, '')];
}
