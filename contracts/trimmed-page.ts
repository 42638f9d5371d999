/** Pages that hold far more records than were asked for. So many of them are kept as show it: the rest would only fill the memory. */

import { withValueAt } from '../core/pointer.ts';
import { limitOf } from './page-limit.ts';
import { type Reply, recordsIn } from './reply.ts';
import { isList } from './walk.ts';

/** Ten times what was asked for, and at least so many, is more than a mistake in counting. */
const keptLeast = 1000;

/** The answer, without what is too much of a page. */
export function trimPage(reply: Reply): Reply {
  const { operation } = reply.call;
  const records = recordsIn(reply);
  if (!isList(operation) || records === undefined || records.length <= keptLeast) return reply;
  const limit = limitOf(operation, reply);
  const most = Math.max(keptLeast, 10 * (limit ?? Infinity));
  if (records.length <= most) return reply;
  const body = withValueAt(reply.body, operation.collection.items, records.slice(0, most));
  return { ...reply, body, response: { ...reply.response, body: JSON.stringify(body) }, isTrimmed: true };
}
