/** Dates and times: RFC 3339 instants, calendar dates and local date-times. Those that do not exist are refused. */

import { memoize } from '../memo.ts';

/** Nanoseconds since 1970-01-01T00:00:00Z. A bigint, since a number cannot hold them exactly. */
type Instant = bigint;

const dateTime = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const localDateTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?$/;

/**
 * Parses an RFC 3339 date-time with its mandatory offset. A list is sorted and filtered by the same instants many times, so they are cached.
 * @returns `undefined` if the text has another form, the date does not exist, or second 60 is not in the last minute of a UTC day.
 */
export const parseInstant: (text: string) => Instant | undefined = memoize(readInstant, 20_000);

/** The instant of a value; `undefined` for a value that is no text or no instant. */
export function instantOf(value: unknown): Instant | undefined {
  return typeof value === 'string' ? parseInstant(value) : undefined;
}

function readInstant(text: string): Instant | undefined {
  const match = dateTime.exec(text);
  if (match === null) return undefined;
  const [
    ,
    year = '',
    month = '',
    day = '',
    hour = '',
    minute = '',
    second = '',
    fraction = '',
    sign,
    offsetHour = '0',
    offsetMinute = '0',
  ] = match;
  if (!isCalendarDate(`${year}-${month}-${day}`)) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const offsetMinutes = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1);
  const utcMinutes = Number(hour) * 60 + Number(minute) - offsetMinutes;
  if (Number(second) > (isLastMinuteOfUtcDay(utcMinutes) ? 60 : 59)) return undefined;
  const seconds = BigInt(daysSinceEpoch(Number(year), Number(month), Number(day))) * 86_400n + BigInt(utcMinutes) * 60n + BigInt(second);
  return seconds * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}

/** True for an existing `YYYY-MM-DD` date (RFC 3339 full-date). */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** True for a date and a time without an offset, with `T` or a space between (format `date-time-local` of the OpenAPI registry). */
export function isLocalDateTime(text: string): boolean {
  const match = localDateTime.exec(text);
  return match !== null && isCalendarDate(match[1] ?? '') && Number(match[2]) <= 23 && Number(match[3]) <= 59 && Number(match[4]) <= 59;
}

function isLastMinuteOfUtcDay(utcMinutes: number): boolean {
  return ((utcMinutes % 1440) + 1440) % 1440 === 1439;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Days since 1970-01-01 in the proleptic Gregorian calendar. Years begin in March, so that the leap day comes last. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Prints an instant in milliseconds: `2026-03-29T16:00:00Z`. */
export function printInstant(instantMs: number): string {
  return new Date(instantMs).toISOString().replace('.000Z', 'Z');
}
