/**
 * Handles requests at one operation: with the first condition that holds, in the precedence of the contract, or with a success. `api-handler.ts` compiles
 * each operation at its first request, and passes it each uncached request; `prism-pipeline.ts` asks for its steps. `listing.ts` and `single-read.ts`
 * find the records.
 */

import type { Condition } from '../../core/annotations/annotations.ts';
import { findBodyProblem } from '../../core/http/check-request-body.ts';
import { type HttpRequest, headerOf } from '../../core/http/exchange.ts';
import { type Operation, responseFor, statusOf } from '../../core/openapi/operation.ts';
import { type RequestProblem, type RequestReading, readRequest } from '../../core/parameters/read-request.ts';
import type { ChaosDecision } from '../chaos/chaos-decision.ts';
import type { Dataset } from '../data/dataset.ts';
import type { Identification } from './caller.ts';
import { matchesTag, strongTag } from './entity-tag.ts';
import { createErrorResponse, type ErrorText } from './error-response.ts';
import type { ListedPage } from './listed-page.ts';
import { createListing, type Listing, type ListRequest } from './listing.ts';
import type { Answer } from './prepare-response.ts';
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
  /** The answer by the annotations of the operation. */
  answer(): Answer;
  /** Does slow work for the answer, such as a search, while the mock answers other requests; `undefined` if there is none. Called before `answer`. */
  prepare(): Promise<void> | undefined;
  /** The answer that refuses the request for its key, scopes, limit, outage or parameters; `undefined` if it is accepted. */
  refusal(): Answer | undefined;
}

/** The behaviour of one operation, compiled once. */
export interface OperationHandler {
  /** True if an annotation defines the answer (`x-collection`, `x-resource`); without one, accepted requests get an example. */
  readonly definesAnswer: boolean;
  readonly call: (input: CallInput) => OperationCall;
}

/** Compiles an operation. */
export function createOperationHandler(api: ServedApi, operation: Operation): OperationHandler {
  const { collection, resource } = operation;
  const listing = collection === undefined ? undefined : createListing(api, operation, collection);
  const read = resource === undefined ? undefined : createSingleRead(api, operation, resource);
  const tagPrefix = tagPrefixOf(operation);
  return {
    definesAnswer: listing !== undefined || read !== undefined,
    call: (input) => new EvaluatedCall({ api, operation, listing, read, tagPrefix }, input),
  };
}

/** An operation with its compiled list or single read. */
interface OperationParts {
  readonly api: ServedApi;
  readonly operation: Operation;
  readonly listing: Listing | undefined;
  readonly read: SingleRead | undefined;
  readonly tagPrefix: '' | 'W/' | undefined;
}

/** A request with its path segments, instant, key and chaos. */
export interface CallInput {
  readonly request: HttpRequest;
  readonly segments: ReadonlyMap<string, string>;
  readonly nowMs: number;
  readonly identification: Identification;
  /** Rate limit and outage; they are conditions of the precedence. */
  readonly chaos?: ChaosDecision;
}

/** One request at one operation. The outcome of its read is shared by all conditions. */
class EvaluatedCall implements OperationCall {
  private readonly api: ServedApi;
  readonly operation: Operation;
  private readonly request: HttpRequest;
  private readonly dataset: Dataset;
  private readonly chaos: ChaosDecision;
  private readonly listing: Listing | undefined;
  private readonly read: SingleRead | undefined;
  private readonly tagPrefix: '' | 'W/' | undefined;
  readonly identification: Identification;
  readonly reading: RequestReading;
  readonly problems: readonly RequestProblem[];
  private readonly tenant: string;
  private readonly list: ListRequest | undefined;
  private outcome:
    | { readonly body: Buffer; readonly page: ListedPage | undefined }
    | { readonly missing: 401 | 403 | 404 }
    | { readonly refused: string }
    | undefined;

  constructor(
    { api, operation, listing, read, tagPrefix }: OperationParts,
    { request, segments, nowMs, identification, chaos = {} }: CallInput,
  ) {
    this.api = api;
    this.operation = operation;
    this.request = request;
    this.dataset = api.dataset.at(nowMs);
    this.listing = listing;
    this.read = read;
    this.tagPrefix = tagPrefix;
    this.identification = identification;
    this.chaos = chaos;
    this.reading = readRequest(operation, request, segments);
    this.tenant = this.identification.kind === 'caller' ? this.identification.holder.tenant : '';
    this.list = listing?.read(this.reading, this.tenant);
    const inList = this.list?.problems ?? [];
    this.problems = inList.length === 0 ? this.reading.problems : [...this.reading.problems, ...inList];
  }

  answer(): Answer {
    for (const condition of this.api.contract.precedence) {
      const answer = this.answerTo(condition);
      if (answer !== undefined) return answer;
    }
    return this.success();
  }

