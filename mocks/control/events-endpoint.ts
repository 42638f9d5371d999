import { type HttpHeaders, headerOf } from '../../core/http/exchange.ts';
import type { Json } from '../../core/json.ts';
import type { Journal } from '../journal/journal.ts';
import type { ControlEvent } from './control-bodies.ts';
import { ControlError, clipText, type Endpoint } from './endpoint.ts';
import { type EventStreams, streamLimits } from './event-stream.ts';
import { readQueryMembers } from './read-members.ts';

const parameters = { after: readNumber };

/**
 * Creates the endpoint `/__mock/events`, which opens a stream of the mock's events. A stream begins now, or after the exchange of `Last-Event-ID` or `after`,
 * if the journal still has it.
 */
export function eventsEndpoint(events: EventStreams, journal: Journal): Endpoint {
  return {
    path: 'events',
    methods: {
      GET: ({ query, headers }) => {
        const after = readLastReceived(query, headers, journal.last());
        if (!events.hasRoom())
          throw new ControlError(503, `${streamLimits.streams} streams are open, and more are not allowed; close one of them.`);
        const headersOfStream = { 'content-type': 'text/event-stream; charset=utf-8' };
        return { status: 200, headers: headersOfStream, body: (outgoing) => events.open(outgoing, startAfter(journal, after)) };
      },
    },
  };
}

/** Number of entries that are made at once. Few, since other requests wait meanwhile. */
const entriesAtOnce = 16;

/** Yields the first events of a stream. The exchanges are read from the journal when the reader takes them, and so include those that happen meanwhile. */
function* startAfter(journal: Journal, after: number): Generator<ControlEvent, void, undefined> {
  yield { type: 'open', data: { scope: 'this process', last: journal.last() } };
  for (let received = after; ; ) {
    const entries = journal.entries({ after: received, limit: entriesAtOnce });
    const last = entries.at(-1);
    if (last === undefined) return;
    for (const data of entries) yield { type: 'exchange', data };
    received = last.number;
  }
}

/** Returns the number of the last exchange that the reader has; 0 if the number is from before a restart of the mock. */
function readLastReceived(query: URLSearchParams, headers: HttpHeaders, last: number): number {
  const { after = last } = readQueryMembers(query, parameters, 'The stream of events');
  const header = headerOf(headers, 'last-event-id');
  const number = header === undefined ? after : readNumber(header);
  return number > last ? 0 : number;
}

function readNumber(value: Json): number {
  const text = String(value);
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ControlError(400, `${clipText(text)} is not the number of an exchange; leave it out to get only new events.`);
}
