/**
 * Sends the events of a mock to all open streams of `/__mock/events` (text/event-stream, WHATWG HTML §9.2). A slow reader is disconnected, so that it delays
 * nobody.
 */

import type { Writable } from 'node:stream';
import { printJson } from '../../core/json.ts';
import type { ControlEvent } from './control-bodies.ts';

/** All open streams of a mock. */
export interface EventStreams {
  readonly publish: (event: ControlEvent) => void;
  /** True if a stream is open. Otherwise, costly events need not be made. */
  readonly hasListeners: () => boolean;
  /** True if one more stream may be opened. */
  readonly hasRoom: () => boolean;
  /**
   * Opens a stream that begins with these events, as fast as the reader takes them. Until they end, published exchanges are not sent, so these events must
   * include the exchanges that happen meanwhile. Other published events are sent at once.
   */
  readonly open: (outgoing: Writable, firstEvents: Iterable<ControlEvent>) => void;
  /** Ends all streams. */
  readonly end: () => void;
}

/** Maximum number of open streams, and of unsent bytes of one stream at an event; a slower reader is disconnected. */
export const streamLimits: { readonly streams: number; readonly unsentBytes: number } = { streams: 32, unsentBytes: 1024 * 1024 };

/** Interval of comments on a stream, because proxies close silent connections. */
const heartbeatMs = 15_000;

/** Creates the streams of a mock, none of which is open. */
export function createEventStreams(): EventStreams {
  const streams = new Set<Writable>();
  /** Streams whose first events are not all sent. */
  const incomplete = new WeakSet<Writable>();
  const write = (outgoing: Writable, text: string): void => {
    outgoing.write(text);
    if (outgoing.writableLength <= streamLimits.unsentBytes) return;
    streams.delete(outgoing);
    outgoing.destroy();
  };
  return {
    publish: (event) => {
      const text = printEvent(event);
      for (const outgoing of streams) if (event.type !== 'exchange' || !incomplete.has(outgoing)) write(outgoing, text);
    },
    hasListeners: () => streams.size > 0,
    hasRoom: () => streams.size < streamLimits.streams,
    open: (outgoing, firstEvents) => {
      streams.add(outgoing);
      incomplete.add(outgoing);
      // The timer alone does not keep the process alive.
      const heartbeat = setInterval(() => write(outgoing, ': still here\n\n'), heartbeatMs).unref();
      outgoing.once('close', () => {
        clearInterval(heartbeat);
        streams.delete(outgoing);
      });
      // Destroying the connection emits 'close', which ends the stream.
      outgoing.on('error', () => outgoing.destroy());
      const remaining = firstEvents[Symbol.iterator]();
      const sendRemaining = (): void => {
        if (!streams.has(outgoing)) return;
        for (let next = remaining.next(); next.done !== true; next = remaining.next()) {
          if (outgoing.write(printEvent(next.value))) continue;
          // The socket may take all at once, and other requests come first.
          outgoing.once('drain', () => setImmediate(sendRemaining));
          return;
        }
        incomplete.delete(outgoing);
      };
      sendRemaining();
    },
    end: () => {
      for (const outgoing of streams) outgoing.end();
      streams.clear();
    },
  };
}

/** Prints an event. Only exchanges have an id: a reader that reconnects sends the last one (`Last-Event-ID`) and continues there in the journal. */
function printEvent({ type, data }: ControlEvent): string {
  const id = type === 'exchange' ? `id: ${data.number}\n` : '';
  return `event: ${type}\n${id}data: ${printJson(data)}\n\n`;
}
