/** A served exchange in two forms: as the server finished it, and in the plain form that users get. Keys are hidden in both. */

import type { Exchange, HttpRequest } from '../core/http/exchange.ts';
import type { RequestContext } from './handler/call.ts';
import { type PreparedResponse, preparedToHttpResponse } from './handler/prepare-response.ts';

/** An exchange as the server reports it: the request without keys, and the response as it was prepared. */
export interface FinishedExchange {
  readonly request: HttpRequest;
  readonly response: PreparedResponse;
  /** Time from the head of the request to the end of the response. */
  readonly durationMs: number;
  /** Number of the connection, from 1 on; absent for a request without one. */
  readonly connection?: number | undefined;
}

/** A served exchange, without keys. */
export interface ServedExchange extends Exchange {
  /** Duration of the exchange in milliseconds. */
  readonly durationMs: number;
  /** The request as the mock understood it; absent if no API could read it. */
  readonly context?: RequestContext;
}

/** Converts a finished exchange to the plain form, whose body is decoded only when it is read. */
export function toExchange({ request, response, durationMs }: FinishedExchange): ServedExchange {
  const { context } = response;
  return { request, response: preparedToHttpResponse(response), durationMs, ...(context === undefined ? {} : { context }) };
}
