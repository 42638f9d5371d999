/** The records of the business API before they become JSON: orders, reservations and menus, made from a seed. */

import { dateText, day, second, spannedDays } from './instants.ts';
import { type DataClock, dataClock, type LiveTable, makeTable } from './live-data.ts';
import { draw, firstChange, grid, instants, pick } from './seeded-draws.ts';
import type { DataSize, Setup } from './server-setup.ts';

/** The person who ordered or reserved. A guest left neither phone nor email. */
export interface CustomerRow {
  readonly id: number;
  readonly name: string;
  readonly phone: string | undefined;
  readonly email: string | undefined;
}

/** The fields of every record. */
export interface BusinessRow {
  readonly id: number;
  readonly tenant: string;
  readonly status: string;
  readonly customer: CustomerRow;
  readonly changed: number;
  /** A place in an order that has nothing to do with anything else. */
  readonly rank: number;
  /** Counts the changes since the server started. */
  readonly revision: number;
}

/** One thing that was ordered. */
interface Item {
  readonly name: string;
  readonly quantity: number;
  readonly cents: number;
}

/** An order. */
export interface OrderRow extends BusinessRow {
  readonly code: string;
  readonly channel: 'takeaway' | 'table';
  readonly fulfillment: string;
  readonly pickup: { readonly mode: string; readonly date: string; readonly time: string } | undefined;
  readonly table: { readonly label: string; readonly room: number; readonly table: number; readonly qr: string } | undefined;
  readonly payment: { readonly mode: string; readonly status: string; readonly provider: string; readonly paidAt: number | undefined };
  readonly discount: number;
  readonly items: readonly Item[];
}

/** A table that is held for a reservation. */
interface Assignment {
  readonly id: number;
  readonly room: number;
  readonly roomName: string;
  readonly table: number;
  readonly code: string;
  readonly label: string;
  readonly minutes: number;
}

/** A reservation. */
export interface ReservationRow extends BusinessRow {
  readonly source: string;
  readonly date: string;
  readonly time: string;
  readonly people: number;
  readonly notes: string | undefined;
  readonly assignment: Assignment | undefined;
}

/** The businesses of the server: A has the most data, B little, and N has no menu. */
export const tenants = ['A', 'B', 'N'] as const;

/** The number of records in a list of a business at the start. */
function count(data: DataSize, tenant: string): number {
  const counts: Readonly<Record<DataSize, readonly [number, number, number]>> = {
    usual: [173, 41, 3],
    none: [0, 0, 0],
    one: [1, 1, 1],
    two: [2, 2, 2],
    few: [40, 7, 2],
    'same-instant': [64, 12, 2],
    large: [20_000, 400, 3],
  };
  const [first, other, bare] = counts[data];
  if (tenant === 'A') return first;
  return tenant === 'B' ? other : bare;
}

/** The id of the record with that index. */
function idOf(setup: Setup, tenant: string, index: number): number {
  const place = tenants.indexOf(tenant === 'B' ? 'B' : tenant === 'N' ? 'N' : 'A');
  const style = setup.choice('ids');
  if (style === 'dense') return place * 1_000_000 + index + 1;
  const sparse = 101 + index * 9 + (draw(setup.seed, index, 5) % 3);
  if (style === 'shared') return sparse;
  const apart = sparse + place * 3;
  return style === 'huge' ? apart + 9_000_000_000 : apart;
}

const given = ['Ada', 'Bruno', 'Chiara', 'Davide', 'Élodie', 'Fatma', 'Giò', 'Hans-Jörg', 'Ines', 'Łukasz', "Niamh O'", '美咲'];
const family = ['Rossi', 'Bianchi', 'D’Angelo', 'Müller', 'Ferrari', 'Nguyễn', 'de la Cruz', 'Åberg', 'Conti', 'Öz'];

