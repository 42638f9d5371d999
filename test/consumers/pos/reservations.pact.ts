/** The till's pact with the service: reservations, in lists and alone. The documents leave open where in its body a single one stands. */

import { MatchersV3 } from '@pact-foundation/pact';
import { describe, expect, it } from 'vitest';
import { injected, injectedNumber, startPactVerifier } from '../interaction.ts';
import { failureOf, givenTag, keyed, oneOf, pageBeforeOthers, pageOf, reservationSummary, withTag } from './promised.ts';
import type { Reservation } from './service.ts';
import { createStore } from './store.ts';
import { createTill } from './till.ts';

const { integer } = MatchersV3;
const play = startPactVerifier('point-of-sale', 'business');
const root = '/api/integrations/v1/reservations';
const listed = { path: `${root}/index.php`, given: { 'a reservation exists': {} }, headers: keyed };
const viewed = { path: `${root}/view.php`, given: { 'a reservation exists': {} }, headers: keyed };
const cursor = 'cmVzZXJ2YXRpb25zOjkwMTg';
const checkpoint = '2026-10-03T17:42:05+02:00';
const reservation: Reservation = {
  id: 9021,
  status: 'confirmed',
  source: 'website',
  customer: { id: 88, name: 'Giulia Ferri' },
  schedule: { date: '2026-10-10', time: '20:30', people: 4, timezone: 'Europe/Rome' },
  changed_at: checkpoint,
};

describe('a list of reservations', () => {
  it('is read in pages, written by id, and leaves a checkpoint', async () => {
    const interaction = { ...listed, description: 'a request for all reservations', query: { limit: '100' }, status: 200 };
    const store = createStore();
    const till = (url: string): Promise<string> => createTill(url, { store }).syncReservations();
    expect(await play({ ...interaction, body: pageOf('reservations', reservationSummary) }, till)).toBe('updated');
    expect([...store.reservations.records.keys()]).toEqual([9021]);
    expect(store.reservations.progress?.checkpoint).toBe(checkpoint);
  });

  it('goes on with a cursor while it has more', async () => {
    const given = { 'more than 1 reservations exist': {} };
    const interaction = {
      ...listed,
      description: 'a request for the first page of reservations',
      given,
      query: { limit: '1' },
      status: 200,
    };
    const body = pageBeforeOthers('reservations', reservationSummary, cursor);
    const page = await play({ ...interaction, body }, (url) => createTill(url).service.reservations({ limit: 1 }));
    expect(page).toMatchObject({ records: [{ id: 9021 }], next: cursor });
  });

  it('has a next page behind its cursor', async () => {
    const given = { 'more than 1 reservations exist': {} };
    const query = { limit: '1', cursor: injected('cursor', cursor) };
    const interaction = { ...listed, description: 'a request for the next page of reservations', given, query, status: 200 };
    const body = pageOf('reservations', { ...reservationSummary, id: integer(9018) });
    const page = await play({ ...interaction, body }, (url) => createTill(url).service.reservations({ limit: 1, cursor }));
    expect(page).toMatchObject({ records: [{ id: 9018 }], next: undefined });
  });

  it('holds what changed since the checkpoint, the checkpoint included', async () => {
    const query = { limit: '100', updated_after: injected('changed_at', checkpoint) };
    const interaction = { ...listed, description: 'a request for the reservations that changed', query, status: 200 };
    const store = createStore();
    store.reservations.progress = { checkpoint, filters: '{}' };
    const till = (url: string): Promise<string> => createTill(url, { store }).syncReservations();
    expect(await play({ ...interaction, body: pageOf('reservations', reservationSummary) }, till)).toBe('updated');
  });

  it('holds the reservations of some days in some states only, when the till asks for those', async () => {
    const date = injected('schedule.date', '2026-10-10');
    const query = { limit: '100', status: 'pending,confirmed', date_from: date, date_to: date };
    const given = { 'a reservation with status confirmed exists': {} };
    const interaction = { ...listed, description: 'a request for the guests of a day', given, query, status: 200 };
    const record = { ...reservationSummary, status: oneOf(['pending', 'confirmed'], 'confirmed') };
    const reservationFilters = { status: ['pending', 'confirmed'], date_from: '2026-10-10', date_to: '2026-10-10' };
    const till = (url: string): Promise<string> => createTill(url, { reservationFilters }).syncReservations();
    expect(await play({ ...interaction, body: pageOf('reservations', record) }, till)).toBe('updated');
  });
});

