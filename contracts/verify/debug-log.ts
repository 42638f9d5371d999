/** The debug log of `verify`: one line for each check that begins, each request, each reused response and each verdict. NODE_DEBUG=touchstone-verify prints it. */

import { type DebugLogger, debuglog } from 'node:util';
import type { CheckResult, RunEvent } from '../../core/results/run-result.ts';

/** Writes a line to standard error. No argument may contain a key or personal data. */
export const log: DebugLogger = debuglog('touchstone-verify');

/** Logs a request and its status. `clean` hides keys. */
export function logRequest(event: RunEvent, clean: (text: string) => string): void {
  if (!log.enabled || event.kind !== 'request') return;
  log('  request %d: %s %s, %s', event.number, event.method, clean(event.target), event.status ?? 'no response');
}

/** Logs a verdict with its reason and its mutants. A living mutant has the data that it needs, if that is known. */
export function logVerdict({ rule, operation, verdict, message, killed, alive }: CheckResult): void {
  if (!log.enabled) return;
  const living = alive.map(({ id, missing }) => (missing === undefined ? id : `${id} (needs ${missing})`));
  log('%s at %s: %s%s', rule, operation, verdict, message === '' ? '' : `, ${message}`);
  log('  killed: %s; alive: %s', killed.map(({ id }) => id).join(', ') || 'none', living.join(', ') || 'none');
}
