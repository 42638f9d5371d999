/** What is never sent to a target, and how long a request may take. */

import { UsageError } from '../core/errors.ts';
import type { HttpRequest } from '../core/exchange.ts';

/** The methods that change nothing (RFC 9110 §9.2.1), as far as they are of use here. */
const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Timers count in 31 bits, and a longer one would fire at once. */
const timeoutMax = 2 ** 31 - 1;

/**
 * Lets only requests through that read, and that name a path.
 * @throws {TypeError} for any other: it is a mistake in the toolkit, not of the target.
 */
export function requireReading({ method, target }: HttpRequest): void {
  if (!readingMethods.has(method)) throw new TypeError(`${method} ${target} is not sent: only ${[...readingMethods].join(', ')} are`);
  if (!target.startsWith('/')) throw new TypeError(`the request target ${target} does not start with a slash`);
}

/**
 * Lets only times through that a timer can keep.
 * @throws {UsageError} for any other.
 */
export function requireTimeout(timeoutMs: number): void {
  if (!(timeoutMs >= 1 && timeoutMs <= timeoutMax))
    throw new UsageError(`a timeout of ${timeoutMs} ms cannot be kept; give 1 to ${timeoutMax}`);
}
