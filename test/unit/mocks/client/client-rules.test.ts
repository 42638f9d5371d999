/** Each client rule: a sequence of requests that breaks it, and similar sequences of correct clients that do not. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../core/json.ts';
import { valueAt } from '../../../../core/pointer.ts';
import { clientRuleIds } from '../../../../core/results/client-rule.ts';
import {
  type ClientSequence,
  type SequenceOptions,
  type SequenceReply,
  type SequenceRequest,
  startSequence,
} from '../../../helpers/client-sequence.ts';

const orders = '/api/integrations/v1/orders/index.php';
const order = '/api/integrations/v1/orders/view.php';
const reservations = '/api/integrations/v1/reservations/index.php';

type Steps = (client: ClientSequence) => Promise<void>;

/** The next cursor of a page, as a part of a query. */
function cursorOf({ body }: SequenceReply): string {
  return encodeURIComponent(String(valueAt(body, '/data/page/next_cursor')));
}

function newestOf({ body }: SequenceReply, at = '/data/orders/0/changed_at'): string {
  return encodeURIComponent(String(valueAt(body, at)));
}

/** Reads a list to its end; returns the newest change as a part of a query. */
async function readAll(client: ClientSequence, query = 'limit=100', request: SequenceRequest = {}): Promise<string> {
  let reply = await client.send(`${orders}?${query}`, request);
  let newest = newestOf(reply);
  while (valueAt(reply.body, '/data/page/has_more') === true) {
    reply = await client.send(`${orders}?${query}&cursor=${cursorOf(reply)}`, request);
    if (decodeURIComponent(newestOf(reply)) > decodeURIComponent(newest)) newest = newestOf(reply);
  }
  return newest;
}

const repeat = async (times: number, step: (index: number) => Promise<unknown>): Promise<void> => {
  for (let index = 0; index < times; index += 1) await step(index);
};

/** The target of the newest order, and its ETag. */
async function readOrder(client: ClientSequence, index = 0): Promise<readonly [target: string, tag: string]> {
  const list = await client.send(`${orders}?limit=5`);
  const target = `${order}?id=${String(valueAt(list.body, `/data/orders/${index}/id`))}`;
  const { headers } = await client.send(target);
  return [target, String(headers['etag'])];
}

interface Case {
  readonly options?: SequenceOptions;
  readonly breaks: Steps;
  readonly keeps: Readonly<Record<string, Steps>>;
}

const chaos = (rule: string): SequenceRequest => ({ headers: { 'mock-chaos': rule } });

