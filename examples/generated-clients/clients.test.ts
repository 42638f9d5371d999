/** The same two calls with each of three generated clients: a list filtered by several values, and a single order with its lines. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import createClient from 'openapi-fetch';
import { type RunningMock, startMock } from 'touchstone/mock';
import { client } from './generated/hey-api/client.gen.ts';
import { getOrder as getOrderByHeyApi, listOrders as listOrdersByHeyApi } from './generated/hey-api/sdk.gen.ts';
import type { paths } from './generated/openapi-typescript.ts';
import { getOrder as getOrderByOrval, listOrders as listOrdersByOrval } from './generated/orval.ts';
import { configureOrval } from './orval-fetch.ts';

let mock: RunningMock;
before(async () => {
  mock = await startMock({ contracts: ['business'] });
});
after(() => mock.close());

const statuses: ('ready' | 'preparing')[] = ['ready', 'preparing'];

/** Describes an order by its fully typed fields. The names of lines are optional, because the API does not promise them. */
function describe(order: { code: string; totals: { total: number }; items: { name?: string }[] }): string {
  return `${order.code}: ${order.items.map((item) => item.name ?? 'unknown').join(', ')} for ${order.totals.total.toFixed(2)}`;
}

test('openapi-typescript with openapi-fetch', async () => {
  const api = createClient<paths>({ baseUrl: mock.url, headers: { Authorization: `Bearer ${mock.keys['full']}` } });
  const list = await api.GET('/api/integrations/v1/orders/index.php', {
    params: { query: { status: statuses, limit: 5 } },
    querySerializer: { array: { style: 'form', explode: false } },
  });
  const [order] = list.data?.data.orders ?? [];
  assert.ok(order !== undefined && statuses.some((status) => status === order.status));
  const single = await api.GET('/api/integrations/v1/orders/view.php', { params: { query: { id: order.id } } });
  assert.ok(single.data !== undefined);
  assert.match(describe(single.data.data.order), new RegExp(`^${order.code}: \\w`));
});

test('@hey-api/openapi-ts', async () => {
  client.setConfig({ baseUrl: mock.url, auth: mock.keys['full'] });
  const list = await listOrdersByHeyApi({ query: { status: statuses, limit: 5 }, throwOnError: true });
  const [order] = list.data.data.orders;
  assert.ok(order !== undefined && statuses.some((status) => status === order.status));
  const single = await getOrderByHeyApi({ query: { id: order.id }, throwOnError: true });
  assert.match(describe(single.data.data.order), new RegExp(`^${order.code}: \\w`));
});

test('orval', async () => {
  configureOrval({ baseUrl: mock.url, key: mock.keys['full'] ?? '' });
  const list = await listOrdersByOrval({ status: statuses, limit: 5 });
  assert.equal(list.status, 200);
  const [order] = list.data.data.orders;
  assert.ok(order !== undefined && statuses.some((status) => status === order.status));
  const single = await getOrderByOrval({ id: order.id });
  assert.equal(single.status, 200);
  assert.match(describe(single.data.data.order), new RegExp(`^${order.code}: \\w`));
});
