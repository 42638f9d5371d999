/** Hostile clients: each sends what it has to a mock, and throws when an answer is not documented or the mock is not as it was. */

import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Operation } from '../../core/operation.ts';
import { type RunningMock, startMock } from '../../mocks/start.ts';
import { ask } from './client.ts';
import { get, type Hostile, sentinel } from './hostile-requests.ts';
import { hostileRequest, namesOf, pathOf, spellings, values } from './hostile-values.ts';
import { type JudgedMock, startJudgedMock } from './mock.ts';
import { parseAnswers, type RawAnswer } from './socket.ts';
import { business, wiki, withKey } from './targets.ts';

/** How long a connection may stay open; the mocks of these tests give a request a fraction of it. */
const boundMs = 30_000;

/** How a conversation went. */
interface Outcome {
  readonly answers: readonly RawAnswer[];
  /** Whether all that came is complete answers. */
  readonly isWhole: boolean;
}

/** Sends bytes in one write or several, and resolves when the server has ended the connection; rejects when it does not within a bound. */
function send(port: number, parts: readonly (string | Buffer)[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part, 'latin1');
    });
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection is still open after ${boundMs} ms: ${Buffer.concat(chunks).toString('latin1').slice(0, 300)}`));
    }, boundMs);
    const finish = (): void => {
      clearTimeout(late);
      socket.destroy();
      try {
        const received = Buffer.concat(chunks);
        const answers = parseAnswers(received);
        // With a byte less, the last answer would be missing: then nothing follows it.
        resolve({ answers, isWhole: received.length === 0 || parseAnswers(received.subarray(0, -1)).length < answers.length });
      } catch (error) {
        reject(error);
      }
    };
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', finish);
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? finish() : reject(error),
    );
  });
}

async function put(port: number, parts: readonly (string | Buffer)[]): Promise<readonly RawAnswer[]> {
  const { answers, isWhole } = await send(port, parts);
  expect(isWhole).toBe(true);
  for (const answer of answers) requireEnvelope(answer);
  return answers;
}

/** Every failure is told in an envelope: what the documents say of all of them, or that of the control endpoint. */
function requireEnvelope({ status, headers, body }: RawAnswer): void {
  expect(status, body).toBeLessThan(500);
  if (status < 400) return;
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  // A compressed body is judged by its contract, as the mock reports it.
  if (headers.get('content-encoding') !== undefined) return;
  const told: unknown = JSON.parse(body);
  if (body.includes('"ok"')) expect(told).toMatchObject({ ok: false, error: { code: expect.any(String), message: expect.any(String) } });
  else expect(told).toEqual({ error: { message: expect.any(String) } });
}

/** Sends listed requests to a mock, which answers as before afterwards. */
export async function putListed(list: readonly Hostile[]): Promise<void> {
  // A short time for a request, since some are never complete; their mocks wait side by side.
  await using mock = await startJudgedMock({ requestTimeoutMs: list.some(({ expected }) => expected.flat().includes(408)) ? 200 : 60_000 });
  await Promise.all(
    list.map(async ({ title, parts, expected }) => {
      const answers = await put(mock.port, parts);
      expect(expected, title).toContainEqual(answers.map(({ status }) => status));
    }),
  );
  await stillAnswers(mock);
}

async function stillAnswers(mock: RunningMock): Promise<void> {
  expect((await ask(mock, `${wiki}?limit=1`)).status).toBe(200);
  expect((await ask(mock, `${business.orders}?limit=1`, withKey(mock.keys['full']))).status).toBe(200);
  expect((await ask(mock, '/__mock/clock')).at()).toMatchObject({ pace: 0, now: '2026-03-29T16:00:00Z' });
  expect((await ask(mock, '/__mock/trouble')).at('/rules')).toEqual([]);
  expect(Object.prototype).not.toHaveProperty('polluted');
}

function operationsOf(mock: RunningMock): readonly Operation[] {
  return mock.contracts.flatMap((contract) => contract.operations);
}

/** Gives hostile values and names to the parameters of an operation: each value meets one of them, and every `step`th is sent. */
export async function putValues(id: string, step = 1): Promise<void> {
  await using mock: JudgedMock = await startJudgedMock();
  const operation = operationsOf(mock).find((each) => each.id === id);
  if (operation === undefined) throw new Error(`there is no operation ${id}`);
  const hasPlace = operation.path.includes('{');
  const names = namesOf(operation);
  const nameAt = (index: number): string => names[index % names.length] ?? 'unknown';
  const targets = [
    ...values.map((value, index) =>
      hasPlace && value !== '' && !value.includes('/')
        ? pathOf(operation, value)
        : `${pathOf(operation, 'none')}?${nameAt(index)}=${value}`,
    ),
    ...spellings.map((spelling, index) => `${pathOf(operation, 'none')}?${spelling.replaceAll('NAME', nameAt(index))}`),
  ];
  const documented = [...operation.responses.keys()].map(Number);
  for (const target of targets.filter((_, index) => index % step === 0)) {
    const answers = await put(mock.port, [get(target, `X-SERVICE-API-Key: ${mock.keys['full']}\r\n`), sentinel]);
    const [first, ...rest] = answers.map(({ status }) => status);
    expect(documented, `${target.slice(0, 200)} was answered ${first}`).toContain(first);
    expect(rest).toEqual([404]);
  }
  await stillAnswers(mock);
}

/** Sends a hundred generated requests. */
export async function putGenerated(seed: number): Promise<void> {
  await using mock: JudgedMock = await startJudgedMock();
  const seen = new Set<number>();
  for (const bytes of fc.sample(hostileRequest(operationsOf(mock), mock.keys['full'] ?? ''), { seed, numRuns: 100 })) {
    const answers = await put(mock.port, [bytes, sentinel]);
    expect(answers.length, JSON.stringify(bytes.slice(0, 600))).toBeGreaterThanOrEqual(1);
    for (const { status } of answers) seen.add(status);
  }
  // The control: the generator reaches successes and several kinds of refusals.
  expect([...seen]).toEqual(expect.arrayContaining([200, 400, 404, 405]));
  await stillAnswers(mock);
}

const instants = ['never', 'PT', 'P', '-', '', '2026-02-30T00:00:00Z', '9'.repeat(20_000), `P${'9'.repeat(400)}Y`, '2026-03-29', '\xff'];
const troubles = ['boom', '%', '503 101%', '503 -1%', '600', 'latency x', 'latency -5ms', 'slow 0B/s', 'reset reset', 'a'.repeat(50_000)];
const farInstants = ['-PT1H', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '275760-09-13T00:00:00Z', 'P9000Y', '-P2000Y', 'PT99999999S'];
const oddTroubles = [';;;;', ',', 'off;'.repeat(10_000)];

/** Lines of the mock's own headers: wrong ones, which are 400, and odd ones. */
export const ownHeaders: readonly { readonly line: string; readonly isWrong: boolean }[] = [
  ...instants.map((each) => ({ line: `Mock-Clock: ${each}`, isWrong: true })),
  ...troubles.map((each) => ({ line: `Mock-Trouble: ${each}`, isWrong: true })),
  ...farInstants.map((each) => ({ line: `Mock-Clock: ${each}`, isWrong: false })),
  ...oddTroubles.map((each) => ({ line: `Mock-Trouble: ${each}`, isWrong: false })),
];

/** Sends the mock's own headers. They are in no contract, so no contract judges the answers to them. */
export async function putOwnHeaders(list: typeof ownHeaders): Promise<void> {
  const mock = await startPlain();
  for (const { line, isWrong } of list) {
    for (const path of [wiki, business.orders]) {
      const answers = await put(mock.port, [get(path, `${line}\r\nX-SERVICE-API-Key: ${mock.keys['full']}\r\n`), sentinel]);
      const [first, last] = answers.map(({ status }) => status);
      expect(isWrong ? [400] : [200, 400], line.slice(0, 80)).toContain(first);
      expect(last).toBe(404);
    }
  }
  await end(mock);
}

type PlainMock = RunningMock & { readonly errors: unknown[] };

/** A mock whose answers nobody judges. */
async function startPlain(requestTimeoutMs = 60_000): Promise<PlainMock> {
  const errors: unknown[] = [];
  return { ...(await startMock({ requestTimeoutMs, onError: (error) => errors.push(error) })), errors };
}

async function end(mock: PlainMock): Promise<void> {
  await stillAnswers(mock);
  await mock.close();
  expect(mock.errors).toEqual([]);
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

/** Two sockets of this process belong to each connection, and it needs some files besides. */
function connectionsAllowed(most: number): number {
  const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Number.NaN);
  return Number.isNaN(limit) ? most : Math.min(most, Math.floor((limit - 500) / 2));
}

function pageOf(mock: RunningMock): string {
  return get(`${business.orders}?limit=100`, `X-SERVICE-API-Key: ${mock.keys['full']}\r\n`);
}

/** Connections that are used otherwise than for requests. The mock answers others meanwhile, and forgets them. */
export const connections = {
  /** Idle ones close with the mock. */
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

  /** Those that send too slowly are ended with 408 when their time is over, whatever they were sending. */
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
    const statuses = ends.map((each) => /^HTTP\/1\.1 (\d+)/.exec(each)?.[1] ?? each);
    expect(statuses.filter((status) => !['408', '405', 'ECONNRESET', 'EPIPE'].includes(status))).toEqual([]);
    expect(statuses).toContain('408');
    await end(mock);
  },

  /** What was asked before the client stopped sending is answered, or the connection closed. */
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
      // An answer has begun, if there is one, when the connection is reset.
      if (bytes.includes('\r\n\r\n')) await new Promise((resolve) => late.once('data', resolve));
      late.resetAndDestroy();
    }
    await end(mock);
  },

  /** Those that never read their answers do not keep the mock from answering or closing. */
  deaf: async (): Promise<void> => {
    const mock = await startPlain();
    const page = pageOf(mock);
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
  },
};

/** Memory does not grow with hostile requests. */
export async function watchMemory(): Promise<void> {
  const mock = await startPlain();
  const round = async (number: number): Promise<void> => {
    for (const [index, value] of values.filter((_, place) => place % 3 === number % 3).entries()) {
      const query = `limit=${index % 2 === 0 ? value : 1}&q=${value}&status=${value}&round=${number}`;
      const target = `${index % 3 === 0 ? wiki : business.orders}?${query}`;
      await send(mock.port, [get(target, `X-SERVICE-API-Key: ${mock.keys['full']}\r\n`), sentinel]);
    }
    await Promise.all(Array.from({ length: 60 }, () => send(mock.port, [`GET /${'x'.repeat(70_000)} HTTP/1.1\r\n`, sentinel])));
  };
  // What is loaded and kept once is so after the first rounds.
  for (let number = 0; number < 2; number += 1) await round(number);
  const before = await usedMegabytes();
  for (let number = 2; number < 5; number += 1) await round(number);
  // Three rounds send about 13 MB; a mock that kept them would grow by more than that.
  expect((await usedMegabytes()) - before).toBeLessThan(8);
  await end(mock);
}

async function usedMegabytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What a finished connection leaves to the next turn of the loop is garbage only after it.
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  collect();
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
