/**
 * Handles requests at one operation: with the first condition that holds, in the precedence of the contract, or with a success. `api-handler.ts` compiles each
 * operation at its first uncached request, and passes it each such request; `prism-pipeline.ts` reads the problems of each one. `listing.ts` and
 * `single-read.ts` find the records.
 */

import type { Condition } from '../../core/annotations/annotations.ts';
import { findRequestBodyProblem } from '../../core/http/check-request-body.ts';
import { type HttpRequest, headerOf } from '../../core/http/exchange.ts';
import { type Operation, responseFor, statusOf } from '../../core/openapi/operation.ts';
import { type RequestProblem, type RequestReading, readRequest } from '../../core/parameters/read-request-parameters.ts';
import type { ChaosDecision } from '../chaos/chaos-decision-types.ts';
import type { Dataset } from '../data/dataset.ts';
import type { Identification } from './caller.ts';
import { createErrorResponse, type ErrorText } from './create-and-read-error-response.ts';
import { matchesTag, strongTag } from './entity-tag.ts';
import type { ListedPage } from './listed-page.ts';
import { createListing, type Listing, type ListRequest } from './listing.ts';
import type { DraftResponse } from './prepare-response.ts';
import type { ServedApi } from './served-api.ts';
import { createSingleRead, type SingleRead } from './single-read.ts';

/** A request at an operation. `prism-pipeline.ts` and `api-handler.ts` call its steps. */
export interface OperationCall {
  readonly operation: Operation;
  /** Caller, by the key of the request. */
  readonly identification: Identification;
  /** The parameters, and their problems. */
  readonly reading: RequestReading;
  /** Problems of the request, including its cursor. */
  readonly problems: readonly RequestProblem[];
  /** Responds by the annotations of the operation. */
  respond(): DraftResponse;
  /** Does the slow text search of a list, while the mock responds to other requests; `undefined` without one. Called before `respond`. */
  prepare(): Promise<void> | undefined;
  /** The response that refuses the request for its key, scopes, limit, outage or parameters; `undefined` if it is accepted. */
  refusal(): DraftResponse | undefined;
}

/** The behaviour of one operation, compiled once. */
export interface OperationHandler {
  /** True if an annotation defines the response (`x-collection`, `x-resource`); without one, accepted requests get an example. */
  readonly definesResponse: boolean;
  readonly call: (input: CallInput) => OperationCall;
}

/** Compiles an operation. */
export function createOperationHandler(api: ServedApi, operation: Operation): OperationHandler {
  const { collection, resource } = operation;
  const listing = collection === undefined ? undefined : createListing(api, operation, collection);
  const singleRead = resource === undefined ? undefined : createSingleRead(api, operation, resource);
  const tagPrefix = tagPrefixOf(operation);
  return {
    definesResponse: listing !== undefined || singleRead !== undefined,
    call: (input) => new EvaluatedCall({ api, operation, listing, singleRead, tagPrefix }, input),
  };
}

/** An operation with its compiled list or single read. */
interface OperationParts {
  readonly api: ServedApi;
  readonly operation: Operation;
  readonly listing: Listing | undefined;
  readonly singleRead: SingleRead | undefined;
  readonly tagPrefix: '' | 'W/' | undefined;
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

/** One request at one operation. All conditions share the result of its read. */
class EvaluatedCall implements OperationCall {
  private readonly api: ServedApi;
  readonly operation: Operation;
  private readonly request: HttpRequest;
  private readonly dataset: Dataset;
  private readonly chaos: ChaosDecision;
  private readonly listing: Listing | undefined;
  private readonly singleRead: SingleRead | undefined;
  private readonly tagPrefix: '' | 'W/' | undefined;
  readonly identification: Identification;
  readonly reading: RequestReading;
  readonly problems: readonly RequestProblem[];
  private readonly tenant: string;
  private readonly listRequest: ListRequest | undefined;
  private readResult:
    | { readonly body: Buffer; readonly page: ListedPage | undefined }
    | { readonly missing: 401 | 403 | 404 }
    | { readonly refused: string }
    | undefined;

  constructor(
    { api, operation, listing, singleRead, tagPrefix }: OperationParts,
    { request, segments, nowMs, identification, chaos = {} }: CallInput,
  ) {
    this.api = api;
    this.operation = operation;
    this.request = request;
    this.dataset = api.dataset.at(nowMs);
    this.listing = listing;
    this.singleRead = singleRead;
    this.tagPrefix = tagPrefix;
    this.identification = identification;
    this.chaos = chaos;
    this.reading = readRequest(operation, request, segments);
    this.tenant = this.identification.kind === 'caller' ? this.identification.holder.tenant : '';
    this.listRequest = listing?.readRequest(this.reading, this.tenant);
    const cursorProblems = this.listRequest?.problems ?? [];
    this.problems = cursorProblems.length === 0 ? this.reading.problems : [...this.reading.problems, ...cursorProblems];
  }

  respond(): DraftResponse {
    for (const condition of this.api.contract.precedence) {
      const draft = this.responseTo(condition);
      if (draft !== undefined) return draft;
    }
    return this.success();
  }

  prepare(): Promise<void> | undefined {
    const prepare = this.listing?.prepare;
    if (prepare === undefined || this.listRequest === undefined || this.refusal() !== undefined) return undefined;
    return prepare(this.listRequest, this.tenant, this.dataset);
  }

  refusal(): DraftResponse | undefined {
    return this.unauthenticated() ?? this.throttled() ?? this.forbidden() ?? this.unavailable() ?? this.refusedParameters();
  }

