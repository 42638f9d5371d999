/** Random filters: bounds that a contract puts in order are in order, also as instants in several UTC offsets. */

import { expect, test } from 'vitest';
import { drawFilters } from '../../../../../contracts/verify/evidence/random-request-values.ts';
import { instantOf } from '../../../../../core/query/instants.ts';
import { notesContract } from '../../../../helpers/contracts/notes-server.ts';
import { fakeTarget, listIn, openContext } from '../../../../helpers/engine.ts';
import { pageBody } from '../../../../helpers/lazy-list.ts';

/** Instants whose order as texts is another one. */
const instants = ['2026-03-01T23:30:00-05:00', '2026-03-02T01:00:00+02:00', '2026-03-02T00:30:00Z', '2026-03-02T09:00:00+09:00'];

test('ordered instants are drawn in the order of time, not of their texts', async () => {
  const contract = await notesContract();
  const list = listIn(contract, 'listNotes');
  const records = instants.map((at, index) => ({ id: index + 1, at, state: 'open', title: 'A note', seen: 'public' }));
  const context = openContext(
    contract,
    fakeTarget(() => ({ body: pageBody(list, { records, more: false }) })),
  );
  const drawn = drawFilters(context, await context.snapshot(list), 2);
  const ranges = drawn.flatMap(({ since, until }) => (since === undefined || until === undefined ? [] : [[since, until] as const]));
  expect(ranges.filter(([since, until]) => (instantOf(since) ?? 0n) > (instantOf(until) ?? 0n))).toEqual([]);
  // The texts of this range are in the opposite order.
  expect(ranges).toContainEqual([instants[1], instants[0]]);
});