/** A customer; one in five is a guest whom nobody can reach. */
function customer(setup: Setup, tenant: string, index: number, salt: number): CustomerRow {
  const drawn = draw(setup.seed, index, salt, tenant.charCodeAt(0));
  const id = 1000 + (drawn % 97);
  const reachable = setup.choice('guest-contact') === 'always';
  return {
    id,
    name: `${pick(given, drawn >>> 3)} ${pick(family, drawn >>> 9)}`,
    phone: reachable || drawn % 5 !== 0 ? `+39 055 ${String(100_000 + (drawn % 900_000))}` : undefined,
    email: reachable || drawn % 5 > 1 ? `guest${id}@example.org` : undefined,
  };
}

/** The states of an order, as the API document lists them. */
export const orderStatuses = ['pending', 'confirmed', 'preparing', 'ready', 'completed', 'cancelled', 'rejected', 'no_show'] as const;

/** The channels of an order. */
export const channels = ['takeaway', 'table'] as const;

/** The order with that index, changed at that instant. */
function makeOrder(setup: Setup, tenant: string, index: number, changed: number): OrderRow {
  const drawn = draw(setup.seed, index, 11, tenant.charCodeAt(0));
  const channel = pick(channels, drawn >>> 2);
  const takeaway = channel === 'takeaway';
  // The first records go through the states in turn, so that a small collection still has them all.
  const status = pick(orderStatuses, index < 40 ? index : drawn >>> 5);
  const paid = drawn % 3 !== 0;
  return {
    id: idOf(setup, tenant, index),
    tenant,
    code: codeOf(setup, tenant, index),
    channel,
    status,
    fulfillment: fulfillment(setup, takeaway, drawn),
    customer: customer(setup, tenant, index, 13),
    pickup: takeaway ? pickup(changed, drawn) : undefined,
    table: takeaway ? undefined : { label: `Tavolo ${1 + (drawn % 24)}`, room: 1 + (drawn % 3), table: 1 + (drawn % 24), qr: 'fixed' },
    payment: {
      mode: paid ? 'online' : 'at_counter',
      status: paid ? 'paid' : 'unpaid',
      provider: paid ? 'card' : 'none',
      paidAt: paid ? changed - (60 + (drawn % 600)) * second : undefined,
    },
    discount: drawn % 4 === 0 ? 150 : 0,
    items: items(drawn),
    changed,
    rank: draw(setup.seed, index, 17),
    revision: 0,
  };
}

function codeOf(setup: Setup, tenant: string, index: number): string {
  const style = setup.choice('codes');
  const number = style === 'repeated' ? Math.floor(index / 2) + 1 : index + 1;
  const owner = style === 'shared' || tenant === 'A' ? '' : `${tenant}.`;
  if (style === 'plain') return `${tenant}${String(number).padStart(4, '0')}`;
  return `${owner}${pick(codeForms, style === 'repeated' ? 0 : index)(number)}`;
}

const codeForms: readonly ((number: number) => string)[] = [
  (number) => `A-${number}`,
  (number) => `T ${number}`,
  (number) => `Ä-${number}/24`,
  (number) => `#${number}`,
  (number) => `A-${number}x`,
  (number) => `100%-${number}`,
  (number) => `a+${number}`,
  (number) => `x&y=${number}`,
  (number) => `o'${number}`,
  (number) => `c_${number}`,
  (number) => `日本-${number}`,
  (number) => `q?${number};z`,
  (number) => `TK${String(number).padStart(6, '0')}`,
];

function fulfillment(setup: Setup, takeaway: boolean, drawn: number): string {
  if (setup.choice('fulfillment') === 'free-text') return pick(['Ritiro al banco', 'à table', 'Drive-In №2', 'pickup later'], drawn >>> 11);
  return takeaway ? 'pickup' : 'dine_in';
}

