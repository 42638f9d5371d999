/** Converts a request to the form that Prism reads. */

import type { IHttpRequest } from '@stoplight/prism-http/dist/types.js';
import { type HttpRequest, splitTarget } from '../../../core/http/exchange.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { withCredentials } from './security.ts';
import { shortenParts } from './shorten-parts.ts';

/** A request as Prism reads it, with its credentials in the form that Prism knows. */
export function toPrismRequest({ method, target, headers, body = '' }: HttpRequest, operation: Operation): IHttpRequest {
  const { path, query } = splitTarget(target);
  const fields = Object.entries(withCredentials(headers, operation)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')] as const],
  );
  return {
    method: method.toLowerCase() as IHttpRequest['method'],
    url: { path, query: valuesOf(query) },
    headers: { ...Object.fromEntries(fields), 'content-length': String(Buffer.byteLength(body)) },
    // Prism takes an empty text for a body.
    ...(body === '' ? {} : { body: shortenParts(body, String(headers['content-type'] ?? '')) }),
  };
}

/** The values of a query by name; a list for a name that is repeated. */
function valuesOf(query: string): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  const parameters = new URLSearchParams(query);
  for (const name of new Set(parameters.keys())) {
    const [first = '', ...rest] = parameters.getAll(name);
    values[name] = rest.length === 0 ? first : [first, ...rest];
  }
  return values;
}
