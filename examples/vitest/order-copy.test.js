/** The client against the mock, with vitest. */

import { startMock } from 'touchstone/mock';
import { clientMatchers } from 'touchstone/vitest';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { OrderCopy } from '../client/order-copy.js';

expect.extend(clientMatchers);

/** @type {import('touchstone/mock').RunningMock} */
let mock;
beforeAll(async () => {
  mock = await startMock({ contracts: ['business'] });
});
beforeEach(() => mock.reset());
afterAll(() => mock.close());

function createCopy() {
  return new OrderCopy(mock.url, mock.keys['full'] ?? '');
}

test('reads all orders, page by page', async () => {
  const copy = createCopy();
  await copy.synchronise();
  expect(copy.orders.size).toBeGreaterThan(100);
  expect(mock.journal.entries()).toHaveLength(Math.ceil(copy.orders.size / 100));
});

test('reads only the changes after that', async () => {
  const copy = createCopy();
  await copy.synchronise();
  mock.clock.advance('P1D');
  mock.journal.clear();
  await copy.synchronise();
  expect(mock.journal.entries().length).toBeLessThan(copy.orders.size / 100);

  const fresh = createCopy();
  await fresh.synchronise();
  expect(copy.orders).toEqual(fresh.orders);
});

test('reads an unchanged order once', async () => {
  const copy = createCopy();
  await copy.synchronise();
  const id = Math.max(...copy.orders.keys());
  mock.journal.clear();
  const details = await copy.details(id);
  expect(await copy.details(id)).toBe(details);
  expect(mock.journal.entries().map(({ status }) => status)).toEqual([200, 304]);
});

test('reads the same changes again after a failure', async () => {
  const copy = createCopy();
  await copy.synchronise();
  const { checkpoint } = copy;
  mock.clock.advance('P1D');
  mock.chaos.set('503');
  await expect(copy.synchronise()).rejects.toThrow('503');
  expect(copy.checkpoint).toBe(checkpoint);
  mock.chaos.clear();
  await copy.synchronise();
  expect(copy.checkpoint).not.toBe(checkpoint);
});

test('makes no mistake, whatever the mock answers', async () => {
  const copy = createCopy();
  await copy.synchronise();
  mock.clock.advance('P1D');
  mock.chaos.set('503 50%');
  await copy.synchronise().catch(() => undefined);
  mock.chaos.clear();
  await copy.synchronise();
  expect(mock).toHaveNoClientFindings({ require: ['client/filters-kept', 'client/checkpoint-after-last-page'] });
});
