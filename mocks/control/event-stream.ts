/** Streams the events of a mock to its listeners (text/event-stream, WHATWG HTML §9.2). */

import type { ControlEvent } from './control-message.ts';

/** Destination of a stream: one connection. */
export interface Outlet {
  readonly write: (text: string) => void;
  /** Number of written bytes that the reader has not taken yet. */
  readonly unsent: () => number;
  /** Ends the stream after what was written. */
  readonly end: () => void;
  /** Ends the connection at once. */
  readonly drop: () => void;
  /** Calls back whenever the reader has taken all that was written. */
  readonly onDrain: (action: () => void) => void;
  /** Calls back once the connection has ended, from whichever side. */
  readonly onClose: (action: () => void) => void;
}

/** Repeats an action until the returned function is called. */
export type Repeat = (action: () => void, milliseconds: number) => () => void;

/** First bytes of a stream. */
export interface Beginning {
  readonly first: ControlEvent;
  /** The next exchanges that the reader has missed; none once it has heard of all. */
  readonly missed: () => readonly ControlEvent[];
}

/** Tells events to the streams that are open. */
export interface Events {
  readonly publish: (event: ControlEvent) => void;
  /** True when a listener exists; without one, no event is built. */
  readonly isHeard: () => boolean;
  /** True when one more stream may be opened. */
  readonly hasRoom: () => boolean;
  readonly open: (outlet: Outlet, beginning: Beginning) => void;
  /** Ends all streams. */
  readonly end: () => void;
}

/** Limits of open streams and of unsent bytes for each: a slower reader is dropped. */
export const streamLimits: { readonly streams: number; readonly unsentBytes: number } = { streams: 32, unsentBytes: 1024 * 1024 };

/** Without a sign of life, proxies in between take a quiet connection for a dead one. */
const beatMs = 15_000;

/** Nobody listens yet. */
export function createEvents(repeat: Repeat): Events {
  const streams = new Set<Stream>();
  const drop = (stream: Stream): void => void streams.delete(stream);
  return {
    publish: (event) => {
      const text = printEvent(event);
      for (const stream of streams) if (stream.isDue(event)) stream.tell(text);
    },
    isHeard: () => streams.size > 0,
    hasRoom: () => streams.size < streamLimits.streams,
    open: (outlet, { first, missed }) => {
      const stream = new Stream(outlet, missed, drop);
      streams.add(stream);
      const stopBeating = repeat(() => stream.tell(': still here\n\n'), beatMs);
      outlet.onClose(() => {
        stopBeating();
        drop(stream);
      });
      stream.tell(printEvent(first));
      stream.catchUp();
    },
    end: () => {
      for (const stream of [...streams]) stream.end();
      streams.clear();
    },
  };
}

/** One reader: what it has missed comes as fast as it reads, and then what happens as it happens. */
class Stream {
  private readonly outlet: Outlet;
  private readonly missed: () => readonly ControlEvent[];
  private readonly onDrop: (stream: Stream) => void;
  private isUpToDate = false;

  constructor(outlet: Outlet, missed: () => readonly ControlEvent[], onDrop: (stream: Stream) => void) {
    this.outlet = outlet;
    this.missed = missed;
    this.onDrop = onDrop;
    outlet.onDrain(() => this.catchUp());
  }

  /** Exchanges come in their order: as long as some are missed, those that happen now wait among them. */
  isDue(event: ControlEvent): boolean {
    return this.isUpToDate || event.type !== 'exchange';
  }

  tell(text: string): void {
    this.outlet.write(text);
    if (this.outlet.unsent() <= streamLimits.unsentBytes) return;
    this.onDrop(this);
    this.outlet.drop();
  }

  catchUp(): void {
    while (!this.isUpToDate && this.outlet.unsent() < streamLimits.unsentBytes / 4) {
      const events = this.missed();
      this.isUpToDate = events.length === 0;
      if (events.length > 0) this.outlet.write(events.map(printEvent).join(''));
    }
  }

  end(): void {
    this.outlet.end();
  }
}

/** Only exchanges have an id: a reader that comes back gives the last one it heard of, and goes on from there in the journal. */
export function printEvent({ type, data }: ControlEvent): string {
  const id = type === 'exchange' ? `id: ${data.number}\n` : '';
  return `event: ${type}\n${id}data: ${JSON.stringify(data)}\n\n`;
}
