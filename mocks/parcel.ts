/** Answers packed for the socket: every header, and the bytes. A kept answer is packed once. */

import type { HttpRequest } from '../core/exchange.ts';
import type { Message } from './answer.ts';
import { acceptsGzip, encodeContent } from './content-coding.ts';
import { crossOriginHeaders } from './cross-origin.ts';
import type { Lease } from './lease.ts';
import { toNodeHeaders } from './refusal.ts';
import type { Reply } from './visit.ts';

/** An answer as it is to be sent. */
export interface Parcel {
  readonly status: number;
  /** The headers, as Node takes them. */
  readonly fields: Record<string, string | string[]>;
  /** `undefined` for an answer without a body, which can come late but neither slowly nor in part. */
  readonly bytes: Buffer | undefined;
  /** Who uses these bytes, where their memory is used again. */
  readonly lease?: Lease | undefined;
}

/** Parcels of kept answers, by what of the request they depend on. */
const parcels = new WeakMap<Message, Map<string, Parcel>>();

/** Packs an answer for whoever asked for it. */
export function pack(request: HttpRequest, reply: Reply): Parcel {
  const { kept } = reply;
  if (kept === undefined) return packAnew(request, reply);
  const known = parcels.get(kept) ?? new Map<string, Parcel>();
  parcels.set(kept, known);
  const kind = `${request.method === 'HEAD'} ${acceptsGzip(request)}`;
  const parcel = known.get(kind) ?? packAnew(request, reply);
  known.set(kind, parcel);
  return parcel;
}

function packAnew(request: HttpRequest, message: Message): Parcel {
  const { status, headers, bytes } = encodeContent(request, message);
  const hasBody = status !== 204 && status !== 304;
  const fields = Object.assign(toNodeHeaders(headers), crossOriginHeaders);
  if (hasBody) fields['content-length'] = String(bytes.length);
  const isSent = hasBody && request.method !== 'HEAD';
  return { status, fields, bytes: isSent ? bytes : undefined, lease: isSent && bytes === message.bytes ? message.lease : undefined };
}
