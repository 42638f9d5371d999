/**
 * Mutant that reads the local days of a range in UTC, by the time zone of the record. `range-filter-mutants.ts` calls it for each record that such a mutant
 * compares with a range. It changes no contract.
 */

import type { Filter } from '../annotations/annotations.ts';
import { isObject, type Json } from '../json.ts';
import { memoize } from '../memo.ts';
import { valueAt } from '../pointer.ts';
import type { DataRecord, FilterArguments, Query } from '../query/query.ts';
import { withoutArguments } from './mutant.ts';

/** True when a server that reads these bounds of the field in UTC would return a record. */
export function acceptsInUtc(
  { filters, query }: { readonly filters: ReadonlyMap<string, Filter>; readonly query: Query },
  parameters: readonly string[],
  field: string,
  record: DataRecord,
  values: FilterArguments,
): boolean {
  const day = utcDayOf(record, field);
  if (day === undefined) return query.matches(record, values);
  const others = withoutArguments(values, ...parameters);
  const isInside = parameters.every((name) => {
    const [bound, filter] = [values.get(name), filters.get(name)];
    return typeof bound !== 'string' || filter === undefined || filter.operator === 'matches' || compareDays(filter.operator, day, bound);
  });
  return isInside && query.matches(record, others);
}

function compareDays(operator: Filter['operator'], day: string, bound: string): boolean {
  if (operator === 'from') return day >= bound;
  if (operator === 'to') return day <= bound;
  return operator === 'after' ? day > bound : day < bound;
}

const timeOfDay = /^([01]\d|2[0-3]):([0-5]\d)(:[0-5]\d)?$/;

/**
 * The UTC day of the local day at `field`, by a time of day and the name of a time zone among the fields beside it; `undefined` when there are none.
 */
function utcDayOf(record: DataRecord, field: string): string | undefined {
  const holder = valueAt(record, field.slice(0, field.lastIndexOf('/')));
  const day = valueAt(record, field);
  if (!isObject(holder) || typeof day !== 'string') return undefined;
  const texts = Object.values(holder).filter((value): value is string => typeof value === 'string');
  const time = texts.find((text) => timeOfDay.test(text));
  const zone = texts.find(isZone);
  if (time === undefined || zone === undefined) return undefined;
  return dayInUtc(`${day} ${time.slice(0, 5)} ${zone}`);
}

/** The UTC day of a local day, a time and a zone, such as `2026-03-29 23:30 Europe/Rome`. Each record is asked for the same one again and again. */
const dayInUtc = memoize((local: string): string | undefined => {
  const [day, time, zone = ''] = local.split(' ');
  const wallClockTime = Date.parse(`${day}T${time}:00Z`);
  if (Number.isNaN(wallClockTime)) return undefined;
  // The offset counts at the moment itself, which on the day when clocks change is not the offset at the same reading in UTC.
  const approximateInstant = wallClockTime - offsetAt(wallClockTime, zone);
  return new Date(wallClockTime - offsetAt(approximateInstant, zone)).toISOString().slice(0, 10);
}, 5000);

function isZone(text: Json): text is string {
  if (typeof text !== 'string' || !/^[A-Za-z_+-]+(\/[A-Za-z0-9_+-]+){0,2}$/.test(text) || !/\/|^UTC$|^GMT$/.test(text)) return false;
  try {
    return formatterOf(text) !== undefined;
  } catch (error) {
    // Only a name that this machine's list of zones does not have: the record is then no witness for anything about UTC.
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
