/** Hostile connections without complete requests: idle, slow, half open, reset, never read. */

import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { type RunningMock, startMock } from '../../../mocks/start-mock.ts';
import { business, wiki } from '../request-targets.ts';
import { get } from './hostile-requests.ts';
import { expectUnchanged } from './hostile-traffic.ts';

type PlainMock = RunningMock & { readonly errors: unknown[] };

/** A mock without a check of its answers. */
async function startPlain(requestTimeoutMs = 60_000): Promise<PlainMock> {
  const errors: unknown[] = [];
  return { ...(await startMock({ requestTimeoutMs, onError: (error) => errors.push(error) })), errors };
}

async function end(mock: PlainMock): Promise<void> {
  await expectUnchanged(mock);
  await mock.close();
  expect(mock.errors).toEqual([]);
}

function open(mock: RunningMock): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(mock.port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Resolves when the server ends a connection that the client leaves open. */
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

/** Each connection takes two sockets of this process, which needs some open files besides. */
function connectionsAllowed(most: number): number {
  const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Number.NaN);
  return Number.isNaN(limit) ? most : Math.min(most, Math.floor((limit - 500) / 2));
}

function pageOf(mock: RunningMock): string {
  return get(`${business.orders}?limit=100`, `X-SERVICE-API-Key: ${mock.keys['full']}\r\n`);
}

/** Hostile connections. Meanwhile the mock must answer other connections, and afterwards hold none of these. */
export const connections = {
  /** Idle connections close with the mock. */
  idle: async (most: number): Promise<void> => {
    const mock = await startPlain();
    const sockets: Socket[] = [];
    const count = connectionsAllowed(most);
    while (sockets.length < count)
      sockets.push(...(await Promise.all(Array.from({ length: Math.min(50, count - sockets.length) }, () => open(mock)))));
    const ends = sockets.map(endOf);
    await end(mock);
    expect(new Set(await Promise.all(ends))).toEqual(new Set(['']));
  },

  /** Connections that send too slowly end with 408 after the time limit, whatever they send. */
  slow: async (count: number): Promise<void> => {
    const mock = await startPlain(300);
    const beginnings = [
      'GET /',
      `GET ${wiki} HTTP/1.1\r\nHost: x\r\nX-`,
      `POST ${wiki} HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nx`,
    ];
    const ends = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const socket = await open(mock);
        const ended = endOf(socket);
        socket.write(beginnings[index % beginnings.length] ?? '');
        // Further bytes must not extend the time limit.
        const drip = setInterval(() => socket.writable && socket.write('a'), 20);
        try {
          return await ended;
        } finally {
          clearInterval(drip);
          socket.destroy();
        }
      }),
    );
    // A client that sends to a closed connection may lose the answer to a reset (RFC 9112 §9.6).
    const statuses = ends.map((each) => /^HTTP\/1\.1 (\d+)/.exec(each)?.[1] ?? each);
    expect(statuses.filter((status) => !['408', '405', 'ECONNRESET', 'EPIPE'].includes(status))).toEqual([]);
    expect(statuses).toContain('408');
    await end(mock);
  },

  /** Requests sent before the client's end are answered, or the connection is closed. */
  halfOpen: async (): Promise<void> => {
    const mock = await startPlain();
    const request = get(`${wiki}?limit=1`);
    const ends = await Promise.all(
      ['', 'GET', request, request.slice(0, -2), request + request, get(wiki, 'Content-Length: 5\r\n')].map(async (bytes) => {
        const socket = await open(mock);
        const ended = endOf(socket);
        socket.end(bytes);
        return (await ended).slice(0, 12);
      }),
    );
    expect(ends.filter((each) => !['', 'HTTP/1.1 200', 'HTTP/1.1 400', 'HTTP/1.1 408'].includes(each))).toEqual([]);
    await end(mock);
  },

  /** Resets come before an answer, and in the middle of one. */
  reset: async (): Promise<void> => {
    const mock = await startPlain();
    const page = pageOf(mock);
    const tunnel = `CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`;
    for (const bytes of ['', 'G', page.slice(0, 40), page, page.repeat(20), `${page}HELLO\r\n\r\n`, tunnel]) {
      const early = await open(mock);
      await new Promise<void>((resolve) => early.write(bytes === '' ? 'x' : bytes, () => resolve()));
      early.resetAndDestroy();
      const late = await open(mock);
      late.on('error', () => undefined);
      late.write(bytes);
      // The answer, if there is one, has begun before the reset.
      if (bytes.includes('\r\n\r\n')) await new Promise((resolve) => late.once('data', resolve));
      late.resetAndDestroy();
    }
    await end(mock);
  },

  /** Connections that never read their answers must not keep the mock from answering others or from closing. */
  deaf: async (): Promise<void> => {
    const mock = await startPlain();
    const page = pageOf(mock);
    const deaf = await Promise.all(Array.from({ length: 5 }, () => open(mock)));
    for (const socket of deaf)
      socket
        .pause()
        .on('error', () => undefined)
        .write(page.repeat(50));
    await expectUnchanged(mock);
    const closed = mock.close();
    for (const socket of deaf) socket.destroy();
    await closed;
    expect(mock.errors).toEqual([]);
  },
};
