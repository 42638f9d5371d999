import { STATUS_CODES } from 'node:http';
import type { HttpResponse } from '../core/http/exchange.ts';

/** Describes the status of a response: `422 Unprocessable Entity`, or the number alone if it has no name. */
export function describeStatus({ status }: Pick<HttpResponse, 'status'>): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}
