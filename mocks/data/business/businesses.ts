/** The three businesses as a table: their rooms, their menus, and how many records they have over time. A change here changes the data of every seed. */

import { type Zone, zones } from '../local-time.ts';
import type { BatchPlan } from '../simultaneous-changes.ts';
import { type LanguageWords, languages, type Menu, menus } from './business-words.ts';

/** A room with its tables. Ids of rooms and tables are unique in the dataset. */
export interface Room {
  readonly id: number;
  readonly name: string;
  readonly tables: readonly Table[];
}

/** A table. */
export interface Table {
  readonly id: number;
  readonly code: string;
  readonly label: string;
  readonly seats: number;
}

/** Number of records of one kind over time. */
export interface Traffic {
  /** New records in a hundred days. */
  readonly perHundredDays: number;
  readonly batches: BatchPlan;
  /** Number of records in the first days of a period, in place of `perHundredDays`. The option `sizes` sets it. */
  readonly stock?: { readonly count: number; readonly days: number };
}

/** One business. */
export interface Business {
  /** Role of its key. */
  readonly tenant: string;
  /** Position among the businesses, from 0 on; ids of records depend on it. */
  readonly place: number;
  readonly id: number;
  readonly name: string;
  readonly zone: Zone;
  readonly language: LanguageWords;
  readonly currency: string;
  readonly phonePrefix: string;
  readonly codePrefix: string;
  /** Codes with characters that a URL must encode, by the index of the order. */
  readonly oddCodes: ReadonlyMap<number, string>;
  readonly customers: number;
  readonly rooms: readonly Room[];
  /** Menu with its products. */
  readonly menu: Menu;
  /** True if the API shows the menu. */
  readonly publishes: boolean;
  readonly orders: Traffic;
  readonly reservations: Traffic;
}

/** All businesses. */
export const businesses: readonly Business[] = [
  {
    tenant: 'full',
    place: 0,
    id: 27,
    name: 'Trattoria del Glicine',
    zone: zones.rome,
    language: languages.italian,
    currency: 'EUR',
    phonePrefix: '+39 055 0100',
    codePrefix: 'TR-',
    oddCodes: new Map([
      [17, 'TR-4F 7K'],
      [101, 'TR/9&2W'],
      [203, 'TRè+6H3'],
    ]),
    customers: 90,
    rooms: [
      room(41, 'Sala grande', languages.italian.table, 1, [2, 2, 4, 4, 4, 6, 6, 8, 14]),
      room(42, 'Veranda', languages.italian.table, 10, [2, 2, 4, 4, 6]),
      room(43, 'Giardino', languages.italian.table, 20, [2, 4, 4, 8]),
    ],
    menu: menus.italian,
    publishes: true,
    // At the mock's default instant, the extra batch includes the hundredth record of each list: equal instants at the end of a page of 10, 20, 25, 50 or 100.
    orders: { perHundredDays: 735, batches: { every: 35, sizes: [12, 2, 9, 3], bulk: { first: 156, size: 24 } } },
    reservations: { perHundredDays: 505, batches: { every: 34, sizes: [12, 2, 6], bulk: { first: 78, size: 24 } } },
  },
  {
    tenant: 'other',
    place: 1,
    id: 31,
    name: 'Parrilla La Tranquera Azul',
    zone: zones.buenosAires,
    language: languages.spanish,
    currency: 'ARS',
    phonePrefix: '+54 11 5550',
    codePrefix: 'PZ-',
    oddCodes: new Map(),
    customers: 30,
    rooms: [room(57, 'Salón', languages.spanish.table, 1, [2, 2, 4, 4, 6, 12]), room(58, 'Vereda', languages.spanish.table, 30, [2, 4])],
    menu: menus.argentine,
    publishes: true,
    orders: { perHundredDays: 170, batches: { every: 20, sizes: [8, 2] } },
    reservations: { perHundredDays: 114, batches: { every: 16, sizes: [5, 2] } },
  },
  {
    tenant: 'no-menu',
    place: 2,
    id: 44,
    name: 'Lantern Quay Kiosk',
    zone: zones.utc,
    language: languages.english,
    currency: 'EUR',
    phonePrefix: '+44 20 7946 0',
    codePrefix: 'LQ-',
    oddCodes: new Map(),
    customers: 8,
    rooms: [room(66, 'Deck', languages.english.table, 1, [2, 2, 4, 8])],
    menu: menus.kiosk,
    publishes: false,
    orders: { perHundredDays: 34, batches: { every: 8, sizes: [2] } },
    reservations: { perHundredDays: 26, batches: { every: 8, sizes: [2] } },
  },
];

function room(id: number, name: string, word: string, first: number, seats: readonly number[]): Room {
  const tables = seats.map((count, index) => ({
    id: id * 100 + first + index,
    code: `${word.charAt(0)}${first + index}`,
    label: `${word} ${first + index}`,
    seats: count,
  }));
  return { id, name, tables };
}
