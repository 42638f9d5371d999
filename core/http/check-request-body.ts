import { isTooDeep, maxNesting, readJson } from '../json.ts';
import type { Operation } from '../openapi/operation.ts';
import { placeOfOtherDirection } from '../openapi/schema-direction.ts';
import { isSlowPattern, type Validator } from '../openapi/validator.ts';
import { showPointer } from '../pointer.ts';
import { type HttpRequest, headerOf } from './exchange.ts';
import { documentedTypeOf, isJsonType } from './media-type.ts';

/**
 * Returns the first mistake in the body of a request as a sentence: `The body at /name must be string.`; `undefined` if there is none. For content other
 * than JSON, only the media type is checked.
 */
export function findRequestBodyProblem({ requestBody }: Operation, { headers, body = '' }: HttpRequest): string | undefined {
  if (requestBody === undefined) return undefined;
  const types = [...requestBody.content.keys()];
  if (body === '') return requestBody.required ? `The request has no body, and it needs one of the type ${types.join(' or ')}.` : undefined;
  const sentType = headerOf(headers, 'content-type') ?? '';
  const documentedType = documentedTypeOf(types, sentType);
  if (documentedType === undefined) return `The body is of the type ${sentType || '(none)'}, and only ${types.join(' or ')} is accepted.`;
  if (!isJsonType(sentType)) return undefined;
  const content = requestBody.content.get(documentedType);
  return content === undefined ? undefined : findJsonProblem(content, body);
}

/**
 * Lists the `readOnly` members in the JSON body of a request, which servers ignore (OpenAPI 3.0 §4.7.24.2), as paths such as `owner.id`; `undefined` if
 * the schema of the body has none.
 */
export function findReadOnlyMembers(
  { document, requestBody }: Operation,
  { headers, body = '' }: HttpRequest,
): readonly string[] | undefined {
  const sentType = headerOf(headers, 'content-type') ?? '';
  const documentedType = isJsonType(sentType) ? documentedTypeOf([...(requestBody?.content.keys() ?? [])], sentType) : undefined;
  const content = documentedType === undefined ? undefined : requestBody?.content.get(documentedType);
  if (content === undefined || placeOfOtherDirection(document, content.schema) === undefined) return undefined;
  const value = readJson(body);
  return value === undefined ? [] : content.findMisdirected(value).map(({ path }) => showPointer(path));
}

function findJsonProblem({ validate }: { readonly validate: Validator }, body: string): string | undefined {
  const value = readJson(body);
  if (value === undefined) return isTooDeep(body) ? `The body is nested deeper than ${maxNesting} levels.` : 'The body is not JSON.';
  try {
    const [violation] = validate(value);
    return violation === undefined ? undefined : `The body${violation.path === '' ? '' : ` at ${violation.path}`} ${violation.message}.`;
  } catch (error) {
    if (!isSlowPattern(error)) throw error;
    return `The body is not accepted: ${error.message}.`;
  }
}