const cases: Readonly<Record<string, Case>> = {
  'client/checkpoint-after-last-page': {
    breaks: async (client) => {
      const first = await client.send(`${orders}?limit=10`);
      await client.send(`${orders}?limit=10&updated_after=${newestOf(first)}`);
    },
    keeps: {
      'a preview of the first page, twice': (client) => repeat(2, () => client.send(`${orders}?limit=10`)),
      'a complete read, then a read from its newest change': async (client) => {
        await client.send(`${orders}?limit=100&updated_after=${await readAll(client)}`);
      },
      'a failed read that starts again from the old checkpoint': async (client) => {
        const checkpoint = await readAll(client);
        client.clock.advance('P1D');
        const page = await client.send(`${orders}?limit=10&updated_after=${checkpoint}`);
        await client.send(`${orders}?limit=10&updated_after=${checkpoint}&cursor=${cursorOf(page)}`, chaos('503'));
        await client.send(`${orders}?limit=10&updated_after=${checkpoint}`);
      },
      'a full read of one process beside the incremental reads of another': async (client) => {
        const checkpoint = await readAll(client);
        const page = await client.send(`${orders}?limit=10`);
        await client.send(`${orders}?limit=10&updated_after=${checkpoint}`, { connection: 2 });
        await client.send(`${orders}?limit=10&cursor=${cursorOf(page)}`);
      },
      'a read that a second process finishes later': async (client) => {
        let page = await client.send(`${orders}?limit=100`);
        await client.send(`${orders}?limit=100&updated_after=${newestOf(page)}`, { connection: 2 });
        while (valueAt(page.body, '/data/page/has_more') === true) page = await client.send(`${orders}?limit=100&cursor=${cursorOf(page)}`);
      },
    },
  },
  'client/filters-kept': {
    breaks: async (client) => {
      const page = await client.send(`${orders}?limit=10`);
      await client.send(`${orders}?limit=10&cursor=${cursorOf(page)}&channel=table`);
    },
    keeps: {
      'another spelling of the same filters': async (client) => {
        const page = await client.send(`${orders}?limit=2&status=ready,completed&updated_after=2026-03-01T12:00:00%2B02:00`);
        await client.send(`${orders}?limit=2&cursor=${cursorOf(page)}&status=completed,ready&updated_after=2026-03-01T10:00:00Z`);
      },
      'another page size': async (client) => {
        const page = await client.send(`${orders}?limit=10`);
        await client.send(`${orders}?limit=20&cursor=${cursorOf(page)}`);
      },
      'parallel readers with different filters': async (client) => {
        const [one, other] = [
          await client.send(`${orders}?limit=2&channel=table`),
          await client.send(`${orders}?limit=2&channel=takeaway`),
        ];
        await client.send(`${orders}?limit=2&channel=takeaway&cursor=${cursorOf(other)}`);
        await client.send(`${orders}?limit=2&channel=table&cursor=${cursorOf(one)}`);
      },
    },
  },
  'client/cursor-given': {
    breaks: async (client) => {
      const page = await client.send(`${orders}?limit=10`);
      await client.send(`${orders}?limit=10&cursor=${cursorOf(page).slice(0, -3)}abc`);
    },
    keeps: { 'the cursor of the previous page': (client) => readAll(client, 'limit=50').then(() => undefined) },
  },
  'client/cursor-owner': {
    breaks: async (client) => {
      const page = await client.send(`${orders}?limit=5`);
      await client.send(`${orders}?limit=5&cursor=${cursorOf(page)}`, { role: 'other' });
    },
    keeps: {
      'a key that expired in between': async (client) => {
        const page = await client.send(`${orders}?limit=5`);
        await client.send(`${orders}?limit=5&cursor=${cursorOf(page)}`, { role: 'expired' });
      },
    },
  },
  'client/retry-after': {
    breaks: async (client) => {
      await client.send(orders, chaos('429 retry-after=5'));
      await client.send(orders, { afterMs: 2000 });
    },
    keeps: {
      'a request after the wait': async (client) => {
        await client.send(orders, chaos('429 retry-after=5'));
        await client.send(orders, { afterMs: 5000 });
      },
      'a request on another connection that was on its way': async (client) => {
        await client.send(reservations, { connection: 2 });
        await client.send(orders, chaos('429 retry-after=5'));
        await client.send(reservations, { afterMs: 10, connection: 2 });
      },
      'another process with the same key': async (client) => {
        await client.send(orders, { connection: 2 });
        await client.send(orders, chaos('429 retry-after=5'));
        await client.send(orders, { connection: 2 });
      },
    },
  },
  'client/key-in-header': {
    breaks: async (client) => {
      await client.send(`${orders}?api_key=${client.api.keys.byRole.get('full')}`);
    },
    keeps: { 'the key in its header': async (client) => void (await client.send(orders)) },
  },
  'client/key-on-server': {
    breaks: async (client) => void (await client.send(orders, { headers: { origin: 'https://shop.example' } })),
    keeps: {
      'a program that sends the mode of its requests': async (client) =>
        void (await client.send(orders, { headers: { 'sec-fetch-mode': 'cors' } })),
    },
  },
  'client/parameter-rules': {
    breaks: async (client) => void (await client.send(`${order}?id=1&code=A`)),
    keeps: { 'one of them': async (client) => void (await client.send(`${order}?id=1`)) },
  },
  'client/records-complete': {
    breaks: async (client) => {
      await client.send(`${orders}?limit=100`);
      client.judge.compare({ records: [] });
    },
    keeps: {
      'a client that names no records': (client) => readAll(client).then(() => undefined),
      'the records of a page that the client filtered for': async (client) => {
        const { body } = await client.send(`${orders}?limit=100&status=pending`);
        client.judge.compare({ records: valueAt(body, '/data/orders') as readonly Json[] });
      },
    },
  },
  'client/records-current': {
    breaks: async (client) => {
      const { body } = await client.send(`${orders}?limit=100`);
      client.clock.advance('P1D');
      await readAll(client);
      client.judge.compare({ records: valueAt(body, '/data/orders') as readonly JsonObject[] });
    },
    keeps: {
      'a changed version that no response had, which is altered': async (client) => {
        const { body } = await client.send(`${orders}?limit=100&status=pending`);
        const records = (valueAt(body, '/data/orders') as readonly JsonObject[]).map((record) => ({
          ...record,
          changed_at: '2020-01-01T00:00:00Z',
        }));
        client.judge.compare({ records });
        expect(client.broken()).toContain('client/values-kept');
      },
      'keys alone': async (client) => {
        const { body } = await client.send(`${orders}?limit=100&status=pending`);
        client.judge.compare({ records: (valueAt(body, '/data/orders') as readonly JsonObject[]).map(({ id = null }) => id) });
      },
    },
  },
  'client/records-real': {
    breaks: async (client) => {
      await client.send(`${orders}?limit=100`);
      client.judge.compare({ records: [{ id: 0 }] });
    },
    keeps: {
      'a record that the filter no longer selects': async (client) => {
        const { body } = await client.send(`${orders}?limit=100`);
        await readAll(client, 'limit=100&status=pending');
        client.judge.compare({ records: valueAt(body, '/data/orders') as readonly Json[] });
      },
    },
  },
  'client/values-kept': {
    breaks: async (client) => {
      const { body } = await client.send(`${orders}?limit=100&status=pending`);
      client.judge.compare({
        records: (valueAt(body, '/data/orders') as readonly JsonObject[]).map(({ id = null }) => ({ id, status: 'new' })),
      });
    },
    keeps: {
      'a field of the client': async (client) => {
        const { body } = await client.send(`${orders}?limit=100&status=pending`);
        client.judge.compare({
          records: (valueAt(body, '/data/orders') as readonly JsonObject[]).map(({ id = null }) => ({ id, state: 'new' })),
        });
      },
    },
  },
  'client/checkpoint-served': {
    breaks: async (client) => {
      await readAll(client);
      await client.send(`${orders}?updated_after=2026-03-29T16:30:00Z`);
    },
    keeps: {
      'an old checkpoint of an earlier process': async (client) => {
        const checkpoint = await readAll(await startSequence());
        await client.send(`${orders}?limit=100&updated_after=${checkpoint}`);
      },
      'an overlap of five minutes': async (client) => {
        const checkpoint = Date.parse(decodeURIComponent(await readAll(client))) - 300_000;
        await client.send(`${orders}?limit=100&updated_after=${new Date(checkpoint).toISOString()}`);
      },
      'a checkpoint that only another process has read': async (client) => {
        await client.send(`${orders}?limit=5&status=cancelled`);
        await client.send(`${orders}?limit=100&updated_after=${await readAll(await startSequence())}`);
      },
      'an empty first read with a filter': async (client) => {
        await client.send(`${orders}?status=pending&updated_after=2026-03-29T16:00:00Z`);
      },
    },
  },
  'client/offset-given': {
    breaks: async (client) => void (await client.send(`${orders}?updated_after=2026-03-29T12:00:00`)),
    keeps: { 'an instant in UTC': async (client) => void (await client.send(`${orders}?updated_after=2026-03-28T12:00:00Z`)) },
  },
  'client/offset-encoded': {
    breaks: async (client) => void (await client.send(`${orders}?updated_after=2026-03-28T12:00:00+02:00`)),
    keeps: { 'an encoded plus sign': async (client) => void (await client.send(`${orders}?updated_after=2026-03-28T12:00:00%2B02:00`)) },
  },
  'client/last-page': {
    options: { profile: 'other' },
    breaks: async (client) => {
      let page = await client.send(`${orders}?limit=100`);
      while (valueAt(page.body, '/data/page/has_more') === true) page = await client.send(`${orders}?limit=100&cursor=${cursorOf(page)}`);
      await client.send(`${orders}?limit=100&cursor=${cursorOf(page)}`);
    },
    keeps: { 'a read to the last page': (client) => readAll(client).then(() => undefined) },
  },
  'client/unfiltered-changes': {
    breaks: async (client) => {
      const checkpoint = await readAll(client, 'limit=100&status=pending');
      await client.send(`${orders}?limit=100&status=pending&updated_after=${checkpoint}`);
    },
    keeps: {
      'a filtered list that is read anew': (client) => repeat(2, () => readAll(client, 'limit=100&status=pending')),
      'changes without a filter': async (client) => {
        await client.send(`${orders}?limit=100&updated_after=${await readAll(client)}`);
      },
    },
  },
  'client/valid-requests': {
    breaks: (client) => client.send(`${orders}?limit=500`).then(() => undefined),
    keeps: {
      'a record that is absent': (client) => client.send(`${order}?id=1`).then(() => undefined),
      'a rejected cursor, which has a rule of its own': (client) => client.send(`${orders}?cursor=invented`).then(() => undefined),
    },
  },
  'client/clock': {
    breaks: (client) => client.send(`${reservations}?date_from=2030-01-01`).then(() => undefined),
    keeps: {
      'a day of the mock': (client) => client.send(`${reservations}?date_from=2026-03-29`).then(() => undefined),
      'a day that is far away': (client) => client.send(`${reservations}?date_from=2029-12-01`).then(() => undefined),
    },
  },
  'client/refusal-repeated': {
    breaks: (client) => repeat(3, () => client.send(`${orders}?limit=500`)),
    keeps: {
      'two tries': (client) => repeat(2, () => client.send(`${orders}?limit=500`)),
      'an absent record that is asked for as time goes on': (client) =>
        repeat(4, (index) => client.send(`${order}?id=1`, { headers: { 'mock-clock': `PT${index}H` } })),
    },
  },
  'client/pause-after-503': {
    breaks: (client) => repeat(4, () => client.send(orders, { ...chaos('503'), afterMs: 1 })),
    keeps: {
      pauses: (client) => repeat(4, () => client.send(orders, { ...chaos('503'), afterMs: 200 })),
      'one immediate retry': (client) => repeat(2, (index) => client.send(orders, { ...(index === 0 ? chaos('503') : {}), afterMs: 1 })),
    },
  },
  'client/tag-quoted': {
    breaks: async (client) => {
      const [target, tag] = await readOrder(client);
      await client.send(target, { headers: { 'if-none-match': tag.replaceAll('"', '') } });
    },
    keeps: {
      'a list of tags': async (client) => {
        const [target, tag] = await readOrder(client);
        await client.send(target, { headers: { 'if-none-match': `"other", W/${tag}` } });
      },
    },
  },
  'client/tag-owner': {
    breaks: async (client) => {
      const [, tag] = await readOrder(client, 0);
      const [target] = await readOrder(client, 1);
      await client.send(target, { headers: { 'if-none-match': tag } });
    },
    keeps: {
      'an old tag of the same record': async (client) => {
        const [target, tag] = await readOrder(client);
        await client.send(target, { headers: { 'mock-clock': 'P3D' } });
        await client.send(target, { headers: { 'mock-clock': 'P3D', 'if-none-match': tag } });
      },
    },
  },
  'client/tag-sent': {
    breaks: async (client) => {
      const [target] = await readOrder(client);
      await repeat(4, () => client.send(target));
    },
    keeps: {
      'processes that each read once': async (client) => {
        const [target] = await readOrder(client);
        await repeat(3, (index) => client.send(target, { connection: index + 2 }));
      },
      'four reads after one with a tag of no record': async (client) => {
        const list = await client.send(`${orders}?limit=5`);
        const target = `${order}?id=${String(valueAt(list.body, '/data/orders/0/id'))}`;
        await client.send(target, { headers: { 'if-none-match': '"other"' } });
        await repeat(4, () => client.send(target));
      },
    },
  },
  'client/one-key': {
    breaks: async (client) => {
      await client.send(orders, { headers: { authorization: `Bearer ${client.api.keys.byRole.get('other')}` } });
    },
    keeps: {
      'one key in two headers': async (client) => {
        await client.send(orders, { headers: { authorization: `Bearer ${client.api.keys.byRole.get('full')}` } });
      },
    },
  },
  'client/declared-parameters': {
    breaks: async (client) => void (await client.send(`${orders}?updatedAfter=2026-03-28T12:00:00Z`)),
    keeps: { 'documented parameters': async (client) => void (await client.send(`${orders}?limit=5&channel=table`)) },
  },
  'client/polling': {
    breaks: (client) => repeat(10, () => client.send(`${orders}?limit=5`, { afterMs: 10 })),
    keeps: {
      'a poll each second': (client) => repeat(20, () => client.send(`${orders}?limit=5`)),
      'quick reads of a test suite, whose clock advances': (client) =>
        repeat(20, (index) => client.send(`${orders}?limit=5`, { afterMs: 1, headers: { 'mock-clock': `PT${index}M` } })),
      'two lists in turn': (client) =>
        repeat(20, (index) => client.send(`${index % 2 === 0 ? orders : reservations}?limit=5`, { afterMs: 1 })),
    },
  },
  'client/pages-finished': {
    breaks: async (client) => {
      const page = await client.send(`${orders}?limit=10`);
      await client.send(`${orders}?limit=10&cursor=${cursorOf(page)}`);
      await client.send(`${orders}?limit=20`);
    },
    keeps: {
      'the same preview again': (client) => repeat(3, () => client.send(`${orders}?limit=10`)),
      'a read that failed': async (client) => {
        const page = await client.send(`${orders}?limit=10`);
        await client.send(`${orders}?limit=10&cursor=${cursorOf(page)}`, chaos('reset'));
        await readAll(client);
      },
      'two readers at the same time': async (client) => {
        const [one, other] = [
          await client.send(`${orders}?limit=100&channel=table`),
          await client.send(`${orders}?limit=100&channel=takeaway`),
        ];
        const rest = async (page: SequenceReply, query: string): Promise<void> => {
          let current = page;
          while (valueAt(current.body, '/data/page/has_more') === true)
            current = await client.send(`${orders}?${query}&cursor=${cursorOf(current)}`);
        };
        client.report();
        await rest(one, 'limit=100&channel=table');
        await rest(other, 'limit=100&channel=takeaway');
      },
    },
  },
  'client/conditional-reads': {
    breaks: async (client) => {
      const [target] = await readOrder(client);
      await repeat(2, () => client.send(target));
    },
    keeps: {
      'conditional reads': async (client) => {
        const [target, tag] = await readOrder(client);
        await repeat(2, () => client.send(target, { headers: { 'if-none-match': tag } }));
      },
    },
  },
  'client/detail-reads': {
    breaks: async (client) => {
      const read = (): Promise<void> => repeat(3, (index) => readOrder(client, index).then(() => undefined));
      await read();
      await read();
    },
    keeps: {
      'reads of records that changed': (client) =>
        repeat(6, async (index) => {
          client.clock.set(Date.UTC(2026, 2, 29, 16) + index * 86_400_000);
          await readOrder(client);
        }),
      'second reads without a list in between': async (client) => {
        const [target, tag] = await readOrder(client);
        await repeat(4, () => client.send(target, { headers: { 'if-none-match': tag } }));
      },
    },
  },
  'client/read-only': {
    options: { contract: fileURLToPath(new URL('../../../helpers/contracts/users.openapi.yaml', import.meta.url)) },
    breaks: async (client) => void (await client.send('/api/users', { body: { id: 1, name: 'Ann', password: 'x' } })),
    keeps: {
      'a body without them': async (client) => void (await client.send('/api/users', { body: { name: 'Ann', password: 'x' } })),
    },
  },
  'client/page-size': {
    breaks: async (client) => {
      let page = await client.send(`${orders}?limit=1`);
      await repeat(2, async () => {
        page = await client.send(`${orders}?limit=1&cursor=${cursorOf(page)}`);
      });
    },
    keeps: {
      'single records between larger pages': async (client) => {
        let page = await client.send(`${orders}?limit=1`);
        for (const limit of [1, 10, 1]) page = await client.send(`${orders}?limit=${limit}&cursor=${cursorOf(page)}`);
      },
      'one record for a preview': async (client) => void (await client.send(`${orders}?limit=1`)),
      'a last page of one record': (client) => readAll(client, 'limit=100').then(() => undefined),
    },
  },
};

