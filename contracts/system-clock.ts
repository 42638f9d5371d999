/** Time, as an argument. The only file of this room that has a clock of its own. */

import { setTimeout as sleep } from 'node:timers/promises';

/** A clock that runs forwards, and can wait. */
export interface SystemClock {
  /** Milliseconds from some fixed moment; they never go back. */
  readonly nowMs: () => number;
  /** Waits for a number of milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** The clock of this machine. */
export const systemClock: SystemClock = {
  nowMs: () => performance.now(),
  sleep: async (milliseconds) => {
    await sleep(milliseconds);
  },
};

/** The day in UTC, as `2026-12-31`. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
