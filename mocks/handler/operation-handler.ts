/** Handles requests at one operation: responds to the first condition that holds, in the precedence of the contract, or else with a success. */

import type { Condition } from '../../core/annotations/annotations.ts';
import { judgeRequestBody } from '../../core/http/check-request-body.ts';
import { type HttpRequest, headerOf } from '../../core/http/exchange.ts';
import { type Operation, responseFor, statusOf } from '../../core/openapi/operation.ts';
import { type RequestProblem, type RequestReading, readRequest } from '../../core/parameters/read-request.ts';
import type { ChaosDecision } from '../chaos/chaos-decision.ts';
import type { Dataset } from '../data/dataset.ts';
import type { KeyHolder } from '../key-ring.ts';
import type { Identification } from './caller.ts';
import { matchesTag, strongTag } from './entity-tag.ts';
import { createErrorResponse, type ErrorText } from './error-response.ts';
import type { ListedPage } from './listed-page.ts';
import { createListing, type Listing, type ListRequest } from './listing.ts';
import type { DraftResponse } from './prepare-response.ts';
import type { ServedApi } from './served-api.ts';
import { createSingleRead, type SingleRead } from './single-read.ts';

/** A request at an annotated operation, with the steps of its handling. */
export interface OperationCall {
  /** The parameters, and their problems. */
  readonly reading: RequestReading;
  /** Problems of the request, including its cursor. */
  readonly problems: readonly RequestProblem[];
  /** Responds by the annotations of the operation. */
  readonly respond: () => DraftResponse;
  /** Does the slow text search of a list, while the mock responds to other requests; `undefined` without one. Called before `respond`. */
  readonly prepare: () => Promise<void> | undefined;
}

/** The behaviour of one annotated operation, compiled once. */
export interface OperationHandler {
  readonly call: (input: CallInput) => OperationCall;
}

/** True if an annotation defines the response (`x-collection`, `x-resource`). */
export function definesResponse({ collection, resource }: Operation): boolean {
  return collection !== undefined || resource !== undefined;
}

/** The response to a caller who has too many requests or too few scopes, or to an outage; `undefined` if the request goes on. */
export function interruptionOf(
  api: ServedApi,
  operation: Operation,
  { identification, chaos = {} }: Pick<CallInput, 'identification' | 'chaos'>,
): DraftResponse | undefined {
  return firstResponse(['throttled', 'forbidden', 'unavailable'], { api, operation, identification, chaos, fail: failOf(api, operation) });
}

function failOf(api: ServedApi, operation: Operation): Fail {
  return (status, message, more) => createErrorResponse(api, operation, status, { message, ...more });
}

/** Compiles an annotated operation. */
export function createOperationHandler(api: ServedApi, operation: Operation): OperationHandler {
  const { collection, resource } = operation;
  const listing = collection === undefined ? undefined : createListing(api, operation, collection);
  const singleRead = resource === undefined ? undefined : createSingleRead(api, operation, resource);
  const tagPrefix = tagPrefixOf(operation);
  const fail = failOf(api, operation);
  return {
    call: ({ request, segments, nowMs, identification, chaos = {} }) => {
      const dataset = api.dataset.at(nowMs);
      const reading = readRequest(operation, request, segments);
      const tenant = identification.kind === 'caller' ? identification.holder.tenant : '';
      const listRequest = listing?.readRequest(reading, tenant);
      const cursorProblems = listRequest?.problems ?? [];
      const problems = cursorProblems.length === 0 ? reading.problems : [...reading.problems, ...cursorProblems];
      const read = (): ReadResult => {
        const selectsNothing = problems.some((problem) => problem.answer === 'empty');
        if (listing !== undefined && listRequest !== undefined)
          return readPage(listing, listRequest, selectsNothing ? undefined : tenant, dataset);
        if (singleRead === undefined || identification.kind === 'stranger' || selectsNothing) return { missing: 404 };
        return readRecord(singleRead, reading, identification.holder, dataset);
      };
      let result: ReadResult | undefined;
      const readOnce = (): ReadResult => {
        result ??= read();
        return result;
      };
      const evaluation: Evaluation = { api, operation, request, identification, chaos, problems, tagPrefix, readOnce, fail };
      const isRefused = (): boolean => (firstResponse(refusals, evaluation) ?? refuseParameters(evaluation)) !== undefined;
      return {
        reading,
        problems,
        respond: () => firstResponse(api.contract.precedence, evaluation) ?? succeed(evaluation),
        prepare: () =>
          listing?.prepare === undefined || listRequest === undefined || isRefused()
            ? undefined
            : listing.prepare(listRequest, tenant, dataset),
      };
    },
  };
}