describe.each(Object.entries(cases))('%s', (rule, { options, breaks, keeps }) => {
  it('is broken, with a message, a place in the contract, the exchanges and a command', async () => {
    const client = await startSequence(options);
    await breaks(client);
    const finding = client.report().findings.find((each) => each.rule === rule);
    expect(finding?.message, client.broken().join()).toMatch(/\.$/);
    expect(finding?.advice).toMatch(/\.$/);
    expect(finding?.source.line).toBeGreaterThan(1);
    expect(finding?.exchanges.length).toBeGreaterThan(0);
    expect(finding?.curl).toMatch(/^curl -si .*http:\/\/mock\/api/);
    expect(JSON.stringify(client.report())).not.toContain('mock_full_');
    expect(client.announced.map((each) => each.rule)).toContain(rule);
  });

  it.each(Object.entries(keeps))('is kept by %s', async (_, steps) => {
    const client = await startSequence(options);
    await steps(client);
    expect(client.broken()).not.toContain(rule);
  });
});

it('a command shows the key of cookies and of a referring page, and nothing else of them', async () => {
  const client = await startSequence();
  const key = client.api.keys.byRole.get('full');
  await client.send(`${orders}?limit=1`, {
    headers: { cookie: `session=of-another-program; key=${key}`, referer: `http://localhost/guests?name=Anna&key=${key}` },
  });
  const curl = client.report().findings.find(({ rule }) => rule === 'client/key-in-header')?.curl;
  expect(curl).toContain('"cookie: key=$KEY"');
  expect(curl).toContain('"referer: http://localhost/guests?key=$KEY"');
  expect(curl).not.toMatch(/of-another-program|Anna/);
});

