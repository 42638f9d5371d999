/** Several processes of one seed are one server: cursors, keys and bytes are the same in each. */

import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type JudgedMock, startJudgedMock } from '../../helpers/judged-mock.ts';
import { ask, type Fields, type Reply } from '../../helpers/plain-client.ts';
import { endAll, run } from '../../helpers/program.ts';
import { business, cursorLists, paginate, recordsOf, target, wiki, withKey } from '../../helpers/request-targets.ts';

/** The first line that the program prints with --json. */
interface Greeting {
  readonly url: string;
  readonly port: number;
  readonly keys: Readonly<Record<string, string>>;
  readonly hiddenRecords: readonly string[];
}

async function start(seed: number): Promise<Greeting> {
  const [line = ''] = await run(['mock', '--json', '--port', '0', '--seed', String(seed)]).lines(1);
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

/** Requests of every kind, with the role of their key. */
function requests(keys: Readonly<Record<string, string>>): readonly (readonly [string, Fields])[] {
  const keyed = ['full', 'no-menu', 'expired'].flatMap((role) =>
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

describe('a process, and this one with two mocks of the same seed', () => {
  let apart: Greeting;
  let near: JudgedMock;
  let third: JudgedMock;
  let other: JudgedMock;
  beforeAll(async () => {
    apart = await start(7);
    [near, third, other] = [await startJudgedMock({ seed: 7 }), await startJudgedMock({ seed: 7 }), await startJudgedMock({ seed: 8 })];
  });
  afterAll(async () => {
    await endAll();
    for (const mock of [near, third, other]) await mock.close();
  });

  it('have the same keys and hidden entries, and those of another seed are others', () => {
    for (const mock of [near, third]) expect([mock.keys, mock.hiddenRecords]).toEqual([apart.keys, apart.hiddenRecords]);
    const others = new Set(Object.values(other.keys));
    expect(Object.values(apart.keys).filter((key) => others.has(key))).toEqual([]);
  });

  it.each(cursorLists)(
    'let pagination over $path change the server with each page, and give every record once',
    async ({ path, items }) => {
      const headers = withKey(apart.keys['full']);
      for (const limit of [17, 100]) {
        const [around, alone] = [
          await paginate([apart, near, third], { path, items, query: { limit } }, headers),
          await paginate([apart], { path, items, query: { limit } }, headers),
        ];
        expect(around.length).toBeGreaterThan(1);
        expect(around.map((page) => page.text)).toEqual(alone.map((page) => page.text));
        const ids = around.flatMap((page) => recordsOf(page, items).map((record) => record['id']));
        expect(new Set(ids).size).toBe(ids.length);
      }
    },
  );

  it('refuse the cursors and the keys of another seed', async () => {
    const foreign = (await ask(other, `${business.orders}?limit=1`, withKey(other.keys['full']))).at('/data/page/next_cursor');
    expect((await ask(apart, target(business.orders, { cursor: String(foreign) }), withKey(apart.keys['full']))).status).toBe(422);
    expect((await ask(apart, business.orders, withKey(other.keys['full']))).status).toBe(401);
  });

  it('answer equal requests with equal bytes, whatever was asked before', async () => {
    const all = requests(apart.keys);
    const backwards = new Map<number, unknown>();
    for (const [index, [path, headers]] of [...all.entries()].reverse()) backwards.set(index, comparable(await ask(near, path, headers)));
    let differing = 0;
    for (const [index, [path, headers]] of all.entries()) {
      const reply = comparable(await ask(apart, path, headers));
      expect(reply).toEqual(backwards.get(index));
      if (JSON.stringify(comparable(await ask(other, path, headers))) !== JSON.stringify(reply)) differing += 1;
    }
    // Control: another seed gives another dataset, so the comparison can see a difference.
    expect(differing).toBeGreaterThan(15);
  });

  it('answer equal requests with equal bytes at another instant, however each came to it', async () => {
    const page = async (): Promise<unknown> => comparable(await ask(apart, business.orders, withKey(apart.keys['full'])));
    const post = async (path: string, body: string): Promise<void> =>
      expect((await ask(apart, `/__mock/${path}`, { 'content-type': 'application/json' }, 'POST', body)).status).toBe(200);
    const own = await page();
    for (const _ of [1, 2]) await post('clock', '{"advance":"PT25H"}');
    near.clock.advance(50 * 3_600_000);
    for (const [path, headers] of requests(apart.keys)) {
      const answer = comparable(await ask(apart, path, headers));
      expect(comparable(await ask(near, path, headers))).toEqual(answer);
      // The header holds for its request alone; the mock's own clock has not moved.
      expect(comparable(await ask(third, path, { ...headers, 'mock-clock': 'PT50H' }))).toEqual(answer);
    }
    expect(await page()).not.toEqual(own);
    await post('reset', '');
    expect(await page()).toEqual(own);
  });
});
