/** Judges JSON bodies by the one reading of the contract, in the form of Prism's other results. */

import type { IPrismDiagnostic } from '@stoplight/prism-core';
import { type HttpRequest, headerOf } from '../../../core/http/exchange.ts';
import { documentedTypeOf, isJsonType } from '../../../core/http/media-type.ts';
import { isTooDeep, maxNesting, readJson } from '../../../core/json.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { isSlowPattern } from '../../../core/openapi/validator.ts';
import { fromPointer } from '../../../core/pointer.ts';

/** The mistakes in a JSON body; none for other bodies, which Prism judges. */
export function judgeBody({ requestBody }: Operation, { headers, body = '' }: HttpRequest): readonly IPrismDiagnostic[] {
  const sentType = headerOf(headers, 'content-type') ?? '';
  if (requestBody === undefined || body === '' || !isJsonType(sentType)) return [];
  const documentedType = documentedTypeOf([...requestBody.content.keys()], sentType);
  const content = documentedType === undefined ? undefined : requestBody.content.get(documentedType);
  if (content === undefined) return [];
  const value = readJson(body);
  if (value === undefined)
    return [wrong('parse', [], isTooDeep(body) ? `Request body is nested deeper than ${maxNesting} levels` : 'Request body is not JSON')];
  try {
    return content.validate(value).map(({ path, keyword, message }) => {
      const keys = fromPointer(path);
      return wrong(keyword, keys, `Request body ${keys.length === 0 ? '' : `property ${keys.join('.')} `}${message}`);
    });
  } catch (error) {
    if (!isSlowPattern(error)) throw error;
    return [wrong('pattern', [], `Request body is not accepted: ${error.message}`)];
  }
}

function wrong(code: string, keys: readonly string[], message: string): IPrismDiagnostic {
  return { code, path: ['body', ...keys], message, severity: 0 };
}
