/** Client of the control endpoint, for tests against a mock in another process. It keeps no state, and leaves the checking of values to the mock. */

import { UsageError } from '../../core/errors.ts';
import { isObject, type Json, type JsonObject, printJson, readJson } from '../../core/json.ts';
import type { ClientComparison, ClientRecords, ClientReport } from '../../core/results/client-result.ts';
import type { ClientQuery } from '../client/client-judge.ts';
import type { JournalQuery } from '../journal/journal-types.ts';
import type { PactQuery } from '../pact/pact-recorder.ts';
import type {
  ChaosChange,
  ChaosState,
  ClockChange,
  ClockState,
  ControlEvent,
  EntryState,
  JournalPage,
  KeysState,
  LeftOutState,
  ResetState,
  ServedState,
} from './control-bodies.ts';
import { controlPath } from './endpoint.ts';
import { readEvents } from './event-reader.ts';

/** Client of a running mock. Every method throws a `UsageError` when the mock cannot be reached or rejects the request, with its error message. */
export interface ControlClient {
  /** Reads the contracts and mutants of the mock, and the URLs of its control endpoints. */
  readonly served: () => Promise<ServedState>;
  /** Reads the keys by role. */
  readonly keys: () => Promise<Readonly<Record<string, string>>>;
  /** The clock of the mock. */
  readonly clock: {
    /** Reads the instant and the pace. */
    readonly read: () => Promise<ClockState>;
    /** Sets the clock to an instant, such as `2026-03-29T02:30:00+01:00`. */
    readonly set: (instant: string) => Promise<ClockState>;
    /** Advances the clock by a duration, such as `PT2H`; a negative one, such as `-P1D`, moves it back. */
    readonly advance: (duration: string) => Promise<ClockState>;
    /** Sets the pace: seconds of the clock in one second of real time; 0 stops it. */
    readonly setPace: (pace: number) => Promise<ClockState>;
    /** Resets the clock to its state at the start of the mock. */
    readonly reset: () => Promise<ClockState>;
  };
  /** The chaos of the mock. */
  readonly chaos: {
    /** Reads the rules in force. */
    readonly read: () => Promise<ChaosState>;
    /** Replaces all rules. */
    readonly set: (...rules: readonly string[]) => Promise<ChaosState>;
    /** Adds rules to those in force. */
    readonly add: (...rules: readonly string[]) => Promise<ChaosState>;
    /** Removes all rules. */
    readonly clear: () => Promise<ChaosState>;
    /** Resets the chaos to its state at the start of the mock. */
    readonly reset: () => Promise<ChaosState>;
  };
  /** The journal of the mock. */
  readonly journal: {
    /** Reads entries: 100 by default, the oldest first. */
    readonly read: (query?: JournalQuery) => Promise<JournalPage>;
    /** Reads one entry with its headers and its body, by its number. */
    readonly entry: (number: number) => Promise<EntryState>;
    /** Removes all entries. */
    readonly clear: () => Promise<JournalPage>;
  };
  /** Reads the mistakes of the mock's clients, or of those with one key role. */
  readonly client: (query?: ClientQuery) => Promise<ClientReport>;
  /** Compares the records that a client has stored with those that its reads should have given it. */
  readonly compare: (records: ClientRecords) => Promise<ClientComparison>;
  /** Pacts of the mock, made from the requests of a client. */
  readonly pact: {
    /** Reads the pact of a client (JSON of the Pact specification, version 4). */
    readonly read: (query: PactQuery) => Promise<JsonObject>;
    /** Reads the requests that are not in the pact, with the reasons. */
    readonly leftOut: (query: PactQuery) => Promise<LeftOutState>;
  };
  /**
   * Streams the events of the mock. The first event is `open`. With `after`, the number of an exchange, the later exchanges of the journal come next.
   * The stream ends with the mock, or when the caller leaves the loop.
   */
  readonly events: (from?: { readonly after?: number }) => AsyncIterable<ControlEvent>;
  /** Resets clock, chaos and rate limit to their state at the start of the mock, empties the journal, and forgets the clients. The served records are kept. */
  readonly reset: () => Promise<ResetState>;
}

