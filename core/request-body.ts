/** Reading the body of a request against what its operation documents. */

import { type HttpRequest, headerOf } from './exchange.ts';
import { depthMost, isTooDeep, readJson } from './json.ts';
import type { Operation } from './operation.ts';
import { isJsonType, matchesType } from './response.ts';

/**
 * What is wrong with the body of a request, as a sentence with a JSON Pointer: `The body at /name must be string.`; `undefined` when nothing is. Of content
 * that is no JSON nothing more is known than its type.
 */
export function findBodyProblem({ requestBody }: Operation, { headers, body = '' }: HttpRequest): string | undefined {
  if (requestBody === undefined) return undefined;
  const types = [...requestBody.content.keys()];
  if (body === '') return requestBody.required ? `The request has no body, and it needs one of the type ${types.join(' or ')}.` : undefined;
  const given = headerOf(headers, 'content-type') ?? '';
  const documented = types.find((type) => matchesType(type, given));
  if (documented === undefined) return `The body is of the type ${given || '(none)'}, and only ${types.join(' or ')} is accepted.`;
  if (!isJsonType(given)) return undefined;
  const value = readJson(body);
  if (value === undefined) return isTooDeep(body) ? `The body is nested deeper than ${depthMost} levels.` : 'The body is not JSON.';
  const [violation] = requestBody.content.get(documented)?.validate(value) ?? [];
  return violation === undefined ? undefined : `The body${violation.path === '' ? '' : ` at ${violation.path}`} ${violation.message}.`;
}
