/** One API of a mock: from a request to its answer, through Prism. */

import type { HttpRequest } from '../core/exchange.ts';
import { isObject } from '../core/json.ts';
import { type Operation, responseFor } from '../core/operation.ts';
import { valueAt, withValueAt } from '../core/pointer.ts';
import { documentedStatuses } from '../core/response.ts';
import type { Answer } from './answer.ts';
import { type Behaviour, type Call, createBehaviour } from './behaviour.ts';
import { identify } from './caller.ts';
import { challenge, createFailure, withReason } from './failure.ts';
import { type KeptAnswer, KeptAnswers, keyOfAnswer } from './kept-answers.ts';
import type { Middleware } from './middleware.ts';
import type { Negotiate, Preference } from './negotiation.ts';
import { readPreference, spellPreference } from './preference.ts';
import type { Engine } from './prism.ts';
import type { PrismParts } from './prism-parts.ts';
import { Router } from './router.ts';
import type { ServedApi } from './served-api.ts';
import { varyingByKey } from './variance.ts';
import type { Visit } from './visit.ts';
import type { Forecast, Weather } from './weather.ts';

/** An API with the Prism that takes its requests. */
export interface MountedApi extends PrismParts {
  readonly api: ServedApi;
  /** Stands around every answer of the API. */
  readonly around?: Middleware;
  /** Whether the same request may be given another answer the next time, as some faults do. */
  readonly isFickle?: boolean;
}

/** A request with what does not come from the client: its instant, and the weather. */
export interface Arrival {
  readonly request: HttpRequest;
  readonly nowMs: number;
  readonly forecast: Forecast;
}

/** An answer, with what the mock knows of it. */
export type HostAnswer = (
  | { readonly answer: Answer; readonly kept?: never /** What it may be kept under. */; readonly key?: string | undefined }
  | { /** It was given before, and is kept under the key. */ readonly kept: KeptAnswer; readonly key: string }
) & { readonly visit: Visit; readonly weather: Weather };

/** One API of the mock, with the behaviour of each of its operations. */
export class Host {
  readonly api: ServedApi;
  readonly around: Middleware | undefined;
  private readonly isFickle: boolean;
  private readonly engine: () => Promise<Engine>;
  private readonly negotiation: () => Promise<Negotiate>;
  private readonly router: Router;
  private loaded: Engine | undefined;
  readonly keptAnswers: KeptAnswers = new KeptAnswers();
  private readonly behaviours = new Map<Operation, Behaviour>();

  constructor({ api, engine, negotiation, around, isFickle = around !== undefined }: MountedApi) {
    this.api = api;
    this.router = new Router(api.contract);
    this.isFickle = isFickle;
    this.around = around;
    this.engine = engine;
    this.negotiation = negotiation;
  }

  /** How exactly this API has the path of a request: the fewer parts of it are parameters, the more; minus infinity when it has not. */
  exactness(request: HttpRequest): number {
    const route = this.router.route(request);
    return route.kind === 'no-path' ? Number.NEGATIVE_INFINITY : -route.parameters;
  }

  /** The methods that the path of a request answers. */
  methodsAt(request: HttpRequest): readonly string[] {
    return withImplied(this.router.methodsAt(request));
  }

  operationOf(request: HttpRequest): Operation | undefined {
    const route = this.router.route(request);
    return route.kind === 'operation' ? route.operation : undefined;
  }

  async respond(arrival: Arrival): Promise<HostAnswer> {
    const { nowMs, forecast } = arrival;
    const request = this.router.within(arrival.request);
    const route = this.router.route(request);
    if (route.kind !== 'operation') {
      const visit: Visit = { contract: this.name, operation: undefined, role: 'stranger', nowMs, problems: [], isKept: false, trouble: [] };
      const answer = route.kind === 'no-path' ? this.fail(404, 'There is no such path here.') : this.refuseMethod(request, route.allowed);
      return { answer, visit, weather: {} };
    }
    const { operation } = route;
    const identification = identify(operation, request, this.api.keys, this.api.world);
    const [role, stranger] = identification.kind === 'caller' ? [identification.holder.role] : ['stranger', identification.key];
    const weather = forecast.meet({ contract: this.name, operation: operation.id, role, request });
    const trouble = weather.notes ?? [];
    const visitWith = (problems: Visit['problems']): Visit => ({
      contract: this.name,
      operation: operation.id,
      role,
      stranger,
      nowMs,
      problems,
      isKept: false,
      trouble,
    });
    if (weather.refused !== undefined) return { answer: this.fail(400, weather.refused), visit: visitWith([]), weather };
    const isFair = weather.throttled === undefined && weather.unavailable === undefined;
    const key = isFair && !this.isFickle && request.body === undefined ? keyOfAnswer(operation, request, role, nowMs) : undefined;
    const kept = key === undefined ? undefined : this.keptAnswers.get(key);
    if (key !== undefined && kept !== undefined) {
      kept.message.lease?.hold();
      return { kept, key, visit: { ...kept.visit, isKept: true, trouble }, weather };
    }
    const call = this.behaviourOf(operation).call({ request, segments: route.segments, nowMs, identification });
    call.meet(weather);
    const preparing = call.prepare();
    if (preparing !== undefined) await preparing;
    const problems = call.problems.map(({ parameters, class: kind, message }) => ({ parameters, class: kind, message }));
    return { answer: await this.prefer(operation, request, call), visit: visitWith(problems), weather, key };
  }

