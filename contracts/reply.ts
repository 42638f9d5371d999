/** What came back: an exchange with the call that asked for it, when, and as JSON. */

import type { Exchange } from '../core/exchange.ts';
import { headerOf } from '../core/exchange.ts';
import { isObject, type Json } from '../core/json.ts';
import { valueAt } from '../core/pointer.ts';
import type { Entry } from '../core/query.ts';
import type { Call } from './call.ts';

/** An answered call. */
export interface Reply extends Exchange {
  readonly call: Call;
  /** Its place among all requests of the run, from 1. */
  readonly number: number;
  /** When the request left and when the answer was complete, in milliseconds of one monotonic clock. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** The body as JSON; `undefined` when it is none. */
  readonly body: Json | undefined;
  /** Where it leads, when it is a redirect that was not followed. */
  readonly redirectedTo?: string;
  /** Present when it was a page of far more records than were asked for, of which only the first were kept. */
  readonly isTrimmed?: true;
}

/** Whether the call was answered with what it asks for. */
export function isSuccess(reply: Reply): boolean {
  return reply.response.status >= 200 && reply.response.status < 300;
}

/** The records of a list answer; `undefined` when it is no list. */
export function recordsIn(reply: Reply): readonly Entry[] | undefined {
  const items = reply.call.operation.collection?.items;
  const found = items === undefined || !isSuccess(reply) ? undefined : valueAt(reply.body, items);
  return Array.isArray(found) ? (found as readonly Json[]).filter(isObject) : undefined;
}

/** The entity tag of an answer (RFC 9110 §8.8.3). */
export function tagOf(reply: Reply): string | undefined {
  return headerOf(reply.response.headers, 'etag');
}
