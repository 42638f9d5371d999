/**
 * What a page may mean that is not full and promises another one all the same: a list without an end, in which a client reads on for ever, or records that
 * were left out in the middle. It may also be right.
 */

import type { Json } from '../../../core/json.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { CursorPage } from '../../../core/rules.ts';
import { isSuccess, type Reply, recordsIn } from '../../reply.ts';
import { keyOf, type ListOperation } from '../../walk.ts';
import { bodyPath, failing } from './failing.ts';
import { withQuery } from './request-of.ts';
import type { Suspicion } from './suspicion.ts';

/** A page may be empty and promise another one; several of them in a row lead nowhere. */
const emptyInARow = 3;

/** Suspects a page that is not full, and promises another one. */
export function suspectShortPage(operation: ListOperation, reply: Reply, limit: Json | undefined): readonly Suspicion[] {
  const { page } = operation.collection;
  const number = recordsIn(reply)?.length;
  if (page.style !== 'cursor' || number === undefined || typeof limit !== 'number' || number >= limit) return [];
  if (valueAt(reply.body, page.more) !== true) return [];
  return [suspectEnd(page, reply), ...(number < 3 ? [] : [suspectHole(operation, page, reply, number)])];
}

function suspectEnd(page: CursorPage, reply: Reply): Suspicion {
  const diagnosis = 'the list has no end: the pages after this one are empty, and each of them promises another one';
  const confirm: Suspicion['confirm'] = async (ask) => {
    let last = reply;
    for (let step = 0; step < emptyInARow; step += 1) {
      const cursor = valueAt(last.body, page.next);
      if (typeof cursor !== 'string') return false;
      last = await ask(withQuery(reply.call, { [page.cursor]: cursor }));
      const isEmpty = isSuccess(last) && recordsIn(last)?.length === 0 && valueAt(last.body, page.more) === true;
      if (!isEmpty) return false;
    }
    return true;
  };
  return { failure: failing(bodyPath(page.more), 'false', 'true', diagnosis), confirm };
}

/** The same stretch of the list in two pages of half the size shows whether anything is left out. */
function suspectHole(operation: ListOperation, page: CursorPage, reply: Reply, number: number): Suspicion {
  const diagnosis = 'the page leaves out records in its middle, which smaller pages show';
  const keysIn = (each: Reply): readonly string[] => (recordsIn(each) ?? []).map((record) => keyOf(operation, record));
  const text = JSON.stringify(keysIn(reply));
  const half = Math.ceil(number / 2);
  const confirm: Suspicion['confirm'] = async (ask) => {
    const first = await ask(withQuery(reply.call, { [page.limit]: String(half) }));
    const cursor = valueAt(first.body, page.next);
    // Where already the first half is another one, the order or the data are.
    if (typeof cursor !== 'string' || JSON.stringify(keysIn(first)) !== JSON.stringify(keysIn(reply).slice(0, half))) return false;
    const second = await ask(withQuery(reply.call, { [page.limit]: String(half), [page.cursor]: cursor }));
    const [whole, apart] = [keysIn(reply), [...keysIn(first), ...keysIn(second)]];
    const at = whole.findIndex((key, index) => key !== apart[index]);
    const between = apart[at];
    if (at < 0 || between === undefined || whole.includes(between)) return false;
    return JSON.stringify(keysIn(await ask(reply.call))) === text;
  };
  const { items } = operation.collection;
  return { failure: failing(bodyPath(items), 'each record that smaller pages show', `${number} records`, diagnosis), confirm };
}
