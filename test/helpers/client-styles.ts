/** Correct clients of many styles, as sequences of requests: a right judge finds nothing in them. */

import type { JsonObject } from '../../core/json.ts';
import { valueAt } from '../../core/pointer.ts';
import type { ClientFinding } from '../../core/results/client-result.ts';
import { type ClientSequence, type SequenceOptions, type SequenceReply, type SequenceRequest, startSequence } from './client-sequence.ts';

const orders = '/api/integrations/v1/orders/index.php';
const order = '/api/integrations/v1/orders/view.php';
const reservations = '/api/integrations/v1/reservations/index.php';
const wiki = '/api/v1/wiki';

/** Reads a page of a list; the target has a query. */
type PageReader = (target: string, request?: SequenceRequest) => Promise<SequenceReply>;

const hasMore = ({ body }: SequenceReply): boolean => valueAt(body, '/data/page/has_more') === true;

/** Yields after each page, so that several readers can take turns. Returns the newest change. */
async function* readPages(send: PageReader, target: string, request: SequenceRequest = {}): AsyncGenerator<string, void, undefined> {
  let page = await send(target, request);
  yield newestOf(page);
  while (hasMore(page)) {
    page = await send(`${target}&cursor=${encodeURIComponent(String(valueAt(page.body, '/data/page/next_cursor')))}`, request);
    yield newestOf(page);
  }
}

function newestOf({ body }: SequenceReply): string {
  const records = (valueAt(body, '/data/orders') ?? valueAt(body, '/data/reservations') ?? []) as readonly JsonObject[];
  return (
    records
      .map(({ changed_at }) => String(changed_at))
      .sort()
      .at(-1) ?? ''
  );
}

/** Reads lists in turn, a page of each at a time. Returns the newest changes. */
async function takeTurns(readers: readonly AsyncGenerator<string, void, undefined>[]): Promise<readonly string[]> {
  const newest = readers.map(() => '');
  const open = new Set(readers.keys());
  while (open.size > 0)
    for (const index of [...open]) {
      const next = await readers[index]?.next();
      if (next === undefined || next.done === true) open.delete(index);
      else if (next.value > (newest[index] ?? '')) newest[index] = next.value;
    }
  return newest;
}

/** Reads the newest orders and their details, with the ETags of the reads before. */
function createDetailReader(client: ClientSequence): () => Promise<void> {
  const tags = new Map<string, string>();
  return async () => {
    const list = await client.send(`${orders}?limit=3`);
    for (const { id } of valueAt(list.body, '/data/orders') as readonly JsonObject[]) {
      const target = `${order}?id=${String(id)}`;
      const tag = tags.get(target);
      const { headers } = await client.send(target, { headers: tag === undefined ? {} : { 'if-none-match': tag } });
      tags.set(target, String(headers['etag']));
    }
  };
}

const since = (instant: string): string => `updated_after=${encodeURIComponent(instant)}`;

/** A style: the mock that it needs, and the requests. */
interface ClientStyle {
  readonly options?: SequenceOptions;
  readonly steps: (client: ClientSequence, seed: number) => Promise<unknown>;
}

