/** A key that is called full and is not: what follows from it is told to be due to the key. */

import { expect, test } from 'vitest';
import { verify } from '../../../contracts/verify.ts';
import { contractOf, namedKeys } from '../../helpers/engine.ts';
import { startSecondServer } from '../../second/server.ts';

const only = ['filters/values', 'response/status'];

test.each([
  ['without:reservations.read', ['listReservations']],
  ['without:orders.read', ['listOrders']],
  ['full', []],
])('the key %s', async (role, refused) => {
  await using server = await startSecondServer({ api: 'business' });
  const keys = namedKeys({ full: server.keys[role] ?? '' });
  const { notes = [] } = await verify({ contract: await contractOf('business'), target: server.url, keys, only }).result;
  expect(notes.map((note) => note.split(' ')[0])).toEqual(refused);
  for (const note of notes)
    expect(note).toContain(`answered every request of the key full with 403: if that key lacks the scope ${role.replace('without:', '')}`);
});
