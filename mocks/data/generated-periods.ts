/**
 * Periods of four years of generated data, and the default instant of a mock. `business-dataset.ts` and `wiki-dataset.ts` ask for the period of each instant;
 * `common-record-parts.ts` also reads the default instant. The clock starts there: in `start-mock.ts` for a mock, in `mock-content.ts` for `touchstone diff`.
 * It makes no record.
 */

import { day, dayAt, zones } from './calendar.ts';

/**
 * A period of four years. One begins on 2026-02-22, others before and after it, so that every year has content of bounded size. Each period has its own
 * records; none exists in two periods.
 */
export interface Period {
  readonly number: number;
  /** The number of its first day. */
  readonly firstDay: number;
}

/** Maximum number of periods that a dataset keeps in memory, since clients may request any instant (`Mock-Clock`). */
export const maxPeriods = 4;

/** Returns the period of an instant. */
export function periodAt(nowMs: number): Period {
  return periodOf(Math.floor((dayAt(nowMs, zones.utc) - firstPeriodDay) / periodDays));
}

/** Returns a period by its number. */
export function periodOf(number: number): Period {
  return { number, firstDay: firstPeriodDay + number * periodDays };
}

/** Default instant of the mock's clock: a Sunday evening, hours after the change to summer time in Europe. */
export const defaultInstant: number = Date.UTC(2026, 2, 29, 16, 0, 0);

/** Returns the instant at which a period ends. */
export function endOf(period: Period): number {
  return (period.firstDay + periodDays) * day;
}

const firstPeriodDay = Date.UTC(2026, 1, 22) / day;
const periodDays = 4 * 365 + 1;
