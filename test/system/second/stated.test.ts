/** A second server without defects does what the API documents state, in literal values. */

import { describe, expect, test } from 'vitest';
import { at, idsOf, rowsOf, type SecondClient, withSecondServer } from '../../second/second-client.ts';
import { choices } from '../../second/server-setup.ts';

const refused = [
  'orders/index.php?limit=0',
  'orders/index.php?limit=101',
  'orders/index.php?limit=-1',
  'orders/index.php?limit=ten',
  'orders/index.php?status=eaten',
  'orders/index.php?status=pending,eaten',
  'orders/index.php?channel=phone',
  'orders/index.php?updated_after=yesterday',
  'orders/index.php?updated_after=2024-02-30T00:00:00Z',
  'orders/index.php?updated_after=2024-02-28T25:10:00Z',
  'orders/index.php?cursor=abc',
  'orders/view.php',
  'orders/view.php?id=1&code=A-1',
  'orders/view.php?id=0',
  'orders/view.php?id=-5',
  'orders/view.php?id=abc',
  'reservations/view.php',
  'reservations/view.php?id=0',
  'reservations/index.php?date_from=2024-02-30',
  'reservations/index.php?date_from=2023-02-29',
  'reservations/index.php?date_to=soon',
  'reservations/index.php?date_from=2024-03-02&date_to=2024-03-01',
];

test.each(refused)('%s is an invalid query', async (path) => {
  await withSecondServer({ api: 'business' }, async (client) => {
    for (const headers of [{}, { 'if-none-match': '*' }]) {
      const answer = await client.get(path, { headers });
      expect(answer.status).toBe(422);
      expect(JSON.parse(answer.text)).toMatchObject({
        ok: false,
        error: { code: 'INVALID_QUERY', request_id: expect.stringMatching(/^req_/) },
      });
    }
  });
});

test.each(choices['cursor-alphabet'].flatMap((alphabet) => choices['cursor-style'].map((style) => [alphabet, style] as const)))(
  'a damaged cursor is refused: %s, %s',
  async (alphabet, style) => {
    await withSecondServer({ api: 'business', choices: { 'cursor-alphabet': alphabet, 'cursor-style': style } }, async (client) => {
      const page = JSON.parse((await client.get('orders/index.php?limit=3')).text);
      const cursor = String(at(page, 'data', 'page')['next_cursor']);
      const middle = Math.floor(cursor.length / 2);
      const damaged = [
        cursor.slice(0, -1),
        cursor.slice(1),
        `${cursor}A`,
        cursor.slice(0, middle),
        `${cursor.slice(0, middle)}~${cursor.slice(middle + 1)}`,
      ];
      for (const text of damaged)
        expect((await client.get(`orders/index.php?limit=3&cursor=${encodeURIComponent(text)}`)).status).toBe(422);
      expect((await client.get(`reservations/index.php?limit=3&cursor=${encodeURIComponent(cursor)}`)).status).toBe(422);
    });
  },
);

test('reservations come by last change, then by descending id, across pages too', async () => {
  await withSecondServer({ api: 'business' }, async (client) => {
    const rows = (await client.paginate('reservations/index.php?limit=7')).flatMap(rowsOf);
    const keys = rows.map((row) => [Date.parse(String(row['changed_at'])), Number(row['id'])] as const);
    const sorted = [...keys].sort((one, other) => other[0] - one[0] || other[1] - one[1]);
    expect(keys).toEqual(sorted);
  });
});

test('a checkpoint includes its own instant, in whatever offset it is written', async () => {
  await withSecondServer({ api: 'business' }, async (client) => {
    const rows = (await client.paginate('orders/index.php?limit=100')).flatMap(rowsOf);
    const instant = String(rows[60]?.['changed_at']);
    const expected = rows.filter((row) => Date.parse(String(row['changed_at'])) >= Date.parse(instant)).map((row) => row['id']);
    for (const spelled of [instant, new Date(instant).toISOString(), new Date(instant).toISOString().replace('Z', '000000+00:00')]) {
      expect(idsOf(await client.paginate(`orders/index.php?limit=100&updated_after=${encodeURIComponent(spelled)}`))).toEqual(expected);
    }
  });
});

test('dates compare as they are written, inclusive at both ends', async () => {
  await withSecondServer({ api: 'business' }, async (client) => {
    const all = (await client.paginate('reservations/index.php?limit=100')).flatMap(rowsOf);
    const within = all.filter((row) => ['2024-02-28', '2024-02-29', '2024-03-01'].includes(String(at(row, 'schedule')['date'])));
    expect(within.length).toBeGreaterThan(3);
    const found = await client.paginate('reservations/index.php?limit=2&date_from=2024-02-28&date_to=2024-03-01');
    expect(idsOf(found)).toEqual(within.map((row) => row['id']));
  });
});

describe('a foreign record', () => {
  test.each(['orders', 'reservations'])('looks like a nonexistent one: %s', async (list) => {
    await withSecondServer({ api: 'business' }, async (client) => {
      const [theirs] = rowsOf(JSON.parse((await client.get(`${list}/index.php`, { role: 'other' })).text));
      const path = `${list}/view.php?id=${String(theirs?.['id'])}`;
      const tag = String((await client.get(path, { role: 'other' })).headers['etag']);
      const missing = await bare(client, `${list}/view.php?id=999999999`, tag);
      expect(missing).toContain('404');
      expect(await bare(client, path, tag)).toBe(missing);
    });
  });
});

test('conditional reads follow the tag, alone, in a list, weakly compared, or a star', async () => {
  await withSecondServer({ api: 'business' }, async (client) => {
    for (const path of ['menus/current.php', 'orders/view.php?code=A-1']) {
      const tag = String((await client.get(path)).headers['etag']);
      const statuses = [];
      for (const sent of [tag, `"x", ${tag}`, `W/${tag}`, '*', '"x"'])
        statuses.push((await client.get(path, { headers: { 'if-none-match': sent } })).status);
      expect(statuses).toEqual([304, 304, 304, 304, 200]);
      expect((await client.get(path, { role: 'nobody', headers: { 'if-none-match': tag } })).status).toBe(401);
    }
  });
});

test('a hidden entry looks like one that does not exist', async () => {
  await withSecondServer({ api: 'wiki' }, async (client) => {
    const missing = await client.get('wiki/no-such-entry');
    for (const slug of client.server.hidden) expect((await client.get(`wiki/${encodeURIComponent(slug)}`)).text).toBe(missing.text);
    expect(JSON.parse(missing.text)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
  });
});

/** A conditional read without what differs between any two failures. */
async function bare(client: SecondClient, path: string, tag: string): Promise<string> {
  const { status, headers, text } = await client.get(path, { headers: { 'if-none-match': tag } });
  return JSON.stringify([status, headers, text.replace(/req_\w+/, '')]);
}