  /** The response to a condition; `undefined` if the condition does not hold. */
  private responseTo(condition: Condition): DraftResponse | undefined {
    switch (condition) {
      case 'unauthenticated':
        return this.unauthenticated();
      case 'throttled':
        return this.throttled();
      case 'forbidden':
        return this.forbidden();
      case 'unavailable':
        return this.unavailable();
      case 'invalid':
        return this.invalid();
      case 'absent':
        return this.absent();
      case 'unchanged':
        return this.unchanged();
    }
  }

  private unauthenticated(): DraftResponse | undefined {
    return this.identification.kind === 'stranger' ? this.fail(401, this.identification.reason) : undefined;
  }

  private throttled(): DraftResponse | undefined {
    const { throttled } = this.chaos;
    if (throttled === undefined) return undefined;
    return this.fail(429, 'Too many requests; wait as long as Retry-After says.', { headers: { 'retry-after': throttled.retryAfter } });
  }

  private unavailable(): DraftResponse | undefined {
    const { unavailable } = this.chaos;
    if (unavailable === undefined) return undefined;
    return this.fail(503, 'This is not available at the moment; try again later.', { code: unavailable.code });
  }

  private forbidden(): DraftResponse | undefined {
    const lacking = this.identification.kind === 'caller' ? this.identification.lacking : [];
    const names = lacking.map((role) => this.api.contract.scopes.find((scope) => scope.role === role)?.name ?? role);
    return lacking.length === 0 ? undefined : this.fail(403, `This key lacks the scope ${names.join(' and ')}.`);
  }

  private invalid(): DraftResponse | undefined {
    const refusal = this.refusedParameters();
    if (refusal !== undefined || this.identification.kind === 'stranger') return refusal;
    const result = this.readOnce();
    return 'refused' in result ? this.fail(statusOf(this.operation, 'invalid'), result.refused) : undefined;
  }

  /** Refuses wrong parameters if the operation documents a status for it, and an unreadable body in any case. */
  private refusedParameters(): DraftResponse | undefined {
    const status = statusOf(this.operation, 'invalid');
    const messages = this.problems.filter(({ answer }) => answer === 'refused').map(({ message }) => message);
    if (messages.length > 0 && responseFor(this.operation, status) !== undefined) return this.fail(status, messages.join(' '));
    const bodyProblem = findRequestBodyProblem(this.operation, this.request);
    return bodyProblem === undefined ? undefined : this.fail(status, bodyProblem);
  }

  /** Responds that a record is absent. A request with wrong parameters is invalid instead, since they may not name a record. */
  private absent(): DraftResponse | undefined {
    if (this.identification.kind === 'stranger' || this.refusedParameters() !== undefined) return undefined;
    const result = this.readOnce();
    return 'missing' in result ? this.fail(result.missing, missingMessages[result.missing]) : undefined;
  }

  private unchanged(): DraftResponse | undefined {
    const field = headerOf(this.request.headers, 'if-none-match');
    if (field === undefined || !this.operation.responses.has('304')) return undefined;
    const { etag } = this.success().headers;
    return etag !== undefined && matchesTag(field, etag) ? { status: 304, headers: { etag }, body: undefined } : undefined;
  }

  private success(): DraftResponse {
    const result = this.readOnce();
    if (!('body' in result)) throw new Error(`${this.operation.id} found no body, and no condition of the precedence applies`);
    const { tagPrefix } = this;
    const headers = tagPrefix === undefined ? {} : { etag: `${tagPrefix}${strongTag(result.body)}` };
    return { status: 200, headers, body: result.body, page: result.page };
  }

  /** Reads the page or record of the request, once. */
  private readOnce(): NonNullable<typeof this.readResult> {
    this.readResult ??= this.listRequest === undefined ? this.readRecord() : this.readPage(this.listRequest);
    return this.readResult;
  }

  private readPage(listRequest: ListRequest): NonNullable<typeof this.readResult> {
    const isEmpty = this.problems.some((problem) => problem.answer === 'empty');
    const page = this.listing?.printPage(listRequest, isEmpty ? undefined : this.tenant, this.dataset);
    if (page === 'invalid') return { refused: 'This page lies past the end of the list.' };
    return page ?? { missing: 404 };
  }

  private readRecord(): NonNullable<typeof this.readResult> {
    const { identification } = this;
    const isEmpty = this.problems.some((problem) => problem.answer === 'empty');
    if (identification.kind === 'stranger' || this.singleRead === undefined || isEmpty) return { missing: 404 };
    const result = this.singleRead(this.reading, identification.holder, this.dataset);
    return result.kind === 'body' ? { body: result.body, page: undefined } : { missing: hiddenStatuses[result.kind] };
  }

  private fail(status: number, message: string, more: Omit<ErrorText, 'message'> = {}): DraftResponse {
    return createErrorResponse(this.api, this.operation, status, { message, ...more });
  }
}

const hiddenStatuses = { absent: 404, forbidden: 403, unauthenticated: 401 } as const;

/** Messages for absent and hidden records. A record of another tenant must look like one that does not exist. */
const missingMessages = {
  401: 'This record needs a key that may read it.',
  403: 'This key may not read this record.',
  404: 'No record matches this request.',
} as const;

/** The prefix of ETags: none for strong ones, `W/` if the contract allows weak ones only. `undefined` if the operation documents no ETag. */
function tagPrefixOf(operation: Operation): '' | 'W/' | undefined {
  const header = responseFor(operation, 200)?.headers.find(({ name }) => name === 'etag');
  if (header === undefined) return undefined;
  return header.parameter.validate(strongTag(Buffer.alloc(0))).length === 0 ? '' : 'W/';
}
