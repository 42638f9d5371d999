/**
 * The debug log of `verify`: one line for each check, request, reused response and verdict. `verify.ts`, `play-run.ts` and the run context write to it,
 * and NODE_DEBUG=touchstone-verify prints it. No line contains a key or personal data.
 */

import { type DebugLogger, debuglog } from 'node:util';
import type { CheckResult, RunEvent } from '../../core/results/run-result.ts';

/** Writes a line to standard error. No argument may contain a key or personal data. */
export const log: DebugLogger = debuglog('touchstone-verify');

/** Logs a request and its status. `clean` hides keys. */
export function logRequest(event: RunEvent, clean: (text: string) => string): void {
  if (!log.enabled || event.kind !== 'request') return;
  log('  request %d: %s %s, %s', event.number, event.method, clean(event.target), event.status ?? 'no response');
}

/** Maximum number of request numbers in a line. */
const maxNumbers = 8;

/** Logs a verdict with its reason, the killed mutants with the requests that killed them, and the living mutants with the data that they need. */
export function logVerdict(
  { rule, operation, verdict, message, killed, alive }: CheckResult,
  killedBy: ReadonlyMap<string, readonly number[]> = new Map(),
): void {
  if (!log.enabled) return;
  const living = alive.map(({ id, missing }) => (missing === undefined ? id : `${id} (needs ${missing})`));
  log('%s at %s: %s%s', rule, operation, verdict, message === '' ? '' : `, ${message}`);
  for (const { id } of killed) log('  killed: %s, by %s', id, describeRequests(killedBy.get(id) ?? []));
  log('  alive: %s', living.join(', ') || 'none');
}

function describeRequests(numbers: readonly number[]): string {
  if (numbers.length === 0) return 'earlier replies of this round';
  const shown = numbers.slice(0, maxNumbers).join(', ');
  const rest = numbers.length > maxNumbers ? ` and ${numbers.length - maxNumbers} more` : '';
  return `${numbers.length === 1 ? 'request' : 'requests'} ${shown}${rest}`;
}
