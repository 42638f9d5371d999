/** Hostile requests and connections, a sample of them: documented answers or a clean close. The campaign `hostile-traffic` sends them all. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostileRequests } from '../../../helpers/hostile-requests.ts';
import { connections, ownHeaders, putListed, putOwnHeaders, putValues } from '../../../helpers/hostile-traffic.ts';

const rejections: unknown[] = [];
const hear = (reason: unknown): void => void rejections.push(reason);
beforeAll(() => void process.on('unhandledRejection', hear));
afterAll(() => {
  process.off('unhandledRejection', hear);
  expect(rejections).toEqual([]);
});

// Of the many that differ in their bytes alone, every third; `server.test.ts` has one for each kind of refusal.
it.each(Object.entries(hostileRequests))('requests: %s', async (name, list) => {
  await putListed(['pipelined', 'unfinished'].includes(name) ? list : list.filter((_, index) => index % 3 === 0));
});

it.each(['listReservations', 'getOrder', 'getEntry'])('hostile values and names of the parameters of %s', async (id) => {
  await putValues(id, 7);
});

it('the mock’s own headers', async () => {
  await putOwnHeaders(ownHeaders.filter((_, index) => index % 3 === 0));
});

it('idle connections', () => connections.idle(50));
it('slow connections', () => connections.slow(6));
it('half-open connections', connections.halfOpen);
it('connections that are reset', connections.reset);
it('connections that never read', connections.deaf);
