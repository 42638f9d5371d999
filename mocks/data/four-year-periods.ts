/** Periods of generated data, which keep its size bounded however far the clock is moved. They know no records. */

import { day, dayAt, zones } from './local-time.ts';

/**
 * A period of four years. One begins on 2026-02-22, others before and after it, so that every year has content of bounded size. Each period has its own
 * records; none exists in two periods.
 */
export interface Period {
  readonly number: number;
  /** The number of its first day. */
  readonly firstDay: number;
}

/** Returns the period of an instant. */
export function periodAt(nowMs: number): Period {
  return periodOf(Math.floor((dayAt(nowMs, zones.utc) - firstPeriodDay) / periodDays));
}

/** Returns a period by its number. */
export function periodOf(number: number): Period {
  return { number, firstDay: firstPeriodDay + number * periodDays };
}

/** Returns the instant at which a period ends. */
export function endOf(period: Period): number {
  return (period.firstDay + periodDays) * day;
}

const firstPeriodDay = Date.UTC(2026, 1, 22) / day;
const periodDays = 4 * 365 + 1;
