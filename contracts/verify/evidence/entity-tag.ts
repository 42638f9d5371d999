/** Reads the ETag of a reply, and sends it back with `If-None-Match`. A malformed tag is passed over here, since a rule reports it. */

import { headerOf } from '../../../core/http/exchange.ts';
import { type Call, isSuccess, type Reply } from './call.ts';

/** The entity tag of a reply (RFC 9110 §8.8.3). */
export function tagOf(reply: Reply): string | undefined {
  return headerOf(reply.response.headers, 'etag');
}

/** The tag of a successful reply that can be sent back; `undefined` for none, and for a malformed one, which another rule reports. */
export function usableTag(reply: Reply): string | undefined {
  const tag = isSuccess(reply) ? tagOf(reply)?.trim() : undefined;
  return tag !== undefined && /^(?:W\/)?"[\u0021\u0023-\u007E\u0080-\u00FF]*"$/.test(tag) ? tag : undefined;
}

/** A call with the header `If-None-Match`. */
export function withTag(call: Call, tag: string): Call {
  return { ...call, headers: { ...call.headers, 'if-none-match': tag } };
}

/** The part of a tag that a weak comparison uses (RFC 9110 §8.8.3.2). */
export function opaqueTag(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}

/** A tag that no server can have sent. */
export const foreignTag = '"touchstone-no-such-tag"';
