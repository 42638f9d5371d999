/** Judges both halves of a forwarded exchange by the contracts, and hides its keys and personal data. Nothing may be kept or printed before. */

import { createHmac } from 'node:crypto';
import { withoutUndefined } from '../../core/drop-undefined.ts';
import { judgeRequestBody, type RequestBodyJudgement } from '../../core/http/check-request-body.ts';
import { judgeResponse } from '../../core/http/check-response.ts';
import { decodeContent } from '../../core/http/decode-content.ts';
import { type Exchange, type HttpRequest, headerOf, splitTarget } from '../../core/http/exchange.ts';
import { keyIn } from '../../core/http/key-of-request.ts';
import { isArray, readJson } from '../../core/json.ts';
import { getOrCompute, memoize } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { type RequestProblem, readRequest } from '../../core/parameters/read-request.ts';
import { valueAt } from '../../core/pointer.ts';
import { createMask, personalPlaceholder } from '../../core/redaction/mask-personal-data.ts';
import type { NotCompared, ProxyFinding } from '../../core/results/proxy-result.ts';
import type { RequestContext } from '../handler/call.ts';
import { type ListedPage, toListedRecord } from '../handler/listed-page.ts';
import { type Routed, Router } from '../handler/router.ts';
import type { FinishedExchange } from '../served-exchange.ts';
import type { ForwardedExchange } from './forwarder.ts';
import { createSecretHider } from './hide-secrets.ts';

/** An exchange without keys and personal data, and the mistakes in it. */
interface JudgedExchange {
  readonly exchange: FinishedExchange;
  readonly mistakes: readonly ProxyMistake[];
  readonly notCompared: readonly NotComparedBody[];
}

/** A body that was not compared with its schema. */
type NotComparedBody = Omit<NotCompared, 'count'>;

/** A mistake in one exchange. */
export type ProxyMistake = Omit<ProxyFinding, 'count' | 'exchange'>;

/** The contract that a request belongs to, and its route. */
interface Destination extends Routed {
  readonly contract: Contract;
  readonly router: Router;
}

/** Largest decoded body that is judged, in bytes. */
const decodedMax = 8 * 1024 * 1024;

/** Creates the judge of a proxy. Digests of keys have the salt, which nobody else knows. */
export function createProxyJudge(contracts: readonly Contract[], salt: string): (exchange: ForwardedExchange) => JudgedExchange {
  const routers = contracts.map((contract) => ({ contract, router: new Router(contract) }));
  const maskOf = memoize(createMask);
  const hiderOf = memoize(createSecretHider);
  const roles = new KeyRoles(salt);
  return (forwarded) => {
    const request = readableRequest(forwarded.request);
    const sentPath = splitTarget(request.target).path;
    const destinations = routers.map((each) => ({ ...each, ...each.router.find(request.method, sentPath) }));
    const destination = destinations.find(({ route }) => route.kind !== 'no-path') ?? destinations[0];
    if (destination === undefined) throw new TypeError('a proxy has at least one contract');
    const { body, unreadReason } = readableBody(forwarded);
    const { status, headers } = forwarded.response ?? forwarded.failure ?? noResponse;
    const fullExchange: Exchange = { request, response: { status, headers, body, ...withoutUndefined({ unread: unreadReason }) } };
    const { mistakes, notCompared } = judge(destination, fullExchange, forwarded);
    const { exchange: exchangeWithoutKeys, clean } = hiderOf(destination.contract)(fullExchange);
    const maskedExchange = maskOf(destination.contract).mask(exchangeWithoutKeys);
    // A message may quote personal data of the request.
    const isPersonal = maskedExchange.request.target !== exchangeWithoutKeys.request.target;
    const hide = ({ message }: MistakeWithProblem): string => (isPersonal ? personalPlaceholder : clean(message));
    const safeExchange =
      isPersonal && status >= 400
        ? { ...maskedExchange, response: { ...maskedExchange.response, body: personalPlaceholder } }
        : maskedExchange;
    const safeMistakes = mistakes.map((mistake) => ({ ...mistake, message: hide(mistake) }));
    const context = contextOf(destination, forwarded, {
      role: roles.roleOf(destination, fullExchange),
      mistakes: safeMistakes,
      unreadReason,
    });
    return {
      exchange: toFinishedExchange(safeExchange, forwarded, context, listedPage(destination, fullExchange)),
      mistakes: safeMistakes.map(({ problem: _, ...mistake }) => mistake),
      notCompared,
    };
  };
}