/** A request with its path segments, instant, key and chaos. */
interface CallInput {
  readonly request: HttpRequest;
  readonly segments: ReadonlyMap<string, string>;
  readonly nowMs: number;
  readonly identification: Identification;
  /** Rate limit and outage; they are conditions of the precedence. */
  readonly chaos?: ChaosDecision;
}

/** A page or record, or the reason why the request gets none. */
type ReadResult =
  | { readonly body: Buffer; readonly page: ListedPage | undefined }
  | { readonly missing: 401 | 403 | 404 }
  | { readonly refused: string };

/** Creates the error response of an operation. */
type Fail = (status: number, message: string, more?: Omit<ErrorText, 'message'>) => DraftResponse;

/** A request as the conditions on its caller see it. */
interface CallerEvaluation {
  readonly api: ServedApi;
  readonly operation: Operation;
  readonly identification: Identification;
  readonly chaos: ChaosDecision;
  readonly fail: Fail;
}

/** A request as all conditions see it. */
interface Evaluation extends CallerEvaluation {
  readonly request: HttpRequest;
  readonly problems: readonly RequestProblem[];
  readonly tagPrefix: TagPrefix;
  /** Reads the page or record of the request. All conditions share the result. */
  readonly readOnce: () => ReadResult;
}

/** The conditions that refuse a request before its parameters are checked. */
const refusals: readonly CallerCondition[] = ['unauthenticated', 'throttled', 'forbidden', 'unavailable'];

/** A condition on the caller or the server, whatever the rest of the request is. */
type CallerCondition = Extract<Condition, 'unauthenticated' | 'throttled' | 'forbidden' | 'unavailable'>;

/** The response to the first condition that holds; `undefined` if none does. */
function firstResponse(conditions: readonly CallerCondition[], evaluation: CallerEvaluation): DraftResponse | undefined;
function firstResponse(conditions: readonly Condition[], evaluation: Evaluation): DraftResponse | undefined;
function firstResponse(conditions: readonly Condition[], evaluation: CallerEvaluation | Evaluation): DraftResponse | undefined {
  for (const condition of conditions) {
    const draft = responses[condition](evaluation as Evaluation);
    if (draft !== undefined) return draft;
  }
  return undefined;
}

