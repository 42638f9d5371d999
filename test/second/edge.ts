/** Knows what can go wrong at the edge of a page; without a deviation it cuts pages as it should. */

import type { CursorContent } from './cursor.ts';
import type { Setup } from './setup.ts';

/** A page before it is cut. */
export interface Cut<R> {
  readonly rows: readonly R[];
  readonly start: number;
  readonly length: number;
  readonly limit: number;
  readonly content: CursorContent | undefined;
}

/** A page after it was cut: its rows, where the next one starts, and what it says about a next one. */
export interface CutPage<R> {
  readonly rows: readonly R[];
  readonly end: number;
  readonly more: boolean;
  readonly circle: boolean;
  readonly cursor: (written: string) => string | undefined;
}

/** Cuts a page out of the rows. */
export function edgeFaults<R>(setup: Setup, cut: Cut<R>): CutPage<R> {
  const later = cut.content !== undefined;
  const start = cut.start + shift(setup, later);
  const extra = setup.faulty('limit-plus-one') ? 1 : 0;
  const rows = cut.rows.slice(Math.max(start, 0), start + cut.length + extra);
  const end = Math.max(start, 0) + rows.length;
  const page = cut.content?.page ?? 1;
  const circle = setup.faulty('walk-in-a-circle') && end >= cut.rows.length && page > 1;
  const stops = (setup.faulty('stops-at-hundred') && end >= 100) || (setup.faulty('small-pages-stop') && cut.limit < 10 && page >= 3);
  const full = setup.faulty('more-by-length') && rows.length === cut.limit;
  return {
    rows,
    end,
    more: circle || full || (end < cut.rows.length && !stops),
    circle,
    cursor: (written) => {
      if (setup.faulty('next-cursor-missing') && page === 2) return undefined;
      return setup.faulty('cursor-unusable') ? `${written}~` : written;
    },
  };
}

function shift(setup: Setup, later: boolean): number {
  if (!later) return 0;
  if (setup.faulty('edge-skipped')) return 1;
  return setup.faulty('edge-repeated') ? -1 : 0;
}
