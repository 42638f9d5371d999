/** A rate limit: no caller gets more than so many answers in any span of a given length. */

import { UsageError } from '../../core/errors.ts';

/** A limit that counts. */
export interface RateLimit {
  /** As it was written, such as `20/s`. */
  readonly text: string;
  /** Lets a caller pass and counts it, or tells how many milliseconds it has to wait; who has to wait is not counted. */
  readonly take: (caller: string) => number;
  /** Forgets what was counted. */
  readonly reset: () => void;
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Every answer within a span is remembered, so the number has an end. */
const mostRequests = 100_000;
const longestSpanMs = 24 * 3_600_000;

/**
 * A limit of `20/s`, `600/m` or `100/10s`; `wall` gives the instant on the wall, which goes on while the mock's own clock stands still.
 *
 * The span slides: it ends now and not with the minute, so that never more pass than the text says, wherever one begins to count, and Retry-After is
 * exactly the time until the next one does. A bucket that fills up would let twice as many through in its first span, and at `600/m` never make
 * anybody wait longer than a second.
 * @throws {UsageError} for a text that is no limit.
 */
export function createRateLimit(text: string, wall: () => number): RateLimit {
  const { requests, spanMs } = parseRateLimit(text);
  const windows = new Map<string, SlidingWindow>();
  return {
    text,
    take: (caller) => {
      const window = windows.get(caller) ?? new SlidingWindow(requests, spanMs);
      windows.set(caller, window);
      return window.take(wall());
    },
    reset: () => windows.clear(),
  };
}

function parseRateLimit(text: string): { readonly requests: number; readonly spanMs: number } {
  const [, number = '', count = '1', unit = ''] = /^(\d{1,9})\/(\d{1,6})?([smh])$/.exec(text) ?? [];
  const requests = Number(number);
  const spanMs = Number(count) * (units[unit] ?? Number.NaN);
  if (number === '' || Number.isNaN(spanMs))
    throw new UsageError(`the rate limit ${text} cannot be read; write requests in a time, such as 20/s, 600/m or 100/10s`);
  if (requests < 1 || requests > mostRequests)
    throw new UsageError(`the rate limit ${text} lets ${requests} requests pass; write a number from 1 to ${mostRequests}`);
  if (spanMs < 1000 || spanMs > longestSpanMs)
    throw new UsageError(`the rate limit ${text} counts over a time that it cannot; write one from 1s to 24h, as in 100/10s`);
  return { requests, spanMs };
}

/** The instants at which the last so many requests passed, as a ring: when it is full, the next place holds the oldest. */
class SlidingWindow {
  private readonly most: number;
  private readonly spanMs: number;
  private readonly passed: number[] = [];
  private next = 0;
  private latest = Number.NEGATIVE_INFINITY;

  constructor(most: number, spanMs: number) {
    this.most = most;
    this.spanMs = spanMs;
  }

  take(instantMs: number): number {
    // A clock on the wall is set back now and then; time does not go back for those who wait.
    this.latest = Math.max(this.latest, instantMs);
    const oldest = this.passed[this.next];
    const waitMs = oldest === undefined ? 0 : oldest + this.spanMs - this.latest;
    if (waitMs > 0) return waitMs;
    this.passed[this.next] = this.latest;
    this.next = (this.next + 1) % this.most;
    return 0;
  }
}