describe('a list of reservations that is refused', () => {
  it('is refused to a cursor that is damaged, and the till starts over', async () => {
    const interaction = { ...listed, description: 'a request for reservations with a damaged cursor', given: {}, status: 422 };
    const refused = play({ ...interaction, query: { limit: '1', cursor: 'damaged' }, body: failureOf('INVALID_QUERY') }, (url) =>
      createTill(url).service.reservations({ limit: 1, cursor: 'damaged' }).catch(String),
    );
    expect(await refused).toMatch(/^QueryRefused/);
  });

  it('is refused to days in the wrong order, and that is a mistake of the till', async () => {
    const query = { limit: '100', date_from: '2026-10-11', date_to: '2026-10-10' };
    const interaction = { ...listed, description: 'a request for the guests of days in the wrong order', given: {}, query, status: 422 };
    const reservationFilters = { date_from: '2026-10-11', date_to: '2026-10-10' };
    const refused = play({ ...interaction, body: failureOf('INVALID_QUERY') }, (url) =>
      createTill(url, { reservationFilters }).syncReservations().catch(String),
    );
    expect(await refused).toMatch(/^QueryRefused/);
  });

  it('is refused to a key that may not read reservations', async () => {
    const interaction = { ...listed, description: 'a request for reservations without that scope', query: { limit: '100' }, status: 403 };
    const given = { 'the key lacks the scope reservations.read': {} };
    const refused = play({ ...interaction, given, body: failureOf('FORBIDDEN') }, (url) =>
      createTill(url).syncReservations().catch(String),
    );
    expect(await refused).toMatch(/^NotAllowed/);
  });
});

describe('a single reservation', () => {
  const query = { id: injectedNumber('id', 9021) };

  it('is complete, and comes with an ETag', async () => {
    const interaction = { ...viewed, description: 'a request for a reservation', query, status: 200, responseHeaders: withTag };
    const store = createStore();
    const till = (url: string): Promise<Reservation | undefined> => createTill(url, { store }).showReservation(9021);
    expect(await play({ ...interaction, body: { data: { reservation: reservationSummary } } }, till)).toEqual(reservation);
    expect(store.reservations.details.get(9021)?.etag).toBe('"5b0e1f"');
  });

  it('is not sent again while it is the same', async () => {
    const headers = { ...keyed, 'If-None-Match': givenTag };
    const interaction = { ...viewed, description: 'a request for a reservation that the till has', query, headers, status: 304 };
    const store = createStore();
    store.reservations.details.set(9021, { value: reservation, etag: '"5b0e1f"' });
    expect(await play(interaction, (url) => createTill(url, { store }).showReservation(9021))).toEqual(reservation);
  });

  it('is forgotten when it is not there', async () => {
    const given = { 'no reservation has id 999999999': {} };
    const gone = { id: injectedNumber('id', 999_999_999) };
    const interaction = { ...viewed, description: 'a request for a reservation that is not there', given, query: gone, status: 404 };
    const store = createStore();
    store.reservations.records.set(999_999_999, { ...reservation, id: 999_999_999 });
    const till = (url: string): Promise<Reservation | undefined> => createTill(url, { store }).showReservation(999_999_999);
    expect(await play({ ...interaction, body: failureOf('RESERVATION_NOT_FOUND') }, till)).toBeUndefined();
    expect([...store.reservations.records]).toEqual([]);
  });
});