describe('one mistake is one finding', () => {
  it('at several operations, which the finding names', async () => {
    const client = await startSequence();
    for (const list of [orders, reservations]) await client.send(`${list}?limit=1&since=today`);
    await client.send(`${orders}?limit=1&page=2`);
    const findings = client.report().findings.map(({ rule, operation, alsoAt, count }) => [rule, operation, alsoAt, count]);
    expect(findings).toEqual([
      ['client/declared-parameters', 'listOrders', ['listReservations'], 2],
      ['client/declared-parameters', 'listOrders', [], 1],
    ]);
    expect(client.announced).toHaveLength(2);
  });
});

it('a list that is sent as repeated parameters gets the form to send', async () => {
  const client = await startSequence();
  await client.send(`${orders}?status=ready&status=preparing`);
  expect(client.first()).toMatchObject({ rule: 'client/valid-requests', level: 'warning' });
  expect(client.first()?.message).toContain('is sent more than once; send status=ready,preparing.');
});

it('each rule has a sequence that breaks it', () => {
  expect(clientRuleIds.filter((rule) => cases[rule] === undefined)).toEqual([]);
});

describe('a checkpoint that is stored too early', () => {
  it('costs the records of the unread pages, which the finding counts and names', async () => {
    const client = await startSequence();
    const first = await client.send(`${orders}?limit=10`);
    await client.send(`${orders}?limit=100&updated_after=${newestOf(first)}`);
    const finding = client.first();
    expect(finding).toMatchObject({ rule: 'client/checkpoint-after-last-page', level: 'error', count: 1, exchanges: [1, 2] });
    expect(finding?.consequence).toMatch(/^\d+ of the orders were never delivered: \d+, \d+, \d+, \d+, \d+ and others\.$/);
    const all = (await startSequence()).api.dataset.at(client.clock.now()).records('full', 'orders').length;
    const seen = 10 + Number(/^\d+/.exec(finding?.consequence ?? '')?.[0]);
    expect(seen).toBeGreaterThan(all * 0.9);
  });
});

