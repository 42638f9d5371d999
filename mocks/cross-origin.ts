/** Cross-origin requests (the Fetch standard's CORS protocol), so that a page under development can talk to the mock. */

import { type HttpRequest, headerOf } from '../core/exchange.ts';
import type { Message } from './answer.ts';

/** Headers that let a page of any origin read an answer. Keys travel in headers, so no credentials are involved. */
export const crossOriginHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, Allow, WWW-Authenticate, Preference-Applied, Mock-Note',
};

/** The answer to OPTIONS at a path that is there: a preflight is granted what it asks for, and any other OPTIONS is told the methods. */
export function answerOptions(request: HttpRequest, allowed: readonly string[]): Message {
  const methods = allowed.join(', ');
  const asked = headerOf(request.headers, 'access-control-request-headers');
  const preflight = {
    'access-control-allow-methods': methods,
    'access-control-max-age': '600',
    ...(asked === undefined ? {} : { 'access-control-allow-headers': asked }),
    vary: 'Access-Control-Request-Headers',
  };
  return { status: 204, headers: { allow: methods, ...preflight, ...crossOriginHeaders }, bytes: Buffer.alloc(0) };
}
