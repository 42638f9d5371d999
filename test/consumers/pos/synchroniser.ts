/** Keeps the till's copy current: the menu by its version, lists by their checkpoints, single records by their ETags. */

import type { Query } from './connection.ts';
import { KeyRefused, NotAllowed, QueryRefused, Unavailable, UnexpectedAnswer } from './failure.ts';
import type { Conditional, Order, Page, Reservation, Service, Versioned } from './service.ts';
import { empty, forget, later, type Shelf, type Store, upsert } from './store.ts';

/** Lists and filters of the till. */
export interface SynchroniserOptions {
  readonly service: Service;
  readonly store: Store;
  /** Records on a page. Default: 100. */
  readonly pageSize?: number;
  readonly orderFilters?: { readonly status?: readonly string[]; readonly channel?: readonly string[] };
  readonly reservationFilters?: { readonly status?: readonly string[]; readonly date_from?: string; readonly date_to?: string };
}

/** Result of one part. `later`: the service was not available, and the next run catches up. */
export type Outcome = 'current' | 'updated' | 'none' | 'not-allowed' | 'later';

/** Result of a run. A run stops at a refused key. */
export type Report = { readonly menu: Outcome; readonly orders: Outcome; readonly reservations: Outcome } | { readonly stopped: string };

/** Keeps a copy. */
export interface Synchroniser {
  /** Brings everything up to date. After a refused key, runs ask nothing more. */
  readonly run: () => Promise<Report>;
  readonly syncMenu: () => Promise<Outcome>;
  readonly syncOrders: () => Promise<Outcome>;
  readonly syncReservations: () => Promise<Outcome>;
  /** The complete order; `undefined` when there is none. */
  readonly showOrder: (by: { readonly id: number } | { readonly code: string }) => Promise<Order | undefined>;
  readonly showReservation: (id: number) => Promise<Reservation | undefined>;
}

/** A synchroniser of a store. */
export function createSynchroniser(options: SynchroniserOptions): Synchroniser {
  const { service, store, pageSize: limit = 100 } = options;
  const orderFilters = { status: options.orderFilters?.status?.join(), channel: options.orderFilters?.channel?.join() };
  const reservationFilters = { ...options.reservationFilters, status: options.reservationFilters?.status?.join() };
  let stopped: string | undefined;
  const syncMenu = (): Promise<Outcome> => updateMenu(service, store);
  const syncOrders = (): Promise<Outcome> => updateShelf(store.orders, service.orders, { ...orderFilters, limit });
  const syncReservations = (): Promise<Outcome> => updateShelf(store.reservations, service.reservations, { ...reservationFilters, limit });
  const run = async (): Promise<Report> => {
    if (stopped !== undefined) return { stopped };
    try {
      return { menu: await settle(syncMenu), orders: await settle(syncOrders), reservations: await settle(syncReservations) };
    } catch (error) {
      if (!(error instanceof KeyRefused)) throw error;
      stopped = error.message;
      return { stopped };
    }
  };
  return {
    run,
    syncMenu,
    syncOrders,
    syncReservations,
    showOrder: (by) => show(store.orders, idOf(store, by), (etag) => service.order(by, etag)),
    showReservation: (id) => show(store.reservations, id, (etag) => service.reservation(id, etag)),
  };
}

/** A part that fails for a while leaves the others alone; anything else is for the till's owner to see. */
async function settle(part: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await part();
  } catch (error) {
    if (error instanceof NotAllowed) return 'not-allowed';
    if (error instanceof Unavailable) return 'later';
    throw error;
  }
}

/** The manifest is small: the menu itself is asked for only when the manifest changed, and read only when its ETag did. */
async function updateMenu(service: Service, store: Store): Promise<Outcome> {
  const manifest = await service.manifest();
  if (manifest === undefined) return dropMenu(store);
  const version = JSON.stringify(manifest);
  if (store.menu?.manifest === version) return 'current';
  const reading = await service.menu(store.menu?.etag);
  if (reading === 'missing') return dropMenu(store);
  if (reading !== 'unchanged') {
    store.menu = { ...reading, manifest: version };
    return 'updated';
  }
  if (store.menu !== undefined) store.menu = { ...store.menu, manifest: version };
  return 'current';
}

function dropMenu(store: Store): Outcome {
  store.menu = undefined;
  return 'none';
}

/** Reads what changed since the checkpoint. When a cursor is refused on the way, for example after a release, it starts over, once. */
async function updateShelf<T extends Versioned, D extends Versioned>(
  shelf: Shelf<T, D>,
  list: (query: Query) => Promise<Page<T>>,
  filters: Query,
): Promise<Outcome> {
  const { limit: _, ...selecting } = filters;
  const printed = JSON.stringify(selecting);
  // Other filters select other records, about which the old checkpoint says nothing.
  if (shelf.progress !== undefined && shelf.progress.filters !== printed) empty(shelf);
  const checkpoint = shelf.progress?.checkpoint;
  const query = { ...filters, updated_after: checkpoint };
  const walked = (await walk(shelf, list, query)) ?? (await walk(shelf, list, query));
  if (walked === undefined) throw new UnexpectedAnswer('the service refuses the cursors that it gives');
  // Only now: a run that broke off must read the rest of its pages again.
  shelf.progress = { checkpoint: walked.latest === undefined ? checkpoint : later(checkpoint, walked.latest), filters: printed };
  return walked.isNew ? 'updated' : 'current';
}

interface Walked {
  readonly latest: string | undefined;
  /** True when something new came. Records that changed at the checkpoint itself come again. */
  readonly isNew: boolean;
}

/** Every page, from the first one on; `undefined` when a cursor is refused on the way. */
async function walk<T extends Versioned, D extends Versioned>(
  shelf: Shelf<T, D>,
  list: (query: Query) => Promise<Page<T>>,
  query: Query,
): Promise<Walked | undefined> {
  let latest: string | undefined;
  let isNew = false;
  let cursor: string | undefined;
  do {
    const page = await readPage(list, { ...query, cursor });
    if (page === undefined) return undefined;
    for (const record of page.records) {
      isNew ||= shelf.records.get(record.id)?.changed_at !== record.changed_at;
      latest = later(latest, record.changed_at);
    }
    upsert(shelf, page.records);
    cursor = page.next;
  } while (cursor !== undefined);
  return { latest, isNew };
}

/** A refused first page is a mistake of this program; a later one means that its cursor is no longer valid. */
async function readPage<T>(list: (query: Query) => Promise<Page<T>>, query: Query): Promise<Page<T> | undefined> {
  try {
    return await list(query);
  } catch (error) {
    if (error instanceof QueryRefused && query['cursor'] !== undefined) return undefined;
    throw error;
  }
}

/** Reads a single record again only if it changed, and forgets one that is gone. */
async function show<T extends Versioned, D extends T>(
  shelf: Shelf<T, D>,
  id: number | undefined,
  read: (etag: string | undefined) => Promise<Conditional<D>>,
): Promise<D | undefined> {
  const kept = id === undefined ? undefined : shelf.details.get(id);
  const reading = await read(kept?.etag);
  if (reading === 'unchanged') return kept?.value;
  if (reading === 'missing') {
    if (id !== undefined) forget(shelf, id);
    return undefined;
  }
  shelf.details.set(reading.value.id, reading);
  return reading.value;
}

function idOf(store: Store, by: { readonly id: number } | { readonly code: string }): number | undefined {
  if ('id' in by) return by.id;
  const shown = [...store.orders.details.values()].map(({ value }) => value);
  return [...store.orders.records.values(), ...shown].find(({ code }) => code === by.code)?.id;
}
