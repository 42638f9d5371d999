/** Chaos over HTTP: the answers that a client of a running mock gets, in the envelope of the contract. */

import { connect } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import type { ServedExchange } from '../../../../mocks/served-exchange.ts';
import { type MockOptions, startMock } from '../../../../mocks/start-mock.ts';
import { fixture, type JudgedMock, startJudgedMock } from '../../../helpers/judged-mock.ts';
import { ask } from '../../../helpers/plain-client.ts';
import { business, wiki, withKey } from '../../../helpers/request-targets.ts';

const mock = await startJudgedMock();
afterAll(() => mock.close());
const full = withKey(mock.keys['full']);

/** The statuses of some equal requests, one after the other. */
async function statusesOf(server: JudgedMock, path: string, headers: Readonly<Record<string, string>>, count: number): Promise<string> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await ask(server, path, headers)).status);
  return statuses.join(' ');
}

describe('a request that asks for chaos', () => {
  it.each([
    ['503', 'API_NOT_READY'],
    ['503:ORDERS_NOT_READY', 'ORDERS_NOT_READY'],
    ['503:API_NOT_READY', 'API_NOT_READY'],
  ])('gets the 503 with the code: %s', async (rule, code) => {
    const reply = await ask(mock, business.orders, { ...full, 'mock-chaos': rule });
    expect([reply.status, reply.at('/error/code')]).toEqual([503, code]);
  });

  it('gets 429 with the time to wait', async () => {
    const reply = await ask(mock, business.menu, { ...full, 'mock-chaos': '429 retry-after=17' });
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '17']);
    expect((await ask(mock, business.menu, full)).status).toBe(200);
  });

  it('gets 503 or 429 even if the contract does not document it', async () => {
    const reply = await ask(mock, wiki, { 'mock-chaos': 'latency 1ms; 429' });
    expect([reply.status, reply.headers['retry-after'], reply.at('/ok')]).toEqual([429, '1', false]);
    // The judge rightly finds this answer undocumented; the request asked for it.
    await expect(mock.verify()).rejects.toThrow('429');
  });

  it('loses its connection', async () => {
    await expect(ask(mock, business.orders, { ...full, 'mock-chaos': 'reset' })).rejects.toThrow(/ECONNRESET|socket hang up/);
    await expect(ask(mock, business.orders, { ...full, 'mock-chaos': 'truncated' })).rejects.toThrow(/aborted/);
    expect((await ask(mock, business.orders, full)).status).toBe(200);
  });

  it('gets its answer late and slowly', async () => {
    const startedMs = performance.now();
    const reply = await ask(mock, `${business.orders}?limit=1`, { ...full, 'mock-chaos': 'latency 40ms; slow 20kB/s' });
    expect(performance.now() - startedMs).toBeGreaterThan(38);
    expect([reply.status, reply.at('/ok')]).toEqual([200, true]);
  });

  it.each(['latency 60s', 'slow 1B/s'])('is abandoned if its client does not wait: %s', async (rule) => {
    let report: (exchange: ServedExchange) => void = () => undefined;
    const served = new Promise<ServedExchange>((resolve) => {
      report = resolve;
    });
    await using late = await startMock({ contracts: ['wiki'], chaos: rule, onExchange: report });
    const socket = connect(late.port, '127.0.0.1', () =>
      socket.write(`GET ${wiki} HTTP/1.1\r\nHost: a\r\n\r\n`, () => setImmediate(() => socket.destroy())),
    );
    expect((await served).context).toMatchObject({
      cut: 'abandoned',
      chaos: [expect.any(String), 'the client did not wait for the response'],
    });
  });

  it('without a key gets 401 first', async () => {
    expect((await ask(mock, business.orders, { 'mock-chaos': '503' })).status).toBe(401);
  });

  it('has the chaos in its context', () => {
    const told = mock.exchanges.flatMap(({ context }) => context?.chaos ?? []);
    expect(told).toContain('503: requested by Mock-Chaos: 503:ORDERS_NOT_READY');
    expect(told).toContain('the connection is reset: requested by Mock-Chaos: reset');
  });
});

describe('a request with an invalid Mock-Chaos', async () => {
  // The judge would find a 400 undocumented in an API that answers wrong parameters with 422; this one is about a header of the mock itself.
  const plain = await startMock({ contracts: ['business'] });
  afterAll(() => plain.close());

  it.each([
    ['hail', '"hail" is invalid'],
    ['503 listOrder', 'no operation is called listOrder; did you mean listOrders?'],
    ['503:ORDERS_NOT_REDY', 'did you mean ORDERS_NOT_READY?'],
  ])('is refused in the envelope of the API with a suggestion: %s', async (rule, message) => {
    const reply = await ask(plain, business.orders, { ...full, 'mock-chaos': rule });
    expect([reply.status, reply.at('/ok')]).toEqual([400, false]);
    expect(reply.at('/error/message')).toContain(message);
  });
});

