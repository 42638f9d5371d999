/** The till's copy of the business: what it has, how far each list was read, and the ETags of what it read alone. */

import type { Body } from './connection.ts';
import type { Order, OrderSummary, Reservation, Tagged, Versioned } from './service.ts';

/** Records of one kind. */
export interface Shelf<T extends Versioned, D extends Versioned> {
  readonly records: Map<number, T>;
  /** Those that were read alone, with their ETags. */
  readonly details: Map<number, Tagged<D>>;
  progress: Progress | undefined;
}

/** Checkpoint of a list with its filters. A checkpoint does not hold for other filters. */
export interface Progress {
  /** The latest change that was processed; `undefined` as long as the list was empty. */
  readonly checkpoint: string | undefined;
  readonly filters: string;
}

/** Everything that the till has. */
export interface Store {
  menu: KeptMenu | undefined;
  readonly orders: Shelf<OrderSummary, Order>;
  readonly reservations: Shelf<Reservation, Reservation>;
}

/** A menu, and the manifest that was current just before it was read. */
export interface KeptMenu extends Tagged<Body> {
  readonly manifest: string;
}

/** A till that has nothing yet. */
export function createStore(): Store {
  return { menu: undefined, orders: createShelf(), reservations: createShelf() };
}

/** Writes records by id; a detail that is older than its record is out of date, and is read again when someone asks. */
export function upsert<T extends Versioned>({ records }: { readonly records: Map<number, T> }, changed: readonly T[]): void {
  for (const record of changed) records.set(record.id, record);
}

/** Forgets a record that the service no longer has. */
export function forget<T extends Versioned, D extends Versioned>({ records, details }: Shelf<T, D>, id: number): void {
  records.delete(id);
  details.delete(id);
}

/** Empties a shelf, so that everything is read again. */
export function empty<T extends Versioned, D extends Versioned>(shelf: Shelf<T, D>): void {
  shelf.records.clear();
  shelf.details.clear();
  shelf.progress = undefined;
}

/** The later one of two changes. Their offsets may differ, so instants are compared and not texts. */
export function later(one: string | undefined, other: string): string {
  return one === undefined || Date.parse(other) > Date.parse(one) ? other : one;
}

function createShelf<T extends Versioned, D extends Versioned>(): Shelf<T, D> {
  return { records: new Map(), details: new Map(), progress: undefined };
}
