/** The UTC day of a record's local day, for mutants of servers that compare days in UTC. Without a time and a time zone beside the day there is none. */

import { isObject, type Json } from '../json.ts';
import { memoize } from '../memo.ts';
import { valueAt } from '../pointer.ts';
import type { DataRecord } from '../query/query.ts';

const timeOfDay = /^([01]\d|2[0-3]):([0-5]\d)(:[0-5]\d)?$/;

/**
 * The UTC day of the local day at `field`, by a time of day and the name of a time zone among the fields beside it; `undefined` when there are none.
 */
export function utcDayOf(record: DataRecord, field: string): string | undefined {
  const parent = valueAt(record, field.slice(0, field.lastIndexOf('/')));
  const day = valueAt(record, field);
  if (!isObject(parent) || typeof day !== 'string') return undefined;
  const texts = Object.values(parent).filter((value): value is string => typeof value === 'string');
  const time = texts.find((text) => timeOfDay.test(text));
  const zone = texts.find(isZone);
  if (time === undefined || zone === undefined) return undefined;
  return convertToUtcDay(`${day} ${time.slice(0, 5)} ${zone}`);
}

/** The UTC day of a local day, a time and a zone, such as `2026-03-29 23:30 Europe/Rome`. It is cached, since each record is compared many times. */
const convertToUtcDay = memoize((dayTimeZone: string): string | undefined => {
  const [day, time, zone = ''] = dayTimeZone.split(' ');
  const wallClockTime = Date.parse(`${day}T${time}:00Z`);
  if (Number.isNaN(wallClockTime)) return undefined;
  // The offset is that of the instant. On the day when clocks change, the offset at the same clock reading in UTC can differ.
  const approximateInstant = wallClockTime - offsetAt(wallClockTime, zone);
  return new Date(wallClockTime - offsetAt(approximateInstant, zone)).toISOString().slice(0, 10);
}, 5000);

function isZone(text: Json): text is string {
  if (typeof text !== 'string' || !/^[A-Za-z_+-]+(\/[A-Za-z0-9_+-]+){0,2}$/.test(text) || !/\/|^UTC$|^GMT$/.test(text)) return false;
  try {
    return formatterOf(text) !== undefined;
  } catch (error) {
    // This machine does not know the zone, so the record shows nothing about UTC.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const formatterOf = memoize(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    }),
);

/** Offset of the zone from UTC at about that instant, in milliseconds. */
function offsetAt(moment: number, zone: string): number {
  const parts = Object.fromEntries(
    formatterOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts as Readonly<Record<string, number>>;
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(moment / 60_000) * 60_000;
}
