/** Sends hostile requests to a mock. Throws if an answer is not documented, or if the mock behaves differently afterwards. */

import { connect } from 'node:net';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Operation } from '../../../core/openapi/operation.ts';
import { type RunningMock, startMock } from '../../../mocks/start-mock.ts';
import { startJudgedMock } from '../judged-mock.ts';
import { ask } from '../plain-client.ts';
import { parseAnswers, type RawAnswer } from '../raw-socket.ts';
import { business, wiki, withKey } from '../request-targets.ts';
import { get, type Hostile, sentinel } from './hostile-requests.ts';
import { hostileRequest, namesOf, pathOf, spellings, values } from './hostile-values.ts';

/** Time limit for a connection in these tests. The time limit of the mocks for a request is a fraction of it. */
const boundMs = 30_000;

/** Result of sending bytes on one connection. */
interface Outcome {
  readonly answers: readonly RawAnswer[];
  /** True if every answer was complete. */
  readonly isWhole: boolean;
}

/** Sends bytes in one or several writes. Resolves when the server has ended the connection, and rejects if it stays open too long. */
export function send(port: number, parts: readonly (string | Buffer)[]): Promise<Outcome> {
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
        // The received bytes end exactly with the last answer if the last byte belongs to it.
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

/** Checks that every failure has an error envelope: that of the contracts, or that of the control interface. */
function requireEnvelope({ status, headers, body }: RawAnswer): void {
  expect(status, body).toBeLessThan(500);
  if (status < 400) return;
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  // A compressed body is checked against its contract, when the mock reports the exchange.
  if (headers.get('content-encoding') !== undefined) return;
  const told: unknown = JSON.parse(body);
  if (body.includes('"ok"')) expect(told).toMatchObject({ ok: false, error: { code: expect.any(String), message: expect.any(String) } });
  else expect(told).toEqual({ error: { message: expect.any(String) } });
}

/** Options of `sendAll`. */
interface SendOptions {
  /** True to check the answers against the contracts. No contract has the headers of the mock itself. */
  readonly isJudged?: boolean;
}

/** Sends requests to a mock, and checks that it is unchanged afterwards. Returns the number of answers by status; `0` is a close without one. */
export async function sendAll(list: readonly Hostile[], { isJudged = true }: SendOptions = {}): Promise<Readonly<Record<string, number>>> {
  const errors: unknown[] = [];
  // A short time limit for a request, since some requests are never complete.
  const options = { requestTimeoutMs: list.some(({ expected }) => expected?.flat().includes(408)) ? 200 : 60_000 };
  const mock = await (isJudged ? startJudgedMock(options) : startMock({ ...options, onError: (error) => errors.push(error) }));
  const counts: Record<string, number> = {};
  await Promise.all(
    list.map(async ({ title, parts, expected }) => {
      const statuses = (await put(mock.port, parts)).map(({ status }) => status);
      if (expected === undefined) expect(statuses.length, title).toBeGreaterThanOrEqual(1);
      else expect(expected, title).toContainEqual(statuses);
      for (const status of statuses.length === 0 ? [0] : statuses) counts[status] = (counts[status] ?? 0) + 1;
    }),
  );
  await expectUnchanged(mock);
  await mock.close();
  expect(errors).toEqual([]);
  return counts;
}

/** Expects a mock to answer as at its start. */
export async function expectUnchanged(mock: RunningMock): Promise<void> {
  expect((await ask(mock, `${wiki}?limit=1`)).status).toBe(200);
  expect((await ask(mock, `${business.orders}?limit=1`, withKey(mock.keys['full']))).status).toBe(200);
  expect((await ask(mock, '/__mock/clock')).at()).toMatchObject({ pace: 0, now: '2026-03-29T16:00:00Z' });
  expect((await ask(mock, '/__mock/chaos')).at('/rules')).toEqual([]);
  expect(Object.prototype).not.toHaveProperty('polluted');
}

/** Requests with hostile values and names for the parameters of an operation. Each value is sent once. */
export function valuesFor(operation: Operation, key: string): readonly Hostile[] {
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
  const expected = [...operation.responses.keys()].map((status) => [Number(status), 404]);
  return targets.map((target) => ({
    title: target.slice(0, 200),
    parts: [get(target, `X-SERVICE-API-Key: ${key}\r\n`), sentinel],
    expected,
  }));
}

/** A hundred generated requests. */
export function generatedFor(operations: readonly Operation[], key: string, seed: number): readonly Hostile[] {
  return fc
    .sample(hostileRequest(operations, key), { seed, numRuns: 100 })
    .map((bytes) => ({ title: JSON.stringify(bytes.slice(0, 600)), parts: [bytes, sentinel] }));
}

const instants = ['never', 'PT', 'P', '-', '', '2026-02-30T00:00:00Z', '9'.repeat(20_000), `P${'9'.repeat(400)}Y`, '2026-03-29', '\xff'];
const chaos = ['boom', '%', '503 101%', '503 -1%', '600', 'latency x', 'latency -5ms', 'slow 0B/s', 'reset reset'];
const longChaos = ['a'.repeat(50_000), `latency ${'9'.repeat(60_000)}`, '503 0%;'.repeat(8000)];
const farInstants = ['-PT1H', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '275760-09-13T00:00:00Z', 'P9000Y', '-P2000Y', 'PT99999999S'];
const oddChaos = [';;;;', ',', 'off;'.repeat(10_000)];

/** Requests with headers of the mock itself (`Mock-Clock`, `Mock-Chaos`): invalid ones, which give 400, and unusual ones. */
export function ownHeadersFor(key: string): readonly Hostile[] {
  const lines = [
    ...instants.map((each) => ({ line: `Mock-Clock: ${each}`, isWrong: true })),
    ...[...chaos, ...longChaos].map((each) => ({ line: `Mock-Chaos: ${each}`, isWrong: true })),
    ...farInstants.map((each) => ({ line: `Mock-Clock: ${each}`, isWrong: false })),
    ...oddChaos.map((each) => ({ line: `Mock-Chaos: ${each}`, isWrong: false })),
  ];
  return lines.flatMap(({ line, isWrong }) =>
    [wiki, business.orders].map((path) => ({
      title: line.slice(0, 80),
      parts: [get(path, `${line}\r\nX-SERVICE-API-Key: ${key}\r\n`), sentinel],
      expected: (isWrong ? [400] : [200, 400]).map((status) => [status, 404]),
    })),
  );
}
