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

/** The era that an instant lies in. */
export function eraAt(nowMs: number): Era {
  const number = Math.floor((dayAt(nowMs, zones.utc) - firstEraDay) / eraDays);
  return { number, firstDay: firstEraDay + number * eraDays };
}

const firstEraDay = Date.UTC(2026, 1, 22) / day;
const eraDays = 4 * 365 + 1;
