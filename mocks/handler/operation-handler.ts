/** Handles requests at one annotated operation: responds to the first condition that holds, in the precedence of the contract, or else with a success. */

import type { Condition } from '../../core/annotations/annotations.ts';
import { judgeRequestBody } from '../../core/http/check-request-body.ts';
import { headerOf } from '../../core/http/exchange.ts';
import { lazy } from '../../core/memo.ts';
import { type Operation, responseFor, statusOf } from '../../core/openapi/operation.ts';
import { type RequestProblem, type RequestReading, readParameters } from '../../core/parameters/read-request.ts';
import type { Dataset } from '../data/dataset.ts';
import type { KeyHolder } from '../key-ring.ts';
import type { Call } from './call.ts';
import { matchesTag, strongTag } from './entity-tag.ts';
import { createErrorResponse, type ErrorText } from './error-response.ts';
import type { ListedPage } from './listed-page.ts';
import { createListing, type Listing, type ListRequest } from './listing.ts';
import { preferredResponse, withDocumentedBody } from './preferred-response.ts';
import { type DraftResponse, withNote } from './prepare-response.ts';
import type { ServedApi } from './served-api.ts';
import { createSingleRead, type SingleRead } from './single-read.ts';

/** Responds to the requests at one operation. */
export type OperationHandler = (call: Call) => Promise<DraftResponse>;

/** True if an annotation defines the response (`x-collection`, `x-resource`). */
export function definesResponse({ collection, resource }: Operation): boolean {
  return collection !== undefined || resource !== undefined;
}

/** Compiles an annotated operation. */
export function createOperationHandler(api: ServedApi, operation: Operation): OperationHandler {
  const { collection, resource } = operation;
  const listing = collection === undefined ? undefined : createListing(api, operation, collection);
  const singleRead = resource === undefined ? undefined : createSingleRead(api, operation, resource);
  const tagPrefix = tagPrefixOf(operation);
  return async (call) => {
    const { identification } = call;
    const dataset = api.dataset.at(call.nowMs);
    const reading = readParameters(operation, call);
    const tenant = identification.kind === 'caller' ? identification.holder.tenant : '';
    const listRequest = listing?.readRequest(reading, tenant);
    const problems = [...reading.problems, ...(listRequest?.problems ?? []), ...bodyProblems(call)];
    const preferred = await preferredResponse(call);
    if (typeof preferred === 'object') return { ...preferred, problems };
    const read = (): ReadResult => {
      const selectsNothing = problems.some((problem) => problem.answer === 'empty');
      if (listing !== undefined && listRequest !== undefined)
        return readPage(listing, listRequest, selectsNothing ? undefined : tenant, dataset);
      if (singleRead === undefined || identification.kind === 'stranger' || selectsNothing) return { missing: 404 };
      return readRecord(singleRead, reading, identification.holder, dataset);
    };
    const judged: JudgedCall = { call, problems, tagPrefix, read: lazy(read) };
    if (listing?.prepare !== undefined && listRequest !== undefined && !isRefused(judged))
      await listing.prepare(listRequest, tenant, dataset);
    const draft = await withDocumentedBody(call, firstResponse(api.contract.precedence, judged) ?? succeed(judged));
    // A preference that cannot be met is ignored (RFC 7240 §2). The note is for developers who mistyped it.
    return { ...(preferred === undefined ? draft : withNote(draft, `Prefer is ignored: ${preferred}`)), problems };
  };
}

/** A page or record, or the reason why the request gets none. */
type ReadResult =
  | { readonly body: Buffer; readonly page: ListedPage | undefined }
  | { readonly missing: 401 | 403 | 404 }
  | { readonly refused: string };

/** A call whose parameters are read. */
interface JudgedCall {
  readonly call: Call;
  readonly problems: readonly RequestProblem[];
  readonly tagPrefix: TagPrefix;
  /** Reads the page or record of the request, once. */
  readonly read: () => ReadResult;
}

/** The response to a caller who has too many requests or too few scopes, or to an outage; `undefined` if the request goes on. */
export function interruptionOf(call: Call): DraftResponse | undefined {
  return callerResponses.throttled(call) ?? callerResponses.forbidden(call) ?? callerResponses.unavailable(call);
}

/** True for a request that is refused before its page or record is read. */
function isRefused(judged: JudgedCall): boolean {
  return (callerResponses.unauthenticated(judged.call) ?? interruptionOf(judged.call) ?? refuseInvalid(judged)) !== undefined;
}

/** The response to the first condition that holds; `undefined` if none does. */
function firstResponse(conditions: readonly Condition[], judged: JudgedCall): DraftResponse | undefined {
  for (const condition of conditions) {
    const draft = responses[condition](judged);
    if (draft !== undefined) return draft;
  }
  return undefined;
}

function fail({ api, operation }: Call, status: number, message: string, more?: Omit<ErrorText, 'message'>): DraftResponse {
  return createErrorResponse(api, operation, status, { message, ...more });
}

