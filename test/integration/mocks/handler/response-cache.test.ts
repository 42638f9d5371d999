/** Cached responses: for equal requests at the same instant only. */

import { describe, expect, it } from 'vitest';
import { type RunningMock, startMock } from '../../../../mocks/start-mock.ts';
import { ask as get } from '../../../helpers/plain-client.ts';
import { open, parseAnswers } from '../../../helpers/raw-socket.ts';

/** Sends the same request, byte for byte. */
async function ask(mock: RunningMock, target: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const response = await fetch(`${mock.url}${target}`, { headers: { 'x-service-api-key': mock.keys['full'] ?? '', ...headers } });
  const { date: _date, ...rest } = Object.fromEntries(response.headers);
  return JSON.stringify([response.status, rest, await response.text()]);
}

const page = '/api/integrations/v1/orders/index.php?limit=3';

describe('a repeated request', () => {
  it('gets the same answer each time, and is in the journal without its key', async () => {
    await using mock = await startMock();
    const answers = [await ask(mock, page), await ask(mock, page), await ask(mock, page), await ask(mock, page)];
    expect(new Set(answers).size).toBe(1);
    expect(mock.journal.entries().map(({ isCached, status, role }) => [isCached, status, role])).toEqual([
      [false, 200, 'full'],
      [true, 200, 'full'],
      [true, 200, 'full'],
      [true, 200, 'full'],
    ]);
    expect(mock.journal.entry(4)?.requestHeaders['x-service-api-key']).toBe('$KEY');
  });

  it('meets the current chaos', async () => {
    await using mock = await startMock();
    for (let time = 0; time < 3; time += 1) await ask(mock, page);
    mock.chaos.set('503');
    expect(await ask(mock, page)).toMatch(/^\[503,/);
    mock.chaos.clear();
    expect(await ask(mock, page)).toMatch(/^\[200,/);
    expect(mock.journal.entry(4)?.chaos).toHaveLength(1);
  });

  it('meets the chaos of its own header each time', async () => {
    await using mock = await startMock();
    const headers = { 'mock-chaos': '429' };
    const answers = [await ask(mock, page, headers), await ask(mock, page, headers), await ask(mock, page, headers)];
    for (const answer of answers) expect(answer).toMatch(/^\[429,/);
  });

  it('counts for the rate limit', async () => {
    await using mock = await startMock({ rateLimit: '3/h' });
    for (let time = 0; time < 3; time += 1) expect(await ask(mock, page)).toMatch(/^\[200,/);
    expect(await ask(mock, page)).toMatch(/^\[429,/);
  });

  it('gets another answer when the clock moves, and the same when it moves back', async () => {
    await using mock = await startMock();
    const changed = `${page}&updated_after=2026-03-29T18:00:00%2B02:00`;
    const before = [await ask(mock, changed), await ask(mock, changed), await ask(mock, changed)];
    mock.clock.advance(7_200_000);
    const later = await ask(mock, changed);
    expect(later).not.toBe(before[2]);
    mock.clock.reset();
    expect(await ask(mock, changed)).toBe(before[0]);
  });

  it('gets another answer with another relevant header', async () => {
    await using mock = await startMock();
    for (let time = 0; time < 3; time += 1) await ask(mock, page);
    expect(await ask(mock, page, { 'x-service-api-key': 'wrong' })).toMatch(/^\[401,/);
    expect(await ask(mock, page, { 'mock-clock': 'PT2H' })).toMatch(/^\[200,/);
    expect(await ask(mock, page, { prefer: 'code=429' })).toMatch(/^\[429,/);
  });
});

const list = '/api/integrations/v1/orders/index.php';

/** Expected pages by request target, read from another mock one after the other. */
async function pagesOf(targets: readonly string[], sizes: Readonly<Record<string, number>>): Promise<ReadonlyMap<string, string>> {
  await using mock = await startMock({ contracts: ['business'], sizes });
  const pages = new Map<string, string>();
  for (const target of targets) pages.set(target, (await get(mock, target, keyOf(mock))).text);
  return pages;
}

function keyOf({ keys }: RunningMock): Readonly<Record<string, string>> {
  return { 'x-service-api-key': keys['full'] ?? '' };
}

/** The orders of a page. */
function idsIn(page: string): readonly string[] {
  return page.match(/"code":"[^"]*"/g) ?? [];
}

describe('a mock with many clients at once', () => {
  const sizes = { orders: 600 };
  const targets = Array.from({ length: 40 }, (_, index) => `${list}?limit=${60 + index}&updated_after=2001-01-01T00:00:${10 + index}Z`);

  it('answers each client with its own page, first and again', async () => {
    const pages = await pagesOf(targets, sizes);
    await using mock = await startMock({ contracts: ['business'], sizes, journal: 3 });
    for (let round = 0; round < 6; round += 1) {
      const replies = await Promise.all(targets.map((target) => get(mock, target, keyOf(mock))));
      for (const [index, { text }] of replies.entries()) expect(text).toBe(pages.get(targets[index] ?? ''));
    }
    for (const { number, target } of mock.journal.entries())
      expect(idsIn(mock.journal.entry(number)?.body ?? '')).toEqual(idsIn(pages.get(target) ?? ''));
  });

  it('answers a client that reads late with its own page', async () => {
    const pages = await pagesOf(targets, sizes);
    await using mock = await startMock({ contracts: ['business'], sizes, journal: 3 });
    const fields = `Host: localhost\r\nx-service-api-key: ${mock.keys['full']}\r\n\r\n`;
    // More than a connection buffers, so that most answers wait in the mock.
    const late = Array.from({ length: 5 }, () => targets).flat();
    const socket = await open(mock.port, '');
    socket.pause();
    socket.write(late.map((target) => `GET ${target} HTTP/1.1\r\n${fields}`).join(''));
    for (const target of targets) expect((await get(mock, target, keyOf(mock))).text).toBe(pages.get(target));
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
