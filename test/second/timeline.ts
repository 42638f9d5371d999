/** Knows at which instants the records of a list changed: blocks of equal ones, midnights, and a grid as fine as changed_at shows it. */

import { oddInstants, spannedDays } from './calendar.ts';
import { draw, shuffled } from './chance.ts';
import { day, second } from './instant.ts';
import type { Setup } from './setup.ts';

/** The smallest step between two instants that changed_at can show. */
export function grid(setup: Setup): number {
  const spelling = setup.api === 'wiki' ? 'zone' : setup.choice('changed-at');
  if (spelling.endsWith('microseconds')) return 1;
  return spelling === 'milliseconds' ? 1000 : second;
}

/** The instant of each record by its index. Neighbours in time are not neighbours by index. */
export function instants(setup: Setup, count: number, salt: number): readonly number[] {
  const places = shuffled(count, setup.seed + salt);
  const sorted = ascending(setup, count, salt);
  const byIndex = new Array<number>(count);
  places.forEach((index, place) => {
    byIndex[index] = sorted[place] ?? 0;
  });
  return byIndex;
}

/** The latest instant of the span and somewhat after it: where changes of a running server begin. */
export function firstChange({ calendar }: Setup): number {
  return (calendar.first + spannedDays + 1) * day;
}

/** In other spans than the usual one, half of the records are where clocks and calendars are odd. */
function ascending(setup: Setup, count: number, salt: number): readonly number[] {
  if (setup.calendar.id === 'leap-day' || setup.data === 'same-instant' || setup.api === 'wiki') return spread(setup, count, salt);
  const odd = oddInstants(setup.calendar, setup.choice('zone'), grid(setup)).slice(0, Math.ceil(count / 2));
  return [...odd, ...spread(setup, count - odd.length, salt)].toSorted((left, right) => left - right);
}

function spread(setup: Setup, count: number, salt: number): readonly number[] {
  const start = setup.calendar.first * day + 9 * 3600 * second;
  if (setup.data === 'same-instant') return new Array<number>(count).fill(start + 5 * day);
  const average = ((spannedDays - 1) * day) / Math.max(count, 1);
  const step = grid(setup);
  const sorted: number[] = [];
  let instant = start;
  let equal = 0;
  for (let index = 0; index < count; index += 1) {
    const drawn = draw(setup.seed, salt, index);
    if (equal > 0) equal -= 1;
    else {
      instant = later(instant, average, step, drawn);
      if (drawn % 6 === 0) equal = 2 + ((drawn >>> 8) % 4);
    }
    sorted.push(instant);
  }
  return sorted;
}

function later(instant: number, average: number, step: number, drawn: number): number {
  // A block of equal instants uses up no time, so the other steps are longer than the average.
  const reach = Math.max(average * 2.9, 2 * step);
  const next = instant + step + Math.floor((((drawn >>> 4) % 1000) / 1000) * reach);
  const midnight = Math.ceil(next / day) * day;
  const near = drawn % 9 === 1 && midnight - instant < reach;
  const chosen = near ? midnight - ((drawn >>> 5) % 2) * step : next;
  // Some records follow soon, on a fine grid within the same second, which a server that truncates cannot tell apart.
  const close = drawn % 5 === 2 ? instant + step * (1 + ((drawn >>> 6) % 400)) : chosen;
  const shown = step < second && close === chosen && !near ? close + ((drawn >>> 7) % second) : close;
  return Math.max(instant + step, Math.floor(shown / step) * step);
}
