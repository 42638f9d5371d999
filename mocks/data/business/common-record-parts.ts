/**
 * What all orders and reservations of a business share: customers, tables, times of creation, batches, and missing values. Made once for each business and
 * period.
 */

import type { Profile } from '../../../core/annotations/apply-profile.ts';
import type { JsonObject } from '../../../core/json.ts';
import { defaultInstant } from '../../clock.ts';
import type { Period } from '../four-year-periods.ts';
import { day } from '../local-time.ts';
import { type Chance, createChance } from '../seeded-random.ts';
import { batchInstant, collapseToBatch, lastOfBatch } from '../simultaneous-changes.ts';
import type { Timeline } from '../timeline.ts';
import type { Business, Room, Table, Traffic } from './businesses.ts';

/** A table and its room. */
export interface RoomTable {
  readonly room: Room;
  readonly table: Table;
}

/** Parts that the orders and reservations of one business share. */
export interface CommonParts {
  readonly business: Business;
  readonly period: Period;
  readonly gaps: Gaps;
  /** Random choices of the business. */
  readonly chance: Chance;
  readonly customers: readonly JsonObject[];
  /** All tables, the largest last. */
  readonly places: readonly RoomTable[];
  /** Random choices of batches. */
  readonly batches: { readonly orders: Chance; readonly reservations: Chance };
}

/** Makes the common parts of a business in a period. */
export function makeCommonParts(business: Business, period: Period, seed: number, gaps: Gaps): CommonParts {
  const chance = createChance(seed, 'business', period.number, business.place);
  const places = business.rooms.flatMap((room) => room.tables.map((table) => ({ room, table })));
  places.sort((left, right) => left.table.seats - right.table.seats);
  const batches = { orders: chance.of('batches', 'orders'), reservations: chance.of('batches', 'reservations') };
  return { business, period, gaps, chance, customers: makeCustomers(business, chance.of('customer'), gaps), places, batches };
}

/** Returns the number of the day on which a record is created. */
export function createdDay({ stock, perHundredDays }: Traffic, period: Period, index: number): number {
  if (stock === undefined) return period.firstDay + Math.floor((index * 100) / perHundredDays);
  if (index < stock.count) return period.firstDay + Math.floor((index * stock.days) / stock.count);
  // The day after the stock has no new records, so that the mock's default instant, which is on it, shows exactly the stock.
  return period.firstDay + stock.days + 1 + Math.floor(((index - stock.count) * 100) / perHundredDays);
}

/** Returns the number of records created up to the end of a day. */
export function countUntil({ stock, perHundredDays }: Traffic, period: Period, dayNumber: number): number {
  const days = dayNumber - period.firstDay + 1;
  if (stock === undefined) return Math.ceil((days * perHundredDays) / 100);
  if (days <= stock.days) return Math.max(0, Math.ceil((days * stock.count) / stock.days));
  return stock.count + Math.ceil(((days - stock.days - 1) * perHundredDays) / 100);
}

/** Returns the id of a record. Ids of the businesses alternate, with gaps, so that ids of one business are not consecutive. */
export function recordId(first: number, { business, chance }: CommonParts, index: number): number {
  return first + index * 6 + business.place * 2 + chance.of('gap', first).range(index, 0, 1);
}

/** Returns the timeline of a record; if it is reported in a batch, only the event of the report. */
export function withBatchReport<State>(
  timeline: Timeline<State>,
  kind: keyof CommonParts['batches'],
  traffic: Traffic,
  { business, period, batches }: CommonParts,
  index: number,
): Timeline<State> {
  const chance = batches[kind];
  const lastIndex = lastOfBatch(traffic.batches, chance, index);
  if (lastIndex === undefined) return timeline;
  // Every second record changes half a second later, and shows the same second.
  const delay = ((lastIndex - index) % 2) * halfSecond;
  return collapseToBatch(timeline, batchInstant(chance, lastIndex, createdDay(traffic, period, lastIndex), business.zone) + delay);
}

const halfSecond = 500;

/** Days from creation to the closing of a record, and days between two closings. */
const closing = { after: 2, every: 7 } as const;