/** The styles by their names. */
export const clientStyles: Readonly<Record<string, ClientStyle>> = {
  'parallel readers of both lists and of each state': {
    steps: async (client) => {
      const filters = ['status=completed,cancelled', 'status=pending', 'channel=table', 'channel=takeaway'];
      await takeTurns([
        ...filters.map((filter, index) => readPages(client.send, `${orders}?limit=20&${filter}`, { connection: index + 1, afterMs: 2 })),
        readPages(client.send, `${reservations}?limit=20`, { connection: 9, afterMs: 2 }),
      ]);
    },
  },
  'several processes with one key, each with a copy of its own': {
    steps: async (client) => {
      const readAll = (query = ''): Promise<readonly string[]> =>
        takeTurns([1, 2, 3].map((connection) => readPages(client.send, `${orders}?limit=50${query}`, { connection, afterMs: 2 })));
      const [newest = ''] = await readAll();
      client.clock.advance('PT1H');
      await readAll(`&${since(newest)}`);
    },
  },
  'processes that start one after the other': {
    steps: async (client) => {
      for (const connection of [1, 2, 3]) {
        await takeTurns([readPages(client.send, `${orders}?limit=100`, { connection })]);
        client.clock.advance('PT10M');
      }
    },
  },
  'a preview of the newest orders, each second': {
    steps: async (client) => {
      for (let index = 0; index < 30; index += 1) await client.send(`${orders}?limit=5`);
    },
  },
  'a preview beside a synchronisation': {
    steps: async (client) => {
      const preview = async function* (): AsyncGenerator<string, void, undefined> {
        for (let index = 0; index < 5; index += 1) yield newestOf(await client.send(`${orders}?limit=5`, { connection: 2 }));
      };
      const [newest = ''] = await takeTurns([readPages(client.send, `${orders}?limit=50`), preview()]);
      client.clock.advance('P1D');
      await takeTurns([readPages(client.send, `${orders}?limit=50&${since(newest)}`), preview()]);
    },
  },
  'a synchronisation each hour': {
    steps: async (client) => {
      let [newest = ''] = await takeTurns([readPages(client.send, `${orders}?limit=100`)]);
      for (let hour = 0; hour < 3; hour += 1) {
        client.clock.advance('PT1H');
        [newest = newest] = await takeTurns([readPages(client.send, `${orders}?limit=100&${since(newest)}`)]);
      }
    },
  },
  'a restart from an old checkpoint': {
    steps: async (client, seed) => {
      const [newest = ''] = await takeTurns([readPages((await startSequence({ seed })).send, `${orders}?limit=100`)]);
      client.clock.advance('P2D');
      await takeTurns([readPages(client.send, `${orders}?limit=100&${since(newest)}`, { connection: 7 })]);
    },
  },
  'an overlap of ten minutes, against late changes': {
    steps: async (client) => {
      let [newest = ''] = await takeTurns([readPages(client.send, `${orders}?limit=100`)]);
      for (let day = 0; day < 3; day += 1) {
        client.clock.advance('P1D');
        const start = new Date(Date.parse(newest) - 600_000).toISOString();
        [newest = newest] = await takeTurns([readPages(client.send, `${orders}?limit=100&${since(start)}`)]);
      }
    },
  },
  'a crash in the middle, and a second try from the old checkpoint': {
    steps: async (client) => {
      const [newest = ''] = await takeTurns([readPages(client.send, `${orders}?limit=100`)]);
      client.clock.advance('P3D');
      const target = `${orders}?limit=10&${since(newest)}`;
      const page = await client.send(target);
      const cursor = encodeURIComponent(String(valueAt(page.body, '/data/page/next_cursor')));
      await client.send(`${target}&cursor=${cursor}`, { headers: { 'mock-chaos': 'reset' } });
      await takeTurns([readPages(client.send, target, { connection: 2 })]);
    },
  },
  'windows of a week, without a copy': {
    steps: async (client) => {
      for (const [from, to] of [
        ['2026-03-01', '2026-03-07'],
        ['2026-03-08', '2026-03-14'],
        ['2026-03-15', '2026-03-21'],
      ])
        await takeTurns([readPages(client.send, `${reservations}?limit=100&date_from=${from}&date_to=${to}`)]);
    },
  },
  'details with their ETags, as often as the list shows a change': {
    steps: async (client) => {
      const readDetails = createDetailReader(client);
      for (let day = 0; day < 4; day += 1) {
        await readDetails();
        client.clock.advance('P1D');
      }
    },
  },
  'details with their ETags at each poll, changed or not': {
    steps: async (client) => {
      const readDetails = createDetailReader(client);
      for (let poll = 0; poll < 4; poll += 1) await readDetails();
    },
  },
  'a client that waits after a 429 and a 503, on every connection': {
    steps: async (client) => {
      await client.send(`${orders}?limit=100`, { headers: { 'mock-chaos': '429 retry-after=2' } });
      await client.send(`${orders}?limit=100`, { headers: { 'mock-chaos': '503' }, afterMs: 2000 });
      await takeTurns([1, 2].map((connection) => readPages(client.send, `${orders}?limit=100`, { connection, afterMs: 500 })));
    },
  },
  'numbered pages of a public API, read in parallel and in any order': {
    options: { contract: 'wiki' },
    steps: async (client) => {
      for (const page of [1, 4, 2, 3, 5])
        await client.send(`${wiki}?limit=30&page=${page}`, { role: 'none', connection: page, afterMs: 1 });
      for (const type of ['creature', 'arma']) await client.send(`${wiki}?type=${type}`, { role: 'none' });
    },
  },
};

/** Chaos that a correct client survives on any page. With `timeout`, a response comes too late for it. */
export const survivableChaos = [
  'reset',
  'truncated',
  '503',
  '429 retry-after=2',
  '429 retry-after=2 as=date',
  'timeout',
  'latency 20ms..8s',
  'slow 5kB/s',
] as const;

/** How a style is played: the seed of the mock, and the chaos that the client meets, from the `offset`-th request on. */
interface Play {
  readonly seed: number;
  readonly chaos?: string | undefined;
  readonly offset?: number;
}

/** Plays a style, and returns the findings of the judge. */
export async function findingsOfStyle(name: string, { seed, chaos, offset = 0 }: Play): Promise<readonly ClientFinding[]> {
  const { options, steps } = clientStyles[name] ?? { steps: () => Promise.reject(new Error(`no style ${name}`)) };
  const client = await startSequence({ ...options, seed });
  await steps(chaos === undefined ? client : troubled(client, chaos, offset), seed);
  return client.report().findings;
}

/** A client that meets trouble with every third request: one that is slow, or several that fail, after which it asks again after a pause. */
function troubled(client: ClientSequence, chaos: string, offset: number): ClientSequence {
  let count = offset;
  const send: PageReader = async (target, request = {}) => {
    count += 1;
    const troubles = count % 3 === 0 ? (count % 4) + 1 : 0;
    if (/^(latency|slow)/.test(chaos))
      return await client.send(target, troubles > 0 ? { ...request, headers: { ...request.headers, 'mock-chaos': chaos } } : request);
    for (let again = 0; again < Math.min(troubles, 3); again += 1)
      await client.send(target, {
        ...request,
        ...(chaos === 'timeout' ? { isAbandoned: true } : { headers: { ...request.headers, 'mock-chaos': chaos } }),
        ...(again > 0 && { afterMs: 3000 }),
      });
    return await client.send(target, troubles > 0 ? { ...request, afterMs: 3000 } : request);
  };
  return { ...client, send };
}
