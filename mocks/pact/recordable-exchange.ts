/**
 * Which of a mock's exchanges belong into a pact: those whose answer the contract promises for what was asked. What a mock answers by a
 * choice of its own is no promise.
 */

import type { Contract } from '../../core/contract.ts';
import { type Exchange, type HttpRequest, headerOf, splitTarget } from '../../core/exchange.ts';
import { isObject, type Json } from '../../core/json.ts';
import { type Operation, responseFor, routeTo, statusOf } from '../../core/operation.ts';
import { valueAt } from '../../core/pointer.ts';
import { closeDocument, type Profile } from '../../core/profile.ts';
import { readOperations } from '../../core/read-operation.ts';
import { type RequestReading, readRequest } from '../../core/request.ts';
import { isJsonType } from '../../core/response.ts';
import type { CursorPage } from '../../core/rules.ts';
import { splitQuery } from '../../core/style.ts';
import { createValidators } from '../../core/validator.ts';
import { keyIn, type Strangeness } from '../caller.ts';
import type { ServedApi } from '../served-api.ts';
import type { Visit } from '../visit.ts';

/** An exchange of a mock with what the mock knows of it. */
export interface ObservedExchange extends Exchange {
  readonly visit?: Visit | undefined;
}

/** The key of a request: none is needed, it opens the operation, something is wrong with it, or it lacks scopes. */
type KeyState = 'not-needed' | 'good' | Strangeness | { readonly lacking: readonly string[] };

/** An exchange that belongs into a pact. */
export interface RecordableExchange {
  readonly api: ServedApi;
  readonly unresolved: UnresolvedReading;
  readonly visit: Visit;
  readonly request: HttpRequest;
  readonly response: Exchange['response'];
  /** The body as JSON; `undefined` when there is none. */
  readonly body: Json | undefined;
  /** The code of a failure. */
  readonly code: string | undefined;
  readonly key: KeyState;
  /** The parameters that were given, by name, those with wrong values included. */
  readonly given: ReadonlySet<string>;
  /** Whether the request is conditional (`If-None-Match`) at an operation that knows conditional reads. */
  readonly isConditional: boolean;
}

/** What an exchange is for a pact. What is left out is told, apart from what no client sees as an exchange of its own. */
type ReadResult = { readonly recordable: RecordableExchange } | { readonly leftOut: string } | 'ignored';

/** Looks at an exchange. */
export function readExchange(
  apis: readonly ServedApi[],
  openOf: (api: ServedApi) => UnresolvedContract,
  exchange: ObservedExchange,
): ReadResult {
  const { request, response, visit } = exchange;
  if (request.method === 'OPTIONS') return 'ignored';
  const api = apis.find(({ contract }) => contract.name === visit?.contract);
  const early = visit === undefined || api === undefined ? 'it is no request that an API could read' : whyNotRecordable(exchange, visit);
  if (early !== undefined || visit === undefined || api === undefined) return { leftOut: early ?? '' };
  const contract = openOf(api);
  const unresolved = contract.read(request);
  if (unresolved === undefined) return { leftOut: noSuchPath };
  const body = parse(exchange);
  const code = response.status >= 400 && api.contract.error !== undefined ? valueAt(body, api.contract.error.code) : undefined;
  const recordable: RecordableExchange = {
    api,
    unresolved,
    visit,
    request,
    response,
    body,
    code: typeof code === 'string' ? code : undefined,
    key: keyOf(api, unresolved.operation, request, visit),
    given: givenIn(unresolved, request),
    isConditional: unresolved.operation.responses.has('304') && headerOf(request.headers, 'if-none-match') !== undefined,
  };
  const leftOut = whyNotGuaranteed(recordable, contract);
  return leftOut === undefined ? { recordable } : { leftOut };
}

const noSuchPath = 'no operation of the contract has its path and method';

function whyNotRecordable({ request, response }: ObservedExchange, visit: Visit): string | undefined {
  if (request.method === 'HEAD') return 'HEAD is answered without a body, and no contract speaks of it';
  if (visit.cut !== undefined) return 'trouble cut its answer short';
  if (visit.operation === undefined) return noSuchPath;
  if (response.headers['preference-applied'] !== undefined) return 'its answer was asked for with the header Prefer';
  if (response.body === '' && response.headers['content-type'] !== undefined) return 'its answer had to make room in the journal';
  if (response.status >= 500 && response.status !== 503) return 'something went wrong inside the mock';
  return undefined;
}

