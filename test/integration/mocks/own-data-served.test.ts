/** The shipped examples of own data, served: their content shows, and the contract is kept. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verify } from '../../../contracts/verify/verify.ts';
import { valueAt } from '../../../core/pointer.ts';
import { contractFile } from '../../../core/shipped-files.ts';
import { contractOf, namedKeys } from '../../helpers/engine.ts';
import { openContract } from '../../helpers/exchange-judge.ts';
import { startJudgedMock } from '../../helpers/judged-mock.ts';
import { ask } from '../../helpers/plain-client.ts';
import { business, recordsOf, wiki, withKey } from '../../helpers/request-targets.ts';

const example = (name: string): string => fileURLToPath(new URL(`../../../specs/examples/${name}`, import.meta.url));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-own-data-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('own data', { timeout: 120_000 }, () => {
  it('of the business example is served beside the mock’s own', async () => {
    await using mock = await startJudgedMock({ data: [example('business-data.yaml'), example('wiki-data.json')] });
    const full = withKey(mock.keys['full']);
    const order = await ask(mock, `${business.order}?code=DEMO-1`, full);
    expect([order.status, order.at('/data/order/items/0/name')]).toEqual([200, 'Tagliatelle al ragù']);
    const listed = recordsOf(await ask(mock, `${business.orders}?limit=100`, full), '/data/orders');
    expect(listed.length).toBeGreaterThan(2);
    expect(listed.find((each) => each['id'] === 900_001)).not.toHaveProperty('items');
    const other = withKey(mock.keys['other']);
    const reservations = recordsOf(await ask(mock, business.reservations, other), '/data/reservations');
    expect(reservations.map((each) => each['id'])).toEqual([910_002, 910_001]);
    expect((await ask(mock, `${business.order}?id=900001`, other)).status).toBe(404);
    const [menu, manifest] = [await ask(mock, business.menu, other), await ask(mock, business.manifest, other)];
    expect([menu.at('/version'), manifest.at('/version')]).toEqual(['demo-1', 'demo-1']);
    const found = recordsOf(await ask(mock, `${wiki}?q=airone`), '/data');
    expect(found.map((each) => each['slug'])).toContain('demo-airone-di-carta');
    expect((await ask(mock, `${wiki}/demo-torre-sommersa`)).status).toBe(404);
    expect(mock.hiddenRecords).toContain('demo-torre-sommersa');
  });

  it.each(['business', 'wiki'] as const)('of the %s example breaks no rule', async (name) => {
    await using mock = await startJudgedMock({
      contracts: [name],
      data: [example(name === 'business' ? 'business-data.yaml' : 'wiki-data.json')],
    });
    const target = { target: mock.url, keys: namedKeys(mock.keys), hidden: mock.hiddenRecords, quick: true };
    const result = await verify({ contract: await contractOf(name), ...target }).result;
    expect(result.checks.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
    expect([result.exitCode, result.checks.some(({ verdict }) => verdict === 'holds')]).toEqual([0, true]);
  });

  it('that leaves one record of a list, and none of the other, breaks no rule', async () => {
    const file = join(folder, 'small.json');
    const entry = (await openContract(contractFile('business'))).operations.find(({ id }) => id === 'getOrder');
    const order = valueAt([...(entry?.responses.get('200')?.examples.values() ?? [])][0]?.value, '/data/order');
    writeFileSync(file, JSON.stringify({ collections: { orders: [order], reservations: [] } }));
    await using mock = await startJudgedMock({ contracts: ['business'], data: [file] });
    const target = { target: mock.url, keys: namedKeys(mock.keys), hidden: mock.hiddenRecords, quick: true };
    const result = await verify({ contract: await contractOf('business'), ...target }).result;
    expect(result.checks.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
    expect(result.checks.some(({ verdict }) => verdict === 'not-exercised')).toBe(true);
  });
});
