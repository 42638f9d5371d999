/** The sample of single reads has each value of every filter that has few, and each type of every nested part. */

import { expect, test } from 'vitest';
import { recordsOfEachKind } from '../../../../../contracts/verify/evidence/single-reads.ts';
import { contractOf, listIn, openContext } from '../../../../helpers/engine.ts';
import { type LazyList, listTarget, momentOf, rankFrom } from '../../../../helpers/lazy-list.ts';

const business = await contractOf('business');
const reservations = listIn(business, 'listReservations');

/** Reservations that are all alike, but for a state at the twentieth, and a note without a text at the twenty-fifth. */
const list: LazyList = {
  size: 30,
  record: (place) => ({
    id: place + 1,
    status: place === 19 ? 'cancelled' : 'confirmed',
    notes: { guest: place === 24 ? null : 'Window' },
    changed_at: momentOf(place),
  }),
  filter: (name, text) => (place) => name !== 'updated_after' || place >= rankFrom(text),
};

test('rare values and rare parts are in the sample, whatever their place in the list', async () => {
  const snapshot = await openContext(business, listTarget(reservations, list)).snapshot(reservations);
  const sample = recordsOfEachKind(snapshot, snapshot.records).map(({ id }) => id);
  expect(sample).toEqual(expect.arrayContaining([20, 25]));
  expect(sample.length).toBeLessThan(6);
});
