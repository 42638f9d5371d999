/** When a target says to come back (RFC 9110 §10.2.3). */

import { type HttpResponse, headerOf } from '../core/exchange.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The milliseconds that the Retry-After of an answer asks to wait, counted by the server's own clock, since ours may be wrong.
 * `undefined` when there is none, or none that can be read.
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
  const match = /^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/.exec(text.trim());
  if (match === null) return undefined;
  const [, day, month = '', year, hour, minute, second] = match;
  const index = months.indexOf(month);
  if (index < 0) return undefined;
  return Date.UTC(Number(year), index, Number(day), Number(hour), Number(minute), Number(second));
}
