/** Knows the order of wiki entries, an open question, and sorts them again only after a change. */

import { draw } from './chance.ts';
import type { EntryRow } from './data-entries.ts';
import type { Setup } from './setup.ts';
import type { Table } from './world.ts';

/** Gives the entries in their order; the moment counts only for a server that has none. */
export function entrySorter(setup: Setup, table: Table<EntryRow>): (moment: number) => readonly EntryRow[] {
  let kept: readonly EntryRow[] | undefined;
  let version = -1;
  return (moment) => {
    if (kept === undefined || version !== table.version() || setup.faulty('order-per-request')) {
      kept = [...table.rows('').values()].sort(ordering(setup, moment));
      version = table.version();
    }
    return kept;
  };
}

function ordering(setup: Setup, moment: number): (one: EntryRow, other: EntryRow) => number {
  const scramble = (entry: EntryRow): number => draw(setup.seed, entry.rank, entry.slug.length, moment);
  if (setup.faulty('order-per-request')) return by((entry) => scramble(entry), true);
  switch (setup.choice('entries-order')) {
    case 'slug':
      return by((entry) => entry.slug, true);
    case 'updated':
      return by((entry) => entry.changed, false);
    case 'scrambled':
      return by((entry) => entry.rank, true);
    default:
      return by((entry) => entry.title, true);
  }
}

/** Compares by one value and then by slug, so that equal values keep their order. */
function by(value: (entry: EntryRow) => string | number, ascending: boolean): (one: EntryRow, other: EntryRow) => number {
  return (one, other) => {
    const [left, right] = [value(one), value(other)];
    if (left !== right) return left < right === ascending ? -1 : 1;
    return one.slug < other.slug ? -1 : 1;
  };
}
