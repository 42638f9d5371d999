/** When records of a business come into being, and which of them are reported in batches. */

import type { Profile } from '../../../core/annotations/profile.ts';
import type { JsonObject } from '../../../core/json.ts';
import { day } from '../calendar.ts';
import { ownInstant, type Period } from '../period.ts';
import { type Chance, createChance } from '../seeded-random.ts';
import type { Timeline } from '../timeline.ts';
import { lastOfBatch, reportAt, reportInstant } from '../timeline.ts';
import { mailName } from './business-words.ts';
import type { Business, Room, Table, Traffic } from './businesses.ts';

/** A table and the room that it stands in. */
export interface Place {
  readonly room: Room;
  readonly table: Table;
}

/** Settings of all records of one business. */
export interface Setting {
  readonly business: Business;
  readonly period: Period;
  readonly gaps: Gaps;
  /** The choices of the business. */
  readonly chance: Chance;
  readonly customers: readonly JsonObject[];
  /** All tables, the largest last. */
  readonly places: readonly Place[];
  /** The choices of what is reported in batches. */
  readonly batches: { readonly orders: Chance; readonly reservations: Chance };
}

/** A business in the dataset of a seed. */
export function makeSetting(business: Business, period: Period, seed: number, gaps: Gaps): Setting {
  const chance = createChance(seed, 'business', period.number, business.place);
  const places = business.rooms.flatMap((room) => room.tables.map((table) => ({ room, table })));
  places.sort((one, other) => one.table.seats - other.table.seats);
  const batches = { orders: chance.of('batches', 'orders'), reservations: chance.of('batches', 'reservations') };
  return { business, period, gaps, chance, customers: makeCustomers(business, chance.of('customer'), gaps), places, batches };
}

/** The number of the day on which the record of an index is created. */
export function createdDay({ stock, perHundredDays }: Traffic, period: Period, index: number): number {
  if (stock === undefined) return period.firstDay + Math.floor((index * 100) / perHundredDays);
  if (index < stock.count) return period.firstDay + Math.floor((index * stock.days) / stock.count);
  // The day after the stock is quiet, so that the mock's own instant, which lies in it, shows the stock and no record more.
  return period.firstDay + stock.days + 1 + Math.floor(((index - stock.count) * 100) / perHundredDays);
}

/** Number of records created up to the end of a day. */
export function countUntil({ stock, perHundredDays }: Traffic, period: Period, dayNumber: number): number {
  const days = dayNumber - period.firstDay + 1;
  if (stock === undefined) return Math.ceil((days * perHundredDays) / 100);
  if (days <= stock.days) return Math.max(0, Math.ceil((days * stock.count) / stock.days));
  return stock.count + Math.ceil(((days - stock.days - 1) * perHundredDays) / 100);
}

/** The number that a record is known by: the businesses are dealt numbers in turn, with gaps between. */
export function recordNumber(first: number, { business, chance }: Setting, index: number): number {
  return first + index * 6 + business.place * 2 + chance.of('gap', first).range(index, 0, 1);
}

/** The timeline of a record, or that of its report when it is reported in a batch. */
export function reported<State>(
  timeline: Timeline<State>,
  kind: keyof Setting['batches'],
  traffic: Traffic,
  { business, period, batches }: Setting,
  index: number,
): Timeline<State> {
  const own = batches[kind];
  const last = lastOfBatch(traffic.batches, own, index);
  if (last === undefined) return timeline;
  // Every other record comes half a second later, and shows the same second.
  const delay = ((last - index) % 2) * halfSecond;
  return reportAt(timeline, reportInstant(own, last, createdDay(traffic, period, last), business.zone) + delay);
}

const halfSecond = 500;

/** Days from creation to the closing of a record, and days between two closings. */
const closing = { after: 2, every: 7 } as const;

/**
 * Once a week, at the hour of the mock's own instant, two records are closed that were created two days before: one as the second begins, the other
 * within it. A client that reads in between meets a change in the very second of its checkpoint. `undefined` for all other records.
 */
export function closedInstant(kind: keyof Setting['batches'], { business, period, batches }: Setting, index: number): number | undefined {
  const traffic = business[kind];
  const closedDay = createdDay(traffic, period, index) + closing.after;
  if ((closedDay - period.firstDay) % closing.every !== 0) return undefined;
  const isBatched = (each: number): boolean => lastOfBatch(traffic.batches, batches[kind], each) !== undefined;
  if (isBatched(index)) return undefined;
  let earlier = 0;
  for (let each = countUntil(traffic, period, closedDay - closing.after - 1); each < index; each += 1) {
    if (!isBatched(each)) earlier += 1;
    if (earlier === 2) return undefined;
  }
  return closedDay * day + (ownInstant % day) + earlier * halfSecond;
}

/** Contact data of guests: a telephone number and an email address, one of them, or neither. */
const known = ['both', 'both', 'both', 'neither', 'neither', 'phone', 'email'] as const;

/** All customers of a business. */
function makeCustomers(business: Business, chance: Chance, gaps: Gaps): readonly JsonObject[] {
  return Array.from({ length: business.customers }, (_, number) => makeCustomer(business, number, chance, gaps));
}

function makeCustomer({ language, phonePrefix, place }: Business, number: number, chance: Chance, gaps: Gaps): JsonObject {
  const own = chance.of(number);
  const name = `${own.pick('first name', language.firstNames)} ${own.pick('last name', language.lastNames)}`;
  const left = gaps.contacts ? chance.deal('known', number, known) : 'both';
  const phone = left === 'both' || left === 'phone' ? `${phonePrefix}${100 + number}` : null;
  const email = left === 'both' || left === 'email' ? `${mailName(name)}@example.${own.pick('domain', ['com', 'org', 'net'])}` : null;
  return { id: 300 + number * 3 + place, name, phone, email };
}

/** For each field, whether some records lack its value. */
export interface Gaps {
  /** Customers who left no phone number or no e-mail address. */
  readonly contacts: boolean;
  /** Reservations without notes; otherwise their notes are an empty text. */
  readonly notes: boolean;
  /** Takeaway orders without a table; otherwise their table is the counter. */
  readonly tables: boolean;
  /** Orders that are paid later than they are placed, or never; otherwise every order is paid when it is placed. */
  readonly payments: boolean;
}

/** Every field has a value of its type: this is inside every reading of the documents. */
export const noGaps: Gaps = { contacts: false, notes: false, tables: false, payments: false };

/** The gaps that a profile asks for: a question about a missing value has the answer `given`, or an answer that shows the gap. */
export function gapsOf(profile: Profile): Gaps {
  const shows = (question: string): boolean => (profile[question] ?? 'given') !== 'given';
  return { contacts: shows('unknown-customer'), notes: shows('empty-notes'), tables: shows('no-table'), payments: shows('unpaid') };
}
