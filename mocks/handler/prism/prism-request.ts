/** Converts a request to the form that Prism reads. */

import type { IHttpRequest } from '@stoplight/prism-http/dist/types.js';
import { getOrCompute } from '../../../core/memo.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import { decodeOrKeep, encodeText, type RawPair } from '../../../core/parameters/query-string.ts';
import type { ReceivedRequest } from '../call.ts';
import { withCredentials } from './security.ts';

/** A request as Prism reads it, with its credentials in the form that Prism knows. */
export function toPrismRequest({ method, path, pairs, headers, body = '' }: ReceivedRequest, operation: Operation): IHttpRequest {
  const fields = Object.entries(withCredentials(headers, operation)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')] as const],
  );
  return {
    method: method.toLowerCase() as IHttpRequest['method'],
    url: { path: path.includes('%') ? path.split('/').map(asDecodable).join('/') : path, query: valuesOf(pairs) },
    headers: { ...Object.fromEntries(fields), 'content-length': String(Buffer.byteLength(body)) },
    // Prism only judges whether there is a body, and would take an empty text for one.
    ...(body === '' ? {} : { body: 'present' }),
  };
}

/** A segment of a path that Prism can decode: one with a broken escape is taken as it is. */
function asDecodable(segment: string): string {
  return segment.includes('%') && decodeOrKeep(segment, false) === segment ? encodeText(segment) : segment;
}

/** The values of a query by name; a list for a name that is repeated. */
function valuesOf(pairs: readonly RawPair[]): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) getOrCompute(values, name, () => []).push(decodeOrKeep(value));
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all]));
}
