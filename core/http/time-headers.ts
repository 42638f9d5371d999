/** Headers of responses about times: the pause of Retry-After (RFC 9110 §10.2.3), and HTTP dates. Nobody waits here. */

import { type HttpResponse, headerOf } from './exchange.ts';

/**
 * The pause that the Retry-After of a response asks for, in milliseconds; `undefined` if it is missing or malformed. A date is compared with the clock of the
 * server, since ours may be wrong.
 */
export function readRetryAfter({ headers }: HttpResponse): number | undefined {
  const field = headerOf(headers, 'retry-after')?.trim();
  if (field === undefined) return undefined;
  if (/^\d+$/.test(field)) return Number(field) * 1000;
  const until = parseHttpDate(field);
  const now = parseHttpDate(headerOf(headers, 'date') ?? '');
  return until === undefined || now === undefined ? undefined : Math.max(0, until - now);
}

/** Reads an IMF-fixdate (RFC 9110 §5.6.7) as milliseconds since 1970; `undefined` for anything else. */
export function parseHttpDate(text: string): number | undefined {
  const isFixdate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text.trim());
  const milliseconds = isFixdate ? Date.parse(text) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
