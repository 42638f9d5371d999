/** Who hears of what a mock does: listeners of its users, kept from doing harm. */

import type { Exchange } from '../core/exchange.ts';
import { asResponse } from './answer.ts';
import type { Listeners } from './server.ts';
import type { Served, Visit } from './visit.ts';

/** An exchange as the mock saw it, without keys, and how long it took. */
export interface ServedExchange extends Exchange {
  readonly durationMs: number;
  /** What the mock knows of the request; `undefined` for what never came to an API. */
  readonly visit?: Visit;
}

/** What users of a mock want to hear. */
export interface OwnListeners {
  /** Hears of every exchange before there is a text of its body. The bytes of the body are nobody's any more when it returns. */
  readonly onServed?: (served: Served) => void;
  readonly onExchange?: (exchange: ServedExchange) => void;
  readonly onError?: (error: unknown) => void;
}

/** The user's listeners. One that throws is told of, and takes nothing with it: neither the answer nor the process. */
export function createListeners({ onServed, onExchange, onError = printError }: OwnListeners): Listeners {
  const tellError = (error: unknown): void => {
    try {
      onError(error);
    } catch (failure) {
      printError(failure);
    }
  };
  const tellExchange = (served: Served): void => {
    try {
      onServed?.(served);
      if (onExchange !== undefined) onExchange(toExchange(served));
    } catch (failure) {
      tellError(failure);
    }
  };
  return { onError: tellError, onExchange: tellExchange };
}

/** What was served, as others see it. */
export function toExchange({ request, message, durationMs, visit }: Served): ServedExchange {
  return { request, response: asResponse(message), durationMs, ...(visit === undefined ? {} : { visit }) };
}

function printError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
