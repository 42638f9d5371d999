/** Listeners of a mock's users. An error in a listener does not disturb the mock. */

import type { Exchange } from '../../core/http/exchange.ts';
import { preparedToHttpResponse, type Served } from '../handler/mock-response.ts';
import type { RequestContext } from '../handler/request-context.ts';
import type { Listeners } from '../server/server.ts';

/** An exchange as the mock saw it, without keys, and how long it took. */
export interface ServedExchange extends Exchange {
  /** Duration of the exchange in milliseconds. */
  readonly durationMs: number;
  /** The mock's reading of the request; absent if no API could read it. */
  readonly context?: RequestContext;
}

/** Listeners of a user. */
export interface OwnListeners {
  readonly onExchange?: (exchange: ServedExchange) => void;
  readonly onError?: (error: unknown) => void;
}

/** The user's listeners. One that throws is told of, and takes nothing with it: neither the answer nor the process. */
export function createListeners({ onExchange, onError = printError }: OwnListeners): Listeners {
  const tellError = (error: unknown): void => {
    try {
      onError(error);
    } catch (failure) {
      printError(failure);
    }
  };
  const tellExchange = (served: Served): void => {
    try {
      onExchange?.(toExchange(served));
    } catch (failure) {
      tellError(failure);
    }
  };
  return { onError: tellError, onExchange: tellExchange };
}

/** Served exchange as listeners see it. */
export function toExchange({ request, response, durationMs }: Served): ServedExchange {
  const { context } = response;
  return { request, response: preparedToHttpResponse(response), durationMs, ...(context === undefined ? {} : { context: context }) };
}

function printError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
