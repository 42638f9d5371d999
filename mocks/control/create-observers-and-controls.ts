/**
 * Assembles all that observes or controls a mock: journal, events, client judge, pact recording and control endpoint. Runs once per mock, even if the endpoint
 * is turned off.
 */

import type { ClientComparison, ClientFinding, ClientRecords, ClientReport } from '../../core/results/client-result.ts';
import type { Chaos } from '../chaos/active-chaos.ts';
import { type ClientJudge, type ClientQuery, createClientJudge } from '../client/client-judge.ts';
import type { MockClock } from '../clock.ts';
import type { ServedApi } from '../handler/served-api.ts';
import { createJournal, type Journal } from '../journal/journal.ts';
import { createRecording, type PactQuery, type RecordedPact, type RecordingOptions } from '../pact/pact-recorder.ts';
import type { Listeners, RequestInterceptor } from '../server/server.ts';
import { announceChaos, announceClock, announceReload } from './announce-changes.ts';
import { createControlHandler } from './control-handler.ts';
import { createControlAdapter } from './control-http-adapter.ts';
import type { ServedMock } from './description-endpoints.ts';
import { createEventStreams } from './event-stream.ts';
import { createOriginGuard } from './origin-guard.ts';

/** Options of the journal, the control endpoint and the recording of pacts. */
export interface ControlOptions extends RecordingOptions {
  /** Maximum number of exchanges in the journal; 1000 by default. */
  readonly journal?: number;
  /** False for a mock without the control endpoint at `/__mock/`. True by default. */
  readonly control?: boolean;
  /** Host names, without a port, under which `/__mock/` responds besides loopback names and the mock's own address. None by default. */
  readonly allowedHosts?: readonly string[];
}

/** Parts of the mock that its observers and controls need. */
interface ControlledMock {
  readonly clock: MockClock;
  readonly chaos: Chaos;
  /** The APIs that are served now. */
  readonly apis: () => readonly ServedApi[];
  readonly served: () => ServedMock;
  readonly reload: () => Promise<void>;
  readonly listeners: Listeners;
  /** Called with a client's first mistake against each rule. */
  readonly onFinding: (finding: ClientFinding) => void;
  /** The address that the mock listens on. */
  readonly host: string;
  /** The wall-clock time in milliseconds. */
  readonly wall: () => number;
}

/** Controls of a running mock. Each change made through them is emitted as an event. */
export interface ControlHandles {
  /** The clock, for requests without an instant of their own (`Mock-Clock`). */
  readonly clock: MockClock;
  /** The last exchanges, without keys and personal data. */
  readonly journal: Journal;
  /**
   * Makes a pact for `touchstone pact` from the requests of a client. Without `recordPacts`, it covers the exchanges in the journal.
   * @throws {UsageError} for a consumer without a name, an unknown or missing provider, or a mock with mutants.
   */
  readonly recordPact: (query: PactQuery) => RecordedPact;
  /**
   * Returns the mistakes of the mock's clients, judged by the sequence of their requests, and the rules that nothing exercised. `role` chooses the clients with
   * one key role.
   */
  readonly client: (query?: ClientQuery) => ClientReport;
  /**
   * Compares the records that a client has stored with those that its reads should have given it, and names the requests that lost records. The differences
   * are findings of `client`.
   * @throws {UsageError} for an unknown or missing collection or role, and for a collection that is too large.
   */
  readonly compare: (records: ClientRecords) => ClientComparison;
  /** Resets records, clock, chaos and rate limit to their state at the start, empties the journal, and forgets the clients. */
  readonly reset: () => void;
  /** The chaos. Its `reset` also resets the rate limit. */
  readonly chaos: Chaos;
  /**
   * Reads the files again and serves them. Requests under way are served from the old files. Clock and keys stay.
   * @throws {UsageError} when a file cannot be read; the mock goes on with the old files.
   * @throws {SpecError} for a mistake in a file; the mock goes on with the old files.
   */
  readonly reload: () => Promise<void>;
}

/** Observers and controls of a mock, in the forms that `startMock` and its server need. */
interface ObserversAndControls {
  readonly handles: ControlHandles;
  /** The listeners of the mock, with journal, recording and events before them, and the client judge after them. */
  readonly listeners: Listeners;
  /** The control endpoint; `undefined` if it is turned off. */
  readonly controlAdapter: RequestInterceptor | undefined;
  readonly judge: ClientJudge;
}

/**
 * Creates the observers and controls of a mock.
 * @throws {UsageError} for an invalid number of journal entries.
 */
export function createObserversAndControls(options: ControlOptions, mock: ControlledMock): ObserversAndControls {
  const events = createEventStreams();
  const clock = announceClock(mock.clock, events);
  const chaos = announceChaos(mock.chaos, events);
  const exchanges = createJournal({ limit: options.journal, apis: mock.apis, now: mock.clock.now, wall: mock.wall });
  const clear = (): void => {
    exchanges.clear();
    // Its findings name requests that the journal no longer has.
    judge.clear();
  };
  const journal = { ...exchanges, clear };
  const reset = (): void => {
    clock.reset();
    chaos.reset();
    clear();
    for (const { world } of mock.apis()) world?.world.reset();
  };
  const { onExchange, onError } = mock.listeners;
  const judge = createClientJudge({ apis: mock.apis, url: () => mock.served().url, onFinding: mock.onFinding });
  const recording = createRecording(options, {
    apis: mock.apis,
    mutants: () => mock.served().mutants,
    journaled: journal.exchanges,
    onError,
  });
  const guard = createOriginGuard(mock.host, options.allowedHosts ?? []);
  const isApiPath = (path: string): boolean =>
    mock.served().contracts.some(({ operations }) => operations.some((operation) => operation.path === path));
  const handler = createControlHandler({ served: mock.served, clock, chaos, journal, events, recording, judge, reset, guard, onError });
  return {
    handles: {
      clock,
      chaos,
      journal,
      recordPact: recording.pact,
      client: judge.report,
      compare: judge.compare,
      reset,
      reload: announceReload(mock.reload, events),
    },
    listeners: {
      onError,
      onExchange: (exchange) => {
        const recorded = journal.record(exchange);
        recording.observe(exchange);
        // Summaries take time, so they are made only for open streams.
        if (events.hasListeners()) events.publish({ type: 'exchange', data: recorded.summarize(recorded.keptExchange) });
        onExchange(exchange);
        judge.observe(recorded);
      },
    },
    controlAdapter: options.control === false ? undefined : createControlAdapter(handler, events, isApiPath),
    judge,
  };
}
