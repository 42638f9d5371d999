/**
 * Served exchange, in two forms. `server.ts` and `judge-forwarded-exchange.ts` report each one in the finished form; users and the recorder of pacts get the
 * plain one. After each exchange, journal and exam read the finished form; `touchstone mock` and `touchstone proxy` print the plain one. `start-mock.ts` and
 * `start-proxy.ts` call `toExchange` for each exchange, `pact-recorder.ts` for each that it records. Keys are hidden before, by `hide-keys.ts` or
 * `hide-secrets.ts`.
 */

import type { Exchange, HttpRequest } from '../core/http/exchange.ts';
import { type PreparedResponse, preparedToHttpResponse } from './handler/prepare-response.ts';
import type { RequestContext } from './handler/request-context.ts';

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

/** Converts a finished exchange to the form that users and the recorder of pacts get. */
export function toExchange({ request, response, durationMs }: FinishedExchange): ServedExchange {
  const { context } = response;
  return { request, response: preparedToHttpResponse(response), durationMs, ...(context === undefined ? {} : { context }) };
}
