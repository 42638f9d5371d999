/** The rate limit of each key role, counted at each request. It runs on real time, whatever the mock's clock does. */

import { UsageError } from '../../core/errors.ts';
import { getOrCompute } from '../../core/memo.ts';

/** A rate limit with its counts. */
export interface RateLimit {
  /** Text of the limit, such as `20/s`. */
  readonly text: string;
  /** Counts a request and returns 0, or returns the milliseconds to wait without counting it. */
  readonly take: (caller: string) => number;
  /** Clears the counts. */
  readonly reset: () => void;
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Maximum number of requests in a span, because the time of each one is kept. */
const maxRequests = 100_000;
const maxSpanMs = 24 * 3_600_000;

/**
 * Creates a limit from `20/s`, `600/m` or `100/10s`; `20/s strict` also punishes early retries. `wall` returns the wall-clock time, which runs even if the
 * mock's clock stands still.
 *
 * The window slides: it ends now, not with the minute. The limit therefore holds for any span, and Retry-After is exactly the time until the next request is
 * allowed. A token bucket would allow twice as many in its first span, and at `600/m` would never require a wait of more than a second.
 * @throws {UsageError} for an invalid limit.
 */
export function createRateLimit(text: string, wall: () => number): RateLimit {
  const { requests, spanMs, isStrict } = parseRateLimit(text);
  const windows = new Map<string, SlidingWindow>();
  return {
    text,
    take: (caller) => {
      const window = getOrCompute(windows, caller, () => new SlidingWindow(requests, spanMs, isStrict));
      return window.take(wall());
    },
    reset: () => windows.clear(),
  };
}

/** A parsed rate limit. */
interface ParsedRateLimit {
  readonly requests: number;
  readonly spanMs: number;
  readonly isStrict: boolean;
}

function parseRateLimit(text: string): ParsedRateLimit {
  const [, number = '', count = '1', unit = '', strict] = /^(\d{1,9})\/(\d{1,6})?([smh])( +strict)?$/.exec(text) ?? [];
  const requests = Number(number);
  const spanMs = Number(count) * (unitMs[unit] ?? Number.NaN);
  if (number === '' || Number.isNaN(spanMs))
    throw new UsageError(`the rate limit ${text} cannot be read; write requests per time, such as 20/s, 600/m, 100/10s or "20/s strict"`);
  if (requests < 1 || requests > maxRequests)
    throw new UsageError(`the rate limit ${text} allows ${requests} requests; write a number from 1 to ${maxRequests}`);
  if (spanMs < 1000 || spanMs > maxSpanMs)
    throw new UsageError(`the rate limit ${text} has an invalid time; write a time from 1s to 24h, as in 100/10s`);
  return { requests, spanMs, isStrict: strict !== undefined };
}

/**
 * Ring buffer with the times of the last allowed requests. When it is full, the next place has the oldest time. A strict one starts the wait anew when a
 * refused caller comes back too early.
 */
class SlidingWindow {
  private readonly capacity: number;
  private readonly spanMs: number;
  private readonly isStrict: boolean;
  private readonly allowedTimes: number[] = [];
  private nextIndex = 0;
  private latestMs = Number.NEGATIVE_INFINITY;
  private blockedUntil = Number.NEGATIVE_INFINITY;

  constructor(capacity: number, spanMs: number, isStrict: boolean) {
    this.capacity = capacity;
    this.spanMs = spanMs;
    this.isStrict = isStrict;
  }

  take(instantMs: number): number {
    // The wall clock may be set back; the limit then keeps the latest time.
    this.latestMs = Math.max(this.latestMs, instantMs);
    const oldest = this.allowedTimes[this.nextIndex];
    const isEarly = this.isStrict && this.latestMs < this.blockedUntil;
    const waitMs = isEarly ? this.spanMs : oldest === undefined ? 0 : oldest + this.spanMs - this.latestMs;
    if (waitMs > 0) {
      this.blockedUntil = this.latestMs + waitMs;
      return waitMs;
    }
    this.allowedTimes[this.nextIndex] = this.latestMs;
    this.nextIndex = (this.nextIndex + 1) % this.capacity;
    return 0;
  }
}
