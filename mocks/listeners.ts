/** Who hears of what a mock does: listeners of its users, kept from doing harm. */

import type { Listeners, ServedExchange } from './server.ts';

/** The user's listeners. One that throws is told of, and takes nothing with it: neither the answer nor the process. */
export function createListeners({ onExchange, onError = printError }: Partial<Listeners>): Listeners {
  const tellError = (error: unknown): void => {
    try {
      onError(error);
    } catch (failure) {
      printError(failure);
    }
  };
  const tellExchange = (exchange: ServedExchange): void => {
    try {
      onExchange?.(exchange);
    } catch (failure) {
      tellError(failure);
    }
  };
  return { onError: tellError, onExchange: tellExchange };
}

function printError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