describe('a checkpoint that is stored too early in a list that is too large to compare', () => {
  it('has no consequence, since none is known', async () => {
    const client = await startSequence({ sizes: { orders: 25_000 } });
    const first = await client.send(`${orders}?limit=10`);
    await client.send(`${orders}?limit=100&updated_after=${newestOf(first)}`);
    expect(client.first()).toMatchObject({ rule: 'client/checkpoint-after-last-page', consequence: null });
    expect(() => client.judge.compare({ records: [] })).toThrow('the key role full has no orders, or too many to compare');
  });
});

it('a wait that was too short is named with the wait that Retry-After asked for', async () => {
  const client = await startSequence();
  await cases['client/retry-after']?.breaks(client);
  expect(client.first()?.message).toBe('This request arrived 2 s after the 429 in exchange 1, which asked the client to wait 5 s.');
});

it('sees that a client without lasting connections does not wait, unlike a second process', async () => {
  const client = await startSequence();
  for (const connection of [1, 2]) {
    await client.send(orders, { ...chaos('429 retry-after=5'), connection, afterMs: 3 });
    expect(client.broken()).toEqual([]);
  }
  await client.send(orders, { connection: 3, afterMs: 3 });
  expect(client.broken()).toEqual(['client/retry-after']);
});

describe('a mistake that loses records', () => {
  const losing = {
    'client/cursor-given': 'cursor=invented',
    'client/cursor-owner': (client: ClientSequence) => client.send(`${orders}?limit=10`, { role: 'other' }),
    'client/filters-kept': 'channel=table',
  } as const;

  it.each(Object.entries(losing))('%s counts and names them, until they are read', async (rule, mistake) => {
    const client = await startSequence();
    const first = await client.send(`${orders}?limit=100`);
    const query =
      typeof mistake === 'string'
        ? `${mistake.startsWith('cursor') ? '' : `cursor=${cursorOf(first)}&`}${mistake}`
        : `cursor=${cursorOf(await mistake(client))}`;
    expect(await client.send(`${orders}?limit=100&${query}`)).toMatchObject({ status: 422 });
    expect(client.first()).toMatchObject({
      rule,
      consequence: expect.stringMatching(/^128 of the orders were never delivered: \d+, .+ and others\.$/),
    });
    expect(client.announced[0]?.consequence).toEqual(client.first()?.consequence);
    await readAll(client);
    expect(client.first()).toMatchObject({ rule, consequence: null });
  });
});

