/** Whether a page goes on where the one before ended: told by the list in larger pages, where both of them are one. */

import type { PactFailure } from '../../../core/pact-verdict.ts';
import type { Entry } from '../../../core/query.ts';
import { type Reply, recordsIn } from '../../reply.ts';
import { keyOf, type ListOperation } from '../../walk.ts';
import { bodyPath, failing } from './failing.ts';
import type { Suspicion } from './suspicion.ts';

/** Where the page that an interaction asks for has to begin. */
export interface Following {
  readonly operation: ListOperation;
  /** A larger page, which holds the page before and what follows it. */
  readonly whole: Reply;
  /** The index in it of the first record that follows. */
  readonly start: number;
}

/** Finds the page before in a larger one; `undefined` where it is not there as it was, or where nothing follows it. */
export function findFollowing(operation: ListOperation, whole: Reply | undefined, before: readonly Entry[]): Following | undefined {
  const [first] = before;
  const records = (whole && recordsIn(whole)) ?? [];
  if (whole === undefined || first === undefined) return undefined;
  const begin = records.findIndex((record) => keyOf(operation, record) === keyOf(operation, first));
  const start = begin + before.length;
  const isThere = begin >= 0 && start < records.length && JSON.stringify(records.slice(begin, start)) === JSON.stringify(before);
  return isThere ? { operation, whole, start } : undefined;
}

/** Suspects a page that has another record in the place of the one that follows. */
export function suspectGap(following: Following, page: Reply): Suspicion | undefined {
  const gap = findGap(following, page);
  if (gap === undefined) return undefined;
  const { whole, start } = following;
  const held = (reply: Reply): string => JSON.stringify((recordsIn(reply) ?? []).slice(0, start + gap.index + 1));
  const confirm: Suspicion['confirm'] = async (ask) => {
    const again = findGap(following, await ask(page.call));
    return again?.failure.actual === gap.failure.actual && held(await ask(whole.call)) === held(whole);
  };
  return { failure: gap.failure, confirm };
}

function findGap(
  { operation, whole, start }: Following,
  page: Reply,
): { readonly index: number; readonly failure: PactFailure } | undefined {
  const wanted = (recordsIn(whole) ?? []).slice(start).map((record) => keyOf(operation, record));
  const given = recordsIn(page)?.map((record) => keyOf(operation, record));
  if (given === undefined) return undefined;
  // Of a page without records the first is missing.
  const index = wanted.slice(0, Math.max(1, given.length)).findIndex((key, at) => key !== given[at]);
  const [expected, actual] = [wanted[index], given[index]];
  if (expected === undefined) return undefined;
  const { items, key } = operation.collection;
  const path = bodyPath(actual === undefined ? items : `${items}/${index}${key}`);
  return { index, failure: failing(path, expected, actual ?? 'no record', explainGap(wanted.indexOf(actual ?? '') - index)) };
}

function explainGap(skipped: number): string {
  if (skipped < 1) return 'the page does not go on where the page before ended';
  return skipped === 1
    ? 'the page leaves out a record that follows the page before'
    : `the page leaves out ${skipped} records that follow the page before`;
}
