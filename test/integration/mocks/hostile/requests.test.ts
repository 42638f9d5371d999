/** Hostile requests and connections, a sample of them: documented answers or a clean close. The campaign `hostile-requests` sends them all. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connections } from '../../../helpers/hostile/hostile-connections.ts';
import { hostileRequests } from '../../../helpers/hostile/hostile-requests.ts';
import { ownHeadersFor, sendAll, valuesFor } from '../../../helpers/hostile/hostile-traffic.ts';
import { longRequests } from '../../../helpers/hostile/long-requests.ts';
import { startJudgedMock } from '../../../helpers/judged-mock.ts';

const rejections: unknown[] = [];
const hear = (reason: unknown): void => void rejections.push(reason);
beforeAll(() => void process.on('unhandledRejection', hear));
afterAll(() => {
  process.off('unhandledRejection', hear);
  expect(rejections).toEqual([]);
});

// Many differ in their bytes alone, so every third one is enough.
it.each(Object.entries(hostileRequests))('requests: %s', async (name, list) => {
  await sendAll(['pipelined', 'unfinished'].includes(name) ? list : list.filter((_, index) => index % 3 === 0));
});

describe('with a key', async () => {
  const mock = await startJudgedMock();
  afterAll(() => mock.close());
  const key = mock.keys['full'] ?? '';
  const operations = mock.contracts.flatMap((contract) => contract.operations);

  it.each(['listReservations', 'getOrder', 'getEntry'])('hostile values and names of the parameters of %s', async (id) => {
    const operation = operations.find((each) => each.id === id);
    if (operation === undefined) throw new Error(`there is no operation ${id}`);
    await sendAll(valuesFor(operation, key).filter((_, index) => index % 7 === 0));
  });

  it.each(Object.entries(longRequests(key, 1)))('long requests: %s', async (_name, list) => {
    await sendAll(list.filter((_, index) => index % 9 === 0));
  });

  it('the mock’s own headers', async () => {
    await sendAll(
      ownHeadersFor(key).filter((_, index) => index % 3 === 0),
      { isJudged: false },
    );
  });
});

it('idle connections', () => connections.idle(50));
it('slow connections', () => connections.slow(6));
it('half-open connections', connections.halfOpen);
it('connections that are reset', connections.reset);
it('connections that never read', connections.deaf);
