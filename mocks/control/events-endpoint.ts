/** `/__mock/events`: a stream of what happens in the mock. */

import { type HttpHeaders, headerOf } from '../../core/http/exchange.ts';
import { type Endpoint, Refusal } from './control-endpoint.ts';
import { type Beginning, type Events, streamLimits } from './event-stream.ts';
import type { Journal } from './journal.ts';
import { excerpt } from './members.ts';

/** The endpoint. A stream begins now, or after the exchange that `Last-Event-ID` or `after` names, as far back as the journal goes. */
export function eventsEndpoint(events: Events, journal: Journal): Endpoint {
  return {
    path: 'events',
    methods: {
      GET: ({ query, headers }) => {
        const after = readAfter(query, headers, journal.last());
        if (!events.hasRoom()) throw new Refusal(503, `${streamLimits.streams} streams are open, which is the most; end one of them.`);
        return { kind: 'stream', begin: (outlet) => events.open(outlet, beginAfter(journal, after)) };
      },
    },
  };
}

/** Entries read at once: their targets can be long, and a reader slow. */
const entriesAtOnce = 4;

function beginAfter(journal: Journal, after: number): Beginning {
  let heard = after;
  return {
    first: { type: 'open', data: { scope: 'this process', last: journal.last() } },
    missed: () => {
      const entries = journal.entries({ after: heard, limit: entriesAtOnce });
      heard = entries.at(-1)?.number ?? heard;
      return entries.map((data) => ({ type: 'exchange', data }) as const);
    },
  };
}

/** A reader may remember a number from before the mock was started anew; it has heard of nothing since. */
function readAfter(query: URLSearchParams, headers: HttpHeaders, last: number): number {
  const text = headerOf(headers, 'last-event-id') ?? query.get('after') ?? String(last);
  if (!/^\d{1,15}$/.test(text))
    throw new Refusal(400, `${excerpt(text)} is no number of an entry of the journal; leave it out to begin with what happens next.`);
  return Number(text) > last ? 0 : Number(text);
}
