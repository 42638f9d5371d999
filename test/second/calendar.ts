/** Knows the spans of days in which data can lie, the days that are odd in them, and when clocks change meanwhile. */

import { day, daysOf, second, zoneOffset } from './instant.ts';

/** Some forty days that hold something odd: 29 February, clocks put forward, clocks put back, a day that a zone left out. */
export type CalendarId = 'leap-day' | 'spring' | 'autumn' | 'date-line';

/** A span of days. */
export interface Calendar {
  readonly id: CalendarId;
  /** Its first day, counted from 1970. */
  readonly first: number;
  /** Odd days, counted from the first. */
  readonly odd: readonly [number, number];
}

/** How many days the data span. */
export const spannedDays = 41;

/** Every span, by its name. */
export const calendars: Readonly<Record<CalendarId, Calendar>> = {
  // 29 February 2024, and the Sunday on which clocks of Rome are put forward.
  'leap-day': { id: 'leap-day', first: daysOf(2024, 2, 20), odd: [9, 40] },
  // 8 and 29 March 2026: clocks of New York and of Rome are put forward.
  spring: { id: 'spring', first: daysOf(2026, 2, 17), odd: [19, 40] },
  // 25 October and 1 November 2026: clocks of Rome and of New York are put back.
  autumn: { id: 'autumn', first: daysOf(2026, 9, 22), odd: [33, 40] },
  // 30 December 2011, which Samoa left out, and the new year.
  'date-line': { id: 'date-line', first: daysOf(2011, 11, 23), odd: [37, 39] },
};

/** Instants around midnights and changes of clocks, on which data of an odd span are put on purpose. */
export function oddInstants(calendar: Calendar, zone: string, step: number): readonly number[] {
  const midnights = calendar.odd.map((index) => {
    const midnight = (calendar.first + index) * day;
    return midnight - zoneOffset(zone, midnight) * 60 * second;
  });
  const near = midnights.flatMap((midnight) => [midnight - step, midnight, midnight, midnight + step]);
  return [...near, ...turnsOf(calendar, zone).flatMap((turn) => aroundTurn.map((seconds) => turn + seconds * second))];
}

/** Within the hour that is shown twice, or that is left out, and at its ends. */
const aroundTurn = [-5400, -3600, -1800, -1, 0, 0, 1, 1800, 3600, 5400];

/** The instants at which clocks of the zone change within the span; they are whole hours of UTC everywhere. */
function turnsOf({ first }: Calendar, zone: string): readonly number[] {
  const hours = Array.from({ length: spannedDays * 24 }, (_, index) => first * day + index * 3600 * second);
  return hours.filter((hour) => zoneOffset(zone, hour) !== zoneOffset(zone, hour - second));
}
