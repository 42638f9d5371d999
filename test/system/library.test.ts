/** The package as a library: mocks inside the tests of other programs, hundreds of them in one process. */

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkResponse, loadContract, type RunningMock, type ServedExchange, SpecError, startMock, UsageError } from '../../index.ts';
import { fixture, startJudgedMock } from '../helpers/judged-mock.ts';
import { ask } from '../helpers/plain-client.ts';
import { business, wiki, withKey } from '../helpers/request-targets.ts';

const open: RunningMock[] = [];

async function start(options: Parameters<typeof startMock>[0] = {}): Promise<RunningMock> {
  // Without listeners of a test, every response is checked when the mock closes.
  const mock = await (options.onExchange === undefined && options.onError === undefined ? startJudgedMock(options) : startMock(options));
  open.push(mock);
  return mock;
}

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((mock) => mock.close()));
});

describe('a mock', () => {
  it('tells where it is, what opens it, and what it serves', async () => {
    const mock = await start();
    expect(mock.url).toBe(`http://127.0.0.1:${mock.port}`);
    expect(mock.urls).toEqual({ business: mock.url, wiki: mock.url });
    expect(Object.keys(mock.keys)).toEqual(expect.arrayContaining(['full', 'other', 'no-menu', 'expired', 'without:orders.read']));
    expect(mock.contracts.map((contract) => contract.name)).toEqual(['business', 'wiki']);
    expect(mock.hiddenRecords.length).toBeGreaterThan(0);
  });

  it('can be reached on every address that was named', async () => {
    const mock = await start({ host: '::1', contracts: ['wiki'] });
    expect(mock.url).toBe(`http://[::1]:${mock.port}`);
    const response = await fetch(`${mock.url}${wiki}`);
    expect(response.status).toBe(200);
  });

  it('tells two files of one name apart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-library-'));
    const text = readFileSync(fixture('plain'), 'utf8')
      .replace('/greeting:', '/farewell:')
      .replace('/rooms/', '/halls/')
      .replace('/vault:', '/safe:');
    const other = join(folder, 'plain.openapi.yaml');
    writeFileSync(other, text);
    const mock = await start({ contracts: [fixture('plain'), other] });
    expect(mock.urls).toEqual({ plain: mock.url, 'plain-2': mock.url });
    expect([(await ask(mock, '/greeting')).status, (await ask(mock, '/farewell')).status]).toEqual([200, 200]);
    // Closing judges the answers by the files, so they go last.
    await mock.close();
    rmSync(folder, { recursive: true });
  });

  it('is gone at the end of its block, also when the block throws', async () => {
    const ports: number[] = [];
    const use = async (fail: boolean): Promise<void> => {
      await using mock = await startMock({ contracts: ['wiki'] });
      ports.push(mock.port);
      expect((await ask(mock, wiki)).status).toBe(200);
      if (fail) throw new Error('the test failed');
    };
    await use(false);
    await expect(use(true)).rejects.toThrow('the test failed');
    for (const port of ports) await expect(isReachable(port)).resolves.toBe(false);
  });

  it('may be closed twice', async () => {
    const mock = await start();
    await mock.close();
    await mock.close();
    await expect(isReachable(mock.port)).resolves.toBe(false);
  });

  it('stops although a client keeps its connection open, idle or in the middle of a request or of a tunnel', async () => {
    const mock = await start({ contracts: [fixture('library')] });
    const beginnings = ['', 'GET /books HTTP/1.1\r\nHost: x\r\n\r\n', 'GET /bo', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'];
    const sockets = await Promise.all(
      beginnings.map(async (bytes) => {
        const socket = connect({ port: mock.port, host: '127.0.0.1', allowHalfOpen: true });
        socket.on('error', () => undefined).on('data', () => undefined);
        await once(socket, 'connect');
        socket.write(bytes);
        return socket;
      }),
    );
    await ask(mock, '/books');
    // No answer is under way, so closing waits for nothing.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    await mock.close();
    for (const socket of sockets) socket.destroy();
  });

  it('finishes the answers that are under way when it is closed', async () => {
    const mock = await start();
    const asked = Array.from({ length: 20 }, () => ask(mock, `${business.orders}?limit=100`, withKey(mock.keys['full'])));
    expect(await isReachable(mock.port)).toBe(true);
    const [replies] = await Promise.all([Promise.allSettled(asked), asked[0]?.then(() => mock.close())]);
    const broken = replies.filter((reply) => reply.status === 'fulfilled' && reply.value.at('/data/orders/0/id') === undefined);
    expect(broken).toEqual([]);
    expect(replies.some((reply) => reply.status === 'fulfilled')).toBe(true);
  });

  it('tells its listener of each exchange, as the validators of the package take it', async () => {
    const heard: ServedExchange[] = [];
    const mock = await start({ contracts: ['wiki'], onExchange: (exchange) => heard.push(exchange) });
    await ask(mock, `${wiki}?limit=1`, { 'Accept-Encoding': 'gzip' });
    await ask(mock, wiki, {}, 'HEAD');
    await ask(mock, '/unknown');
    expect(heard.map(({ request, response }) => [request.method, request.target, response.status])).toEqual([
      ['GET', `${wiki}?limit=1`, 200],
      ['HEAD', wiki, 200],
      ['GET', '/unknown', 404],
    ]);
    expect(JSON.parse(heard[0]?.response.body ?? '')).toHaveProperty('data');
    expect(heard[1]?.response.body).toBe('');
    expect(heard.every(({ durationMs }) => durationMs >= 0)).toBe(true);
    const contract = await loadContract(mock.contracts[0]?.document.file ?? '');
    expect(heard.flatMap((exchange) => checkResponse(contract, exchange))).toEqual([]);
    const [first] = heard;
    if (first === undefined) throw new Error('nothing was heard');
    // Control: the validators do object to a wrong answer.
    expect(checkResponse(contract, { ...first, response: { ...first.response, body: '{"ok":true}' } })).not.toEqual([]);
  });

  it('survives a listener that throws, and still answers', async () => {
    const print = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const fail = (): never => {
      throw new Error('the listener failed');
    };
    for (const options of [{ onExchange: fail }, { onExchange: fail, onError: fail }, { onError: fail }]) {
      const mock = await start({ contracts: ['wiki'], ...options });
      for (let count = 0; count < 3; count += 1) expect((await ask(mock, wiki)).status).toBe(200);
    }
    print.mockRestore();
  });
});