  private get name(): string {
    return this.api.contract.name;
  }

  /** The documented answer that the request prefers, if there is one, or what its operation does. */
  private async prefer(operation: Operation, request: HttpRequest, call: Call): Promise<Answer> {
    const preference = readPreference(request);
    const preferred = typeof preference === 'object' ? await this.negotiate(operation, request, preference) : preference;
    if (typeof preferred === 'object') return preferred;
    const answer = await this.behave(operation, request, call);
    // RFC 7240 §2: a preference that cannot be met is ignored. A developer who mistyped it wants to know, hence the note.
    return preferred === undefined
      ? answer
      : { ...answer, headers: { ...answer.headers, 'mock-note': toHeaderText(`Prefer is ignored: ${preferred}`) } };
  }

  private async behave(operation: Operation, request: HttpRequest, call: Call): Promise<Answer> {
    const behaviour = this.behaviourOf(operation);
    const stated = behaviour.isStated ? await this.goThroughPrism(call) : call.refusal();
    if (stated !== undefined) return varyingByKey(operation, await this.dress(operation, request, stated));
    const negotiate = await this.negotiation();
    const answer = await negotiate(operation, request, { code: undefined, example: undefined, dynamic: false });
    if (typeof answer === 'string') throw new Error(`Prism has no answer for ${operation.id}: ${answer}`);
    return answer;
  }

  /**
   * Takes a call through Prism. While Prism is still being loaded, which takes longer than all else, the call goes through the same steps by itself: the
   * answer is the same, and the first client does not wait.
   */
  private async goThroughPrism(call: Call): Promise<Answer> {
    const engine = this.loaded ?? (await Promise.race([this.load(), nextTurn()]));
    return engine === undefined ? call.behave() : engine.respond(call);
  }

  /** A failure to load is a failure of the request that meets it. */
  private load(): Promise<Engine> {
    const loading = this.engine();
    loading.then(
      (engine) => {
        this.loaded = engine;
      },
      () => undefined,
    );
    return loading;
  }

  /** Without `x-api` nobody says what a failure looks like but the operation's own examples. */
  private async dress(operation: Operation, request: HttpRequest, answer: Answer): Promise<Answer> {
    const isPlain = this.api.contract.error === undefined && answer.status >= 400;
    if (!isPlain || (responseFor(operation, answer.status)?.content.size ?? 0) === 0) return answer;
    const negotiate = await this.negotiation();
    const example = await negotiate(operation, request, { code: answer.status, example: undefined, dynamic: false });
    if (typeof example === 'string') return answer;
    return { ...example, body: withReason(example.body, answer.body), headers: { ...example.headers, ...answer.headers } };
  }

  private behaviourOf(operation: Operation): Behaviour {
    const behaviour = this.behaviours.get(operation) ?? createBehaviour(this.api, operation);
    this.behaviours.set(operation, behaviour);
    return behaviour;
  }

  /** The documented answer that is preferred, or why there is none. */
  private async negotiate(operation: Operation, request: HttpRequest, preference: Preference): Promise<Answer | string> {
    const answer = await (await this.negotiation())(operation, request, preference);
    if (typeof answer === 'string')
      return `${answer.replace(/\.$/, '')}; ${operation.id} documents ${documentedStatuses(operation).join(', ')}`;
    const headers = {
      ...answer.headers,
      ...(answer.status === 401 ? challenge(this.api, operation) : {}),
      'preference-applied': toHeaderText(spellPreference(preference)),
    };
    return preference.dynamic ? { ...answer, headers } : this.nameRequest({ ...answer, headers });
  }

  /** An example's request identifier was someone else's; each answer gets its own. */
  private nameRequest(answer: Answer): Answer {
    const pointer = this.api.contract.error?.request;
    if (pointer === undefined || !isObject(answer.body) || valueAt(answer.body, pointer) === undefined) return answer;
    return { ...answer, body: withValueAt(answer.body, pointer, this.api.nextRequestId()) };
  }

  private refuseMethod(request: HttpRequest, allowed: readonly string[]): Answer {
    const methods = withImplied(allowed);
    const message = `${request.method} is not for this path; it answers ${methods.join(', ')}.`;
    return createFailure(this.api, undefined, 405, { message, headers: { allow: methods.join(', ') } });
  }

  private fail(status: number, message: string, operation?: Operation): Answer {
    return createFailure(this.api, operation, status, { message });
  }
}

/** What is ready has answered by the next turn of the event loop. */
function nextTurn(): Promise<undefined> {
  return new Promise((resolve) => {
    setImmediate(() => resolve(undefined));
  });
}

/** RFC 9110 §10.2.1: a list of methods is complete; GET brings HEAD with it, and every path answers OPTIONS. */
function withImplied(methods: readonly string[]): readonly string[] {
  return [...new Set([...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'])];
}

/** Headers take plain characters only (RFC 9110 §5.5). */
function toHeaderText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, ' ').trim();
}
