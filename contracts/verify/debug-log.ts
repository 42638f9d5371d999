/** The debug log of runs, which NODE_DEBUG=touchstone-verify prints. */

import { type DebugLogger, debuglog } from 'node:util';
import type { CheckResult, RunEvent } from '../../core/results/run-result.ts';

/** Writes a line to standard error. No argument may contain a key or personal data. */
export const log: DebugLogger = debuglog('touchstone-verify');

/** Logs a request and its status. `clean` hides keys. */
export function logRequest(event: RunEvent, clean: (text: string) => string): void {
  if (log.enabled && event.kind === 'request')
    log('  request %d: %s %s, %s', event.number, event.method, clean(event.target), event.status ?? 'no response');
}

/** Logs a verdict with its reason, the killed mutants, and the living ones with the data that they need. */
export function logVerdict({ rule, operation, verdict, message, killed, alive }: CheckResult): void {
  log('%s at %s: %s%s', rule, operation, verdict, message === '' ? '' : `, ${message}`);
  log('  killed: %s', killed.map(({ id }) => id).join(', ') || 'none');
  log('  alive: %s', alive.map(({ id, missing }) => `${id} (needs ${missing})`).join(', ') || 'none');
}
