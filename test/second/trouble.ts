/** Knows when a server turns requests away because there are too many or because it is not ready. */

import { type Asked, Failure } from './reply.ts';
import type { Setup } from './setup.ts';

/** How often requests are turned away; absent means never. */
export interface TroubleOptions {
  readonly rateLimit: number | undefined;
  readonly notReady: number | undefined;
  readonly turnedAway: (() => 'throttled' | 'not-ready' | undefined) | undefined;
}

/** Throws when the request is one that is turned away. */
export type Trouble = (asked: Asked, key: string | undefined) => void;

/** Counts requests and turns every n-th away. */
export function makeTrouble(setup: Setup, options: TroubleOptions): Trouble {
  const counts = new Map<string, number>();
  return (asked, key) => {
    const perKey = setup.api === 'business' && setup.choice('rate-scope') === 'key';
    const who = perKey ? (key ?? '') : '';
    const count = (counts.get(who) ?? 0) + 1;
    counts.set(who, count);
    const told = options.turnedAway?.();
    if (told === 'throttled' || (options.rateLimit !== undefined && count % options.rateLimit === 0)) throw throttled(setup, count);
    if (told === 'not-ready' || (options.notReady !== undefined && count % options.notReady === 0)) {
      throw new Failure(503, notReadyCode(setup, asked), 'This part of the service is not available yet');
    }
  };
}

function throttled(setup: Setup, count: number): Failure {
  const headers = setup.faulty('retry-after-missing') ? {} : { 'retry-after': retryAfter(setup, count) };
  return new Failure(429, 'RATE_LIMITED', 'Too many attempts; respect Retry-After', headers);
}

function retryAfter(setup: Setup, count: number): string {
  const choice = setup.api === 'business' ? setup.choice('retry-after') : 'seconds';
  // A date is compared with the clock of whoever reads it, so this one needs the clock: it is the next full second.
  if (choice === 'date') return new Date(Date.now() + 1000).toUTCString();
  return choice === 'zero' || count % 2 === 0 ? '0' : '1';
}

function notReadyCode(setup: Setup, asked: Asked): string {
  if (setup.api === 'wiki') return 'SERVER_ERROR';
  const choice = setup.choice('not-ready-code');
  const orders = choice === 'orders' || (choice === 'by-module' && asked.path.includes('/orders/'));
  return orders ? 'ORDERS_NOT_READY' : 'API_NOT_READY';
}
