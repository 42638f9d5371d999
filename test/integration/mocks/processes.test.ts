/** Several processes of one seed are one server: cursors, keys and bytes are the same in each. */

import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ask, type Fields, type Reply } from '../../helpers/client.ts';
import { startJudgedMock } from '../../helpers/mock.ts';
import { endAll, run } from '../../helpers/program.ts';
import { business, cursorLists, recordsOf, target, walk, wiki, withKey } from '../../helpers/targets.ts';

/** The first line that the program prints with --json. */
interface Greeting {
  readonly url: string;
  readonly port: number;
  readonly keys: Readonly<Record<string, string>>;
  readonly hiddenSlugs: readonly string[];
}

async function start(seed: string): Promise<Greeting> {
  const [line = ''] = await run(['mock', '--json', '--port', '0', '--seed', seed]).lines(1);
  const greeting = JSON.parse(line) as Greeting;
  return { ...greeting, port: Number(new URL(greeting.url).port) };
}

/** An answer without what is meant to differ: the date, and the identifier of the request. */
function comparable({ status, headers, bytes }: Reply): unknown {
  const body = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
  if (!body.includes('"request_id"')) return { status, headers: { ...headers, date: '?' }, bytes: bytes.toString('base64') };
  const identified = body.replace(/("request_id":)"[^"]+"/, '$1"?"');
  return { status, headers: { ...headers, date: '?', 'content-length': '?' }, body: identified };
}

async function advance(server: Greeting, by: string): Promise<void> {
  const answer = await fetch(`${server.url}/__mock/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: by }),
  });
  expect(answer.status).toBe(200);
}

/** Requests of every kind, with the role of their key. */
function requests(keys: Readonly<Record<string, string>>): readonly (readonly [string, Fields])[] {
  const keyed = ['full', 'other', 'no-menu', 'expired', 'without:menu'].flatMap((role) =>
    [
      business.identity,
      business.manifest,
      business.menu,
      business.orders,
      `${business.orders}?limit=3&status=ready,completed&channel=table`,
      `${business.reservations}?limit=100`,
      `${business.reservations}?date_from=2026-04-01&date_to=2026-04-02`,
      `${business.order}?id=1`,
      `${business.order}?id=0`,
      `${business.orders}?cursor=wrong`,
    ].map((path) => [path, withKey(keys[role])] as const),
  );
  const open = [
    wiki,
    `${wiki}?page=2&limit=7`,
    `${wiki}?q=sale`,
    `${wiki}?type=arma`,
    `${wiki}?limit=x`,
    `${wiki}/none`,
    '/unknown',
    '/api/unknown',
  ];
  const plain = [...keyed, ...open.map((path) => [path, {}] as const)];
  return plain.map(([path, headers], index) => [path, index % 2 === 0 ? headers : { ...headers, 'accept-encoding': 'gzip' }] as const);
}

// Each process loads the whole program, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe('three processes with the same seed', () => {
  let servers: readonly Greeting[] = [];
  beforeAll(async () => {
    servers = await Promise.all(['7', '7', '7', '8'].map(start));
    // The first answer waits until the process has loaded Prism.
    await Promise.all(servers.map((server) => ask(server, wiki)));
  });
  afterAll(endAll);

  it('have the same keys and hidden entries, and those of another seed are others', () => {
    const [first, second, third, other] = servers;
    expect(second?.keys).toEqual(first?.keys);
    expect(third?.keys).toEqual(first?.keys);
    expect(second?.hiddenSlugs).toEqual(first?.hiddenSlugs);
    const others = new Set(Object.values(other?.keys ?? {}));
    expect(Object.values(first?.keys ?? {}).filter((key) => others.has(key))).toEqual([]);
  });

  it.each(cursorLists)('let a walk over $path change the server with each page, and give every record once', async ({ path, items }) => {
    const same = servers.slice(0, 3);
    const headers = withKey(same[0]?.keys['full']);
    for (const limit of [17, 100]) {
      const [around, alone] = [
        await walk(same, { path, items, query: { limit } }, headers),
        await walk(same.slice(0, 1), { path, items, query: { limit } }, headers),
      ];
      expect(around.length).toBeGreaterThan(1);
      expect(around.map((page) => page.text)).toEqual(alone.map((page) => page.text));
      const ids = around.flatMap((page) => recordsOf(page, items).map((record) => record['id']));
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it('refuse the cursors and the keys of another seed', async () => {
    const [first, , , other] = servers;
    if (first === undefined || other === undefined) throw new Error('the servers are missing');
    const foreign = (await ask(other, `${business.orders}?limit=1`, withKey(other.keys['full']))).at('/data/page/next_cursor');
    expect((await ask(first, target(business.orders, { cursor: String(foreign) }), withKey(first.keys['full']))).status).toBe(422);
    expect((await ask(first, business.orders, withKey(other.keys['full']))).status).toBe(401);
  });

  it('answer equal requests with equal bytes, but for the date and the identifier of the request', async () => {
    const [first, second] = servers;
    if (first === undefined || second === undefined) throw new Error('the servers are missing');
    for (const [path, headers] of requests(first.keys)) {
      expect(comparable(await ask(second, path, headers))).toEqual(comparable(await ask(first, path, headers)));
    }
  });

  it('answer equal requests with equal bytes at another instant, however each came to it', async () => {
    const [first, second, third] = servers;
    if (first === undefined || second === undefined || third === undefined) throw new Error('the servers are missing');
    const own = comparable(await ask(first, business.orders, withKey(first.keys['full'])));
    await advance(first, 'PT25H');
    await advance(first, 'PT25H');
    await advance(second, 'PT50H');
    for (const [path, headers] of requests(first.keys)) {
      const answer = comparable(await ask(first, path, headers));
      expect(comparable(await ask(second, path, headers))).toEqual(answer);
      // The header holds for its request alone; the process itself stays where it was.
      expect(comparable(await ask(third, path, { ...headers, 'mock-clock': 'PT50H' }))).toEqual(answer);
    }
    expect(comparable(await ask(first, business.orders, withKey(first.keys['full'])))).not.toEqual(own);
    for (const server of [first, second]) await fetch(`${server.url}/__mock/reset`, { method: 'POST' });
    expect(comparable(await ask(first, business.orders, withKey(first.keys['full'])))).toEqual(own);
  });
});

describe('two mocks in one process', () => {
  it('answer equal requests with equal bytes, whatever was asked before', async () => {
    await using first = await startJudgedMock({ seed: 3 });
    await using second = await startJudgedMock({ seed: 3 });
    await using other = await startJudgedMock({ seed: 4 });
    const all = requests(first.keys);
    const backwards = new Map<number, unknown>();
    for (const [index, [path, headers]] of [...all.entries()].reverse()) backwards.set(index, comparable(await ask(second, path, headers)));
    let differing = 0;
    for (const [index, [path, headers]] of all.entries()) {
      const reply = comparable(await ask(first, path, headers));
      expect(reply).toEqual(backwards.get(index));
      if (JSON.stringify(comparable(await ask(other, path, headers))) !== JSON.stringify(reply)) differing += 1;
    }
    // The control: another seed is another world, so the comparison is able to see a difference.
    expect(differing).toBeGreaterThan(20);
  });
});
