/**
 * Status codes with their names, which not every reader of a report knows by heart. `render-terminal.ts`, `render-markdown.ts` and `render-html.ts` call it
 * when they show a response. It judges no status.
 */

import { STATUS_CODES } from 'node:http';
import type { HttpResponse } from '../core/http/exchange.ts';

/** Describes the status of a response: `422 Unprocessable Entity`; the number alone if it has no name. */
export function describeStatus({ status }: Pick<HttpResponse, 'status'>): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}
