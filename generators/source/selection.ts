/** Selecting some of many: which parts to have, and which to leave out when something is made smaller. */

import type { Chance } from './dice.ts';

/** So many of the members of a list, chosen by chance. */
export function takeSome<T>(list: readonly T[], count: number, chance: Chance): readonly T[] {
  if (count >= list.length) return list;
  const rest = [...list];
  for (let index = 0; index < count; index += 1) {
    const other = chance.nextInt(index, rest.length - 1);
    [rest[index], rest[other]] = [rest[other] as T, rest[index] as T];
  }
  return rest.slice(0, count);
}

/** Which members of a list to leave out, the boldest first: so many as may go, then halves of that, down to single ones; from the end on. */
export function* removals<T>(list: readonly T[], most: number): Iterable<readonly T[]> {
  for (let chunk = Math.min(most, list.length); chunk >= 1; chunk = Math.floor(chunk / 2)) {
    for (let end = list.length; end - chunk >= 0; end -= chunk) yield list.slice(end - chunk, end);
  }
}