describe('a report', () => {
  it('follows its published schema', async () => {
    const schema = JSON.parse(readFileSync(new URL('../../../../specs/client-report.schema.json', import.meta.url), 'utf8')) as object;
    const validate = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true }).compile(schema);
    const client = await startSequence();
    await cases['client/checkpoint-after-last-page']?.breaks(client);
    await client.send('/nowhere');
    for (const report of [client.report(), client.report({ role: 'expired' })]) {
      validate(JSON.parse(JSON.stringify(report)));
      expect(validate.errors).toBeNull();
    }
  });

  it('without requests is not exercised', async () => {
    const report = (await startSequence()).report();
    expect(report).toMatchObject({ verdict: 'not-exercised', requests: 0, findings: [], exercised: [] });
    expect(report.notExercised).toContainEqual({ rule: 'client/retry-after', reason: 'No request was throttled (429).' });
  });

  it('of a correct client is clean, and names what was exercised', async () => {
    const client = await startSequence();
    const checkpoint = await readAll(client);
    client.clock.advance('PT6H');
    await client.send(`${orders}?limit=100&updated_after=${checkpoint}`);
    const report = client.report();
    expect(report).toMatchObject({ verdict: 'clean', findings: [] });
    expect(report.exercised).toEqual(expect.arrayContaining(['client/filters-kept', 'client/checkpoint-after-last-page']));
    expect(report.notExercised.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['client/retry-after', 'client/pause-after-503', 'client/tag-quoted']),
    );
  });

  it('of one key role has the requests of that role only', async () => {
    const client = await startSequence();
    await client.send(`${orders}?limit=1&x=1`);
    await client.send(orders, { role: 'other' });
    expect(client.report({ role: 'other' })).toMatchObject({ requests: 1, verdict: 'clean' });
    expect(client.report({ role: 'full' })).toMatchObject({ requests: 1, verdict: 'warning' });
  });

  it('leaves out answers that the request asked for', async () => {
    const client = await startSequence();
    await repeat(4, () => client.send(orders, { headers: { prefer: 'code=422' } }));
    expect(client.report().requests).toBe(0);
  });

  it('leaves out requests of the verifier, which makes mistakes on purpose', async () => {
    const client = await startSequence();
    await repeat(4, () => client.send(`${orders}?limit=x`, { headers: { 'user-agent': 'touchstone' } }));
    expect(client.report()).toMatchObject({ requests: 0, findings: [] });
  });

  it('has no rules about keys, cursors and checkpoints for an API without them', async () => {
    const client = await startSequence({ contract: 'wiki' });
    await client.send('/api/v1/wiki?limit=5', { role: 'none' });
    const report = client.report();
    const rules = [...report.exercised, ...report.notExercised.map(({ rule }) => rule)];
    expect(report.verdict).toBe('clean');
    expect(rules.filter((rule) => /key|cursor|checkpoint|offset|filters/.test(rule))).toEqual([]);
  });
});