/** The response of an exchange whose client left before any. */
const noResponse = { status: 0, headers: {} } as const;

/** A mistake, with the problem of the request that it comes from. */
type MistakeWithProblem = ProxyMistake & { readonly problem?: RequestProblem };

/** The mistakes of an exchange, and its bodies that were not compared. */
interface Judgement {
  readonly mistakes: readonly MistakeWithProblem[];
  readonly notCompared: readonly NotComparedBody[];
}

/** Judges the request, and the response if the target gave one. */
function judge(destination: Destination, exchange: Exchange, forwarded: ForwardedExchange): Judgement {
  const { contract, route, path } = destination;
  const { query } = splitTarget(exchange.request.target);
  const request = { ...exchange.request, target: query === '' ? path : `${path}?${query}` };
  const origin = { contract: contract.name, operation: route.kind === 'operation' ? route.operation.id : null };
  const place = route.kind === 'operation' ? route.operation.place : contract.place;
  const body = route.kind === 'operation' && forwarded.request.body !== undefined ? judgeRequestBody(route.operation, request) : {};
  const problems =
    route.kind === 'operation' ? problemsOf(route.operation, request, route.segments, body) : [unknownPath(destination, request)];
  const requestMistakes = problems.map((problem): MistakeWithProblem => {
    const subject = [...problem.parameters, problem.class].join(' ');
    return { ...origin, half: 'request', subject, message: problem.message, source: place, problem };
  });
  const response = forwarded.response === undefined ? undefined : judgeResponse(contract, { ...exchange, request });
  const responseMistakes = (response?.violations ?? []).map((violation): MistakeWithProblem => {
    const subject = [violation.part, violation.path.replaceAll(/\/\d+(?=\/|$)/g, '/*'), violation.kind]
      .filter((word) => word.trim() !== '')
      .join(' ')
      .trim();
    return { ...origin, half: 'response', subject, message: violation.message, source: violation.place };
  });
  const halves = [['request', body.notCompared] as const, ['response', response?.notCompared] as const];
  const notCompared = halves.flatMap(([half, reason]) => (reason === undefined ? [] : [{ ...origin, half, reason }]));
  return { mistakes: [...requestMistakes, ...responseMistakes], notCompared };
}

function problemsOf(
  operation: Operation,
  request: HttpRequest,
  segments: ReadonlyMap<string, string>,
  { problem: message }: RequestBodyJudgement,
): readonly RequestProblem[] {
  const { problems } = readRequest(operation, request, segments);
  return message === undefined ? problems : [...problems, { parameters: [], in: 'query', class: 'malformed', answer: 'refused', message }];
}

function unknownPath({ router, route, path }: Destination, request: HttpRequest): RequestProblem {
  const suggestion = router.nearestPath(path);
  const advice =
    route.kind === 'method-not-allowed'
      ? `its methods are ${route.allowed.join(', ')}`
      : suggestion === undefined
        ? ''
        : `did you mean ${suggestion}?`;
  const message = `The contract has no ${request.method} for this path${advice === '' ? '.' : `; ${advice}`}`;
  return { parameters: [], in: 'path', class: 'undeclared', answer: 'refused', message };
}

/** The parts of a context that come from the judgement. */
interface JudgedParts {
  readonly role: string;
  readonly mistakes: readonly MistakeWithProblem[];
  /** Reason why the response was not judged. */
  readonly unreadReason: string | undefined;
}

