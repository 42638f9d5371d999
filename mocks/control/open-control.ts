/** Controls of a running mock: clock, chaos, journal, events, and the endpoint over all of them. */

import type { Chaos } from '../chaos/chaos.ts';
import type { MockClock } from '../clock.ts';
import type { ServedApi } from '../handler/served-api.ts';
import { createRecording, type PactQuery, type RecordedPact, type RecordingOptions } from '../pact/recorder.ts';
import type { Control, Listeners } from '../server/server.ts';
import { createOriginGuard } from './allowed-origin.ts';
import { announceChaos, announceClock, announceReload } from './announce.ts';
import { createControlDesk } from './control.ts';
import { createEvents } from './event-stream.ts';
import { createJournal, type Journal } from './journal.ts';
import type { ServedMock } from './served-endpoint.ts';
import { controlOnSocket, repeatUnhurried } from './socket.ts';

/** Options of the journal, the control endpoint and the recording of pacts. */
export interface ControlOptions extends RecordingOptions {
  /** Maximum number of exchanges in the journal; 1000 by default. */
  readonly journal?: number;
  /** False for a mock without the control endpoint at `/__mock/`. */
  readonly control?: boolean;
  /** Host names, without a port, under which `/__mock/` answers besides loopback names and the mock's own address; none unless said otherwise. */
  readonly allowedHosts?: readonly string[];
}

/** Parts of the mock that are controlled. */
export interface Watched {
  readonly clock: MockClock;
  readonly chaos: Chaos;
  /** The APIs that are served now. */
  readonly apis: () => readonly ServedApi[];
  readonly mock: () => ServedMock;
  readonly reload: () => Promise<void>;
  readonly listeners: Listeners;
  /** The address that the mock listens on. */
  readonly host: string;
  /** The clock on the wall. */
  readonly wall: () => number;
}

/** A mock's handles. What is done with one of them is told to those who listen to the events. */
export interface Handles {
  readonly clock: MockClock;
  readonly chaos: Chaos;
  readonly journal: Journal;
  readonly reload: () => Promise<void>;
  /**
   * Pact of what a client relied on. Without `recordPacts` it covers the exchanges in the journal.
   * @throws {UsageError} when the consumer has no name, the provider is none of the mock's or not told, or the mock has mutants.
   */
  readonly recordPact: (query: PactQuery) => RecordedPact;
  /** Clock and chaos are as they were when the mock was started, what the rate limit counted is forgotten, and the journal is empty. */
  readonly reset: () => void;
}

/** The handles of a mock, with what its server needs to know of them. */
export interface OpenedControl {
  readonly handles: Handles;
  /** The same listeners; the journal hears of every exchange before they do. */
  readonly listeners: Listeners;
  readonly control: Control | undefined;
}

/**
 * Opens a mock to those who watch and move it.
 * @throws {UsageError} when the journal is to have no number of entries.
 */
export function openControl(options: ControlOptions, watched: Watched): OpenedControl {
  const events = createEvents(repeatUnhurried);
  const clock = announceClock(watched.clock, events);
  const chaos = announceChaos(watched.chaos, events);
  const journal = createJournal({ limit: options.journal, apis: watched.apis, now: watched.clock.now, wall: watched.wall });
  const reset = (): void => {
    clock.reset();
    chaos.reset();
    journal.clear();
  };
  const { onExchange, onError } = watched.listeners;
  const recording = createRecording(options, { apis: watched.apis, mutants: () => watched.mock().mutants, kept: journal.kept, onError });
  const guard = createOriginGuard(watched.host, options.allowedHosts ?? []);
  const desk = createControlDesk({ mock: watched.mock, clock, chaos, journal, events, recording, reset, guard, onError });
  return {
    handles: { clock, chaos, journal, recordPact: recording.pact, reset, reload: announceReload(watched.reload, events) },
    listeners: {
      onError,
      onExchange: (served) => {
        const tell = journal.record(served);
        recording.hear(served);
        // Most of the time nobody listens, and the event need not be made.
        if (events.isHeard()) events.publish({ type: 'exchange', data: tell() });
        onExchange(served);
      },
    },
    control: options.control === false ? undefined : controlOnSocket(desk, events),
  };
}