/** The response to each condition; `undefined` if the condition does not hold. */
const responses: Readonly<Record<CallerCondition, (evaluation: CallerEvaluation) => DraftResponse | undefined>> &
  Readonly<Record<Exclude<Condition, CallerCondition>, (evaluation: Evaluation) => DraftResponse | undefined>> = {
  unauthenticated: ({ identification, fail }) => (identification.kind === 'stranger' ? fail(401, identification.reason) : undefined),

  throttled: ({ chaos: { throttled }, fail }) =>
    throttled === undefined
      ? undefined
      : fail(429, 'Too many requests; wait as long as Retry-After says.', { headers: { 'retry-after': throttled.retryAfter } }),

  unavailable: ({ chaos: { unavailable }, fail }) =>
    unavailable === undefined ? undefined : fail(503, 'This is not available at the moment; try again later.', { code: unavailable.code }),

  forbidden: ({ api, identification, fail }) => {
    const lacking = identification.kind === 'caller' ? identification.lacking : [];
    const names = lacking.map((role) => api.contract.scopes.find((scope) => scope.role === role)?.name ?? role);
    return lacking.length === 0 ? undefined : fail(403, `This key lacks the scope ${names.join(' and ')}.`);
  },

  invalid: (evaluation) => {
    const refusal = refuseParameters(evaluation);
    if (refusal !== undefined || evaluation.identification.kind === 'stranger') return refusal;
    const result = evaluation.readOnce();
    return 'refused' in result ? evaluation.fail(statusOf(evaluation.operation, 'invalid'), result.refused) : undefined;
  },

  // A request with wrong parameters is invalid instead, since they may not name a record.
  absent: (evaluation) => {
    if (evaluation.identification.kind === 'stranger' || refuseParameters(evaluation) !== undefined) return undefined;
    const result = evaluation.readOnce();
    return 'missing' in result ? evaluation.fail(result.missing, missingMessages[result.missing]) : undefined;
  },

  unchanged: (evaluation) => {
    const field = headerOf(evaluation.request.headers, 'if-none-match');
    if (field === undefined || !evaluation.operation.responses.has('304')) return undefined;
    const { etag } = succeed(evaluation).headers;
    return etag !== undefined && matchesTag(field, etag) ? { status: 304, headers: { etag }, body: undefined } : undefined;
  },
};

/** Refuses wrong parameters if the operation documents a status for it, and an unreadable body in any case. */
function refuseParameters({ operation, request, problems, fail }: Evaluation): DraftResponse | undefined {
  const status = statusOf(operation, 'invalid');
  const messages = problems.filter(({ answer }) => answer === 'refused').map(({ message }) => message);
  if (messages.length > 0 && responseFor(operation, status) !== undefined) return fail(status, messages.join(' '));
  const bodyProblem = judgeRequestBody(operation, request).problem;
  return bodyProblem === undefined ? undefined : fail(status, bodyProblem);
}

function succeed({ operation, tagPrefix, readOnce }: Evaluation): DraftResponse {
  const result = readOnce();
  if (!('body' in result)) throw new Error(`${operation.id} found no body, and no condition of the precedence applies`);
  const headers = tagPrefix === undefined ? {} : { etag: `${tagPrefix}${strongTag(result.body)}` };
  return { status: 200, headers, body: result.body, page: result.page };
}

function readPage(listing: Listing, listRequest: ListRequest, tenant: string | undefined, dataset: Dataset): ReadResult {
  const page = listing.printPage(listRequest, tenant, dataset);
  return page === 'invalid' ? { refused: 'This page lies past the end of the list.' } : (page ?? { missing: 404 });
}

function readRecord(singleRead: SingleRead, reading: RequestReading, holder: KeyHolder, dataset: Dataset): ReadResult {
  const result = singleRead(reading, holder, dataset);
  return result.kind === 'body' ? { body: result.body, page: undefined } : { missing: hiddenStatuses[result.kind] };
}

const hiddenStatuses = { absent: 404, forbidden: 403, unauthenticated: 401 } as const;

/** Messages for absent and hidden records. A record of another tenant must look like one that does not exist. */
const missingMessages = {
  401: 'This record needs a key that may read it.',
  403: 'This key may not read this record.',
  404: 'No record matches this request.',
} as const;

/** The prefix of ETags: none for strong ones, `W/` if the contract allows weak ones only. `undefined` if the operation documents no ETag. */
type TagPrefix = '' | 'W/' | undefined;

function tagPrefixOf(operation: Operation): TagPrefix {
  const header = responseFor(operation, 200)?.headers.find(({ name }) => name === 'etag');
  if (header === undefined) return undefined;
  return header.parameter.validate(strongTag(Buffer.alloc(0))).length === 0 ? '' : 'W/';
}
