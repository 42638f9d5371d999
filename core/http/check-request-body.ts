/** Judges the body of a request by its media type and its schema, at each request to a mock or proxy. Parameters and keys are judged elsewhere. */

import type { Operation } from '../openapi/operation.ts';
import { placeOfOtherDirection } from '../openapi/schema-direction.ts';
import { isSlowPattern } from '../openapi/validator.ts';
import { showPointer } from '../pointer.ts';
import { type HttpRequest, headerOf } from './exchange.ts';
import { mediaFor, readBody } from './read-body.ts';

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
export function findReadOnlyMembers(
  { document, requestBody }: Operation,
  { headers, body = '' }: HttpRequest,
): readonly string[] | undefined {
  const sentType = headerOf(headers, 'content-type') ?? '';
  const media = requestBody === undefined ? undefined : mediaFor(requestBody.content, sentType);
  if (media === undefined || placeOfOtherDirection(document, media.schema) === undefined) return undefined;
  const reading = readBody(media, sentType, body);
  return reading.kind === 'value' ? media.findMisdirected(reading.value).map(({ path }) => showPointer(path)) : [];
}

/** Judges the body of a request by its media type and its schema. */
export function judgeRequestBody({ requestBody }: Operation, { headers, body = '' }: HttpRequest): RequestBodyJudgement {
  if (requestBody === undefined) return {};
  const types = [...requestBody.content.keys()].join(' or ');
  if (body === '') return requestBody.required ? { problem: `The request has no body, and it needs one of the type ${types}.` } : {};
  const sentType = headerOf(headers, 'content-type') ?? '';
  const media = mediaFor(requestBody.content, sentType);
  if (media === undefined) return { problem: `The body is of the type ${sentType || '(none)'}, and only ${types} is accepted.` };
  const reading = readBody(media, sentType, body);
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