/** Why an answer is no promise, as a clause about the request; `undefined` when it is one. */
function whyNotGuaranteed(recordable: RecordableExchange, contract: UnresolvedContract): string | undefined {
  const { unresolved, response } = recordable;
  const { operation, verdict } = unresolved;
  if (responseFor(operation, response.status) === undefined) return `${operation.id} documents no answer ${response.status}`;
  if (typeof verdict === 'object') return `the contract leaves unresolved what it gets (${verdict.question})`;
  const isRefused = verdict === 'refused' || hasRefusedCursor(recordable);
  return whyCursorIsUnspecified(recordable, contract) ?? whyStatusIsUnspecified(recordable, isRefused);
}

function whyStatusIsUnspecified({ unresolved, response, key }: RecordableExchange, isRefused: boolean): string | undefined {
  const { operation } = unresolved;
  const { status } = response;
  if (status === statusOf(operation, 'invalid')) return isRefused ? undefined : 'the contract does not say that it is refused';
  if (isRefused) return 'several things are wrong with it, and one of them was told';
  const reasons: Readonly<Record<number, boolean>> = {
    401: isKeyProblem(key),
    403: typeof key === 'object',
    404: operation.resource !== undefined,
    429: true,
    503: true,
  };
  return status < 400 || reasons[status] === true ? undefined : `the contract does not say when ${status} is answered here`;
}

function isKeyProblem(key: KeyState): boolean {
  return key === 'missing' || key === 'unknown' || key === 'expired';
}

function hasRefusedCursor({ visit, unresolved }: RecordableExchange): boolean {
  const page = unresolved.operation.collection?.page;
  const cursor = page?.style === 'cursor' ? page.cursor : undefined;
  const classes = ['damaged-cursor', 'broken-rule'];
  return visit.problems.some((problem) => classes.includes(problem.class) && problem.parameters[0] === cursor);
}

/** A cursor is damaged, or other filters than its own came with it; either may be a question of the contract. */
function whyCursorIsUnspecified(recordable: RecordableExchange, contract: UnresolvedContract): string | undefined {
  const { operation, reading } = recordable.unresolved;
  const page = operation.collection?.page;
  if (page?.style !== 'cursor' || !reading.sent.has(page.cursor)) return undefined;
  const isChanged = isOfOtherFilters(recordable, page);
  if (!isChanged && !hasRefusedCursor(recordable)) return undefined;
  const question = isChanged ? contract.questionAt(operation, '/x-collection/page/changed') : contract.questionAboutCursors;
  return question === undefined ? undefined : `the contract leaves unresolved what it gets (${question})`;
}

function isOfOtherFilters({ api, unresolved }: RecordableExchange, page: CursorPage): boolean {
  const { reading, operation } = unresolved;
  const content = api.cursors.decode(String(reading.values.get(page.cursor)));
  if (content?.operation !== operation.id) return false;
  return page.fixed.some((name) => JSON.stringify(content.fixed[name] ?? null) !== JSON.stringify(reading.values.get(name) ?? null));
}

function keyOf(api: ServedApi, operation: Operation, request: HttpRequest, { role, stranger }: Visit): KeyState {
  if (operation.security.length === 0 || role === 'anybody') return 'not-needed';
  if (stranger !== undefined) return stranger;
  const holder = api.keys.holderOf(api.keys.byRole.get(role) ?? '');
  const used = operation.security.find((alternative) => alternative.every((each) => keyIn(request, each) !== undefined)) ?? [];
  const lacking = used.flatMap(({ scopes }) => scopes).filter((scope) => holder?.scopes.includes(scope) === false);
  return lacking.length === 0 ? 'good' : { lacking: [...new Set(lacking)].toSorted() };
}

function givenIn({ operation, reading, segments }: UnresolvedReading, request: HttpRequest): ReadonlySet<string> {
  const names = splitQuery(splitTarget(request.target).query).map(([name]) => name);
  const isGiven = (parameter: Operation['parameters'][number]): boolean => {
    if (parameter.in === 'path') return segments.has(parameter.name);
    if (parameter.in === 'header') return headerOf(request.headers, parameter.name) !== undefined;
    return parameter.in === 'query' ? names.includes(parameter.name) || reading.sent.has(parameter.key) : reading.sent.has(parameter.key);
  };
  return new Set(operation.parameters.filter(isGiven).map(({ name }) => name));
}

