/** Memory that is used again: never while somebody holds it, and never more of it than may lie idle. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { asResponse, type Message, toMessage } from '../../../mocks/answer.ts';
import { createJournal, type JournalWriter } from '../../../mocks/journal.ts';
import { JsonBytes, joinList } from '../../../mocks/json-bytes.ts';
import { KeptAnswers } from '../../../mocks/kept-answers.ts';
import { type Lease, takeBytes } from '../../../mocks/lease.ts';
import { type RunningMock, startMock } from '../../../mocks/start.ts';
import type { Visit } from '../../../mocks/visit.ts';
import { Wires } from '../../../mocks/wire.ts';
import { ask } from '../../helpers/plain-client.ts';
import { open, parseAnswers } from '../../helpers/raw-socket.ts';

interface Taken {
  readonly bytes: Buffer;
  readonly lease: Lease;
}

/** Takes bytes that are on a lease. Each test takes a length of its own, so that what comes back to it is its own. */
function take(length: number): Taken {
  const { bytes, lease } = takeBytes(length);
  if (lease === undefined) throw new Error(`${length} bytes came without a lease`);
  return { bytes, lease };
}

/** Whether bytes of this length are given the memory of a body. */
function comesBack(taken: Taken, length: number): boolean {
  return take(length).bytes.buffer === taken.bytes.buffer;
}

describe('a lease', () => {
  it('ends with the last who holds the bytes, and their memory is another body’s', () => {
    const taken = take(10_000);
    taken.lease.hold();
    taken.lease.letGo();
    expect(comesBack(taken, 10_000)).toBe(false);
    taken.lease.letGo();
    expect(comesBack(taken, 9_000)).toBe(true);
  });

  it('has bytes of the length that was asked for, whatever memory they lie in', () => {
    take(20_000).lease.letGo();
    for (const length of [17_000, 24_576]) {
      const { bytes, lease } = take(length);
      expect(bytes).toHaveLength(length);
      lease.letGo();
    }
  });

  it('cannot be held or let go again once nobody holds it', () => {
    const { lease } = take(30_000);
    lease.letGo();
    expect(() => lease.hold()).toThrow('let go by all');
    expect(() => lease.letGo()).toThrow('more often than they were held');
  });

  it('is for large bodies only, and not for the largest', () => {
    for (const length of [0, 1, 8191, 262_145]) {
      const { bytes, lease } = takeBytes(length);
      expect([bytes.length, lease]).toEqual([length, undefined]);
    }
    for (const length of [8192, 262_144]) expect(takeBytes(length).lease).toBeDefined();
  });

  it('leaves at most eight megabytes idle', () => {
    const many = Array.from({ length: 50 }, () => take(250_000));
    for (const { lease } of many) lease.letGo();
    const memories = new Set(many.map(({ bytes }) => bytes.buffer));
    const again = many.map(() => take(250_000)).filter(({ bytes }) => memories.has(bytes.buffer));
    expect(again.length * 253_952).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(again.length).toBeGreaterThan(20);
  });

  it('gives no two bodies the same memory, in whatever order they are held and let go', () => {
    const step = fc.record({ length: fc.integer({ min: 8192, max: 24_000 }), place: fc.nat(), holds: fc.boolean() });
    fc.assert(fc.property(fc.array(step, { maxLength: 60 }), playThrough), { seed: 20_261_122, numRuns: 200 });
  });
});

interface Play {
  readonly length: number;
  readonly place: number;
  readonly holds: boolean;
}

/** Takes a body in each step, and holds one of those that are held, or lets it go. */
function playThrough(steps: readonly Play[]): void {
  const held: (Taken & { holders: number })[] = [];
  for (const { length, place, holds } of steps) {
    const taken = { ...take(length), holders: 1 };
    expect(held.map(({ bytes }) => bytes.buffer)).not.toContain(taken.bytes.buffer);
    held.push(taken);
    const one = held[place % held.length] ?? taken;
    if (holds) one.lease.hold();
    else one.lease.letGo();
    one.holders += holds ? 1 : -1;
    if (one.holders === 0) held.splice(held.indexOf(one), 1);
  }
  for (const { lease, holders } of held) for (let count = 0; count < holders; count += 1) lease.letGo();
}

