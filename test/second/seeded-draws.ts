/** Repeatable numbers for the data: draws that depend on a seed, and the instants at which records changed. */

import { day, oddInstants, second, spannedDays } from './instants.ts';
import type { Setup } from './server-setup.ts';

/** A whole number of 32 bits that depends on each of the parts and looks unrelated to them. */
export function draw(...parts: readonly number[]): number {
  let state = 0x9e3779b9;
  for (const part of parts) {
    state = Math.imul(state ^ (part | 0), 0x85ebca6b);
    state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
    state ^= state >>> 16;
  }
  return state >>> 0;
}

/** The member of the list that a draw points at. */
export function pick<T>(list: readonly T[], drawn: number): T {
  const member = list[drawn % list.length];
  if (member === undefined) throw new Error('There is nothing to pick from: give pick a list with at least one member');
  return member;
}

/** The numbers 0 to count - 1 in a shuffled order. */
function shuffled(count: number, seed: number): readonly number[] {
  const numbers = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = draw(seed, last, 71) % (last + 1);
    const held = numbers[last] ?? 0;
    numbers[last] = numbers[other] ?? 0;
    numbers[other] = held;
  }
  return numbers;
}

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