/**
 * Creates a client of the mock at a URL, such as the `url` of `startMock`. It sends nothing yet.
 * @throws {UsageError} for anything but an HTTP URL.
 * @example
 * ```ts
 * import { connectControl } from 'touchstone/control';
 *
 * const control = connectControl('http://127.0.0.1:4010');
 * await control.clock.advance('PT2H');
 * const { entries } = await control.journal.read({ status: '4xx' });
 * ```
 */
export function connectControl(url: string): ControlClient {
  const root = controlRootOf(url);
  const read = <T>(path: string): Promise<T> => send<T>('GET', `${root}${path}`);
  const remove = <T>(path: string): Promise<T> => send<T>('DELETE', `${root}${path}`);
  const changeClock = (change: ClockChange): Promise<ClockState> => send('POST', `${root}clock`, change);
  const changeChaos = (change: ChaosChange): Promise<ChaosState> => send('POST', `${root}chaos`, change);
  return {
    served: () => read(''),
    keys: async () => (await read<KeysState>('keys')).keys,
    clock: {
      read: () => read('clock'),
      set: (instant) => changeClock({ set: instant }),
      advance: (duration) => changeClock({ advance: duration }),
      setPace: (pace) => changeClock({ pace }),
      reset: () => changeClock({ reset: true }),
    },
    chaos: {
      read: () => read('chaos'),
      set: (...rules) => changeChaos({ set: rules }),
      add: (...rules) => changeChaos({ add: rules }),
      clear: () => remove('chaos'),
      reset: () => changeChaos({ reset: true }),
    },
    journal: {
      read: (query = {}) => read(`journal${printQuery(query)}`),
      entry: (number) => read(`journal/${number}`),
      clear: () => remove('journal'),
    },
    client: ({ role } = {}) => read(`client${printQuery({ role })}`),
    compare: (records) => send('POST', `${root}client/compare`, records),
    pact: {
      read: ({ consumer, provider }) => read(`pact${printQuery({ consumer, provider })}`),
      leftOut: ({ consumer, provider }) => read(`pact/left-out${printQuery({ consumer, provider })}`),
    },
    events: ({ after } = {}) => streamEvents(`${root}events${printQuery({ after })}`),
    reset: () => send('POST', `${root}reset`),
  };
}

function controlRootOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`${url} is not the URL of a mock; write, for example, http://127.0.0.1:4010`);
  return new URL(controlPath, url).href;
}

function printQuery(query: Readonly<Record<string, string | number | undefined>> | JournalQuery): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

async function send<T>(method: string, url: string, body?: object): Promise<T> {
  const content = body === undefined ? {} : { body: printJson(body), headers: { 'content-type': 'application/json' } };
  const response = await fetchOrExplain(url, { method, ...content });
  return (await readResponse(response, url)) as T;
}

async function* streamEvents(url: string): AsyncGenerator<ControlEvent, void, undefined> {
  const abortController = new AbortController();
  const response = await fetchOrExplain(url, { headers: { accept: 'text/event-stream' }, signal: abortController.signal });
  if (!response.ok || response.body === null) {
    await readResponse(response, url);
    throw new UsageError(`${url} returned ${response.status} without a stream; is a mock of another version running there?`);
  }
  try {
    yield* readEvents(response.body);
  } catch (cause) {
    throw new UsageError(`the stream of ${url} broke off; call events again with { after: the number of the last exchange received }`, {
      cause,
    });
  } finally {
    abortController.abort();
  }
}

async function fetchOrExplain(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw new UsageError(`no mock responds at ${url}; check that it runs and that this is its URL`, { cause });
  }
}

/** @throws {UsageError} for an error status, with the mock's message, and for a body that is not JSON. */
async function readResponse(response: Response, url: string): Promise<Json> {
  const body = readJson(await response.text());
  if (response.ok && body !== undefined) return body;
  const message = isObject(body) && isObject(body['error']) ? body['error']['message'] : undefined;
  const reason = typeof message === 'string' ? message : 'this is not a mock, or its control endpoint is turned off';
  throw new UsageError(`${url} returned ${response.status}: ${reason}`);
}