/**
 * Returns the instant at which a record is closed by the weekly closing; `undefined` for other records. Once a week, at the hour of the mock's default
 * instant, two records from two days before are closed within one second. A client that reads between them meets a change in the second of its checkpoint.
 */
export function weeklyClosingInstant(
  kind: keyof CommonParts['batches'],
  { business, period, batches }: CommonParts,
  index: number,
): number | undefined {
  const traffic = business[kind];
  const closedDay = createdDay(traffic, period, index) + closing.after;
  if ((closedDay - period.firstDay) % closing.every !== 0) return undefined;
  const isBatched = (other: number): boolean => lastOfBatch(traffic.batches, batches[kind], other) !== undefined;
  if (isBatched(index)) return undefined;
  let earlierClosings = 0;
  for (let other = countUntil(traffic, period, closedDay - closing.after - 1); other < index; other += 1) {
    if (!isBatched(other)) earlierClosings += 1;
    if (earlierClosings === 2) return undefined;
  }
  return closedDay * day + (defaultInstant % day) + earlierClosings * halfSecond;
}

/** Fields that lack a value in some records. */
export interface Gaps {
  /** True: some customers have no phone number or no e-mail address. */
  readonly contacts: boolean;
  /** True: reservations without notes have none; false: they have an empty text. */
  readonly notes: boolean;
  /** True: takeaway orders have no table; false: their table is the counter. */
  readonly tables: boolean;
  /** True: some orders are paid later or never; false: all are paid when placed. */
  readonly payments: boolean;
}

/** No gaps: every field has a value of its type, which every interpretation of the documents allows. */
export const noGaps: Gaps = { contacts: false, notes: false, tables: false, payments: false };

/** Returns the gaps of a profile: every answer but `given` to a question about a missing value is a gap. */
export function gapsOf(profile: Profile): Gaps {
  const hasGap = (question: string): boolean => (profile[question] ?? 'given') !== 'given';
  return { contacts: hasGap('unknown-customer'), notes: hasGap('empty-notes'), tables: hasGap('no-table'), payments: hasGap('unpaid') };
}

/** Cards of contact data: phone number and e-mail address, one of them, or neither. */
const contactCases = ['both', 'both', 'both', 'neither', 'neither', 'phone', 'email'] as const;

/** Creates all customers of a business. */
function makeCustomers(business: Business, chance: Chance, gaps: Gaps): readonly JsonObject[] {
  return Array.from({ length: business.customers }, (_, number) => makeCustomer(business, number, chance, gaps));
}

function makeCustomer({ language, phonePrefix, place }: Business, number: number, chance: Chance, gaps: Gaps): JsonObject {
  const customerChance = chance.of(number);
  const name = `${customerChance.pick('first name', language.firstNames)} ${customerChance.pick('last name', language.lastNames)}`;
  const contacts = gaps.contacts ? chance.deal('known', number, contactCases) : 'both';
  const phone = contacts === 'both' || contacts === 'phone' ? `${phonePrefix}${100 + number}` : null;
  const email =
    contacts === 'both' || contacts === 'email'
      ? `${mailName(name)}@example.${customerChance.pick('domain', ['com', 'org', 'net'])}`
      : null;
  return { id: 300 + number * 3 + place, name, phone, email };
}

/** Letters for addresses. They are not normalized by the machine, since that would depend on its version of Unicode. */
const plainLetters: Readonly<Record<string, string>> = {
  à: 'a',
  á: 'a',
  è: 'e',
  é: 'e',
  ë: 'e',
  ì: 'i',
  í: 'i',
  ò: 'o',
  ó: 'o',
  ø: 'o',
  ù: 'u',
  ú: 'u',
  ü: 'u',
  ñ: 'n',
};

/** Converts a name to the local part of an e-mail address. */
function mailName(name: string): string {
  const letters = [...name.toLowerCase()].map((letter) => plainLetters[letter] ?? letter);
  return letters
    .join('')
    .replace(/ +/g, '.')
    .replace(/[^a-z.-]/g, '');
}