function parse({ response }: ObservedExchange): Json | undefined {
  if (response.body === '' || !isJsonType(headerOf(response.headers, 'content-type') ?? '')) return undefined;
  const value = JSON.parse(response.body) as Json;
  return isObject(value) || Array.isArray(value) ? value : undefined;
}

/** A request as the contract reads it, its questions unresolved. */
export interface UnresolvedReading {
  /** Its schemas accept every legal answer to a question. */
  readonly operation: Operation;
  readonly reading: RequestReading;
  readonly segments: ReadonlyMap<string, string>;
  /** What the contract says of the request: it is accepted, it is refused, or it leaves that to a question. */
  readonly verdict: 'accepted' | 'refused' | { readonly question: string };
}

/** Reads requests by a contract whose questions are unresolved. */
export interface UnresolvedContract {
  /** `undefined` when no operation is meant. */
  readonly read: (request: HttpRequest) => UnresolvedReading | undefined;
  /** The question that stands in place of a value of an operation's extension, such as `/x-collection/page/changed`; `undefined` when the value is stated. */
  readonly questionAt: (operation: Operation, pointer: string) => string | undefined;
  /** The question that stands in place of the answer to a damaged cursor. */
  readonly questionAboutCursors: string | undefined;
}

/** The same contract but for the answer to one question. */
interface AlternativeAnswer {
  readonly question: string;
  readonly operations: readonly Operation[];
}

/** Opens a contract that was closed by a profile. */
export function createUnresolvedContract(contract: Contract): UnresolvedContract {
  const operations = resolveRules(contract, contract.profile);
  const alternative = listAlternatives(contract);
  return {
    read: (request) => {
      const route = routeTo(operations, request.method, request.target);
      if (route.kind !== 'operation') return undefined;
      const { operation, segments } = route;
      const reading = readRequest(operation, request, segments);
      const refusals = refusalsOf(operation, reading);
      const other =
        reading.problems.length === 0
          ? undefined
          : alternative.find((alternative) => contradicts(refusals, refusalsBy(alternative, request)));
      return { operation, reading, segments, verdict: other ?? (refusals.length > 0 ? 'refused' : 'accepted') };
    },
    questionAt: (operation, pointer) => questionIn(contract, `${operation.pointer}${pointer}`),
    questionAboutCursors: questionIn(contract, '/x-invalid/damaged-cursor'),
  };
}

function questionIn({ document }: Contract, pointer: string): string | undefined {
  const value = valueAt(document.root, pointer);
  return isObject(value) && typeof value['unspecified'] === 'string' ? value['unspecified'] : undefined;
}

/** An operation that documents no status for it has no way to refuse a parameter. */
function refusalsOf(operation: Operation, { problems }: RequestReading): readonly string[] {
  if (responseFor(operation, statusOf(operation, 'invalid')) === undefined) return [];
  return problems.filter(({ answer }) => answer === 'refused').map((problem) => JSON.stringify([problem.class, problem.parameters]));
}

function refusalsBy({ operations }: AlternativeAnswer, request: HttpRequest): readonly string[] {
  const route = routeTo(operations, request.method, request.target);
  return route.kind === 'operation' ? refusalsOf(route.operation, readRequest(route.operation, request, route.segments)) : [];
}

/** Whether one reading refuses a request and the other does not, or both do and for nothing that they have in common. */
function contradicts(refusals: readonly string[], others: readonly string[]): boolean {
  if (refusals.length === 0 || others.length === 0) return refusals.length !== others.length;
  return !refusals.some((refusal) => others.includes(refusal));
}

/** Only questions about wrong requests matter here, and each is answered otherwise by itself. */
function listAlternatives(contract: Contract): readonly AlternativeAnswer[] {
  const asked = [...contract.questions.values()].filter(({ pointers }) => pointers.some((pointer) => pointer.includes('/x-invalid/')));
  return asked.flatMap(({ id, choices }) =>
    [...choices.keys()]
      .filter((choice) => choice !== contract.profile[id])
      .map((choice) => ({ question: id, operations: resolveRules(contract, { ...contract.profile, [id]: choice }) })),
  );
}

/** Its rules closed, and its schemas unresolved. */
function resolveRules({ document, questions }: Contract, profile: Profile): readonly Operation[] {
  const closed = closeDocument(document, questions, profile, 'rules');
  return readOperations(closed, createValidators(closed));
}
