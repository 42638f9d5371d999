/** Data change while they are read, and pagination neither loses nor repeats a record that did not change. */

import { describe, expect, test } from 'vitest';
import type { LiveData, RecordKey } from '../../second/live-data.ts';
import { busy, edges, type LiveChange, slow } from '../../second/live-data.ts';
import { at, idsOf, rowsOf, type SecondClient, withSecondServer } from '../../second/second-client.ts';

const plans = { edges, busy, slow };
const lists = ['orders', 'reservations'] as const;

describe.each(['keyset', 'snapshot'])('pagination by %s', (style) => {
  const cases = Object.keys(plans).flatMap((plan) => lists.map((list) => [plan, list] as const));
  test.each(cases)('under the plan %s keeps the %s that stood still', async (plan, list) => {
    const touched = new Set<RecordKey>();
    const changes = recording(plans[plan as keyof typeof plans], list, touched);
    const before = idsOf(await withSecondServer({ api: 'business' }, (client) => client.paginate(`${list}/index.php?limit=100`)));
    const seen = await withSecondServer({ api: 'business', changes, choices: { 'cursor-style': style } }, (client) =>
      idsOfList(client, list),
    );
    if (plan !== 'slow') expect(touched.size).toBeGreaterThan(0);
    const still = before.filter((id) => !touched.has(Number(id)));
    const times = new Map<unknown, number>();
    for (const id of seen) times.set(id, (times.get(id) ?? 0) + 1);
    expect(still.filter((id) => times.get(id) !== 1)).toEqual([]);
  });
});

test('a change moves changed_at, the status and the tag', async () => {
  const once: LiveChange = (moment, data) => {
    if (moment === 3) data.update('orders', 'A', Number(data.keys('orders', 'A')[4]));
  };
  await withSecondServer({ api: 'business', changes: once }, async (client) => {
    const id = 101;
    const [first] = rowsOf(JSON.parse((await client.get('orders/index.php?limit=1')).text));
    await client.get('whoami.php');
    const [changed] = rowsOf(JSON.parse((await client.get('orders/index.php?limit=1')).text));
    expect(changed?.['id']).not.toBe(first?.['id']);
    expect(Date.parse(String(changed?.['changed_at']))).toBeGreaterThan(Date.parse(String(first?.['changed_at'])));
    expect(Number(changed?.['id'])).toBeGreaterThan(id);
  });
});

test('the menu changes its version and its tag', async () => {
  const once: LiveChange = (moment, data) => {
    if (moment === 2) data.update('menus', 'A', 'menu');
  };
  await withSecondServer({ api: 'business', changes: once }, async (client) => {
    const tag = String((await client.get('menus/current.php')).headers['etag']);
    expect((await client.get('menus/current.php', { headers: { 'if-none-match': tag } })).status).toBe(200);
  });
});

test('wiki entries come, change and go', async () => {
  const all: LiveChange = (moment, data) => {
    if (moment === 2) data.insert('entries', '');
    if (moment === 3) data.delete('entries', '', 'drago-nero');
  };
  await withSecondServer({ api: 'wiki', changes: all }, async (client) => {
    const totals = [];
    for (let turn = 0; turn < 3; turn += 1) totals.push(at(JSON.parse((await client.get('wiki')).text), 'meta')['total']);
    const [first] = totals;
    expect(totals).toEqual([first, Number(first) + 1, first]);
    expect((await client.get('wiki/drago-nero')).status).toBe(404);
  });
});

test('an unknown list is refused by name', async () => {
  let message = '';
  const wrong: LiveChange = (_, data) => {
    try {
      data.insert('tables', 'A');
    } catch (error) {
      message = String(error);
    }
  };
  await withSecondServer({ api: 'business', changes: wrong }, (client) => client.get('whoami.php'));
  expect(message).toContain("no list 'tables'");
});

async function idsOfList(client: SecondClient, list: string): Promise<readonly unknown[]> {
  return idsOf(await client.paginate(`${list}/index.php?limit=7`));
}

/** The same plan, with a note of every record of the list that it touches. */
function recording(plan: LiveChange, list: string, touched: Set<RecordKey>): LiveChange {
  return (moment, data) => {
    const note = (name: string, key: RecordKey): RecordKey => {
      if (name === list) touched.add(key);
      return key;
    };
    const noting: LiveData = {
      ...data,
      insert: (name, tenant) => note(name, data.insert(name, tenant)),
      update: (name, tenant, key) => data.update(name, tenant, note(name, key)),
      delete: (name, tenant, key) => data.delete(name, tenant, note(name, key)),
    };
    plan(moment, noting);
  };
}