/** A message with a body of this length. */
function messageOf(length: number): Message & { readonly lease: Lease } {
  const leased = joinList('', [Buffer.from(`"${'x'.repeat(length - 4)}"`)], '');
  const message = toMessage({ status: 200, headers: {}, body: new JsonBytes(leased) });
  if (message.lease === undefined) throw new Error(`a body of ${length} bytes has no lease`);
  return { ...message, lease: message.lease };
}

const visit: Visit = { contract: 'c', operation: 'o', role: 'full', nowMs: 0, problems: [], isKept: false, trouble: [] };

describe('the bytes of a body are held', () => {
  it('by the journal, as long as it has the entry with its body', () => {
    const journal: JournalWriter = createJournal({ limit: 2, apis: () => [], now: () => 0, wall: () => 0 });
    const record = (message: Message): void => {
      journal.record({ request: { method: 'GET', target: '/', headers: {} }, message, durationMs: 1 });
    };
    const first = messageOf(40_000);
    record(first);
    first.lease.letGo();
    expect(comesBack(first, 40_000)).toBe(false);
    record(messageOf(10_000));
    expect(comesBack(first, 40_000)).toBe(false);
    record(messageOf(10_000));
    expect(comesBack(first, 40_000)).toBe(true);
    const last = messageOf(40_000);
    record(last);
    last.lease.letGo();
    journal.clear();
    expect(comesBack(last, 40_000)).toBe(true);
  });

  it('by the journal no longer than it has room for the body', () => {
    const journal = createJournal({ limit: 1000, apis: () => [], now: () => 0, wall: () => 0 });
    const messages = Array.from({ length: 30 }, () => messageOf(200_000));
    for (const message of messages) {
      journal.record({ request: { method: 'GET', target: '/', headers: {} }, message, durationMs: 1 });
      message.lease.letGo();
    }
    const [first, last] = [messages[0], messages.at(-1)];
    expect([first, last].map((message) => throwsOnHold(message?.lease))).toEqual([true, false]);
    expect(journal.entries()).toHaveLength(30);
  });

  it('by the answers that are kept, until they make room', () => {
    const kept = new KeptAnswers();
    const first = messageOf(50_000);
    kept.keep('first', { message: first, visit });
    first.lease.letGo();
    for (let count = 0; count < 20; count += 1) kept.keep(`other ${count}`, { message: messageOf(100_000), visit });
    expect(kept.get('first')?.message).toBe(first);
    expect(throwsOnHold(first.lease)).toBe(false);
    first.lease.letGo();
    for (let count = 0; count < 60; count += 1) kept.keep(`more ${count}`, { message: messageOf(100_000), visit });
    expect(kept.get('first')).toBeUndefined();
    expect(throwsOnHold(first.lease)).toBe(true);
  });

  it('for ever by whoever may ask for their text', () => {
    const message = messageOf(60_000);
    const response = asResponse(message);
    message.lease.letGo();
    expect(comesBack(message, 60_000)).toBe(false);
    expect(response.body).toHaveLength(60_000);
  });

  it('by the wire until the client has them', async () => {
    const message = messageOf(70_000);
    const wires = new Wires();
    const finished: Promise<unknown>[] = [];
    const server = createServer((incoming, outgoing) => {
      finished.push(once(outgoing, 'finish'));
      const { status, bytes, lease } = message;
      void wires.send({ connection: incoming.socket, outgoing }, { status, fields: { 'content-length': '70000' }, bytes, lease }, {});
      lease.letGo();
      expect(comesBack(message, 70_000)).toBe(false);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const reply = await ask(server.address() as AddressInfo, '/');
    await Promise.all(finished);
    expect(reply.text).toBe(`["${'x'.repeat(69_996)}"]`);
    expect(throwsOnHold(message.lease)).toBe(true);
    server.close();
    server.closeAllConnections();
  });
});

/** Whether nobody holds the bytes any more; otherwise they are held once more now. */
function throwsOnHold(lease: Lease | undefined): boolean {
  try {
    lease?.hold();
    return false;
  } catch {
    return true;
  }
}

const list = '/api/integrations/v1/orders/index.php';

/** What every page of a mock ought to be, by its target: asked of another mock, one after the other, whose memory is never used again. */
async function pagesOf(targets: readonly string[], sizes: Readonly<Record<string, number>>): Promise<ReadonlyMap<string, string>> {
  await using mock = await startMock({ contracts: ['business'], sizes, onExchange: () => undefined });
  const pages = new Map<string, string>();
  for (const target of targets) pages.set(target, (await ask(mock, target, keyOf(mock))).text);
  return pages;
}

function keyOf({ keys }: RunningMock): Readonly<Record<string, string>> {
  return { 'x-service-api-key': keys['full'] ?? '' };
}

/** The orders of a page: the journal hides whose they are. */
function idsIn(page: string): readonly string[] {
  return page.match(/"code":"[^"]*"/g) ?? [];
}

describe('a mock whose bodies lie in memory that is used again', () => {
  const sizes = { orders: 600 };
  const targets = Array.from({ length: 40 }, (_, index) => `${list}?limit=${60 + index}&updated_after=2001-01-01T00:00:${10 + index}Z`);

  it('gives each of many clients its own page, first and again', async () => {
    const pages = await pagesOf(targets, sizes);
    await using mock = await startMock({ contracts: ['business'], sizes, journal: 3 });
    for (let round = 0; round < 6; round += 1) {
      const replies = await Promise.all(targets.map((target) => ask(mock, target, keyOf(mock))));
      for (const [index, { text }] of replies.entries()) expect(text).toBe(pages.get(targets[index] ?? ''));
    }
    for (const { number, target } of mock.journal.entries())
      expect(idsIn(mock.journal.entry(number)?.body ?? '')).toEqual(idsIn(pages.get(target) ?? ''));
  });

  it('takes no more of it than what it keeps, however much it is asked', async () => {
    await using mock = await startMock({ contracts: ['business'], sizes, journal: 3 });
    const taken = vi.spyOn(Buffer, 'allocUnsafeSlow');
    for (let second = 0; second < 300; second += 1) {
      const instant = new Date(Date.UTC(2001, 0, 1, 0, 0, second)).toISOString().replace('.000', '');
      await ask(mock, `${list}?limit=100&updated_after=${instant}`, keyOf(mock));
    }
    const large = taken.mock.calls.filter(([size]) => size >= 40_000).length;
    taken.mockRestore();
    expect(large).toBeLessThan(100);
  });

  it('gives a client that reads late what it was to get at first', async () => {
    const pages = await pagesOf(targets, sizes);
    await using mock = await startMock({ contracts: ['business'], sizes, journal: 3 });
    const fields = `Host: localhost\r\nx-service-api-key: ${mock.keys['full']}\r\n\r\n`;
    // More than a connection holds: most of the answers wait in the mock.
    const late = Array.from({ length: 5 }, () => targets).flat();
    const socket = await open(mock.port, '');
    socket.pause();
    socket.write(late.map((target) => `GET ${target} HTTP/1.1\r\n${fields}`).join(''));
    for (const target of targets) expect((await ask(mock, target, keyOf(mock))).text).toBe(pages.get(target));
    const received: Buffer[] = [];
    await new Promise<void>((resolve) => {
      let missing = late.length;
      socket.on('data', (chunk) => {
        received.push(chunk);
        if (received.length % 16 === 0 || chunk.length < 65_536) missing = late.length - parseAnswers(Buffer.concat(received)).length;
        if (missing === 0) resolve();
      });
      socket.resume();
    });
    socket.destroy();
    const answers = parseAnswers(Buffer.concat(received));
    expect(answers.map(({ body }, index) => body === pages.get(late[index] ?? '')).filter((isRight) => !isRight)).toEqual([]);
  });
});