describe('hundreds of mocks in one process', () => {
  it('are independent of each other: ports, keys, worlds and cursors follow from their own options', async () => {
    const mocks = await Promise.all(Array.from({ length: 100 }, (_, seed) => start({ seed: seed % 10 })));
    expect(new Set(mocks.map((mock) => mock.port)).size).toBe(100);
    expect(new Set(mocks.map((mock) => mock.keys['full'])).size).toBe(10);
    const pages = await Promise.all(mocks.map((mock) => ask(mock, `${business.orders}?limit=2`, withKey(mock.keys['full']))));
    expect(pages.map((page) => page.status)).toEqual(mocks.map(() => 200));
    for (const [index, page] of pages.entries()) expect(page.text).toBe(pages[index % 10]?.text);
    expect(new Set(pages.map((page) => page.text)).size).toBe(10);
    const [first, second] = mocks;
    if (first === undefined || second === undefined) throw new Error('the mocks are missing');
    expect((await ask(second, business.orders, withKey(first.keys['full']))).status).toBe(401);
    await first.close();
    expect((await ask(second, wiki)).status).toBe(200);
  }, 30_000);

  it('share what does not differ: the contracts of the package, and no others', async () => {
    const [one, two, otherSeed] = [await start(), await start(), await start({ seed: 2 })];
    expect(two.contracts[0]).toBe(one.contracts[0]);
    expect(two.contracts[1]).toBe(one.contracts[1]);
    expect(otherSeed.contracts[0]).toBe(one.contracts[0]);
    const differing = await start({ profile: { 'success-ok': 'absent' } });
    expect(differing.contracts[0]).not.toBe(one.contracts[0]);
    expect(differing.contracts[1]).toBe(one.contracts[1]);
    const again = await start({ profile: { 'success-ok': 'absent' } });
    expect(again.contracts[0]).toBe(differing.contracts[0]);
  });

  it('do not see the profile of their neighbours', async () => {
    const [absent, present] = [await start({ profile: { 'success-ok': 'absent' } }), await start()];
    const okOf = async (mock: RunningMock): Promise<unknown> => (await ask(mock, business.orders, withKey(mock.keys['full']))).at('/ok');
    expect([await okOf(absent), await okOf(present), await okOf(absent)]).toEqual([undefined, true, undefined]);
  });
});

describe('a mock that cannot start', () => {
  it.each([
    [{ contracts: ['busines'] }, 'busines is neither a built-in contract nor a file; did you mean business?'],
    [{ contracts: [] }, 'contracts is an empty list'],
    [{ contracts: ['wiki', 'wiki'] }, 'wiki.openapi.yaml is named twice'],
    [{ contracts: JSON.parse('"wiki"') }, 'contracts: "wiki" is not a list'],
    [{ profile: { 'success-okay': 'absent' } }, 'the profile answers success-okay'],
    [{ profile: { 'success-ok': 'maybe' } }, 'the choices are present, absent'],
    [{ profile: { 'success-ok': 'constructor' } }, 'the choices are present, absent'],
    [{ profile: { 'order-lines': 'many' } }, 'the profile answers order-lines, which has no choices'],
    [{ seed: -1 }, '-1'],
    [{ seed: 1.5 }, '1.5'],
    [{ seed: Number.NaN }, 'NaN'],
    [{ seed: 2 ** 53 }, '9007199254740992'],
  ])('with %j says why', async (options, message) => {
    const refusal = await refusalOf(options);
    expect(refusal).toBeInstanceOf(UsageError);
    expect(String(refusal)).toContain(message);
  });

  it('names the place of a mistake in a contract file', async () => {
    const file = fixture('plain').replace('plain', 'library-parts').replace('.openapi', '');
    const refusal = await refusalOf({ contracts: [file] });
    expect(refusal).toBeInstanceOf(SpecError);
    expect(String(refusal)).toContain(`${file}:`);
  });

  it('does not keep a later one from starting', async () => {
    expect(await refusalOf({ profile: { 'success-ok': 'maybe' } })).toBeInstanceOf(UsageError);
    expect((await ask(await start({ profile: { 'success-ok': 'absent' } }), wiki)).status).toBe(200);
  });
});

/** Why a mock does not start; nothing when it does. */
async function refusalOf(options: Parameters<typeof startMock>[0]): Promise<unknown> {
  return await start(options).then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function isReachable(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    return false;
  } finally {
    socket.destroy();
  }
}
