/**
 * Status codes with their names, which not everyone knows by heart. `render-terminal.ts`, `render-markdown.ts`, `render-html.ts` and `block-lines.ts` call it for
 * each response that a report shows. It judges no status.
 */

import { STATUS_CODES } from 'node:http';
import type { HttpResponse } from '../core/http/exchange.ts';

/** Describes the status of a response: `422 Unprocessable Entity`; the number alone if it has no name. */
export function describeStatus({ status }: Pick<HttpResponse, 'status'>): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}