describe('chaos takes its place among the other conditions', () => {
  it.each([
    ['key-first', [401, 401, 429, 503, 429]],
    ['query-first', [401, 401, 429, 503, 429]],
    ['limit-first', [429, 401, 429, 503, 429]],
    ['service-first', [429, 503, 429, 503, 503]],
  ])('of the precedence %s', async (precedence, expected) => {
    await using troubled = await startMock({ contracts: ['business'], profile: { precedence } });
    const ownKey = withKey(troubled.keys['full']);
    const cases = [
      { rule: '429' },
      { rule: '503' },
      { rule: '429', key: true },
      { rule: '503', key: true },
      { rule: '429; 503', key: true },
    ];
    const statuses = cases.map(async ({ rule, key }) => {
      const headers = { ...(key === true ? ownKey : {}), 'mock-chaos': rule };
      return (await ask(troubled, `${business.orders}?limit=0`, headers)).status;
    });
    expect(await Promise.all(statuses)).toEqual(expected);
  });

  it.each([
    ['api', 'API_NOT_READY'],
    ['orders', 'ORDERS_NOT_READY'],
  ])('and has the code that the contract gives it: %s', async (choice, code) => {
    await using troubled = await startMock({ contracts: ['business'], profile: { 'which-not-ready': choice }, chaos: '503' });
    expect((await ask(troubled, business.orders, withKey(troubled.keys['full']))).at('/error/code')).toBe(code);
  });

  it('and does not change the answers of other requests', async () => {
    const answers = await Promise.all([
      ask(mock, business.orders, full),
      ask(mock, business.orders, { ...full, 'mock-chaos': 'latency 3ms' }),
    ]);
    expect(answers[1]?.text).toBe(answers[0]?.text);
    expect(answers[1]?.headers.etag).toBe(answers[0]?.headers.etag);
  });
});

describe('chaos of a mock', () => {
  it('is the same in another process with the same seed, in any order of requests', async () => {
    const options: MockOptions = { chaos: '503 50%', seed: 5 };
    await using one = await startJudgedMock(options);
    await using two = await startJudgedMock(options);
    const headers = withKey(one.keys['full']);
    const paths = [business.orders, business.menu, business.identity];
    const apart = await Promise.all(paths.map((path) => statusesOf(one, path, headers, 12)));
    const inTurn: string[] = [];
    for (const path of paths) inTurn.push(await statusesOf(two, path, headers, 12));
    expect(inTurn).toEqual(apart);
    expect(new Set(apart.join(' ').split(' '))).toEqual(new Set(['200', '503']));
    expect(new Set(apart).size).toBe(3);
  });

  it('can be changed and reset while the mock runs', async () => {
    await using running = await startJudgedMock({ chaos: ['503 listOrders', '429 key=other'] });
    const [mine, others] = [withKey(running.keys['full']), withKey(running.keys['other'])];
    const seen = async (): Promise<readonly number[]> =>
      Promise.all(
        [mine, others].flatMap((headers) =>
          [business.orders, business.menu].map(async (path) => (await ask(running, path, headers)).status),
        ),
      );
    expect(await seen()).toEqual([503, 200, 429, 429]);
    running.chaos.clear();
    expect(await seen()).toEqual([200, 200, 200, 200]);
    running.chaos.set('503:API_NOT_READY getMenu*');
    expect(await seen()).toEqual([200, 503, 200, 503]);
    running.chaos.reset();
    expect(running.chaos.list()).toEqual(['503 listOrders', '429 key=other']);
    expect(await seen()).toEqual([503, 200, 429, 429]);
  });

  it.each<[options: MockOptions, message: string]>([
    [{ chaos: '500' }, '"500" is invalid; a rule is KIND'],
    [{ chaos: ['reset', '503 listThings'] }, 'no operation is called listThings'],
    [{ rateLimit: 'often' }, 'the rate limit often cannot be read'],
  ])('that is invalid prevents the start: %j', async (options, message) => {
    await expect(startMock(options)).rejects.toThrow(message);
  });

  it('ends when the mock closes, which sends the rest of a slow answer at once', async () => {
    const running = await startMock({ chaos: 'slow 1B/s', contracts: ['wiki'] });
    const answer = await fetch(`${running.url}${wiki}?limit=1`);
    const [text] = await Promise.all([answer.text(), running.close()]);
    expect(JSON.parse(text)).toMatchObject({ ok: true });
  });
});

describe('a rate limit', () => {
  it('allows each key role a number of answers, and refuses more with 429', async () => {
    await using limited = await startJudgedMock({ rateLimit: '3/h' });
    const [mine, others] = [withKey(limited.keys['full']), withKey(limited.keys['other'])];
    expect(await statusesOf(limited, business.orders, mine, 4)).toBe('200 200 200 429');
    expect(await statusesOf(limited, business.menu, others, 4)).toBe('200 200 200 429');
    const reply = await ask(limited, business.menu, mine);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(3590);
    expect(Number(reply.headers['retry-after'])).toBeLessThan(3601);
    expect(limited.exchanges.at(-1)?.context?.chaos).toEqual(['429: the rate limit 3/h is reached for the role full']);
    limited.chaos.reset();
    expect((await ask(limited, business.menu, mine)).status).toBe(200);
  });

  it('counts all requests without a key together', async () => {
    await using limited = await startJudgedMock({ rateLimit: '1/h', contracts: [fixture('parcels')] });
    expect(await statusesOf(limited, '/v2/parcels?access_key=wrong', {}, 3)).toBe('401 401 401');
    expect(limited.exchanges.map(({ context: visit }) => visit?.chaos.length)).toEqual([0, 1, 1]);
  });

  it.each<[options: MockOptions, form: RegExp]>([
    [{}, /^3600$/],
    [{ retryAfter: 'date' }, /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/],
    [{ profile: { 'retry-after-form': 'date' } }, / GMT$/],
    [{ profile: { 'retry-after-form': 'date' }, retryAfter: 'seconds' }, /^3600$/],
  ])('writes Retry-After in the form of the option, or of the contract: %j', async (options, form) => {
    const limited = await startMock({ ...options, rateLimit: '1/h', contracts: ['business'] });
    const headers = withKey(limited.keys['full']);
    await ask(limited, business.identity, headers);
    const reply = await ask(limited, business.identity, headers);
    await limited.close();
    expect(reply.status).toBe(429);
    expect(reply.headers['retry-after']).toMatch(form);
  });
});
