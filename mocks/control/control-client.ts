/** A client of a mock's control endpoint, for programs that test against a mock of another process. */

import { UsageError } from '../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { PactQuery } from '../pact/recorder.ts';
import { controlPath } from './control-endpoint.ts';
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
} from './control-message.ts';
import { readEvents } from './event-reader.ts';
import type { JournalQuery } from './journal-entry.ts';

/** A mock, seen from another process. Every method throws a `UsageError` with the mock's own words when it cannot be followed. */
export interface ControlClient {
  /** Reads the contracts, mutants and links of the mock. */
  readonly served: () => Promise<ServedState>;
  /** Reads the keys by role. */
  readonly keys: () => Promise<Readonly<Record<string, string>>>;
  /** The clock of the mock. */
  readonly clock: {
    /** Reads the instant and the pace. */
    readonly read: () => Promise<ClockState>;
    /** To an instant, such as `2026-03-29T02:30:00+01:00`. */
    readonly set: (instant: string) => Promise<ClockState>;
    /** By a duration, such as `PT2H` or `-P1D`. */
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
    /** Reads entries, oldest first; all of them without a query. */
    readonly read: (query?: JournalQuery) => Promise<JournalPage>;
    /** Reads one entry with its headers and its body, by its number. */
    readonly entry: (number: number) => Promise<EntryState>;
    /** Removes all entries. */
    readonly clear: () => Promise<JournalPage>;
  };
  /** The pact that the mock recorded from the requests of a client. */
  readonly pact: {
    /** Reads the pact of a client (JSON of the Pact specification, version 4). */
    readonly read: (query: PactQuery) => Promise<JsonObject>;
    /** Reads the requests that are not in the pact, with the reasons. */
    readonly leftOut: (query: PactQuery) => Promise<LeftOutState>;
  };
  /**
   * Streams events from now on, or from after an exchange of the journal. The first event is `open`. The stream ends with the mock, or when
   * the caller leaves the loop.
   */
  readonly events: (from?: { readonly after?: number }) => AsyncIterable<ControlEvent>;
  /** Clock and chaos as they were when the mock was started, and an empty journal. */
  readonly reset: () => Promise<ResetState>;
}

/**
 * A client of the mock at an address, such as the `url` of `startMock`.
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
  const root = rootOf(url);
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
    pact: {
      read: ({ consumer, provider }) => read(`pact${printQuery({ consumer, provider })}`),
      leftOut: ({ consumer, provider }) => read(`pact/left-out${printQuery({ consumer, provider })}`),
    },
    events: ({ after } = {}) => listen(`${root}events${printQuery({ after })}`),
    reset: () => send('POST', `${root}reset`),
  };
}

function rootOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`${url} is no address of a mock; give one such as http://127.0.0.1:4010`);
  return new URL(controlPath, url).href;
}

function printQuery(query: Readonly<Record<string, string | number | undefined>> | JournalQuery): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

async function send<T>(method: string, url: string, body?: object): Promise<T> {
  const content = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await reach(url, { method, ...content });
  return (await readJson(response, url)) as T;
}

async function* listen(url: string): AsyncGenerator<ControlEvent, void, undefined> {
  const leaving = new AbortController();
  const response = await reach(url, { headers: { accept: 'text/event-stream' }, signal: leaving.signal });
  if (!response.ok || response.body === null) {
    await readJson(response, url);
    throw new UsageError(`${url} answered ${response.status} without a stream; is a mock of another version there?`);
  }
  try {
    yield* readEvents(response.body);
  } catch (cause) {
    throw new UsageError(`the stream of ${url} was cut off; go on with the number of the last exchange as after`, { cause });
  } finally {
    leaving.abort();
  }
}

async function reach(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (cause) {
    throw new UsageError(`no mock answers at ${url}; is it running, and is this its address?`, { cause });
  }
}

/** @throws {UsageError} in the mock's own words when the request was not followed. */
async function readJson(response: Response, url: string): Promise<Json> {
  const text = await response.text();
  const body = parse(text);
  if (response.ok && body !== undefined) return body;
  const error = isObject(body) && isObject(body['error']) ? body['error']['message'] : undefined;
  const words = typeof error === 'string' ? error : 'what is there is no mock, or its control is turned off';
  throw new UsageError(`${url} answered ${response.status}: ${words}`);
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    // Text other than JSON does not come from a mock; the caller reports it.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
