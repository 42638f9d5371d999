/** Periods of the generated datasets, and the mock's default instant. The datasets use them to have content in any year, in bounded amounts. */

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

/** Returns a function that makes the value of each key once. It keeps the `max` most recently used values. */
export function memoizeByKey<T>(make: (key: string) => T, max: number = Number.POSITIVE_INFINITY): (key: string) => T {
  const values = new Map<string, { readonly value: T }>();
  return (key) => {
    const known = values.get(key) ?? { value: make(key) };
    // A map keeps the order in which its keys were set, so deleting and setting a key moves it to the end.
    if (max < Number.POSITIVE_INFINITY) values.delete(key);
    values.set(key, known);
    const [oldest] = values.keys();
    if (values.size > max && oldest !== undefined) values.delete(oldest);
    return known.value;
  };
}
