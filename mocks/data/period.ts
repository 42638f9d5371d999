/** From when on a world exists. */

import { day, dayAt, zones } from './calendar.ts';

/**
 * Worlds begin on 2026-02-22 and anew every four years before and after, so that a clock of any year finds content, and never too much.
 * Across the beginning of an era no record lives on.
 */
export interface Era {
  readonly number: number;
  /** The number of its first day. */
  readonly firstDay: number;
}

/** The most eras that a world keeps. Clients choose the instant of a request, and each era is made whole. */
export const erasMost = 4;

/** The era that an instant lies in. */
export function eraAt(nowMs: number): Era {
  return eraOf(Math.floor((dayAt(nowMs, zones.utc) - firstEraDay) / eraDays));
}

/** The era of a number. */
export function eraOf(number: number): Era {
  return { number, firstDay: firstEraDay + number * eraDays };
}

/** The mock's own instant: a Sunday evening, hours after clocks went forward in much of Europe. */
export const ownInstant: number = Date.UTC(2026, 2, 29, 16, 0, 0);

/** The instant at which an era ends. */
export function endOf(era: Era): number {
  return (era.firstDay + eraDays) * day;
}

const firstEraDay = Date.UTC(2026, 1, 22) / day;
const eraDays = 4 * 365 + 1;

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
