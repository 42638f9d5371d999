/** A mock without a socket: every request of every API that it serves, from the request line to the answer. */

import { type HttpRequest, type HttpResponse, splitTarget } from '../core/exchange.ts';
import { isObject } from '../core/json.ts';
import type { Operation, Route } from '../core/operation.ts';
import { routeTo } from '../core/operation.ts';
import { valueAt, withValueAt } from '../core/pointer.ts';
import { documentedStatuses } from '../core/response.ts';
import type { Answer } from './answer.ts';
import { type Behaviour, createBehaviour } from './behaviour.ts';
import { createFailure } from './failure.ts';
import { readPreference } from './preference.ts';
import type { Engine, Preference } from './prism.ts';
import type { ServedApi } from './served-api.ts';

/** An API with the Prism that takes its requests. Prism is loaded when the first request needs it. */
export interface MountedApi {
  readonly api: ServedApi;
  readonly engine: () => Promise<Engine>;
}

/** Answers requests. */
export interface Mock {
  /** Never rejects: what goes wrong inside is told in the API's own envelope, with status 500. */
  readonly respond: (request: HttpRequest) => Promise<HttpResponse>;
  /** An error that has no request yet, such as one that cannot be parsed, in the envelope of the first API. */
  readonly refuse: (status: number, message: string) => HttpResponse;
}

/** A mock of several APIs whose paths do not collide. `onError` hears of what went wrong inside. */
export function createMock(mounted: readonly MountedApi[], onError: (error: unknown) => void): Mock {
  const hosts = mounted.map((each) => new Host(each));
  const nearestHost = (request: HttpRequest): Host | undefined => closest(hosts, splitTarget(request.target).path);
  return {
    respond: async (request) => {
      const host = hosts.find((each) => each.knows(request)) ?? nearestHost(request);
      if (host === undefined) throw new TypeError('a mock serves at least one API');
      try {
        return toResponse(await host.respond(request));
      } catch (error) {
        onError(error);
        return toResponse(createFailure(host.api, host.operationOf(request), 500, { message: 'Something went wrong inside the mock.' }));
      }
    },
    refuse: (status, message) => {
      const [first] = hosts;
      if (first === undefined) throw new TypeError('a mock serves at least one API');
      return toResponse(createFailure(first.api, undefined, status, { message }));
    },
  };
}

/** One API of the mock, with the behaviour of each of its operations. */
class Host {
  readonly api: ServedApi;
  private readonly engine: () => Promise<Engine>;
  private readonly behaviours = new Map<Operation, Behaviour | undefined>();

  constructor({ api, engine }: MountedApi) {
    this.api = api;
    this.engine = engine;
  }

  knows(request: HttpRequest): boolean {
    return this.route(request).kind !== 'no-path';
  }

  operationOf(request: HttpRequest): Operation | undefined {
    const route = this.route(request);
    return route.kind === 'operation' ? route.operation : undefined;
  }

  async respond(request: HttpRequest): Promise<Answer> {
    const route = this.route(request);
    if (route.kind === 'no-path') return this.fail(404, `There is no ${splitTarget(request.target).path} here.`);
    if (route.kind === 'method-not-allowed') return this.refuseMethod(request, route.allowed);
    const preference = readPreference(request);
    const preferred = preference === undefined ? undefined : await this.negotiate(route.operation, request, preference);
    if (typeof preferred === 'object') return preferred;
    const answer = await this.behave(route.operation, request, route.segments);
    // RFC 7240 §2: a preference that cannot be met is ignored. A developer who mistyped it wants to know, hence the note.
    return preferred === undefined ? answer : { ...answer, headers: { ...answer.headers, 'mock-note': preferred } };
  }

  private async behave(operation: Operation, request: HttpRequest, segments: ReadonlyMap<string, string>): Promise<Answer> {
    const engine = await this.engine();
    const behaviour = this.behaviourOf(operation);
    if (behaviour !== undefined) return engine.respond(behaviour.call(request, segments), request);
    const answer = await engine.negotiate(operation, request, { code: undefined, example: undefined, dynamic: false });
    if (typeof answer === 'string') throw new Error(`Prism has no answer for ${operation.id}: ${answer}`);
    return answer;
  }

  private route(request: HttpRequest): Route {
    return routeTo(this.api.contract.operations, request.method, request.target);
  }

  private behaviourOf(operation: Operation): Behaviour | undefined {
    if (!this.behaviours.has(operation)) this.behaviours.set(operation, createBehaviour(this.api, operation));
    return this.behaviours.get(operation);
  }

  /** The documented answer that is preferred, or why there is none. */
  private async negotiate(operation: Operation, request: HttpRequest, preference: Preference): Promise<Answer | string> {
    const answer = await (await this.engine()).negotiate(operation, request, preference);
    if (typeof answer === 'string') return `${toHeaderText(answer)}; ${operation.id} documents ${documentedStatuses(operation).join(', ')}`;
    const headers = { ...answer.headers, 'preference-applied': toHeaderText(spell(preference)) };
    return preference.dynamic ? { ...answer, headers } : this.nameRequest({ ...answer, headers });
  }

  /** An example's request identifier was someone else's; each answer gets its own. */
  private nameRequest(answer: Answer): Answer {
    const pointer = this.api.contract.error?.request;
    if (pointer === undefined || !isObject(answer.body) || valueAt(answer.body, pointer) === undefined) return answer;
    return { ...answer, body: withValueAt(answer.body, pointer, this.api.nextRequestId()) };
  }

  private refuseMethod(request: HttpRequest, allowed: readonly string[]): Answer {
    // RFC 9110 §10.2.1: a 405 lists what is allowed; GET brings HEAD with it, and every path answers OPTIONS.
    const methods = [...new Set([...allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'])];
    const message = `${request.method} is not for this path; it answers ${methods.join(', ')}.`;
    return createFailure(this.api, undefined, 405, { message, headers: { allow: methods.join(', ') } });
  }

  private fail(status: number, message: string, operation?: Operation): Answer {
    return createFailure(this.api, operation, status, { message });
  }
}

function spell({ code, example, dynamic }: Preference): string {
  const parts = [
    code === undefined ? '' : `code=${code}`,
    example === undefined ? '' : `example="${example}"`,
    dynamic ? 'dynamic=true' : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Headers take plain characters only (RFC 9110 §5.5). */
function toHeaderText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, ' ').trim();
}

/** The API whose paths share the longest beginning with a path, segment by segment: its envelope is what a caller there expects. */
function closest(hosts: readonly Host[], path: string): Host | undefined {
  const shared = (host: Host): number =>
    Math.max(0, ...host.api.contract.operations.map((operation) => sharedSegments(operation.path, path)));
  return hosts.toSorted((left, right) => shared(right) - shared(left))[0];
}

function sharedSegments(template: string, path: string): number {
  const given = path.split('/');
  const parts = template.split('/');
  const differing = parts.findIndex((part, index) => part !== given[index]);
  return differing < 0 ? parts.length : differing;
}

function toResponse(answer: Answer): HttpResponse {
  if (answer.body === undefined) return { status: answer.status, headers: answer.headers, body: '' };
  return {
    status: answer.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...answer.headers },
    body: JSON.stringify(answer.body),
  };
}
