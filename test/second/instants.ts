/** Dates and times: instants in microseconds, their spellings, the offsets of a few time zones, and the spans of days that the data cover. */

/** One second, in the microseconds that instants are counted in. */
export const second = 1_000_000;

/** One day in microseconds. */
export const day: number = 86_400 * second;

/** True when year, month and day name a day that exists. */
export function isDay(year: number, month: number, date: number): boolean {
  if (month < 1 || month > 12 || date < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return date <= (lengths[month - 1] ?? 0);
}

/** Days since 1970-01-01, counted in years that begin in March so that the leap day comes last. */
export function daysOf(year: number, month: number, date: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + date - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The day number as YYYY-MM-DD. */
export function dateText(days: number): string {
  const { year, month, date } = civil(days);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(date, 2)}`;
}

/** The spelling of an instant: the offset of its clock in minutes, the digits of a second, and Z for UTC. */
interface Spelling {
  readonly offset: number;
  readonly digits: number;
  readonly zulu: boolean;
}

/** The instant as an ISO-8601 date-time with its offset. */
export function instantText(instant: number, spelling: Spelling): string {
  return `${localText(instant, spelling.offset, 'T', spelling.digits)}${offsetText(spelling)}`;
}

/** The instant on a clock of that offset, without saying the offset. */
export function localText(instant: number, offset: number, between: string, digits = 0): string {
  const local = instant + offset * 60 * second;
  const days = Math.floor(local / day);
  const rest = local - days * day;
  const seconds = Math.floor(rest / second);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => pad(part, 2)).join(':');
  const fraction = digits === 0 ? '' : `.${pad(rest % second, 6).slice(0, digits)}`;
  return `${dateText(days)}${between}${clock}${fraction}`;
}

/** The parts of a date-time as they were written; nothing is rounded. */
interface WrittenInstant {
  readonly local: number;
  readonly fraction: string;
  readonly offset: number;
}

const written = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(Z|([+-])(\d{2}):(\d{2}))$/;

/** Reads a date-time strictly; undefined when it is not one or names a moment that no calendar has. */
export function readInstant(text: string): WrittenInstant | undefined {
  const found = written.exec(text);
  if (found === null) return undefined;
  const [year = 0, month = 0, date = 0, hour = 0, minute = 0, secondOfMinute = 0] = found.slice(1, 7).map(Number);
  const offsetHours = Number(found[10] ?? 0);
  const offsetMinutes = Number(found[11] ?? 0);
  if (!isDay(year, month, date) || hour > 23 || minute > 59 || secondOfMinute > 59 || offsetHours > 23 || offsetMinutes > 59)
    return undefined;
  const local = daysOf(year, month, date) * day + (hour * 3600 + minute * 60 + secondOfMinute) * second;
  const offset = (offsetHours * 60 + offsetMinutes) * (found[9] === '-' ? -1 : 1);
  return { local, fraction: found[7] ?? '', offset };
}

/** The first microsecond that is not before the written moment: what finer digits say still counts, as one microsecond more. */
export function microseconds(moment: WrittenInstant): number {
  const whole = Number(moment.fraction.slice(0, 6).padEnd(6, '0'));
  const finer = /[1-9]/.test(moment.fraction.slice(6)) ? 1 : 0;
  return moment.local - moment.offset * 60 * second + whole + finer;
}

/** Minutes that clocks of the zone are ahead of UTC at that instant; written out so that no table of the machine is asked. */
export function zoneOffset(zone: string, instant: number): number {
  if (zone === 'America/Argentina/Salta') return -180;
  if (zone === 'Asia/Kathmandu') return 345;
  if (zone === 'Pacific/Apia') return apiaOffset(instant);
  if (zone === 'UTC') return 0;
  const { year } = civil(Math.floor(instant / day));
  if (zone === 'America/New_York') return newYorkOffset(year, instant);
  const summer = lastSunday(year, 3) * day + 3600 * second;
  const winter = lastSunday(year, 10) * day + 3600 * second;
  return instant >= summer && instant < winter ? 120 : 60;
}

/** The instant at which clocks of the zone show that date and time. */
export function atLocal(zone: string, date: string, time: string): number {
  const moment = readInstant(`${date}T${time}:00Z`);
  if (moment === undefined)
    throw new Error(`${date} ${time} is not a moment of the calendar; the data of this server must only hold real ones`);
  const near = moment.local - zoneOffset(zone, moment.local) * 60 * second;
  return moment.local - zoneOffset(zone, near) * 60 * second;
}

/** Samoa went from the east of the date line to its west: the day after 29 December 2011 was the 31st. Clocks were an hour ahead until April. */
function apiaOffset(instant: number): number {
  if (instant < daysOf(2011, 12, 30) * day + 10 * 3600 * second) return -600;
  return instant < daysOf(2012, 4, 1) * day ? 840 : 780;
}

/** From the second Sunday of March to the first one of November, at two o'clock local time. */
function newYorkOffset(year: number, instant: number): number {
  const summer = firstSunday(year, 3) + 7;
  const winter = firstSunday(year, 11);
  return instant >= summer * day + 7 * 3600 * second && instant < winter * day + 6 * 3600 * second ? -240 : -300;
}

function firstSunday(year: number, month: number): number {
  return lastSundayBefore(daysOf(year, month, 7));
}

function lastSunday(year: number, month: number): number {
  return lastSundayBefore(daysOf(year, month, 31));
}

/** The last Sunday that is not after a day. Day 0 of the count was a Thursday. */
function lastSundayBefore(last: number): number {
  return last - ((last + 4) % 7);
}

function offsetText(spelling: Spelling): string {
  if (spelling.offset === 0 && spelling.zulu) return 'Z';
  const minutes = Math.abs(spelling.offset);
  return `${spelling.offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60), 2)}:${pad(minutes % 60, 2)}`;
}

function civil(days: number): { readonly year: number; readonly month: number; readonly date: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const date = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, date };
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

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

/** The number of days that the data span. */
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
