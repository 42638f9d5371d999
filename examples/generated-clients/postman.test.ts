/** Runs the Postman collection of the package against the mock: unchanged, and with the identifiers of existing records. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type RunningMock, startMock } from 'touchstone/mock';

const packaged = createRequire(import.meta.url).resolve('touchstone/specs/postman/business.json');

let mock: RunningMock;
before(async () => {
  mock = await startMock({ contracts: ['business'] });
});
after(() => mock.close());

interface Run {
  run: { executions: { item: { name: string }; response: { code: number } }[] };
}

/** Runs a collection with newman. Returns the status of each request by its name. */
async function statusesOf(collection: string): Promise<Record<string, number>> {
  const variables = [`baseUrl=${mock.url}`, `apiKey=${mock.keys['full']}`].flatMap((variable) => ['--env-var', variable]);
  const report = ['--reporters', 'json', '--reporter-json-export', 'generated/newman.json'];
  await promisify(execFile)('npx', ['newman', 'run', collection, ...variables, ...report]);
  const { run } = JSON.parse(await readFile('generated/newman.json', 'utf8')) as Run;
  return Object.fromEntries(run.executions.map(({ item, response }) => [item.name, response.code]));
}

/** Reads the identifier of the first record of a list. */
async function firstId(path: string, name: string): Promise<number> {
  const response = await fetch(`${mock.url}${path}?limit=1`, { headers: { 'X-SERVICE-API-Key': mock.keys['full'] ?? '' } });
  const { data } = (await response.json()) as { data: Record<string, { id: number }[]> };
  return data[name]?.[0]?.id ?? 0;
}

const lists = {
  'Check the identity of the key': 200,
  'Look up the version of the menu': 200,
  'Read the full menu': 200,
  'List orders': 200,
  'List reservations': 200,
};

test('the collection as it is', async () => {
  // Reading an order needs one of two parameters, and the mock does not have the reservation from the documentation.
  assert.deepEqual(await statusesOf(packaged), { ...lists, 'Read one order': 422, 'Read one reservation': 404 });
});

test('the collection with records that exist', async () => {
  const orders = '/api/integrations/v1/orders/index.php';
  const ids = {
    'Read one order': await firstId(orders, 'orders'),
    'Read one reservation': await firstId(orders.replace('orders', 'reservations'), 'reservations'),
  };
  const collection = JSON.parse(await readFile(packaged, 'utf8'), (_, value) => {
    const id = ids[value?.name as keyof typeof ids];
    if (id === undefined || value.request === undefined) return value;
    value.request.url.query = [{ key: 'id', value: String(id) }];
    return value;
  });
  await writeFile('generated/postman-filled.json', JSON.stringify(collection));
  assert.deepEqual(await statusesOf('generated/postman-filled.json'), { ...lists, 'Read one order': 200, 'Read one reservation': 200 });
});
