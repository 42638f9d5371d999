/** What the mock answers, before it becomes bytes. */

import type { HttpResponse } from '../core/exchange.ts';
import { type Body, printBody } from './json-text.ts';

/** An answer of the mock. */
export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` for an answer without a body. */
  readonly body: Body | undefined;
}

/** The answer as it goes to the client. A body is JSON in UTF-8, of the type that its headers name. */
export function toResponse(answer: Answer): HttpResponse {
  if (answer.body === undefined) return { status: answer.status, headers: answer.headers, body: '' };
  const type = (answer.headers['content-type'] ?? 'application/json').split(';')[0];
  return {
    status: answer.status,
    headers: { ...answer.headers, 'content-type': `${type}; charset=utf-8` },
    body: printBody(answer.body),
  };
}
