/** Days, local times and time zones by rule, so that no machine's time zone database decides what a dataset contains. */

/** A time zone: its name, and how far its clocks are ahead of UTC at an instant. */
export interface Zone {
  readonly name: string;
  readonly offsetMinutes: (instantMs: number) => number;
}

/** A second in milliseconds. */
export const second = 1000;
/** A minute in milliseconds. */
export const minute: number = 60 * second;
/** An hour in milliseconds. */
export const hour: number = 60 * minute;
/** A day of 24 hours in milliseconds. */
export const day: number = 24 * hour;

/** The zones that the businesses are in. Rome follows the rule of the European Union; the other two never change their clocks. */
export const zones: { readonly rome: Zone; readonly buenosAires: Zone; readonly utc: Zone } = {
  rome: { name: 'Europe/Rome', offsetMinutes: (instantMs) => (isEuropeanSummer(instantMs) ? 120 : 60) },
  buenosAires: { name: 'America/Argentina/Buenos_Aires', offsetMinutes: () => -180 },
  utc: { name: 'UTC', offsetMinutes: () => 0 },
};

/** The number of a date, counted in days from 1970-01-01. */
export function numberOfDay(year: number, month: number, date: number): number {
  return Date.UTC(year, month - 1, date) / day;
}

/** The number of the day that an instant falls on in a zone. */
export function dayAt(instantMs: number, zone: Zone): number {
  return Math.floor(toLocal(instantMs, zone) / day);
}

/** The year of a numbered day. */
export function yearOf(dayNumber: number): number {
  return new Date(dayNumber * day).getUTCFullYear();
}

/** The number of the last Sunday of a month: the day on which clocks change in March and October. */
export function lastSunday(year: number, month: number): number {
  const last = numberOfDay(year, month + 1, 0);
  // Day 3 of the count, 1970-01-04, was a Sunday.
  return last - ((((last - 3) % 7) + 7) % 7);
}

/** The instant at which the clocks of a zone show a time. A time that is shown twice means the first showing. */
export function instantAt(dayNumber: number, minutes: number, zone: Zone): number {
  const shown = dayNumber * day + minutes * minute;
  const earlier = shown - zone.offsetMinutes(shown - day) * minute;
  return toLocal(earlier, zone) === shown ? earlier : shown - zone.offsetMinutes(shown + day) * minute;
}

/** A numbered day as `YYYY-MM-DD`. */
export function formatDay(dayNumber: number): string {
  const known = dates.get(dayNumber);
  if (known !== undefined) return known;
  const date = new Date(dayNumber * day).toISOString().slice(0, 10);
  if (dates.size >= 10_000) dates.clear();
  dates.set(dayNumber, date);
  return date;
}

/** Days that were written before: every record has instants, and most of them lie in the same few weeks. */
const dates = new Map<number, string>();

/** Minutes since midnight as `HH:MM`. */
export function formatTime(minutes: number): string {
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** An instant in the local time of a zone, with its offset at that instant and whole seconds: `2026-03-29T18:00:00+02:00`. */
export function formatInstant(instantMs: number, zone: Zone): string {
  const offset = zone.offsetMinutes(instantMs);
  const ahead = Math.abs(offset);
  return `${formatClock(instantMs + offset * minute, 'T')}${offset < 0 ? '-' : '+'}${formatTime(ahead)}`;
}

/** An instant in UTC as `YYYY-MM-DD HH:MM:SS`. */
export function formatPlain(instantMs: number): string {
  return formatClock(instantMs, ' ');
}

/** A day and a time to the second, from milliseconds since 1970-01-01T00:00:00. */
function formatClock(shownMs: number, separator: string): string {
  const dayNumber = Math.floor(shownMs / day);
  const seconds = Math.floor((shownMs - dayNumber * day) / second);
  return `${formatDay(dayNumber)}${separator}${formatTime(Math.floor(seconds / 60))}:${twoDigits(seconds % 60)}`;
}

/** Local time of a zone, as if it were UTC. */
function toLocal(instantMs: number, zone: Zone): number {
  return instantMs + zone.offsetMinutes(instantMs) * minute;
}

/** A year of UTC, and its summer by the rule of the European Union. */
interface Summer {
  readonly yearFrom: number;
  readonly yearTo: number;
  readonly from: number;
  readonly to: number;
}

/** From 01:00 UTC on the last Sunday of March to 01:00 UTC on the last Sunday of October. */
function isEuropeanSummer(instantMs: number): boolean {
  if (!(instantMs >= summer.yearFrom && instantMs < summer.yearTo)) summer = findSummer(new Date(instantMs).getUTCFullYear());
  return instantMs >= summer.from && instantMs < summer.to;
}

/** Most instants lie in the year of the one before, and a date is dear to make. */
let summer: Summer = findSummer(2026);

function findSummer(year: number): Summer {
  return {
    yearFrom: numberOfDay(year, 1, 1) * day,
    yearTo: numberOfDay(year + 1, 1, 1) * day,
    from: lastSunday(year, 3) * day + hour,
    to: lastSunday(year, 10) * day + hour,
  };
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}
