/** The service's operations, as far as a till uses them: what it asks, and what it relies on in the answers. */

import type { Body, Connection, Query, Reading } from './connection.ts';
import { UnexpectedAnswer } from './failure.ts';

/** Members of both kinds of record. */
export interface Versioned {
  readonly id: number;
  /** ISO 8601 with a UTC offset. */
  readonly changed_at: string;
}

/** An order as lists show it. What the documentation leaves open may be null or absent. */
export interface OrderSummary extends Versioned {
  readonly code: string;
  readonly channel: 'takeaway' | 'table';
  readonly fulfillment_type: string;
  readonly status: 'pending' | 'confirmed' | 'preparing' | 'ready' | 'completed' | 'cancelled' | 'rejected' | 'no_show';
  readonly customer: Customer;
  readonly payment: { readonly mode: string; readonly status: string; readonly provider: string; readonly paid_at?: string | null };
  readonly totals: { readonly subtotal: number; readonly discount: number; readonly total: number; readonly currency: string };
}

/** A complete order. What its lines hold is not documented, so the till only prints them. */
export interface Order extends OrderSummary {
  readonly items: readonly unknown[];
  readonly modifiers: readonly unknown[];
  readonly option_groups: readonly unknown[];
}

/** A reservation, in lists and alone. */
export interface Reservation extends Versioned {
  readonly status: 'pending' | 'confirmed' | 'cancelled' | 'rejected' | 'completed' | 'no_show';
  readonly source: string;
  readonly customer: Customer;
  readonly schedule: { readonly date: string; readonly time: string; readonly people: number; readonly timezone: string };
  readonly table_assignment?: { readonly table_label: string; readonly people: number } | null;
}

/** The person behind an order or a reservation. */
export interface Customer {
  readonly id: number;
  readonly name: string;
  readonly phone?: string | null;
  readonly email?: string | null;
}

/** One page of a list. */
export interface Page<T> {
  readonly records: readonly T[];
  /** Leads to the next page; `undefined` on the last one. */
  readonly next: string | undefined;
}

/** A thing and the ETag of this version of it. */
export interface Tagged<T> {
  readonly value: T;
  readonly etag: string;
}

/** A conditional reading: the thing, or that the copy is still good, or that the thing is not there. */
export type Conditional<T> = Tagged<T> | 'unchanged' | 'missing';

/** Requests of the till. */
export interface Service {
  readonly identity: () => Promise<Body>;
  /** The version of the menu; `undefined` when the business has none. Its fields are not documented, so it is compared as a whole. */
  readonly manifest: () => Promise<Body | undefined>;
  readonly menu: (etag?: string) => Promise<Conditional<Body>>;
  readonly orders: (query: Query) => Promise<Page<OrderSummary>>;
  readonly reservations: (query: Query) => Promise<Page<Reservation>>;
  readonly order: (by: { readonly id: number } | { readonly code: string }, etag?: string) => Promise<Conditional<Order>>;
  readonly reservation: (id: number, etag?: string) => Promise<Conditional<Reservation>>;
}

/** The service behind a connection. */
export function createService({ read }: Connection): Service {
  const readObject = async (path: string): Promise<Body | undefined> => {
    const reading = await read(path);
    return reading.kind === 'found' ? reading.body : undefined;
  };
  return {
    identity: async () => (await readObject('/whoami.php')) ?? unexpected('the service has no identity operation'),
    manifest: () => readObject('/menus/manifest.php'),
    menu: async (etag) => tagged(await read('/menus/current.php', {}, etag), (body) => body),
    orders: async (query) => readPage<OrderSummary>(await read('/orders/index.php', query), 'orders'),
    reservations: async (query) => readPage<Reservation>(await read('/reservations/index.php', query), 'reservations'),
    order: async (by, etag) => tagged(await read('/orders/view.php', by, etag), (body) => findRecord<Order>(body, 'order')),
    reservation: async (id, etag) =>
      tagged(await read('/reservations/view.php', { id }, etag), (body) => findRecord<Reservation>(body, 'reservation')),
  };
}

function tagged<T>(reading: Reading, open: (body: Body) => T): Conditional<T> {
  if (reading.kind === 'unchanged' || reading.kind === 'missing') return reading.kind;
  return { value: open(reading.body), etag: reading.etag ?? unexpected('a conditional read came without an ETag') };
}

function readPage<T extends Versioned>(reading: Reading, name: string): Page<T> {
  const data = reading.kind === 'found' ? reading.body['data'] : unexpected(`the list of ${name} is not there`);
  if (!isObject(data) || !Array.isArray(data[name]) || !isObject(data['page'])) return unexpected(`the list of ${name} has no page`);
  const records = data[name].map((record: unknown) => requireRecord<T>(record));
  const { has_more: hasMore, next_cursor: next } = data['page'];
  if (hasMore !== true) return { records, next: undefined };
  return { records, next: typeof next === 'string' ? next : unexpected(`the list of ${name} goes on without a cursor`) };
}

/** The documentation does not say where in its body a record stands: under its name, under `data`, or at the top. */
function findRecord<T extends Versioned>(body: Body, name: string): T {
  const data = isObject(body['data']) ? body['data'] : {};
  return requireRecord<T>([data[name], data, body].find(isRecord));
}

function requireRecord<T extends Versioned>(value: unknown): T {
  // The other fields are trusted: the contract tests hold the service to them.
  return isRecord(value) ? (value as T) : unexpected('a record has no id or no changed_at');
}

function isRecord(value: unknown): value is Versioned {
  return isObject(value) && Number.isInteger(value['id']) && typeof value['changed_at'] === 'string';
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unexpected(message: string): never {
  throw new UnexpectedAnswer(message, { status: 200 });
}
