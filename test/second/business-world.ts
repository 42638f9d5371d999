/** Knows the tables of the business API: its orders, its reservations and the menus, and how each changes. */

import { makeOrder, orderStatuses } from './data-orders.ts';
import { makeReservation, reservationStatuses } from './data-reservations.ts';
import { count } from './data-rows.ts';
import type { OrderRow, ReservationRow, Row } from './record.ts';
import type { Setup } from './setup.ts';
import { firstChange, grid, instants } from './timeline.ts';
import { type DataClock, dataClock, makeTable, type Table } from './world.ts';

/** A menu that can be given a new version. */
export interface MenuRow {
  readonly tenant: string;
  readonly revision: number;
}

/** All tables of the API. */
export interface BusinessTables {
  readonly orders: Table<OrderRow>;
  readonly reservations: Table<ReservationRow>;
  readonly menus: Table<MenuRow>;
}

/** Opens the tables; nothing is made before it is asked for. */
export function businessTables(setup: Setup): BusinessTables {
  const clock = dataClock(firstChange(setup), 7 * grid(setup));
  return {
    orders: rowTable(setup, clock, 'orders', 3, (tenant, index, changed) => makeOrder(setup, tenant, index, changed), orderStatuses),
    reservations: rowTable(
      setup,
      clock,
      'reservations',
      5,
      (tenant, index, changed) => makeReservation(setup, tenant, index, changed),
      reservationStatuses,
    ),
    menus: makeTable<MenuRow>(
      {
        name: 'menus',
        first: (tenant) => (tenant === 'N' ? [] : [{ tenant, revision: 0 }]),
        next: (tenant) => ({ tenant, revision: 0 }),
        changed: (row) => ({ ...row, revision: row.revision + 1 }),
        key: () => 'menu',
      },
      clock,
    ),
  };
}

function rowTable<R extends Row>(
  setup: Setup,
  clock: DataClock,
  name: string,
  salt: number,
  make: (tenant: string, index: number, changed: number) => R,
  statuses: readonly string[],
): Table<R> {
  return makeTable<R>(
    {
      name,
      first: (tenant) =>
        instants(setup, count(setup.data, tenant), salt + tenant.charCodeAt(0)).map((changed, index) => make(tenant, index, changed)),
      next: make,
      changed: (row, changed) => {
        const status = statuses[(statuses.indexOf(row.status) + 1) % statuses.length] ?? row.status;
        return { ...row, changed, status, revision: row.revision + 1 };
      },
      key: (row) => row.id,
    },
    clock,
  );
}
