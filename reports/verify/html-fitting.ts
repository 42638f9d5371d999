/** Pieces of a page in a limited room: in full while there is room, then in brief, then counted. */

import type { Markup } from '../html-text.ts';

/** How much room a list has, in bytes. */
export interface Room {
  /** From here on items are told in brief. */
  readonly full: number;
  /** From here on they are left out. */
  readonly all: number;
}

/** What was kept of a list. */
export interface FittedMarkup {
  readonly kept: readonly Markup[];
  /** How many items have no place at all. */
  readonly left: number;
}

/** As many items as there is room for. */
export function fitMarkup<T>(
  items: readonly T[],
  room: Room,
  full: (item: T, index: number) => Markup,
  brief: (item: T, index: number) => Markup = full,
): FittedMarkup {
  const kept: Markup[] = [];
  let used = 0;
  for (const [index, item] of items.entries()) {
    const piece = used < room.full ? full(item, index) : undefined;
    const fits = piece !== undefined && used + sizeOf(piece) <= room.full;
    const chosen = fits ? piece : brief(item, index);
    used += sizeOf(chosen);
    if (used > room.all) return { kept, left: items.length - index };
    kept.push(chosen);
  }
  return { kept, left: 0 };
}

/** How many bytes a piece has when it is written. */
function sizeOf({ markup }: Markup): number {
  return Buffer.byteLength(markup);
}
