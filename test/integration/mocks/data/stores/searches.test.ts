/** Text searches, which read every record, in slices between other requests. */

import { describe, expect, it } from 'vitest';
import { loadUncheckedContract, resolveContract } from '../../../../../core/openapi/contract.ts';
import { contractFile } from '../../../../../core/shipped-files.ts';
import { createDataset } from '../../../../../mocks/data/create-dataset.ts';
import { createStoreOf } from '../../../../../mocks/data/stores/create-list-store.ts';
import type { Store } from '../../../../../mocks/data/stores/list-store.ts';
import { startMock } from '../../../../../mocks/start-mock.ts';
import { ask } from '../../../../helpers/plain-client.ts';

const list = '/api/v1/wiki?limit=5';

/** The store of the wiki's entries, so many of them. */
async function storeOf(count: number): Promise<Store> {
  const written = await loadUncheckedContract(contractFile('wiki'));
  const contract = resolveContract(written, {});
  const collection = contract.operations.map((operation) => operation.collection).find((each) => each !== undefined);
  const dataset = createDataset(written, 20_261_122 + count, { entries: count });
  const nowMs = Date.UTC(2026, 2, 29, 16);
  if (collection === undefined) throw new Error('the wiki has no list');
  return createStoreOf(contract, collection)(dataset.at(nowMs), dataset.tenants[0] ?? '');
}

describe('a search in texts', () => {
  it('lets other requests run while it reads', { timeout: 60_000 }, async () => {
    const store = await storeOf(8000);
    let turns = 0;
    let isReading = true;
    const preparing = store.prepare?.(new Map([['q', 'torre']]))?.then(() => {
      isReading = false;
    });
    expect(preparing).toBeInstanceOf(Promise);
    while (isReading) {
      turns += 1;
      await new Promise(setImmediate);
    }
    expect(turns).toBeGreaterThan(8);
  });

  it('finds the same when repeated, and in capitals', { timeout: 60_000 }, async () => {
    await using mock = await startMock({ contracts: ['wiki'], sizes: { entries: 8000 } });
    const [lower, upper, page] = await Promise.all([ask(mock, `${list}&q=torre`), ask(mock, `${list}&q=Torre`), ask(mock, list)]);
    expect(page.status).toBe(200);
    expect(lower.at('/meta/total')).toBeGreaterThan(10);
    expect(upper.at('/data')).toEqual(lower.at('/data'));
    expect((await ask(mock, `${list}&q=torre`)).text).toBe(lower.text);
  });

  it('reads once for parallel requests, and synchronously without prepare', async () => {
    const [waiting, prompt] = [await storeOf(700), await storeOf(700)];
    const values = new Map([['q', 'torre']]);
    const preparing = waiting.prepare?.(values);
    expect(preparing).toBeInstanceOf(Promise);
    await Promise.all([preparing, waiting.prepare?.(values)]);
    expect(waiting.prepare?.(values)).toBeUndefined();
    expect(waiting.count(values)).toBe(prompt.count(values));
    expect(prompt.prepare?.(values)).toBeUndefined();
  });

  it('needs no preparation without a search term', async () => {
    const store = await storeOf(300);
    expect(store.prepare?.(new Map([['type', 'creature']]))).toBeUndefined();
  });
});
