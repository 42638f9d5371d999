import { setTimeout as sleep } from 'node:timers/promises';

/** A clock that never goes back, and can wait. */
export interface SystemClock {
  /** Milliseconds since an arbitrary fixed instant. */
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

/** The time in UTC, as `2026-12-31T23:59:59.000Z`. */
export function now(): string {
  return new Date().toISOString();
}

/** The day in UTC, as `2026-12-31`. */
export function today(): string {
  return now().slice(0, 10);
}
