/** Days, local times and time zones of generated data. Zones follow fixed rules, so that data does not depend on a machine's time zone database. */

import { memoize } from '../../core/memo.ts';

/** A time zone with its offset from UTC at an instant. */
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

/** Zones of the businesses. Rome follows the summer time of the European Union; the other two have no summer time. */
export const zones: { readonly rome: Zone; readonly buenosAires: Zone; readonly utc: Zone } = {
  rome: { name: 'Europe/Rome', offsetMinutes: (instantMs) => (isEuropeanSummer(instantMs) ? 120 : 60) },
  buenosAires: { name: 'America/Argentina/Buenos_Aires', offsetMinutes: () => -180 },
  utc: { name: 'UTC', offsetMinutes: () => 0 },
};

/** Returns the number of a date, in days since 1970-01-01. */
export function numberOfDay(year: number, month: number, date: number): number {
  return Date.UTC(year, month - 1, date) / day;
}

/** Returns the number of the local day at an instant. */
export function dayAt(instantMs: number, zone: Zone): number {
  return Math.floor(toLocal(instantMs, zone) / day);
}

/** Returns the year of a day number. */
export function yearOf(dayNumber: number): number {
  return new Date(dayNumber * day).getUTCFullYear();
}

/** Returns the day number of the last Sunday of a month, on which clocks change in March and October. */
export function lastSunday(year: number, month: number): number {
  const last = numberOfDay(year, month + 1, 0);
  // Day 3, 1970-01-04, was a Sunday.
  return last - ((((last - 3) % 7) + 7) % 7);
}

/** Returns the instant of a local time, in minutes since midnight. If clocks show the time twice, the first instant is returned. */
export function instantAt(dayNumber: number, minutes: number, zone: Zone): number {
  const local = dayNumber * day + minutes * minute;
  const earlier = local - zone.offsetMinutes(local - day) * minute;
  return toLocal(earlier, zone) === local ? earlier : local - zone.offsetMinutes(local + day) * minute;
}

/** Formats a day number as `YYYY-MM-DD`. Most instants of records lie in the same few weeks, so days are cached. */
export const formatDay: (dayNumber: number) => string = memoize(
  (dayNumber) => new Date(dayNumber * day).toISOString().slice(0, 10),
  10_000,
);

/** Formats minutes since midnight as `HH:MM`. */
export function formatTime(minutes: number): string {
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** Formats an instant in local time with its offset: `2026-03-29T18:00:00+02:00`. */
export function formatInstant(instantMs: number, zone: Zone): string {
  const offset = zone.offsetMinutes(instantMs);
  const minutesFromUtc = Math.abs(offset);
  return `${formatClock(instantMs + offset * minute, 'T')}${offset < 0 ? '-' : '+'}${formatTime(minutesFromUtc)}`;
}

/** Formats an instant in UTC as `YYYY-MM-DD HH:MM:SS`. */
export function formatPlain(instantMs: number): string {
  return formatClock(instantMs, ' ');
}

/** Formats milliseconds of local time since 1970-01-01T00:00:00 as day and time to the second. */
function formatClock(localMs: number, separator: string): string {
  const dayNumber = Math.floor(localMs / day);
  const seconds = Math.floor((localMs - dayNumber * day) / second);
  return `${formatDay(dayNumber)}${separator}${formatTime(Math.floor(seconds / 60))}:${twoDigits(seconds % 60)}`;
}

/** Converts an instant to local time, in milliseconds since 1970-01-01T00:00:00 on the zone's clocks. */
function toLocal(instantMs: number, zone: Zone): number {
  return instantMs + zone.offsetMinutes(instantMs) * minute;
}

/** A UTC year with its European summer time, as instants. */
interface Summer {
  readonly yearFrom: number;
  readonly yearTo: number;
  readonly from: number;
  readonly to: number;
}

/** True from 01:00 UTC on the last Sunday of March to 01:00 UTC on the last Sunday of October. */
function isEuropeanSummer(instantMs: number): boolean {
  if (!(instantMs >= summer.yearFrom && instantMs < summer.yearTo)) summer = findSummer(new Date(instantMs).getUTCFullYear());
  return instantMs >= summer.from && instantMs < summer.to;
}

/** Cache of the last summer, since dates are slow to create and most instants lie in the same year. */
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