type CallerCondition = Extract<Condition, 'unauthenticated' | 'throttled' | 'forbidden' | 'unavailable'>;

/** The responses to the conditions on the caller and the server; `undefined` if the condition does not hold. */
const callerResponses: Readonly<Record<CallerCondition, (call: Call) => DraftResponse | undefined>> = {
  unauthenticated: (call) => (call.identification.kind === 'stranger' ? fail(call, 401, call.identification.reason) : undefined),

  throttled: (call) => {
    const { throttled } = call.chaos;
    if (throttled === undefined) return undefined;
    return fail(call, 429, 'Too many requests; wait for the time in Retry-After.', { headers: { 'retry-after': throttled.retryAfter } });
  },

  unavailable: (call) => {
    const { unavailable } = call.chaos;
    if (unavailable === undefined) return undefined;
    return fail(call, 503, 'This is not available at the moment; try again later.', { code: unavailable.code });
  },

  forbidden: (call) => {
    const { api, identification } = call;
    const lacking = identification.kind === 'caller' ? identification.lacking : [];
    const names = lacking.map((role) => api.contract.scopes.find((scope) => scope.role === role)?.name ?? role);
    return lacking.length === 0 ? undefined : fail(call, 403, `This key lacks the scope ${names.join(' and ')}.`);
  },
};

/** The response to each condition; `undefined` if the condition does not hold. */
const responses: Readonly<Record<Condition, (judged: JudgedCall) => DraftResponse | undefined>> = {
  unauthenticated: ({ call }) => callerResponses.unauthenticated(call),
  throttled: ({ call }) => callerResponses.throttled(call),
  unavailable: ({ call }) => callerResponses.unavailable(call),
  forbidden: ({ call }) => callerResponses.forbidden(call),

  invalid: (judged) => {
    const { call } = judged;
    const refusal = refuseInvalid(judged);
    if (refusal !== undefined || call.identification.kind === 'stranger') return refusal;
    const result = judged.read();
    return 'refused' in result ? fail(call, statusOf(call.operation, 'invalid'), result.refused) : undefined;
  },

  // A request with wrong parameters is invalid instead, since they may not name a record.
  absent: (judged) => {
    if (judged.call.identification.kind === 'stranger' || refuseInvalid(judged) !== undefined) return undefined;
    const result = judged.read();
    return 'missing' in result ? fail(judged.call, result.missing, missingMessages[result.missing]) : undefined;
  },

  unchanged: (judged) => {
    const { headers, operation } = judged.call;
    const field = headerOf(headers, 'if-none-match');
    if (field === undefined || !operation.responses.has('304')) return undefined;
    const { etag } = succeed(judged).headers;
    return etag !== undefined && matchesTag(field, etag) ? { status: 304, headers: { etag }, body: undefined } : undefined;
  },
};

/** The mistake in the body of a request, in the form of those in its parameters. */
function bodyProblems(call: Call): readonly RequestProblem[] {
  const { problem: message } = judgeRequestBody(call.operation, call);
  return message === undefined ? [] : [{ parameters: [], in: 'query', class: 'malformed', answer: 'refused', message }];
}

/** Refuses wrong parameters and a wrong body, if the operation documents a status for it. */
function refuseInvalid({ call, problems }: JudgedCall): DraftResponse | undefined {
  const status = statusOf(call.operation, 'invalid');
  const messages = problems.filter(({ answer }) => answer === 'refused').map(({ message }) => message);
  return messages.length > 0 && responseFor(call.operation, status) !== undefined ? fail(call, status, messages.join(' ')) : undefined;
}

function succeed({ call, tagPrefix, read }: JudgedCall): DraftResponse {
  const result = read();
  if (!('body' in result)) throw new Error(`${call.operation.id} found no body, and no condition of the precedence applies`);
  const headers = tagPrefix === undefined ? {} : { etag: `${tagPrefix}${strongTag(result.body)}` };
  return { status: 200, headers, body: result.body, page: result.page };
}

function readPage(listing: Listing, listRequest: ListRequest, tenant: string | undefined, dataset: Dataset): ReadResult {
  const page = listing.printPage(listRequest, tenant, dataset);
  return page === 'invalid' ? { refused: 'This page is past the end of the list.' } : (page ?? { missing: 404 });
}

function readRecord(singleRead: SingleRead, reading: RequestReading, holder: KeyHolder, dataset: Dataset): ReadResult {
  const result = singleRead(reading, holder, dataset);
  return result.kind === 'body' ? { body: result.body, page: undefined } : { missing: hiddenStatuses[result.kind] };
}

const hiddenStatuses = { absent: 404, forbidden: 403, unauthenticated: 401 } as const;

/** Messages for absent and hidden records. A record of another tenant must look like one that does not exist. */
const missingMessages = {
  401: 'Reading this record requires a key.',
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
