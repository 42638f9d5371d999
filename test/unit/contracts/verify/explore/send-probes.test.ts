/** A wrong walk is read again with fewer filters, as long as it stays as wrong. */

import { expect, test } from 'vitest';
import { shrinkWalk } from '../../../../../contracts/verify/explore/send-probes.ts';
import { contractOf, listIn, openContext } from '../../../../helpers/engine.ts';
import { type LazyList, listTarget, momentOf, rankFrom } from '../../../../helpers/lazy-list.ts';

const business = await contractOf('business');
const reservations = listIn(business, 'listReservations');

/** Reservations of which one changed each minute. A selection by status loses the eighth. */
const list: LazyList = {
  size: 30,
  record: (place) => ({ id: place + 1, status: 'confirmed', changed_at: momentOf(place) }),
  filter: (name, text) => (place) => (name === 'updated_after' ? place >= rankFrom(text) : place !== 7),
};

test('the filters that a mistake does not need are left out', async () => {
  const context = openContext(business, listTarget(reservations, list));
  await context.snapshot(reservations);
  const values = { status: ['confirmed'], updated_after: momentOf(3) };
  await context.pagination({ operation: reservations, values, limit: 20, maxPages: 4 });
  await shrinkWalk(context, { operation: reservations, values, limit: 20, maxPages: 4 });
  const selections = context.paginations.map(({ values: sent, records }) => [Object.keys(sent).join(), records.some(({ id }) => id === 8)]);
  expect(selections).toContainEqual(['status', false]);
});
