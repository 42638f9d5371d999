/**
 * Sends the events of a mock to all open streams of `/__mock/events` (text/event-stream, WHATWG HTML §9.2). `create-observers-and-controls.ts` creates the
 * streams and publishes each exchange, `publish-changes-as-events.ts` each other event. `events-endpoint.ts` opens a stream per request;
 * `control-http-adapter.ts` ends all when the server closes. A slow reader is disconnected and delays nobody.
 */

import type { ControlEvent } from './control-bodies.ts';

/** Connection of one stream, as the stream uses it. */
export interface StreamConnection {
  readonly write: (text: string) => void;
  /** Number of bytes written but not yet sent. */
  readonly unsent: () => number;
  /** Ends the connection once all written bytes are sent. */
  readonly end: () => void;
  /** Ends the connection at once, and loses unsent bytes. */
  readonly drop: () => void;
  /** Calls back whenever all written bytes are sent. */
  readonly onDrain: (action: () => void) => void;
  /** Calls back when either side has ended the connection. */
  readonly onClose: (action: () => void) => void;
}

/** Repeats an action until the returned function is called. */
export type Repeat = (action: () => void, milliseconds: number) => () => void;

/** Events at the beginning of a stream. */
export interface StreamStart {
  readonly first: ControlEvent;
  /** Returns the next few exchanges of the journal that the reader has not received; empty when it has received all. */
  readonly readMissed: () => readonly ControlEvent[];
}

/** All open streams of a mock. */
export interface EventStreams {
  readonly publish: (event: ControlEvent) => void;
  /** True if a stream is open; callers build costly events only then. */
  readonly hasListeners: () => boolean;
  /** True if one more stream may be opened. */
  readonly hasRoom: () => boolean;
  readonly open: (connection: StreamConnection, start: StreamStart) => void;
  /** Ends all streams. */
  readonly end: () => void;
}

/** Maximum number of open streams, and of unsent bytes of one stream; a slower reader is disconnected. */
export const streamLimits: { readonly streams: number; readonly unsentBytes: number } = { streams: 32, unsentBytes: 1024 * 1024 };

/** Interval of comments on a stream, because proxies close silent connections. */
const heartbeatMs = 15_000;

/** Creates the streams of a mock, none of which is open. */
export function createEventStreams(repeat: Repeat): EventStreams {
  const streams = new Set<Stream>();
  const drop = (stream: Stream): void => {
    streams.delete(stream);
  };
  return {
    publish: (event) => {
      const text = printEvent(event);
      for (const stream of streams) if (stream.accepts(event)) stream.write(text);
    },
    hasListeners: () => streams.size > 0,
    hasRoom: () => streams.size < streamLimits.streams,
    open: (connection, { first, readMissed }) => {
      const stream = new Stream(connection, readMissed, drop);
      streams.add(stream);
      const stopHeartbeat = repeat(() => stream.write(': still here\n\n'), heartbeatMs);
      connection.onClose(() => {
        stopHeartbeat();
        drop(stream);
      });
      stream.write(printEvent(first));
      stream.catchUp();
    },
    end: () => {
      for (const stream of [...streams]) stream.end();
      streams.clear();
    },
  };
}

/** One stream: it first sends the missed exchanges of the journal, as fast as the reader takes them, and then each new event at once. */
class Stream {
  private readonly connection: StreamConnection;
  private readonly readMissed: () => readonly ControlEvent[];
  private readonly onDrop: (stream: Stream) => void;
  private isUpToDate = false;

  constructor(connection: StreamConnection, readMissed: () => readonly ControlEvent[], onDrop: (stream: Stream) => void) {
    this.connection = connection;
    this.readMissed = readMissed;
    this.onDrop = onDrop;
    connection.onDrain(() => this.catchUp());
  }

  /** True if an event is sent at once. Until the stream has caught up, it takes exchanges from the journal, to keep their order. */
  accepts(event: ControlEvent): boolean {
    return this.isUpToDate || event.type !== 'exchange';
  }

  write(text: string): void {
    this.connection.write(text);
    if (this.connection.unsent() <= streamLimits.unsentBytes) return;
    this.onDrop(this);
    this.connection.drop();
  }

  catchUp(): void {
    while (!this.isUpToDate && this.connection.unsent() < streamLimits.unsentBytes / 4) {
      const events = this.readMissed();
      this.isUpToDate = events.length === 0;
      if (events.length > 0) this.connection.write(events.map(printEvent).join(''));
    }
  }

  end(): void {
    this.connection.end();
  }
}

/** Prints an event. Only exchanges have an id: a reader that reconnects sends the last one (`Last-Event-ID`) and continues there in the journal. */
function printEvent({ type, data }: ControlEvent): string {
  const id = type === 'exchange' ? `id: ${data.number}\n` : '';
  return `event: ${type}\n${id}data: ${JSON.stringify(data)}\n\n`;
}