function contextOf(
  { contract, route }: Destination,
  { response, failure, isComplete, startedMs }: ForwardedExchange,
  { role, mistakes, unreadReason }: JudgedParts,
): RequestContext {
  return {
    contract: contract.name,
    operation: route.kind === 'operation' ? route.operation.id : undefined,
    role,
    // Instants of an API have whole seconds, so nothing changes between two reads of one second.
    nowMs: Math.floor(startedMs / 1000) * 1000,
    problems: mistakes.flatMap(({ problem, message }) => (problem === undefined ? [] : [{ ...problem, message }])),
    isCached: false,
    chaos: unreadReason === undefined ? [] : [unreadReason],
    cut: isComplete ? undefined : response === undefined && failure === undefined ? 'reset' : 'truncated',
  };
}

/** Roles of keys: a number for each key, in the order of their first requests. It keeps digests of the keys only. */
class KeyRoles {
  private readonly salt: string;
  private readonly numbers = new Map<string, string>();

  constructor(salt: string) {
    this.salt = salt;
  }

  roleOf({ route }: Destination, { request, response }: Exchange): string {
    if (route.kind !== 'operation' || response.status === 401) return 'stranger';
    const { operation } = route;
    const credentials = operation.security.flat();
    const key = credentials.map((credential) => keyIn(request, credential)).find((each) => each !== undefined);
    if (key === undefined) return credentials.length === 0 || operation.security.some((each) => each.length === 0) ? 'anybody' : 'stranger';
    const digest = createHmac('sha256', this.salt).update(key).digest('base64');
    if (this.numbers.size >= keysMost && !this.numbers.has(digest)) return 'others';
    return getOrCompute(this.numbers, digest, () => String(this.numbers.size + 1));
  }
}

/** Maximum number of keys with a role of their own. */
const keysMost = 1000;

function readableRequest({ method, target, headers, body }: ForwardedExchange['request']): HttpRequest {
  return body === undefined || body.length === 0 ? { method, target, headers } : { method, target, headers, body: body.toString() };
}

/** The decoded body of the response, or the reason why it was not read. */
function readableBody({ response, failure, isComplete }: ForwardedExchange): { readonly body: string; readonly unreadReason?: string } {
  if (response === undefined) return { body: failure?.body ?? '' };
  if (!isComplete) return { body: '', unreadReason: 'the connection ended before the end of the response, so its body was not checked' };
  if (response.body === undefined) return { body: '', unreadReason: 'the response was too large to be checked' };
  const [encoding, type] = ['content-encoding', 'content-type'].map((name) => headerOf(response.headers, name));
  try {
    return { body: decodeContent(response.body, { encoding, type }, decodedMax) };
  } catch {
    return { body: '', unreadReason: `the body could not be decoded as ${encoding}, so it was not checked` };
  }
}

/** The page of a list in a response, as the client rules read it. */
function listedPage({ route }: Destination, { response }: Exchange): ListedPage | undefined {
  const collection = route.kind === 'operation' ? route.operation.collection : undefined;
  const body = collection === undefined || response.status !== 200 ? undefined : readJson(response.body);
  const items = collection === undefined ? undefined : valueAt(body, collection.items);
  if (collection === undefined || !isArray(items)) return undefined;
  const { page } = collection;
  const next = page.style === 'cursor' ? valueAt(body, page.next) : undefined;
  return {
    next: typeof next === 'string' ? next : undefined,
    more: page.style !== 'page' && page.more !== undefined && valueAt(body, page.more) === true,
    records: items.map((record) => toListedRecord(record, collection)),
  };
}

function toFinishedExchange(
  { request, response }: Exchange,
  { durationMs, connection }: ForwardedExchange,
  context: RequestContext,
  page: ListedPage | undefined,
): FinishedExchange {
  const headers = Object.fromEntries(
    Object.entries(response.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : [...value]]],
    ),
  );
  const body = Buffer.from(response.body);
  return { request, response: { status: response.status, headers, body, encoded: undefined, page, context }, durationMs, connection };
}
