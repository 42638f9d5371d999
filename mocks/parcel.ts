/** Answers packed for the socket: every header, and the bytes. A kept answer is packed once. */

import type { HttpRequest, HttpResponse } from '../core/exchange.ts';
import { acceptsGzip, encodeResponse } from './content-coding.ts';
import { crossOriginHeaders } from './cross-origin.ts';
import { toNodeHeaders } from './refusal.ts';
import type { Reply } from './visit.ts';

/** An answer as it is to be sent. */
export interface Parcel {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  /** The headers as Node takes them. */
  readonly fields: Record<string, string | string[]>;
  /** `undefined` for an answer without a body, which can come late but neither slowly nor in part. */
  readonly bytes: Buffer | undefined;
}

/** Parcels of kept answers, by what of the request they depend on. */
const parcels = new WeakMap<HttpResponse, Map<string, Parcel>>();

/** Packs an answer for whoever asked for it. */
export function pack(request: HttpRequest, response: Reply): Parcel {
  const { kept } = response;
  if (kept === undefined) return packAnew(request, response);
  const known = parcels.get(kept) ?? new Map<string, Parcel>();
  parcels.set(kept, known);
  const kind = `${request.method === 'HEAD'} ${acceptsGzip(request)}`;
  const parcel = known.get(kind) ?? packAnew(request, response);
  known.set(kind, parcel);
  return parcel;
}

function packAnew(request: HttpRequest, response: HttpResponse): Parcel {
  const { status, headers, bytes } = encodeResponse(request, { ...response, headers: { ...response.headers, ...crossOriginHeaders } });
  const hasBody = status !== 204 && status !== 304;
  const all = hasBody ? { ...headers, 'content-length': String(bytes.length) } : headers;
  return {
    status,
    headers: all,
    fields: toNodeHeaders(all),
    bytes: hasBody && request.method !== 'HEAD' ? bytes : undefined,
  };
}
