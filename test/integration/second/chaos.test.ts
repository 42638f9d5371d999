/** Shows that data really change while they are read, and that no walk loses or repeats a record that did not. */

import { describe, expect, test } from 'vitest';
import { busy, type Chaos, edges, slow } from '../../second/chaos.ts';
import { at, type Client, idsOf, observed, rowsOf } from '../../second/client.ts';
import type { Key, MutableWorld } from '../../second/world.ts';

const plans = { edges, busy, slow };
const lists = ['orders', 'reservations'] as const;

describe.each(['keyset', 'snapshot'])('a walk by %s', (style) => {
  const cases = Object.keys(plans).flatMap((plan) => lists.map((list) => [plan, list] as const));
  test.each(cases)('under the plan %s keeps the %s that stood still', async (plan, list) => {
    const touched = new Set<Key>();
    const chaos = recording(plans[plan as keyof typeof plans], list, touched);
    const before = idsOf(await observed({ api: 'business' }, (client) => client.walk(`${list}/index.php?limit=100`)));
    const seen = await observed({ api: 'business', chaos, choices: { 'cursor-style': style } }, (client) => walked(client, list));
    if (plan !== 'slow') expect(touched.size).toBeGreaterThan(0);
    const still = before.filter((id) => !touched.has(Number(id)));
    const times = new Map<unknown, number>();
    for (const id of seen) times.set(id, (times.get(id) ?? 0) + 1);
    expect(still.filter((id) => times.get(id) !== 1)).toEqual([]);
  });
});

test('a change moves changed_at, the status and the tag', async () => {
  const once: Chaos = (moment, world) => {
    if (moment === 3) world.update('orders', 'A', Number(world.keys('orders', 'A')[4]));
  };
  await observed({ api: 'business', chaos: once }, async (client) => {
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
  const once: Chaos = (moment, world) => {
    if (moment === 2) world.update('menus', 'A', 'menu');
  };
  await observed({ api: 'business', chaos: once }, async (client) => {
    const tag = String((await client.get('menus/current.php')).headers['etag']);
    expect((await client.get('menus/current.php', { headers: { 'if-none-match': tag } })).status).toBe(200);
  });
});

test('wiki entries come, change and go', async () => {
  const all: Chaos = (moment, world) => {
    if (moment === 2) world.insert('entries', '');
    if (moment === 3) world.delete('entries', '', 'drago-nero');
  };
  await observed({ api: 'wiki', chaos: all }, async (client) => {
    const totals = [];
    for (let turn = 0; turn < 3; turn += 1) totals.push(at(JSON.parse((await client.get('wiki')).text), 'meta')['total']);
    const [first] = totals;
    expect(totals).toEqual([first, Number(first) + 1, first]);
    expect((await client.get('wiki/drago-nero')).status).toBe(404);
  });
});

test('an unknown list is refused by name', async () => {
  let message = '';
  const wrong: Chaos = (_, world) => {
    try {
      world.insert('tables', 'A');
    } catch (error) {
      message = String(error);
    }
  };
  await observed({ api: 'business', chaos: wrong }, (client) => client.get('whoami.php'));
  expect(message).toContain("no list 'tables'");
});

async function walked(client: Client, list: string): Promise<readonly unknown[]> {
  return idsOf(await client.walk(`${list}/index.php?limit=7`));
}

/** The same plan, with a note of every record of the list that it touches. */
function recording(plan: Chaos, list: string, touched: Set<Key>): Chaos {
  return (moment, world) => {
    const note = (name: string, key: Key): Key => {
      if (name === list) touched.add(key);
      return key;
    };
    const noting: MutableWorld = {
      ...world,
      insert: (name, tenant) => note(name, world.insert(name, tenant)),
      update: (name, tenant, key) => world.update(name, tenant, note(name, key)),
      delete: (name, tenant, key) => world.delete(name, tenant, note(name, key)),
    };
    plan(moment, noting);
  };
}
