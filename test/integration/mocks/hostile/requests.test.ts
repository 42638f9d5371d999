/** Whatever bytes arrive: a documented answer or a clean close within a bound, and afterwards the mock is as it was. */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Operation } from '../../../../core/operation.ts';
import { type RunningMock, startMock } from '../../../../mocks/start.ts';
import { ask } from '../../../helpers/client.ts';
import { type JudgedMock, startJudgedMock } from '../../../helpers/mock.ts';
import type { RawAnswer } from '../../../helpers/socket.ts';
import { business, wiki, withKey } from '../../../helpers/targets.ts';
import { bodies, get, type Hostile, malformed, pipelined, targets, unfinished } from './requests.ts';
import { type Outcome, send, sentinel } from './sending.ts';
import { hostileRequest, namesOf, pathOf, spellings, values } from './values.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Gives a request a time that no test has to wait long for. */
const hasty: JudgedMock = await startJudgedMock({ requestTimeoutMs: 200 });
const mock: JudgedMock = await startJudgedMock();
/** Nobody judges its answers by a contract. */
const plainErrors: unknown[] = [];
const plain: RunningMock = await startMock({ onError: (error) => plainErrors.push(error) });
const operations: readonly Operation[] = mock.contracts.flatMap((contract) => contract.operations);
const key = mock.keys['full'] ?? '';

const rejections: unknown[] = [];
const hear = (reason: unknown): void => void rejections.push(reason);
beforeAll(() => void process.on('unhandledRejection', hear));
afterAll(async () => {
  process.off('unhandledRejection', hear);
  await mock.close();
  await hasty.close();
  await plain.close();
  expect(rejections).toEqual([]);
});

let sent = 0;
async function put(port: number, parts: readonly (string | Buffer)[]): Promise<Outcome> {
  sent += 1;
  const outcome = await send(port, parts);
  expect(outcome.isWhole).toBe(true);
  for (const answer of outcome.answers) requireEnvelope(answer);
  return outcome;
}

/** Every failure is told in an envelope: what the documents say of all of them. */
function requireEnvelope({ status, headers, body }: RawAnswer): void {
  expect(status, body).toBeLessThan(500);
  if (status < 400) return;
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  // A compressed body is judged by its contract, as the mock reports it.
  if (headers.get('content-encoding') !== undefined) return;
  expect(JSON.parse(body)).toMatchObject({ ok: false, error: { code: expect.any(String), message: expect.any(String) } });
}

async function putListed({ parts, expected }: Hostile): Promise<void> {
  const { answers } = await put(expected.flat().includes(408) ? hasty.port : mock.port, parts);
  expect(expected).toContainEqual(answers.map(({ status }) => status));
}

describe.each(Object.entries({ malformed, bodies, pipelined, targets, unfinished }))('%s', (_, list) => {
  it.each(list)('$title', putListed);
});

/** A parameter may be refused, and never more than that. */
async function putQuery(operation: Operation, target: string): Promise<void> {
  const { answers } = await put(mock.port, [get(target, `X-SERVICE-API-Key: ${key}\r\n`), sentinel]);
  const [first, last, ...others] = answers.map(({ status }) => status);
  expect([...operation.responses.keys()].map(Number), `${target.slice(0, 200)} was answered ${first}`).toContain(first);
  expect([last, others]).toEqual([404, []]);
}

describe.each(operations)('$id', (operation) => {
  it('answers hostile values and names of its parameters as it documents', async () => {
    const names = namesOf(operation);
    // Each value meets one parameter of the operation, and each parameter many values.
    const all = [
      ...values.map((value, index) => `${names[index % names.length] ?? 'unknown'}=${value}`),
      ...spellings.map((spelling, index) => spelling.replaceAll('NAME', names[index % names.length] ?? 'unknown')),
    ];
    // Without parameters there is little to get wrong, so a part of them will do.
    const queries = names.length > 0 || operation.path.includes('{') ? all : all.filter((_, index) => index % 3 === 0);
    for (const [index, query] of queries.entries()) {
      const isPath = operation.path.includes('{') && index < values.length && values[index] !== '' && values[index]?.includes('/') !== true;
      await putQuery(operation, isPath ? pathOf(operation, values[index] ?? '') : `${pathOf(operation, 'none')}?${query}`);
    }
  });
});

describe('the mock', () => {
  it('answers generated requests with documented answers', async () => {
    const seen = new Set<number>();
    for (const bytes of fc.sample(hostileRequest(operations, key), { seed: 6, numRuns: 400 })) {
      const { answers } = await put(mock.port, [bytes, sentinel]);
      for (const { status } of answers) seen.add(status);
      expect(answers.length, JSON.stringify(bytes.slice(0, 600))).toBeGreaterThanOrEqual(1);
    }
    // The control: the generator reaches successes and several kinds of refusals.
    expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 422]));
  });

  // These headers are the mock's own and in no contract, so no contract judges the answers to them.
  const instants = ['never', 'PT', 'P', '-', '', '2026-02-30T00:00:00Z', '9'.repeat(20_000), `P${'9'.repeat(400)}Y`, '2026-03-29', '\xff'];
  const troubles = ['boom', '%', '503 101%', '503 -1%', '600', 'latency x', 'latency -5ms', 'slow 0B/s', 'reset reset', 'a'.repeat(50_000)];
  const wrong = [...instants.map((each) => `Mock-Clock: ${each}`), ...troubles.map((each) => `Mock-Trouble: ${each}`)];
  const far = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '275760-09-13T00:00:00Z', 'P9000Y', '-P2000Y', 'PT99999999S'];
  const odd = [
    ...far.map((each) => `Mock-Clock: ${each}`),
    'Mock-Trouble: ;;;;',
    'Mock-Trouble: ,',
    `Mock-Trouble: ${'off;'.repeat(10_000)}`,
  ];
  it.each([...wrong, ...odd])('answers the header "%s" with 400 or as if it were far away', async (line) => {
    for (const path of [wiki, business.orders]) {
      const { answers } = await put(plain.port, [get(path, `${line}\r\nX-SERVICE-API-Key: ${key}\r\n`), sentinel]);
      const [first, last] = answers.map(({ status }) => status);
      expect(wrong.includes(line) ? [400] : [200, 400]).toContain(first);
      expect(last).toBe(404);
    }
    expect(plainErrors).toEqual([]);
  });

  it('has met a thousand hostile requests and more, and is as it was', async () => {
    expect(sent).toBeGreaterThan(1000);
    for (const [path, items] of [[business.orders, 'data'] as const, [wiki, 'data'] as const]) {
      const reply = await ask(mock, `${path}?limit=1`, withKey(key));
      expect(reply.status).toBe(200);
      expect(reply.at(`/${items}`)).toBeTruthy();
    }
    await mock.verify();
    await hasty.verify();
  });
});