  prepare(): Promise<void> | undefined {
    const prepare = this.listing?.prepare;
    if (prepare === undefined || this.list === undefined || this.refusal() !== undefined) return undefined;
    return prepare(this.list, this.tenant, this.dataset);
  }

  refusal(): Answer | undefined {
    return this.unauthenticated() ?? this.throttled() ?? this.forbidden() ?? this.unavailable() ?? this.refusedParameters();
  }

  /** The answer of a condition; `undefined` if the condition does not hold. */
  private answerTo(condition: Condition): Answer | undefined {
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

  private unauthenticated(): Answer | undefined {
    return this.identification.kind === 'stranger' ? this.fail(401, this.identification.reason) : undefined;
  }

  private throttled(): Answer | undefined {
    const { throttled } = this.chaos;
    if (throttled === undefined) return undefined;
    return this.fail(429, 'Too many requests; wait as long as Retry-After says.', { headers: { 'retry-after': throttled.retryAfter } });
  }

  private unavailable(): Answer | undefined {
    const { unavailable } = this.chaos;
    if (unavailable === undefined) return undefined;
    return this.fail(503, 'This is not available at the moment; try again later.', { code: unavailable.code });
  }

  private forbidden(): Answer | undefined {
    const lacking = this.identification.kind === 'caller' ? this.identification.lacking : [];
    const names = lacking.map((role) => this.api.contract.scopes.find((scope) => scope.role === role)?.name ?? role);
    return lacking.length === 0 ? undefined : this.fail(403, `This key lacks the scope ${names.join(' and ')}.`);
  }

  private invalid(): Answer | undefined {
    const refusal = this.refusedParameters();
    if (refusal !== undefined || this.identification.kind === 'stranger') return refusal;
    const found = this.find();
    return 'refused' in found ? this.fail(statusOf(this.operation, 'invalid'), found.refused) : undefined;
  }

  /** Refuses wrong parameters if the operation documents a status for it, and an unreadable body in any case. */
  private refusedParameters(): Answer | undefined {
    const status = statusOf(this.operation, 'invalid');
    const refused = this.problems.filter(({ answer }) => answer === 'refused').map(({ message }) => message);
    if (refused.length > 0 && responseFor(this.operation, status) !== undefined) return this.fail(status, refused.join(' '));
    const problem = findBodyProblem(this.operation, this.request);
    return problem === undefined ? undefined : this.fail(status, problem);
  }

  /** Answers that a record is absent. A request with wrong parameters is invalid instead, since they may not name a record. */
  private absent(): Answer | undefined {
    if (this.identification.kind === 'stranger' || this.refusedParameters() !== undefined) return undefined;
    const found = this.find();
    return 'missing' in found ? this.fail(found.missing, missingMessages[found.missing]) : undefined;
  }

  private unchanged(): Answer | undefined {
    const field = headerOf(this.request.headers, 'if-none-match');
    if (field === undefined || !this.operation.responses.has('304')) return undefined;
    const { etag } = this.success().headers;
    return etag !== undefined && matchesTag(field, etag) ? { status: 304, headers: { etag }, body: undefined } : undefined;
  }

  private success(): Answer {
    const found = this.find();
    if (!('body' in found)) throw new Error(`${this.operation.id} found no body, and no condition of the precedence applies`);
    const { tagPrefix } = this;
    const headers = tagPrefix === undefined ? {} : { etag: `${tagPrefix}${strongTag(found.body)}` };
    return { status: 200, headers, body: found.body, page: found.page };
  }

  /** Reads the page or record of the request, once. */
  private find(): NonNullable<typeof this.outcome> {
    this.outcome ??= this.list === undefined ? this.findOne() : this.findPage(this.list);
    return this.outcome;
  }

  private findPage(list: ListRequest): NonNullable<typeof this.outcome> {
    const isEmpty = this.problems.some((problem) => problem.answer === 'empty');
    const page = this.listing?.answer(list, isEmpty ? undefined : this.tenant, this.dataset);
    if (page === 'invalid') return { refused: 'This page lies past the end of the list.' };
    return page ?? { missing: 404 };
  }

  private findOne(): NonNullable<typeof this.outcome> {
    const { identification } = this;
    const isEmpty = this.problems.some((problem) => problem.answer === 'empty');
    if (identification.kind === 'stranger' || this.read === undefined || isEmpty) return { missing: 404 };
    const found = this.read(this.reading, identification.holder, this.dataset);
    return found.kind === 'body' ? { body: found.body, page: undefined } : { missing: hiddenStatuses[found.kind] };
  }

  private fail(status: number, message: string, more: Omit<ErrorText, 'message'> = {}): Answer {
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
