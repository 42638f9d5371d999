/** The settings of the second server: its keys, its data in each size, the requests that it turns away, and its start. */

import { describe, expect, test } from 'vitest';
import { at, idsOf, type JsonRecord, rowsOf, withSecondServer } from '../../second/second-client.ts';
import { startSecondServer } from '../../second/second-server.ts';

const all = 'index.php?limit=100';

describe('the usual data have what a judge needs', () => {
  test('every status and channel, and blocks of equal instants', async () => {
    await withSecondServer({ api: 'business' }, async (client) => {
      for (const [list, statuses] of [
        ['orders', 8],
        ['reservations', 6],
      ] as const) {
        const rows = (await client.paginate(`${list}/${all}`)).flatMap(rowsOf);
        expect(new Set(rows.map((row) => row['status'])).size).toBe(statuses);
        const blocks = grouped(rows);
        expect(blocks.filter((block) => block.length >= 3).length).toBeGreaterThan(4);
        expect(Math.max(...blocks.map((block) => block.length))).toBeLessThan(8);
      }
    });
  });

  test('a leap day, the change of clocks, and times beside midnight', async () => {
    await withSecondServer({ api: 'business' }, async (client) => {
      const schedules = (await client.paginate(`reservations/${all}`)).flatMap(rowsOf).map((row) => at(row, 'schedule'));
      const dates = new Set(schedules.map((schedule) => schedule['date']));
      expect(dates.has('2024-02-29') && dates.has('2024-03-31')).toBe(true);
      expect(dates.size).toBeGreaterThan(35);
      expect(schedules.filter((schedule) => /^(00|23):/.test(String(schedule['time']))).length).toBeGreaterThan(20);
    });
  });

  test('hidden entries share words with public ones, and slugs begin others', async () => {
    await withSecondServer({ api: 'wiki' }, async (client) => {
      expect(client.server.hidden.length).toBeGreaterThan(15);
      const pages: JsonRecord[] = [];
      for (const page of [1, 2]) pages.push(JSON.parse((await client.get(`wiki?limit=100&page=${page}`)).text));
      const slugs = idsOf(pages).map(String);
      expect(slugs.length).toBeGreaterThan(160);
      expect(slugs.some((slug) => slugs.includes(`${slug}-2`))).toBe(true);
      expect(slugs.some((slug) => /[^ -~]/.test(slug))).toBe(true);
      const words = new Set(slugs.flatMap((slug) => slug.split('-')));
      expect(client.server.hidden.filter((slug) => slug.split('-').some((word) => words.has(word))).length).toBeGreaterThan(15);
    });
  });
});

test.each([
  ['none', 0, 0],
  ['one', 1, 1],
  ['two', 2, 2],
  ['few', 40, 7],
  ['same-instant', 64, 12],
  ['usual', 173, 41],
] as const)('data %s: %i records of one business, %i of the other', async (data, first, other) => {
  await withSecondServer({ api: 'business', data }, async (client) => {
    expect(idsOf(await client.paginate(`orders/${all}`))).toHaveLength(first);
    expect(idsOf(await client.paginate(`reservations/${all}`, { role: 'other' }))).toHaveLength(other);
  });
});

test('twenty thousand records are there quickly', async () => {
  const before = process.cpuUsage();
  await withSecondServer({ api: 'business', data: 'large' }, async (client) => {
    expect((await client.get('whoami.php')).status).toBe(200);
    // In processor time, which other programs do not take.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
    expect(rowsOf(JSON.parse((await client.get(`orders/${all}`)).text))).toHaveLength(100);
  });
});

test('another seed gives other records and other keys', async () => {
  const read = (seed: number): Promise<unknown> =>
    withSecondServer({ api: 'business', seed }, async (client) => [client.server.keys, (await client.get('orders/index.php')).text]);
  expect(await read(1)).not.toEqual(await read(2));
});

const paths: Readonly<Record<string, string>> = {
  identity: 'whoami.php',
  menu: 'menus/current.php',
  'orders.read': 'orders/index.php',
  'reservations.read': 'reservations/index.php',
};

test.each(Object.entries(paths))('each role may do what it is named for: %s', async (scope, path) => {
  await withSecondServer({ api: 'business' }, async (client) => {
    const unusual: Readonly<Record<string, number>> = {
      expired: 401,
      [`without:${scope}`]: 403,
      ...(scope === 'menu' ? { 'no-menu': 404 } : {}),
    };
    for (const role of Object.keys(client.server.keys)) {
      expect((await client.get(path, { role })).status, `${role} ${path}`).toBe(unusual[role] ?? 200);
    }
    expect(Object.keys(client.server.keys)).toHaveLength(8);
  });
});

test('every n-th request is turned away', async () => {
  await withSecondServer({ api: 'business', rateLimit: 3, notReady: 4 }, async (client) => {
    const statuses = [];
    for (let turn = 0; turn < 8; turn += 1) statuses.push((await client.get('whoami.php')).status);
    expect(statuses).toEqual([200, 200, 429, 503, 200, 429, 200, 503]);
    expect(client.server.requests()).toBe(8);
  });
});

test('a server is closed once, however often it is asked to', async () => {
  const server = await startSecondServer({ api: 'wiki', data: 'none' });
  expect(server.hidden).toEqual([]);
  await server.close();
  await server.close();
  await expect(fetch(server.url)).rejects.toThrow();
});

function grouped(rows: readonly JsonRecord[]): readonly (readonly JsonRecord[])[] {
  const instants = new Set(rows.map((row) => row['changed_at']));
  return [...instants].map((instant) => rows.filter((row) => row['changed_at'] === instant));
}
