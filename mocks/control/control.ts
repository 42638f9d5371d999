/** The control endpoint of a mock, `/__mock/`: what it serves, its keys, clock, chaos and journal, and what happens in it. */

import { nearest, UsageError } from '../../core/errors.ts';
import { splitTarget } from '../../core/http/exchange.ts';
import type { Chaos } from '../chaos/chaos.ts';
import type { MockClock } from '../clock.ts';
import type { PactRecording } from '../pact/recorder.ts';
import type { OriginGuard } from './allowed-origin.ts';
import { chaosEndpoint, showChaos } from './chaos-endpoint.ts';
import { clockEndpoint, showClock } from './clock-endpoint.ts';
import {
  type Act,
  type ControlAnswer,
  type ControlCall,
  type ControlRequest,
  controlPath,
  type Endpoint,
  Refusal,
  toJson,
} from './control-endpoint.ts';
import type { ControlFailure, ResetState } from './control-message.ts';
import type { Events } from './event-stream.ts';
import { eventsEndpoint } from './events-endpoint.ts';
import type { Journal } from './journal.ts';
import { journalEndpoints } from './journal-endpoint.ts';
import { excerpt } from './members.ts';
import { pactEndpoints } from './pact-endpoint.ts';
import { type ServedMock, servedEndpoints } from './served-endpoint.ts';

/** Parts of a mock that can be controlled. */
export interface Controlled {
  readonly mock: () => ServedMock;
  readonly clock: MockClock;
  readonly chaos: Chaos;
  readonly journal: Journal;
  readonly events: Events;
  readonly recording: PactRecording;
  /** Clock and chaos are as they were when the mock was started, and the journal is empty. */
  readonly reset: () => void;
  /** Refuses requests of pages that may not control the mock. */
  readonly guard: OriginGuard;
  /** Hears of what went wrong inside. */
  readonly onError: (error: unknown) => void;
}

/** Answers a request to the control endpoint. It never throws: what is wrong is told with its status, in an envelope of its own. */
export type ControlDesk = (request: ControlRequest) => ControlAnswer;

/** Largest size of a body. */
export const bodyBytesMax: number = 64 * 1024;

/** Puts the endpoints together. */
export function createControlDesk(controlled: Controlled): ControlDesk {
  const endpoints = [
    ...servedEndpoints(controlled.mock),
    clockEndpoint(controlled.clock),
    chaosEndpoint(controlled.chaos),
    ...journalEndpoints(controlled.journal),
    ...pactEndpoints(controlled.recording),
    eventsEndpoint(controlled.events, controlled.journal),
    resetEndpoint(controlled),
  ];
  return (request) => {
    try {
      controlled.guard(request.headers);
      return answer(endpoints, request);
    } catch (error) {
      if (error instanceof Refusal) return fail(error.status, error.message, error.headers);
      if (error instanceof UsageError) return fail(400, error.message);
      controlled.onError(error);
      return fail(500, 'Something went wrong inside the mock.');
    }
  };
}

/** True for a request to the control endpoint. */
export function isControlTarget(target: string): boolean {
  const { path } = splitTarget(target);
  return path.startsWith(controlPath) || path === controlPath.slice(0, -1);
}

function resetEndpoint({ reset, clock, chaos }: Controlled): Endpoint {
  return {
    path: 'reset',
    methods: {
      POST: () => {
        reset();
        return toJson({ scope: 'this process', clock: showClock(clock), chaos: showChaos(chaos) } satisfies ResetState);
      },
    },
  };
}

function answer(endpoints: readonly Endpoint[], request: ControlRequest): ControlAnswer {
  const { path, query } = splitTarget(request.target);
  const wanted = path.slice(controlPath.length);
  const endpoint = endpoints.find((each) => segmentOf(each, wanted) !== undefined);
  if (endpoint === undefined) throw new Refusal(404, explainPaths(endpoints, path, wanted));
  const acts = listActs(endpoint);
  const allow = [...acts.keys(), 'OPTIONS'].join(', ');
  if (request.method === 'OPTIONS') return { kind: 'json', status: 204, headers: { allow }, body: undefined };
  const act = acts.get(request.method);
  if (act === undefined) throw new Refusal(405, `${request.method} is not for ${path}; it answers ${allow}.`, { allow });
  return act(toCall(request, query, segmentOf(endpoint, wanted) ?? ''));
}

/** GET brings HEAD with it. */
function listActs({ methods }: Endpoint): ReadonlyMap<string, Act> {
  const { GET: read, POST: change, DELETE: remove } = methods;
  const all = [['GET', read] as const, ['HEAD', read] as const, ['POST', change] as const, ['DELETE', remove] as const];
  return new Map(all.flatMap(([method, act]) => (act === undefined ? [] : [[method, act] as const])));
}

function toCall({ headers, body }: ControlRequest, query: string, segment: string): ControlCall {
  return {
    query: new URLSearchParams(query),
    headers,
    segment,
    body: () => {
      if (typeof body === 'string') return body;
      if (body.refused === 'not-utf8') throw new Refusal(400, 'The body is not text in UTF-8; send JSON in UTF-8.');
      throw new Refusal(413, `The body is larger than ${bodyBytesMax} bytes; send less.`);
    },
  };
}

/** Value of the placeholder in an endpoint's path; empty without a placeholder, `undefined` for another path. */
function segmentOf({ path }: Endpoint, wanted: string): string | undefined {
  const [before, placeholder] = path.split(/\{.*\}/);
  if (placeholder === undefined) return wanted === path ? '' : undefined;
  const segment = wanted.slice(before?.length);
  return wanted.startsWith(before ?? '') && /^[^/]+$/.test(segment) ? segment : undefined;
}

function explainPaths(endpoints: readonly Endpoint[], path: string, wanted: string): string {
  const paths = endpoints.map((endpoint) => endpoint.path);
  const meant = wanted === '' ? undefined : nearest(wanted, paths);
  const advice =
    meant === undefined ? `there are ${paths.map((each) => controlPath + each).join(', ')}` : `is ${controlPath}${meant} meant?`;
  return `There is no ${excerpt(path)} here; ${advice}`;
}

function fail(status: number, message: string, headers: Readonly<Record<string, string>> = {}): ControlAnswer {
  return { kind: 'json', status, headers, body: { error: { message } } satisfies ControlFailure };
}
