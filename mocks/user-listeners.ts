/**
 * Wraps the callbacks of `startMock`, so that an error in them does not disturb the mock. `start-mock.ts` calls it once; the recorder of pacts and the proxy
 * make exchanges by it. It calls the callbacks, and judges nothing.
 */

import type { Exchange } from '../core/http/exchange.ts';
import type { ClientFinding } from '../core/results/client-result.ts';
import { preparedToHttpResponse, type Served } from './handler/prepare-response.ts';
import type { RequestContext } from './handler/request-context.ts';
import type { Listeners } from './server/server.ts';

/** A served exchange, without keys. */
export interface ServedExchange extends Exchange {
  /** Duration of the exchange in milliseconds. */
  readonly durationMs: number;
  /** The request as the mock understood it; absent if no API could read it. */
  readonly context?: RequestContext;
}

/** Callbacks of a user. */
export interface UserListeners {
  readonly onExchange?: (exchange: ServedExchange) => void;
  readonly onFinding?: (finding: ClientFinding) => void;
  readonly onError?: (error: unknown) => void;
}

/** Callbacks of a user that never throw. */
export interface SafeListeners extends Listeners {
  readonly onFinding: (finding: ClientFinding) => void;
}

/** Wraps the callbacks of a user. An error in `onExchange` or `onFinding` goes to `onError`, an error in `onError` to standard error. */
export function createListeners({ onExchange, onFinding, onError = printError }: UserListeners): SafeListeners {
  const reportError = (error: unknown): void => {
    try {
      onError(error);
    } catch (failure) {
      printError(failure);
    }
  };
  const guard = (call: () => void): void => {
    try {
      call();
    } catch (failure) {
      reportError(failure);
    }
  };
  return {
    onError: reportError,
    onExchange: (served) => guard(() => onExchange?.(toExchange(served))),
    onFinding: (finding) => guard(() => onFinding?.(finding)),
  };
}

/** Converts an exchange to the form that users and the recorder of pacts get. */
export function toExchange({ request, response, durationMs }: Served): ServedExchange {
  const { context } = response;
  return { request, response: preparedToHttpResponse(response), durationMs, ...(context === undefined ? {} : { context }) };
}

function printError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
