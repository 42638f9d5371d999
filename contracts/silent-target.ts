/** A target without any data that is asked in this process: what laws say of it is what they say before anything is known of a server. */

import type { Contract } from '../core/contract.ts';
import type { Json } from '../core/json.ts';
import { routeTo } from '../core/operation.ts';
import { withValueAt } from '../core/pointer.ts';
import type { Collection } from '../core/rules.ts';
import type { Target } from './target.ts';

/** Answers every list with an empty one, and everything else with 404. */
export function createSilentTarget({ operations }: Contract): Target {
  const headers = { 'content-type': 'application/json' };
  return {
    url: 'http://target.invalid',
    isLocal: true,
    send: async ({ method, target }) => {
      const route = routeTo(operations, method, target);
      const collection = route.kind === 'operation' ? route.operation.collection : undefined;
      const [status, body] = collection === undefined ? [404, {}] : [200, emptyPage(collection)];
      return { kind: 'answer', response: { status, headers, body: JSON.stringify(body) }, startedMs: 0, endedMs: 0 };
    },
    close: async () => undefined,
  };
}

/** The first and only page of an empty list. */
function emptyPage({ items, page }: Collection): Json {
  const body = withValueAt({}, items, []);
  if (page.style === 'cursor') return withValueAt(withValueAt(body, page.more, false), page.next, null);
  return page.total === undefined ? body : withValueAt(body, page.total, 0);
}
