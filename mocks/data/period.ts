/** From when on a dataset exists. */

import { day, dayAt, zones } from './calendar.ts';

/**
 * Datasets begin on 2026-02-22 and anew every four years before and after, so that a clock of any year finds content, and never too much.
 * Across the beginning of a period no record lives on.
 */
export interface Period {
  readonly number: number;
  /** The number of its first day. */
  readonly firstDay: number;
}

/** The most periods that a dataset keeps. Clients choose the instant of a request, and each period is made whole. */
export const periodsMost = 4;

/** The period that an instant lies in. */
export function periodAt(nowMs: number): Period {
  return periodOf(Math.floor((dayAt(nowMs, zones.utc) - firstPeriodDay) / periodDays));
}

/** The period of a number. */
export function periodOf(number: number): Period {
  return { number, firstDay: firstPeriodDay + number * periodDays };
}

/** The mock's own instant: a Sunday evening, hours after clocks went forward in much of Europe. */
export const ownInstant: number = Date.UTC(2026, 2, 29, 16, 0, 0);

/** The instant at which a period ends. */
export function endOf(period: Period): number {
  return (period.firstDay + periodDays) * day;
}

const firstPeriodDay = Date.UTC(2026, 1, 22) / day;
const periodDays = 4 * 365 + 1;

/** A maker that makes each thing once, and forgets the thing that was not asked for the longest when there are more than `most`. */
export function remember<T>(make: (key: string) => T, most: number = Number.POSITIVE_INFINITY): (key: string) => T {
  const made = new Map<string, { readonly value: T }>();
  return (key) => {
    const known = made.get(key) ?? { value: make(key) };
    // A map keeps the order in which its keys were set: the last one asked for goes to the end.
    if (most < Number.POSITIVE_INFINITY) made.delete(key);
    made.set(key, known);
    const [oldest] = made.keys();
    if (made.size > most && oldest !== undefined) made.delete(oldest);
    return known.value;
  };
}
