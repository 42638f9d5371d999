/** `/__mock/` over HTTP: its answers, its changes of the mock, and the requests that it refuses. */

import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../../../core/json.ts';
import { startJudgedMock } from '../../../helpers/judged-mock.ts';
import { ask, type Fields, type Reply } from '../../../helpers/plain-client.ts';
import { converse, open } from '../../../helpers/raw-socket.ts';
import { business, wiki, withKey } from '../../../helpers/request-targets.ts';

const mock = await startJudgedMock({ seed: 7, chaos: '503 0%', mutants: [], allowedHosts: ['mock'] });
const full = withKey(mock.keys['full']);
// The first answer waits until Prism is loaded, and blocks all others.
await ask(mock, `${wiki}?limit=1`);
const closed = await startJudgedMock({ contracts: ['wiki'], control: false });
afterAll(() => mock.close());
afterAll(() => closed.close());
beforeEach(() => mock.reset());

const get = (path: string, headers: Fields = {}): Promise<Reply> => ask(mock, `/__mock/${path}`, headers);
const post = (path: string, body: Json, headers: Fields = {}): Promise<Reply> =>
  ask(mock, `/__mock/${path}`, headers, 'POST', JSON.stringify(body));
const messageOf = (reply: Reply): string => String(reply.at('/error/message'));

