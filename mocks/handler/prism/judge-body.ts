/**
 * Judges the body of a request by Touchstone's own validators in place of Prism's, and gives the mistakes Prism's form. A body that is missing or of another
 * type is left to Prism.
 */

import type { IPrismDiagnostic } from '@stoplight/prism-core';
import { mediaOf, readRequestBody } from '../../../core/http/check-request-body.ts';
import type { HttpRequest } from '../../../core/http/exchange.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { isSlowPattern } from '../../../core/openapi/validator.ts';
import { fromPointer } from '../../../core/pointer.ts';

/** The mistakes in a body. A body that is missing or of another type is judged by Prism. */
export function judgeBody({ requestBody }: Operation, request: HttpRequest): readonly IPrismDiagnostic[] {
  const media = requestBody === undefined || request.body === undefined || request.body === '' ? undefined : mediaOf(requestBody, request);
  const reading = media === undefined ? undefined : readRequestBody(media, request);
  if (media === undefined || reading === undefined || reading.kind === 'not-compared') return [];
  if (reading.kind === 'broken') return [wrong('parse', [], `Request body ${reading.problem}`)];
  try {
    return media.validate(reading.value).map(({ path, keyword, message }) => {
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
