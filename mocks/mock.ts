/** A mock without a socket: every request of every API that it serves, from the request line to the answer. */

import { type HttpRequest, type HttpResponse, headerOf, splitTarget } from '../core/exchange.ts';
import { asResponse, type Message, toMessage } from './answer.ts';
import { type Clock, readMoment } from './clock.ts';
import { createFailure } from './failure.ts';
import { Host, type MountedApi } from './host.ts';
import type { KeptAnswer } from './kept-answers.ts';
import { type Repetition, Repetitions } from './repetition.ts';
import { createSecrets } from './secret.ts';
import type { Reply, Visit } from './visit.ts';
import { calm, type Forecast, type Wire } from './weather.ts';

/** Answers requests. */
export interface Mock {
  /**
   * Never rejects: what goes wrong inside is told in the API's own envelope, with status 500. `head` is all of the request as it came over the wire:
   * the same head gets the same answer, by `repeat`.
   */
  readonly respond: (request: HttpRequest, head?: string) => Promise<Reply>;
  /** What a request gets whose head came before; `undefined` when it must be answered anew. */
  readonly repeat: (head: string) => Repetition | undefined;
  /** An error that has no request yet, such as one that cannot be parsed, in the envelope of the first API. */
  readonly refuse: (status: number, message: string) => Message;
  /** The methods that a path answers; `undefined` when no API has it. */
  readonly methodsAt: (request: HttpRequest) => readonly string[] | undefined;
  /** Whether an operation documents a body for such a request. */
  readonly readsBody: (request: HttpRequest) => boolean;
  /** The request as it may be printed and kept: without keys. */
  readonly redact: (request: HttpRequest) => HttpRequest;
}

/**
 * A mock of several APIs whose paths do not collide. `onError` hears of what went wrong inside; `forecast` tells what each request meets.
 * @throws {TypeError} when there is no API at all.
 */
export function createMock(mounted: readonly MountedApi[], onError: (error: unknown) => void, forecast: Forecast = calm): Mock {
  const hosts = mounted.map((each) => new Host(each));
  const [first] = hosts;
  if (first === undefined) throw new TypeError('a mock serves at least one API');
  const secrets = createSecrets(hosts.map((host) => host.api));
  const repetitions = new Repetitions();
  const learn = (head: string, host: Host, request: HttpRequest, key: string, kept: KeptAnswer): void => {
    // What a request brings along for itself alone is looked at each time.
    if (request.headers['mock-trouble'] !== undefined) return;
    const { keptAnswers: answers, api } = host;
    const reply = toReply(kept.message, { kept: kept.message, visit: { ...kept.visit, isKept: true, trouble: [] } });
    repetitions.learn(head, { shown: secrets.redact(request), reply, answers, key, kept, clockMs: api.clock.now(), now: api.clock.now });
  };
  const answer = async (host: Host, request: HttpRequest, head?: string): Promise<Reply> => {
    const nowMs = momentOf(host.api.clock, request);
    if (nowMs === undefined) return toMessage(secrets.clean(request, createFailure(host.api, undefined, 400, { message: wrongMoment })));
    const found = await host.respond({ request, nowMs, forecast });
    const { wire } = found.weather;
    if (found.kept !== undefined) {
      if (head !== undefined) learn(head, host, request, found.key, found.kept);
      const { message } = found.kept;
      return toReply(message, { visit: cutShort(found.visit, wire), kept: message, wire });
    }
    const problems = found.visit.problems.map((problem) => ({ ...problem, message: secrets.hide(request, problem.message) }));
    const [message, visit] = [toMessage(secrets.clean(request, found.answer)), { ...found.visit, problems }];
    if (found.key !== undefined) host.keptAnswers.keep(found.key, { message, visit });
    return toReply(message, { visit: cutShort(visit, wire), wire });
  };
  return {
    repeat: (head) => {
      const found = forecast.isCalm() ? repetitions.find(head) : undefined;
      found?.reply.lease?.hold();
      return found;
    },
    respond: async (request, head) => {
      const host = hostOf(hosts, request) ?? first;
      try {
        if (host.around === undefined) return await answer(host, request, head);
        return fromOutside(await host.around(request, async (inner) => toOutside(await answer(host, inner))));
      } catch (error) {
        tell(onError, error);
        return toMessage(createFailure(host.api, host.operationOf(request), 500, { message: 'Something went wrong inside the mock.' }));
      }
    },
    refuse: (status, message) => toMessage(createFailure(first.api, undefined, status, { message })),
    methodsAt: (request) => {
      const host = knownHost(hosts, request);
      return host?.methodsAt(request);
    },
    readsBody: (request) => knownHost(hosts, request)?.operationOf(request)?.requestBody !== undefined,
    redact: secrets.redact,
  };
}

/** A message with what the mock knows of it: written out, since copies that get more members are made slowly. */
function toReply({ status, headers, bytes, next, lease }: Message, { visit, kept, wire }: Pick<Reply, 'visit' | 'kept' | 'wire'>): Reply {
  return { status, headers, bytes, next, lease, visit, kept, wire };
}

/** What the wire does to an answer. */
function cutShort(visit: Visit, wire: Wire | undefined): Visit {
  return wire?.cut === undefined ? visit : { ...visit, cut: wire.cut };
}

/** A response that carries along what the mock knows of it, through whatever stands around the answers. */
type Outside = HttpResponse & Pick<Reply, 'visit' | 'wire'>;

function toOutside({ visit, wire, ...message }: Reply): Outside {
  return { ...asResponse(message), ...(visit === undefined ? {} : { visit }), ...(wire === undefined ? {} : { wire }) };
}

function fromOutside({ body, ...rest }: Outside): Reply {
  return { ...rest, bytes: Buffer.from(body) };
}

const wrongMoment =
  'Mock-Clock names no instant; send one such as 2026-03-29T02:30:00+01:00, or a duration from the mock’s own clock such as PT2H or -P1D.';

/** The instant of a request: the clock's, unless the request names its own. */
function momentOf(clock: Clock, request: HttpRequest): number | undefined {
  const named = headerOf(request.headers, 'mock-clock');
  return named === undefined ? clock.now() : readMoment(named.trim(), clock.now());
}

/** A listener that fails itself must not take the answer with it. */
function tell(onError: (error: unknown) => void, error: unknown): void {
  try {
    onError(error);
  } catch (failure) {
    process.emitWarning(`the listener for errors of the mock failed: ${failure instanceof Error ? failure.message : String(failure)}`);
  }
}

/** The API that has the path, literally rather than by a template; without one, the API whose paths are nearest. */
function hostOf(hosts: readonly Host[], request: HttpRequest): Host | undefined {
  return knownHost(hosts, request) ?? closest(hosts, splitTarget(request.target).path);
}

function knownHost(hosts: readonly Host[], request: HttpRequest): Host | undefined {
  let best: Host | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const host of hosts) {
    const exactness = host.exactness(request);
    if (exactness <= most) continue;
    best = host;
    most = exactness;
  }
  return best;
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