describe('/__mock/', () => {
  it.each(['/__mock/', '/__mock'])('at %s shows the served contracts', async (path) => {
    const reply = await ask(mock, path);
    expect(reply.status).toBe(200);
    expect(reply.at()).toMatchObject({ scope: 'this process', url: mock.url, seed: 7, mutants: [] });
    expect(reply.at('/contracts/0')).toMatchObject({ name: 'business', title: 'Business Integration API', url: mock.url });
    const { operations } = mock.contracts[0] ?? { operations: [] };
    expect(reply.at('/contracts/0/operations')).toEqual(operations.map(({ id, method, path: at }) => ({ id, method, path: at })));
    expect(reply.at('/links/clock')).toBe(`${mock.url}/__mock/clock`);
  });

  it('forbids caches, content sniffing and reading by pages of other origins', async () => {
    const { headers } = await get('');
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('shows the keys by role', async () => {
    expect((await get('keys')).at()).toEqual({ keys: mock.keys });
  });

  it('is neither in the journal nor passed to onExchange', async () => {
    const before = mock.exchanges.length;
    await get('');
    await get('nothing');
    expect(mock.journal.entries()).toEqual([]);
    expect(mock.exchanges).toHaveLength(before);
  });

  it('is an unknown path of the APIs if it is turned off', async () => {
    const reply = await ask(closed, '/__mock/');
    expect([reply.status, reply.at('/ok')]).toEqual([404, false]);
    expect(closed.journal.entries()).toMatchObject([{ target: '/__mock/', status: 404, operation: null }]);
  });
});

describe('/__mock/clock', () => {
  const start = { scope: 'this process', now: '2026-03-29T16:00:00Z', pace: 0 };

  it('moves the clock of all requests without Mock-Clock', async () => {
    expect((await get('clock')).at()).toEqual(start);
    expect((await post('clock', { advance: 'PT2H' })).at()).toEqual({ ...start, now: '2026-03-29T18:00:00Z' });
    expect((await post('clock', { advance: '-P1D' })).at('/now')).toBe('2026-03-28T18:00:00Z');
    expect((await post('clock', { set: '2026-05-01T02:30:00+02:00' })).at('/now')).toBe('2026-05-01T00:30:00Z');
    await ask(mock, `${wiki}?limit=1`);
    await ask(mock, `${wiki}?limit=1`, { 'mock-clock': '2026-04-01T00:00:00Z' });
    expect(mock.journal.entries().map(({ instant }) => instant)).toEqual(['2026-05-01T00:30:00Z', '2026-04-01T00:00:00Z']);
    expect((await post('clock', { reset: true })).at()).toEqual(start);
  });

  it('sets the pace, alone or together with an instant', async () => {
    expect((await post('clock', { set: '2026-05-01T00:00:00Z', pace: 0.5 })).at('/pace')).toBe(0.5);
    expect((await post('clock', { pace: 0 })).at()).toMatchObject({ pace: 0, now: expect.stringMatching(/^2026-05-01T00:00:0/) });
  });

  it('changes the same clock as the handle of the mock', async () => {
    mock.clock.set(Date.UTC(2027, 0, 1));
    expect((await get('clock')).at('/now')).toBe('2027-01-01T00:00:00Z');
  });

  it.each<[Json, string]>([
    [{ advance: '2h' }, 'advance is 2h, which is not a duration; send, for example, "PT2H", "P1D" or "-PT30M".'],
    [{ advance: 2 }, 'advance is 2, which is not a string; send one such as "PT2H".'],
    [{ advance: 'P999999W' }, 'advance is P999999W, which leaves the years 0000 to 9999; send a shorter duration.'],
    [{ set: 'tomorrow' }, 'set is tomorrow, which is not an instant with an offset; send, for example, "2026-03-29T02:30:00+01:00".'],
    [{ set: 'PT2H' }, 'set is PT2H, which is not an instant with an offset; send, for example, "2026-03-29T02:30:00+01:00".'],
    [{ pace: -1 }, 'pace is -1, which is not a number from 0 to 1000000; 0 stops the clock, 1 is real time.'],
    [{ pace: '60' }, 'pace is "60", which is not a number from 0 to 1000000; 0 stops the clock, 1 is real time.'],
    [{ pace: 1, set: 'PT2H' }, 'set is PT2H, which is not an instant with an offset; send, for example, "2026-03-29T02:30:00+01:00".'],
    [{ set: '2026-03-29T02:30:00+01:00', advance: 'PT2H' }, 'set and advance both move the clock; send one of them.'],
    [{ reset: false }, 'reset is false; send true, or leave it out.'],
    [{ reset: true, pace: 1 }, 'reset must be the only member; send the other members in a second request.'],
    [{ advnce: 'PT2H' }, 'The body has the unknown member advnce; did you mean advance?'],
    [{ colour: 1 }, 'The body has the unknown member colour; the members are set, advance, pace, reset'],
    [{}, 'The body is an empty object; send one such as {"advance": "PT2H"}.'],
    [['PT2H'], 'The body ["PT2H"] is not a JSON object; send one such as {"advance": "PT2H"}.'],
  ])('is not moved by %j', async (body, message) => {
    const reply = await post('clock', body);
    expect([reply.status, messageOf(reply)]).toEqual([400, message]);
    expect((await get('clock')).at()).toEqual(start);
  });
});

describe('/__mock/chaos', () => {
  it('changes the rules, which apply to the next requests', async () => {
    expect((await get('chaos')).at()).toEqual({ scope: 'this process', rules: ['503 0%'] });
    expect((await post('chaos', { set: ['503'] })).at('/rules')).toEqual(['503']);
    expect((await ask(mock, business.orders, full)).status).toBe(503);
    expect(mock.journal.entries()).toMatchObject([{ status: 503, chaos: [expect.stringContaining('503')] }]);
    expect((await post('chaos', { add: 'latency 1ms' })).at('/rules')).toEqual(['503', 'latency 1ms']);
    expect((await ask(mock, '/__mock/chaos', {}, 'DELETE')).at('/rules')).toEqual([]);
    expect((await ask(mock, business.orders, full)).status).toBe(200);
    expect((await post('chaos', { reset: true })).at('/rules')).toEqual(['503 0%']);
  });

  it.each<[Json, RegExp]>([
    [{ set: ['503'], add: ['503'] }, /^set, add and reset exclude each other; send one of them, such as \{"add": \["503 10%"\]\}\.$/],
    [{ set: [503] }, /^set is \[503\], which is not a list of strings; send one such as \["503 10%"\]\.$/],
    [{ add: ['thunder'] }, /thunder/],
  ])('is not changed by %j', async (body, message) => {
    const reply = await post('chaos', body);
    expect(reply.status).toBe(400);
    expect(messageOf(reply)).toMatch(message);
    expect(mock.chaos.list()).toEqual(['503 0%']);
  });
});

describe('/__mock/journal', () => {
  it('lists exchanges, filters them, and shows one with its body', async () => {
    const first = mock.journal.last() + 1;
    const page = await ask(mock, `${business.orders}?limit=1`, full);
    await ask(mock, `${business.orders}?limit=1&cursor=${encodeURIComponent(String(page.at('/data/page/next_cursor')))}`, full);
    await ask(mock, `${business.orders}?limit=0`, withKey(mock.keys['other']));
    await ask(mock, `${wiki}?limit=1`);
    const reply = await get('journal?limit=2');
    expect(reply.at()).toMatchObject({ scope: 'this process', next: first + 1, last: first + 3 });
    expect(reply.at('/entries')).toMatchObject([
      { number: first, operation: 'listOrders', role: 'full', cursor: { kind: 'first' }, problems: [] },
      { number: first + 1, cursor: { kind: 'given', by: first } },
    ]);
    expect((await get(`journal?after=${first + 1}`)).at()).toMatchObject({
      next: null,
      entries: [
        { number: first + 2, role: 'other', status: 422, problems: [{ parameters: ['limit'], class: 'out-of-range' }] },
        { role: 'anybody' },
      ],
    });
    expect((await get('journal?first=newest&limit=1')).at()).toMatchObject({ entries: [{ number: first + 3 }], next: first + 3 });
    expect((await get(`journal?first=newest&before=${first + 2}`)).at('/entries/0/number')).toBe(first + 1);
    expect((await get('journal?operation=listOrders&role=full&status=2xx')).at('/entries')).toHaveLength(2);
    const entry = await get(`journal/${first}`);
    expect(entry.at()).toMatchObject({ scope: 'this process', number: first, requestHeaders: { 'x-service-api-key': '$KEY' } });
    expect(String(entry.at('/body'))).toContain('‹personal›');
    expect(entry.text).not.toContain(mock.keys['full']);
    expect(mock.journal.entry(first)).toMatchObject({ number: first, body: entry.at('/body') });
    expect((await ask(mock, '/__mock/journal', {}, 'DELETE')).at()).toEqual({
      scope: 'this process',
      entries: [],
      next: null,
      last: first + 3,
    });
    expect([(await get(`journal/${first}`)).status, mock.journal.entries()]).toEqual([404, []]);
  });

  it.each([
    ['journal?staus=404', 400, 'The journal has no parameter staus; did you mean status?'],
    [
      'journal?colour=red',
      400,
      'The journal has no parameter colour; the parameters are first, after, before, limit, operation, role, status',
    ],
    ['journal?status=600', 400, 'status is 600, which is neither a status such as 404 nor a class such as 4xx.'],
    ['journal?first=last', 400, 'first is last, which is neither oldest nor newest.'],
    ['journal?limit=1001', 400, 'limit is 1001, which is not a whole number from 1 to 1000.'],
    ['journal?after=-1', 400, 'after is -1, which is not a whole number from 0 to 9007199254740991.'],
    ['journal?after=1&after=2', 400, 'after was given more than once; give it once.'],
    ['journal/last', 404, 'last is not the number of an entry; /__mock/journal lists the entries.'],
  ])('refuses %s', async (path, status, message) => {
    const reply = await get(path);
    expect([reply.status, messageOf(reply)]).toEqual([status, message]);
  });
});

describe('/__mock/reset', () => {
  it('resets clock, chaos and journal', async () => {
    mock.clock.advance(1000);
    mock.chaos.set(['latency 1ms']);
    await ask(mock, wiki);
    const reply = await ask(mock, '/__mock/reset', {}, 'POST');
    const scope = 'this process';
    expect(reply.at()).toEqual({ scope, clock: { scope, now: '2026-03-29T16:00:00Z', pace: 0 }, chaos: { scope, rules: ['503 0%'] } });
    expect(mock.journal.entries()).toEqual([]);
  });
});

describe('an invalid request', () => {
  it.each([
    ['GET', 'jornal', 404, 'The mock has no endpoint /__mock/jornal; did you mean /__mock/journal?'],
    ['GET', 'clock/', 404, /there are|did you mean \/__mock\/clock/],
    ['GET', 'journal/1/2', 404, /^The mock has no endpoint \/__mock\/journal\/1\/2; /],
    ['GET', `${'x'.repeat(100)}/y`, 404, /^The mock has no endpoint \/__mock\/x{92}…; there are \/__mock\/, \/__mock\/keys, /],
    ['PUT', 'clock', 405, '/__mock/clock does not support PUT; its methods are GET, HEAD, POST, OPTIONS.'],
    ['POST', 'keys', 405, '/__mock/keys does not support POST; its methods are GET, HEAD, OPTIONS.'],
    ['GET', 'reset', 405, '/__mock/reset does not support GET; its methods are POST, OPTIONS.'],
  ])('%s %s is told so', async (method, path, status, message) => {
    const reply = await ask(mock, `/__mock/${path}`, {}, method);
    expect(reply.status).toBe(status);
    expect(messageOf(reply)).toMatch(message);
    if (status === 405) expect(reply.headers.allow).toMatch(/OPTIONS$/);
  });

  it('is a body that is not JSON, not UTF-8, or too large', async () => {
    const send = (body: string): Promise<Reply> => ask(mock, '/__mock/clock', {}, 'POST', body);
    expect(messageOf(await send('advance'))).toMatch(
      /^The body advance is not JSON \(.+\); send an object such as \{"advance": "PT2H"\}\.$/,
    );
    expect(messageOf(await send(''))).toMatch(/^The body "" is not JSON /);
    const exact = `{"advance":"PT1S"${' '.repeat(65_536 - 18)}}`;
    expect([exact.length, (await send(exact)).status]).toEqual([65_536, 200]);
    const large = await send(`${exact} `);
    expect([large.status, messageOf(large)]).toEqual([413, 'The body is larger than 65536 bytes; send less.']);
    const head = 'POST /__mock/clock HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n';
    const { answers } = await converse(mock.port, Buffer.concat([Buffer.from(head), Buffer.from([0xc3, 0x28])]), 1);
    expect(answers[0]?.body).toContain('The body is not text in UTF-8; send JSON in UTF-8.');
  });

  it('is a body of any excessive depth', async () => {
    for (const path of ['clock', 'chaos']) {
      const reply = await ask(mock, `/__mock/${path}`, {}, 'POST', `{"add":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
      expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringContaining('is nested deeper than 500 levels')]);
    }
  });

  it('may end in the middle of its body, and the mock still closes', async () => {
    const socket = await open(mock.port, 'POST /__mock/clock HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{"adv');
    socket.destroy();
    expect((await get('clock')).status).toBe(200);
    expect(mock.errors).toEqual([]);
  });
});

describe('methods', () => {
  it('HEAD is GET without a body', async () => {
    const [head, whole] = [await ask(mock, '/__mock/keys', {}, 'HEAD'), await get('keys')];
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(whole.bytes.length)]);
    expect((await ask(mock, '/__mock/events', {}, 'HEAD')).headers['content-type']).toBe('text/event-stream; charset=utf-8');
  });

  it('OPTIONS lists them, and allows nothing to pages of other origins', async () => {
    const reply = await ask(mock, '/__mock/clock', {}, 'OPTIONS');
    expect([reply.status, reply.headers.allow]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
    const preflight = await ask(
      mock,
      '/__mock/clock',
      { origin: 'https://example.org', 'access-control-request-method': 'POST' },
      'OPTIONS',
    );
    expect(preflight.status).toBe(403);
    expect(preflight.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('a web page', () => {
  const host = `127.0.0.1:${mock.port}`;

  it.each<[string, Fields]>([
    ['of another origin', { origin: 'https://example.org' }],
    ['of another port', { origin: 'http://127.0.0.1:5173' }],
    ['without an origin of its own', { origin: 'null' }],
    ['that embeds an answer', { 'sec-fetch-site': 'cross-site' }],
    ['whose name leads here', { host: 'rebound.example.org', origin: 'http://rebound.example.org' }],
    ['whose name leads here, and whose read has no origin', { host: 'rebound.example.org', 'sec-fetch-site': 'same-origin' }],
  ])('%s is refused, and moves nothing', async (_page, headers) => {
    const moved = await post('clock', { advance: 'PT2H' }, headers);
    expect([moved.status, (await get('journal', headers)).status]).toEqual([403, 403]);
    expect(messageOf(moved)).toContain('may not control this mock');
    expect((await get('clock')).at('/now')).toBe('2026-03-29T16:00:00Z');
  });

  it('of another origin reads the contract, which has no keys, and nothing else', async () => {
    const reply = await ask(mock, '/openapi.json?contract=wiki', { origin: 'https://example.org' });
    expect([reply.status, reply.headers['access-control-allow-origin'], reply.at('/openapi')]).toEqual([200, '*', '3.1.0']);
    expect((await ask(mock, '/openapi.json/../__mock/keys', { origin: 'https://example.org' })).status).toBe(404);
  });

  it.each<[string, Fields]>([
    ['of the mock', { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }],
    ['of the mock behind TLS', { origin: `https://${host}` }],
    ['of the mock by its name', { host: 'localhost:80', origin: 'http://localhost:80' }],
    ['of the mock under an allowed name', { host: 'mock', origin: 'http://mock' }],
    ['that a person opens', { 'sec-fetch-site': 'none' }],
  ])('%s may control it', async (_page, headers) => {
    expect((await post('clock', { advance: 'PT2H' }, headers)).at('/now')).toBe('2026-03-29T18:00:00Z');
  });
});
