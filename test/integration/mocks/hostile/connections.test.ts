/** Connections that are used otherwise than for requests: idle by the thousand, half open, slow, reset. The mock answers others meanwhile, and forgets them. */

import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { type RunningMock, startMock } from '../../../../mocks/start.ts';
import { ask } from '../../../helpers/client.ts';
import { business, wiki, withKey } from '../../../helpers/targets.ts';
import { get } from './requests.ts';
import { send, sentinel } from './sending.ts';
import { values } from './values.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Two sockets of this process belong to each connection, and it needs some files besides. */
function connectionsAllowed(): number {
  const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Number.NaN);
  return Number.isNaN(limit) ? 1000 : Math.min(1000, Math.floor((limit - 500) / 2));
}

function open(mock: RunningMock): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(mock.port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** How a connection ends that the client does not end. */
function endOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.on('end', () => resolve(received));
  });
}

async function stillAnswers(mock: RunningMock): Promise<void> {
  expect((await ask(mock, `${wiki}?limit=1`)).status).toBe(200);
  expect((await ask(mock, `${business.orders}?limit=1`, withKey(mock.keys['full']))).status).toBe(200);
}

/** A mock whose errors are those of the test. */
async function start(requestTimeoutMs = 60_000): Promise<RunningMock & { readonly errors: unknown[] }> {
  const errors: unknown[] = [];
  return { ...(await startMock({ requestTimeoutMs, onError: (error) => errors.push(error) })), errors };
}

describe('connections', () => {
  it('may be idle by the thousand, and close with the mock', async () => {
    const mock = await start();
    const sockets: Socket[] = [];
    const count = connectionsAllowed();
    while (sockets.length < count)
      sockets.push(...(await Promise.all(Array.from({ length: Math.min(50, count - sockets.length) }, () => open(mock)))));
    expect(sockets.length).toBeGreaterThanOrEqual(200);
    await stillAnswers(mock);
    const ends = sockets.map(endOf);
    await mock.close();
    expect(new Set(await Promise.all(ends))).toEqual(new Set(['']));
    expect(mock.errors).toEqual([]);
  });

  it('that send too slowly are ended with 408 when their time is over, whatever they were sending', async () => {
    const mock = await start(300);
    const beginnings = [
      'GET /',
      `GET ${wiki} HTTP/1.1\r\nHost: x\r\nX-`,
      `POST ${wiki} HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nx`,
    ];
    const ends = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const socket = await open(mock);
        const ended = endOf(socket);
        socket.write(beginnings[index % beginnings.length] ?? '');
        // One letter after the other does not buy more time.
        const drip = setInterval(() => socket.writable && socket.write('a'), 20);
        try {
          return await ended;
        } finally {
          clearInterval(drip);
          socket.destroy();
        }
      }),
    );
    // Whoever goes on sending to a closed connection may lose the answer to a reset (RFC 9112 §9.6).
    const statuses = ends.map((end) => /^HTTP\/1\.1 (\d+)/.exec(end)?.[1] ?? end);
    expect(statuses.filter((status) => !['408', '405', 'ECONNRESET', 'EPIPE'].includes(status))).toEqual([]);
    expect(statuses).toContain('408');
    await stillAnswers(mock);
    await mock.close();
    expect(mock.errors).toEqual([]);
  });

  it('may be half open: what was asked before the client stopped sending is answered, or the connection closed', async () => {
    const mock = await start();
    const request = get(`${wiki}?limit=1`);
    const ends = await Promise.all(
      ['', 'GET', request, request.slice(0, -2), request + request, get(wiki, 'Content-Length: 5\r\n')].map(async (bytes) => {
        const socket = await open(mock);
        const ended = endOf(socket);
        socket.end(bytes);
        return (await ended).slice(0, 12);
      }),
    );
    expect(ends.filter((end) => !['', 'HTTP/1.1 200', 'HTTP/1.1 400', 'HTTP/1.1 408'].includes(end))).toEqual([]);
    await stillAnswers(mock);
    await mock.close();
    expect(mock.errors).toEqual([]);
  });

  it('may be reset at any moment', async () => {
    const mock = await start();
    const page = get(`${business.orders}?limit=100`, `X-SERVICE-API-Key: ${mock.keys['full']}\r\n`);
    const beginnings = [
      '',
      'G',
      page.slice(0, 40),
      page,
      page.repeat(20),
      `${page}HELLO\r\n\r\n`,
      `CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`,
    ];
    for (const bytes of beginnings) {
      const early = await open(mock);
      await new Promise<void>((resolve) => early.write(bytes === '' ? 'x' : bytes, () => resolve()));
      early.resetAndDestroy();
      const late = await open(mock);
      late.on('error', () => undefined);
      late.write(bytes);
      // An answer has begun, if there is one, when the connection is reset.
      if (bytes.includes('\r\n\r\n')) await new Promise((resolve) => late.once('data', resolve));
      late.resetAndDestroy();
    }
    await stillAnswers(mock);
    await mock.close();
    expect(mock.errors).toEqual([]);
  });

  it('that never read their answers do not keep the mock from answering or closing', async () => {
    const mock = await start();
    const page = get(`${business.orders}?limit=100`, `X-SERVICE-API-Key: ${mock.keys['full']}\r\n`);
    const deaf = await Promise.all(Array.from({ length: 5 }, () => open(mock)));
    for (const socket of deaf)
      socket
        .pause()
        .on('error', () => undefined)
        .write(page.repeat(50));
    await stillAnswers(mock);
    const closed = mock.close();
    for (const socket of deaf) socket.destroy();
    await closed;
    expect(mock.errors).toEqual([]);
  });
});

describe('memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;

  async function used(): Promise<number> {
    // What a finished connection leaves to the next turn of the loop is garbage only after it.
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    collect();
    collect();
    return process.memoryUsage().heapUsed / 2 ** 20;
  }

  it('does not grow with hostile requests', async () => {
    const mock = await start();
    const lines = `X-SERVICE-API-Key: ${mock.keys['full']}\r\n`;
    const round = async (number: number): Promise<void> => {
      for (const [index, value] of values.filter((_, place) => place % 3 === number % 3).entries()) {
        const query = `limit=${index % 2 === 0 ? value : 1}&q=${value}&status=${value}&round=${number}`;
        await send(mock.port, [get(`${index % 3 === 0 ? wiki : business.orders}?${query}`, lines), sentinel]);
      }
      await Promise.all(Array.from({ length: 60 }, () => send(mock.port, [`GET /${'x'.repeat(70_000)} HTTP/1.1\r\n`, sentinel])));
    };
    // What is loaded and kept once is so after the first rounds.
    for (let number = 0; number < 2; number += 1) await round(number);
    const before = await used();
    for (let number = 2; number < 5; number += 1) await round(number);
    const grown = (await used()) - before;
    // Three rounds send about 13 MB; a mock that kept them would grow by more than that.
    expect(grown).toBeLessThan(8);
    await mock.close();
    expect(mock.errors).toEqual([]);
  });
});
