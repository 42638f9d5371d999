/** The client against the mock, with node:test. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startMock } from 'touchstone/mock';
import { OrderCopy } from '../client/order-copy.js';

/** @type {import('touchstone/mock').RunningMock} */
let mock;
before(async () => {
  mock = await startMock({ contracts: ['business'] });
});
beforeEach(() => mock.reset());
after(() => mock.close());

function createCopy() {
  return new OrderCopy(mock.url, mock.keys['full'] ?? '');
}

test('reads all orders, page by page', async () => {
  const copy = createCopy();
  await copy.synchronise();
  assert.ok(copy.orders.size > 100);
  assert.equal(mock.journal.entries().length, Math.ceil(copy.orders.size / 100));
});

test('reads only the changes after that', async () => {
  const copy = createCopy();
  await copy.synchronise();
  mock.clock.advance('P1D');
  mock.journal.clear();
  await copy.synchronise();
  assert.ok(mock.journal.entries().length < copy.orders.size / 100);

  const fresh = createCopy();
  await fresh.synchronise();
  assert.deepEqual(copy.orders, fresh.orders);
});

test('reads an unchanged order once', async () => {
  const copy = createCopy();
  await copy.synchronise();
  const id = Math.max(...copy.orders.keys());
  mock.journal.clear();
  const details = await copy.details(id);
  assert.equal(await copy.details(id), details);
  assert.deepEqual(
    mock.journal.entries().map(({ status }) => status),
    [200, 304],
  );
});

test('reads the same changes again after a failure', async () => {
  const copy = createCopy();
  await copy.synchronise();
  const { checkpoint } = copy;
  mock.clock.advance('P1D');
  mock.chaos.set('503');
  await assert.rejects(copy.synchronise(), /503/);
  assert.equal(copy.checkpoint, checkpoint);
  mock.chaos.clear();
  await copy.synchronise();
  assert.notEqual(copy.checkpoint, checkpoint);
});