function pickup(changed: number, drawn: number): { readonly mode: string; readonly date: string; readonly time: string } {
  const time = drawn % 7 === 0 ? '00:05' : drawn % 7 === 1 ? '23:55' : `${12 + (drawn % 10)}:${drawn % 2 === 0 ? '30' : '00'}`;
  return { mode: drawn % 2 === 0 ? 'asap' : 'scheduled', date: dateText(Math.floor(changed / day) + (drawn % 2)), time };
}

function items(drawn: number): readonly Item[] {
  const names = ['Margherita', 'Tagliatelle al ragù', 'Acqua 0,5 l', 'Crème brûlée', 'Panino "della casa"'];
  const length = 1 + (drawn % 3);
  return Array.from({ length }, (_, index) => ({
    name: pick(names, (drawn >>> 7) + index),
    quantity: 1 + ((drawn >>> index) % 3),
    cents: 250 + ((drawn >>> (index + 3)) % 40) * 25,
  }));
}

/** The states of a reservation, as the API document lists them. */
export const reservationStatuses = ['pending', 'confirmed', 'cancelled', 'rejected', 'completed', 'no_show'] as const;

/** The reservation with that index, changed at that instant. */
function makeReservation(setup: Setup, tenant: string, index: number, changed: number): ReservationRow {
  const drawn = draw(setup.seed, index, 31, tenant.charCodeAt(0));
  const status = pick(reservationStatuses, index < 30 ? index : drawn >>> 4);
  const people = 1 + (drawn % 8);
  return {
    id: idOf(setup, tenant, index) + 200,
    tenant,
    status,
    source: pick(['website', 'phone', 'walk-in', 'partner: Gästebuch'], drawn >>> 6),
    customer: customer(setup, tenant, index, 37),
    date: dateText(setup.calendar.first + dayOf(setup, index, drawn)),
    time: timeOf(setup, drawn),
    people,
    notes:
      drawn % 3 === 0
        ? undefined
        : pick(['Window seat, please', 'Allergia: noci & latte', 'Es wird später – "vielleicht"', 'Zwei Hunde 🐕'], drawn >>> 8),
    assignment: status === 'confirmed' || status === 'completed' ? assignment(index, drawn) : undefined,
    changed,
    rank: draw(setup.seed, index, 41),
    revision: 0,
  };
}

function dayOf({ calendar: { odd } }: Setup, index: number, drawn: number): number {
  // Both odd days always have records.
  if (index % 20 === 3) return odd[0];
  if (index % 20 === 7) return odd[1];
  return (drawn >>> 10) % spannedDays;
}

function timeOf({ calendar }: Setup, drawn: number): string {
  // In other spans than the usual one some reservations are for the hour that clocks leave out or show twice.
  const late = ['00:00', '00:30', '23:30', '23:59', ...(calendar.id === 'leap-day' ? [] : ['01:30', '02:30', '03:00'])];
  if (drawn % 4 === 0) return pick(late, drawn >>> 12);
  return `${String(11 + ((drawn >>> 12) % 12))}:${pick(['00', '15', '30', '45'], drawn >>> 16)}`;
}

function assignment(index: number, drawn: number): Assignment {
  const table = 1 + ((drawn >>> 3) % 30);
  return {
    id: 70_000 + index,
    room: 1 + (table % 3),
    roomName: pick(['Sala', 'Terrazza', 'Giardino d’inverno'], table),
    table,
    code: `T${table}`,
    label: `Tavolo ${table}`,
    minutes: 90 + (drawn % 3) * 30,
  };
}

/** A menu that can be given a new version. */
interface MenuRow {
  readonly tenant: string;
  readonly revision: number;
}

/** All tables of the API. */
interface BusinessTables {
  readonly orders: LiveTable<OrderRow>;
  readonly reservations: LiveTable<ReservationRow>;
  readonly menus: LiveTable<MenuRow>;
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

function rowTable<R extends BusinessRow>(
  setup: Setup,
  clock: DataClock,
  name: string,
  salt: number,
  make: (tenant: string, index: number, changed: number) => R,
  statuses: readonly string[],
): LiveTable<R> {
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
