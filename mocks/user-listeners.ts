/**
 * Wraps the callbacks of a user, so that an error in them does not disturb the mock. `start-mock.ts` calls it once per mock, and the result runs for each
 * exchange, finding and error. It judges nothing.
 */

import type { ClientFinding } from '../core/results/client-result.ts';
import { type ServedExchange, toExchange } from './served-exchange.ts';
import type { Listeners } from './server/server.ts';

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

function printError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
