import { describe, expect, it } from 'vitest';
import { type RunningMock, startMock } from '../../../mocks/start.ts';

/** Sends the same request, byte for byte. */
async function ask(mock: RunningMock, target: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const response = await fetch(`${mock.url}${target}`, { headers: { 'x-service-api-key': mock.keys['full'] ?? '', ...headers } });
  const { date: _date, ...rest } = Object.fromEntries(response.headers);
  return JSON.stringify([response.status, rest, await response.text()]);
}

const page = '/api/integrations/v1/orders/index.php?limit=3';

describe('a request that comes again', () => {
  it('gets the same answer each time, and the journal sees it without its key', async () => {
    await using mock = await startMock();
    const answers = [await ask(mock, page), await ask(mock, page), await ask(mock, page), await ask(mock, page)];
    expect(new Set(answers).size).toBe(1);
    expect(mock.journal.entries().map(({ isKept, status, role }) => [isKept, status, role])).toEqual([
      [false, 200, 'full'],
      [true, 200, 'full'],
      [true, 200, 'full'],
      [true, 200, 'full'],
    ]);
    expect(mock.journal.entry(4)?.requestHeaders['x-service-api-key']).toBe('$KEY');
  });

  it('meets the trouble that has come since', async () => {
    await using mock = await startMock();
    for (let time = 0; time < 3; time += 1) await ask(mock, page);
    mock.trouble.set('503');
    expect(await ask(mock, page)).toMatch(/^\[503,/);
    mock.trouble.clear();
    expect(await ask(mock, page)).toMatch(/^\[200,/);
    expect(mock.journal.entry(4)?.trouble).toHaveLength(1);
  });

  it('meets the trouble that it brings along itself, each time', async () => {
    await using mock = await startMock();
    const headers = { 'mock-trouble': '429' };
    const answers = [await ask(mock, page, headers), await ask(mock, page, headers), await ask(mock, page, headers)];
    for (const answer of answers) expect(answer).toMatch(/^\[429,/);
  });

  it('counts against the limit', async () => {
    await using mock = await startMock({ rateLimit: '3/h' });
    for (let time = 0; time < 3; time += 1) expect(await ask(mock, page)).toMatch(/^\[200,/);
    expect(await ask(mock, page)).toMatch(/^\[429,/);
  });

  it('is answered anew when the clock has moved, and as before when it has moved back', async () => {
    await using mock = await startMock();
    const changed = `${page}&updated_after=2026-03-29T18:00:00%2B02:00`;
    const before = [await ask(mock, changed), await ask(mock, changed), await ask(mock, changed)];
    mock.clock.advance(7_200_000);
    const later = await ask(mock, changed);
    expect(later).not.toBe(before[2]);
    mock.clock.reset();
    expect(await ask(mock, changed)).toBe(before[0]);
  });

  it('is another request with another header that counts', async () => {
    await using mock = await startMock();
    for (let time = 0; time < 3; time += 1) await ask(mock, page);
    expect(await ask(mock, page, { 'x-service-api-key': 'wrong' })).toMatch(/^\[401,/);
    expect(await ask(mock, page, { 'mock-clock': 'PT2H' })).toMatch(/^\[200,/);
    expect(await ask(mock, page, { prefer: 'code=429' })).toMatch(/^\[429,/);
  });
});
