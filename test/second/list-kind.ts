/** Knows what sets the two lists of the business API apart: filters, the fields that they compare, and the order. */

import { channels, orderStatuses } from './data-orders.ts';
import { reservationStatuses } from './data-reservations.ts';
import type { FilterNames } from './list-query.ts';
import type { OrderRow, ReservationRow, Row } from './record.ts';
import type { Setup } from './setup.ts';

/** What a record is sorted by. */
export type SortKey = readonly (number | string)[];

/** An order: what is compared, and for each part whether it ascends. */
export interface Ordering<R> {
  readonly key: (row: R) => SortKey;
  readonly ascending: readonly boolean[];
}

/** One of the two lists. */
export interface ListKind<R extends Row> {
  readonly name: 'orders' | 'reservations';
  readonly filters: FilterNames;
  readonly channel: (row: R) => string | undefined;
  readonly day: (row: R) => { readonly date: string; readonly time: string } | undefined;
  readonly order: (setup: Setup) => Ordering<R>;
}

/** The list of orders, whose order is an open question. */
export const ordersKind: ListKind<OrderRow> = {
  name: 'orders',
  filters: { statuses: orderStatuses, channels },
  channel: (row) => row.channel,
  day: () => undefined,
  order: (setup) => {
    switch (setup.choice('orders-order')) {
      case 'changed-asc':
        return { key: (row) => [row.changed, row.id], ascending: [true, true] };
      case 'id-asc':
        return { key: (row) => [row.id], ascending: [true] };
      case 'id-desc':
        return { key: (row) => [row.id], ascending: [false] };
      case 'code':
        return { key: (row) => [row.code, row.id], ascending: [true, true] };
      case 'scrambled':
        return { key: (row) => [row.rank, row.id], ascending: [true, true] };
      default:
        return { key: (row) => [row.changed, row.id], ascending: [false, false] };
    }
  },
};

/** The list of reservations: by last change, whichever direction that has, then by descending id. */
export const reservationsKind: ListKind<ReservationRow> = {
  name: 'reservations',
  filters: { statuses: reservationStatuses, dates: true },
  channel: () => undefined,
  day: (row) => row,
  order: (setup) => {
    if (setup.faulty('order-by-id')) return { key: (row) => [row.id], ascending: [false] };
    const ascending = setup.choice('reservations-direction') === 'asc';
    return { key: (row) => [row.changed, row.id], ascending: [ascending, setup.faulty('tie-order-ascending')] };
  },
};

/** Compares two sort keys part by part; a shorter key equals every longer one that begins with it. */
export function compareKeys(left: SortKey, right: SortKey, ascending: readonly boolean[]): number {
  for (const [index, up] of ascending.entries()) {
    const one = left[index];
    const other = right[index];
    if (one === undefined || other === undefined) return 0;
    if (one !== other) return one < other === up ? -1 : 1;
  }
  return 0;
}
