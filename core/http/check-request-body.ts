/** Judges the body of a request by its media type and its schema, at each request to a mock or proxy. Parameters and keys are judged elsewhere. */

import { getOrCompute } from '../memo.ts';
import type { BodySchema, Operation, RequestBodyRule } from '../openapi/operation.ts';
import { placeOfOtherDirection } from '../openapi/schema-direction.ts';
import { isSlowPattern } from '../openapi/validator.ts';
import { showPointer } from '../pointer.ts';
import { type HttpRequest, headerOf } from './exchange.ts';
import { isJsonType } from './media-type.ts';
import { type BodyReading, mediaFor, readBody } from './read-body-value.ts';

/** What a request body says about its contract. */
export interface RequestBodyJudgement {
  /** The first mistake, as a sentence: `The body at /name must be string.`; absent if there is none. */
  readonly problem?: string;
  /** Reason why the body was not compared with its schema, as a clause such as `image/png is binary`; absent if it was, or if there is nothing to compare. */
  readonly notCompared?: string;
}

/**
 * Lists the `readOnly` members in the body of a request, which servers ignore (OpenAPI 3.0 §4.7.24.2), as paths such as `owner.id`; `undefined` if the schema
 * of the body has none.
 */
export function findReadOnlyMembers(operation: Operation, request: HttpRequest): readonly string[] | undefined {
  const media = operation.requestBody === undefined ? undefined : mediaOf(operation.requestBody, request);
  if (media === undefined || placeOfOtherDirection(operation.document, media.schema) === undefined) return undefined;
  const reading = readRequestBody(media, request);
  return reading.kind === 'value' ? media.findMisdirected(reading.value).map(({ path }) => showPointer(path)) : [];
}

/** The documented content that applies to the body of a request: the first one if the request names no type, as for Prism. */
export function mediaOf({ content }: RequestBodyRule, { headers }: HttpRequest): BodySchema | undefined {
  const sentType = headerOf(headers, 'content-type');
  return sentType === undefined ? [...content.values()][0] : mediaFor(content, sentType);
}

/** Bodies that were read, since several judges ask for the same one. */
const readings = new WeakMap<HttpRequest, BodyReading>();

/** Longest JSON that is judged, in characters. Parsing one of a megabyte takes 25 ms, in which a server answers nobody else. */
const judgedMost = 1_000_000;

/** The reason why a body is too long to be judged, as a clause; `undefined` for all others. */
export function tooLongToJudge({ headers, body = '' }: HttpRequest): string | undefined {
  const isTooLong = body.length > judgedMost && isJsonType(headerOf(headers, 'content-type') ?? '');
  return isTooLong ? `it has ${body.length} characters, but JSON is only checked up to ${judgedMost}` : undefined;
}

/** Reads the body of a request, once. */
export function readRequestBody(media: BodySchema, request: HttpRequest): BodyReading {
  return getOrCompute(readings, request, () => {
    const reason = tooLongToJudge(request);
    if (reason !== undefined) return { kind: 'not-compared', reason };
    return readBody(media, headerOf(request.headers, 'content-type') ?? media.type, request.body ?? '');
  });
}

/** Judges the body of a request by its media type and its schema. */
export function judgeRequestBody({ requestBody }: Operation, request: HttpRequest): RequestBodyJudgement {
  const { headers, body = '' } = request;
  if (requestBody === undefined) return {};
  const types = [...requestBody.content.keys()].join(' or ');
  if (body === '') return requestBody.required ? { problem: `The request has no body, but it needs one of the type ${types}.` } : {};
  const sentType = headerOf(headers, 'content-type') ?? '';
  const media = mediaFor(requestBody.content, sentType);
  if (media === undefined) return { problem: `The body is of the type ${sentType || '(none)'}, but only ${types} is accepted.` };
  const reading = readRequestBody(media, request);
  if (reading.kind === 'not-compared') return { notCompared: reading.reason };
  if (reading.kind === 'broken') return { problem: `The body ${reading.problem}.` };
  try {
    const [violation] = media.validate(reading.value);
    return violation === undefined
      ? {}
      : { problem: `The body${violation.path === '' ? '' : ` at ${violation.path}`} ${violation.message}.` };
  } catch (error) {
    if (!isSlowPattern(error)) throw error;
    return { problem: `The body is not accepted: ${error.message}.` };
  }
}
