/** Routes requests below `/__mock/` to their endpoints, and turns errors into responses. */

import { nearest } from '../../core/did-you-mean.ts';
import { UsageError } from '../../core/errors.ts';
import { type HttpHeaders, splitTarget } from '../../core/http/exchange.ts';
import type { Chaos } from '../chaos/active-chaos.ts';
import type { ClientJudge } from '../client/client-judge.ts';
import type { MockClock } from '../clock.ts';
import type { Journal } from '../journal/journal.ts';
import type { PactRecording } from '../pact/pact-recorder.ts';
import { chaosEndpoint, showChaos } from './chaos-endpoint.ts';
import { clientJudgeEndpoints, comparePath } from './client-judge-endpoints.ts';
import { clockEndpoint, showClock } from './clock-endpoint.ts';
import type { ControlFailure, ResetState } from './control-bodies.ts';
import { descriptionEndpoints, descriptionPath, type ServedMock } from './description-endpoints.ts';
import {
  ControlError,
  type ControlRequest,
  type ControlResponse,
  clipText,
  controlPath,
  type Endpoint,
  type MethodHandler,
  toJsonResponse,
} from './endpoint.ts';
import type { EventStreams } from './event-stream.ts';
import { eventsEndpoint } from './events-endpoint.ts';
import { asksForHtml, frontPageEndpoints, rootPagePath } from './front-page-endpoints.ts';
import { journalEndpoints } from './journal-endpoints.ts';
import type { OriginGuard } from './origin-guard.ts';
import { recordedPactEndpoints } from './recorded-pact-endpoints.ts';

/** Parts of a mock that the endpoints show and change. */
interface ControlParts {
  readonly served: () => ServedMock;
  readonly clock: MockClock;
  readonly chaos: Chaos;
  readonly journal: Journal;
  readonly events: EventStreams;
  readonly recording: PactRecording;
  readonly judge: ClientJudge;
  /** Resets clock and chaos to their state at the start of the mock, empties the journal, and forgets the clients. */
  readonly reset: () => void;
  /** Refuses requests of web pages of other origins. */
  readonly guard: OriginGuard;
  /** Called with each internal error; the client gets a 500. */
  readonly onError: (error: unknown) => void;
}

/** Responds to a request below `/__mock/`. It never throws: errors become responses with a status and a `ControlFailure`. */
export type ControlHandler = (request: ControlRequest) => ControlResponse;

/** Maximum bytes of a request body; more where a client posts its records. */
export function maxBodyBytes(target: string): number {
  return splitTarget(target).path === `${controlPath}${comparePath}` ? 4 * 1024 * 1024 : 64 * 1024;
}

/** Creates the handler of a mock. */
export function createControlHandler(parts: ControlParts): ControlHandler {
  const endpoints = [
    ...descriptionEndpoints(parts.served),
    ...frontPageEndpoints(),
    clockEndpoint(parts.clock),
    chaosEndpoint(parts.chaos),
    ...journalEndpoints(parts.journal),
    ...recordedPactEndpoints(parts.recording),
    ...clientJudgeEndpoints(parts.judge, () => [...Object.keys(parts.served().keys), 'anybody', 'stranger']),
    eventsEndpoint(parts.events, parts.journal),
    resetEndpoint(parts),
  ];
  return (request) => {
    try {
      // Tools in a browser read the contract from another origin. It has no keys.
      if (splitTarget(request.target).path !== descriptionPath) parts.guard(request.headers);
      return routeRequest(endpoints, request);
    } catch (error) {
      if (error instanceof ControlError) return toFailureResponse(error.status, error.message, error.headers);
      if (error instanceof UsageError) return toFailureResponse(400, error.message);
      parts.onError(error);
      return toFailureResponse(500, 'Internal error of the mock; see its error output.');
    }
  };
}

/** True for a path at or below `/__mock/`, for `/openapi.json`, and for `/` if the request asks for HTML. */
export function isControlPath(path: string, headers: HttpHeaders): boolean {
  if (path === rootPagePath) return asksForHtml(headers);
  return path.startsWith(controlPath) || path === controlPath.slice(0, -1) || path === descriptionPath;
}

/** Paths outside `/__mock/` that are other names of an endpoint. */
const aliases: ReadonlyMap<string, string> = new Map([
  [descriptionPath, 'openapi'],
  [rootPagePath, 'page'],
]);

function resetEndpoint({ reset, clock, chaos }: ControlParts): Endpoint {
  return {
    path: 'reset',
    methods: {
      POST: () => {
        reset();
        return toJsonResponse({ scope: 'this process', clock: showClock(clock), chaos: showChaos(chaos) } satisfies ResetState);
      },
    },
  };
}

function routeRequest(endpoints: readonly Endpoint[], request: ControlRequest): ControlResponse {
  const { path, query } = splitTarget(request.target);
  const subpath = aliases.get(path) ?? path.slice(controlPath.length);
  const endpoint = endpoints.find((candidate) => segmentOf(candidate, subpath) !== undefined);
  if (endpoint === undefined) throw new ControlError(404, explainPaths(endpoints, path, subpath));
  const handlers = handlersByMethod(endpoint);
  const allow = [...handlers.keys(), 'OPTIONS'].join(', ');
  if (request.method === 'OPTIONS') return { status: 204, headers: { allow }, body: Buffer.alloc(0) };
  const handler = handlers.get(request.method);
  if (handler === undefined)
    throw new ControlError(405, `${path} does not support ${request.method}; its methods are ${allow}.`, { allow });
  return handler({
    query: new URLSearchParams(query),
    headers: request.headers,
    segment: segmentOf(endpoint, subpath) ?? '',
    body: requireBody(request),
  });
}

/** Lists the methods of an endpoint. HEAD uses the handler of GET; `node:http` omits its body. */
function handlersByMethod({ methods }: Endpoint): ReadonlyMap<string, MethodHandler> {
  const { GET: read, POST: change, DELETE: remove } = methods;
  const methodHandlers = [['GET', read] as const, ['HEAD', read] as const, ['POST', change] as const, ['DELETE', remove] as const];
  return new Map(methodHandlers.flatMap(([method, handler]) => (handler === undefined ? [] : [[method, handler] as const])));
}

function requireBody({ target, body }: ControlRequest): string {
  if (typeof body === 'string') return body;
  if (body.refused === 'not-utf8') throw new ControlError(400, 'The body is not text in UTF-8; send JSON in UTF-8.');
  throw new ControlError(413, `The body is larger than ${maxBodyBytes(target)} bytes; send less.`);
}

/** Matches a path with an endpoint. Returns the placeholder's value, an empty text without placeholder, or `undefined` for no match. */
function segmentOf({ path }: Endpoint, subpath: string): string | undefined {
  const [prefix, placeholder] = path.split(/\{.*\}/);
  if (placeholder === undefined) return subpath === path ? '' : undefined;
  const segment = subpath.slice(prefix?.length);
  return subpath.startsWith(prefix ?? '') && /^[^/]+$/.test(segment) ? segment : undefined;
}

function explainPaths(endpoints: readonly Endpoint[], path: string, subpath: string): string {
  const paths = endpoints.map((endpoint) => endpoint.path);
  const suggestion = subpath === '' ? undefined : nearest(subpath, paths);
  const advice =
    suggestion === undefined
      ? `there are ${paths.map((eachPath) => controlPath + eachPath).join(', ')}`
      : `did you mean ${controlPath}${suggestion}?`;
  return `The mock has no endpoint ${clipText(path)}; ${advice}`;
}

function toFailureResponse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): ControlResponse {
  return toJsonResponse({ error: { message } } satisfies ControlFailure, status, headers);
}
