import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../core/errors.ts';
import { createRateLimit } from '../../../../mocks/chaos/rate-limit.ts';

/** A limit, with a clock that the test sets. */
function start(text: string): { readonly take: (caller?: string) => number; readonly reset: () => void; at: (ms: number) => void } {
  let now = 1_000_000;
  const limit = createRateLimit(text, () => now);
  return {
    take: (caller = 'full') => limit.take(caller),
    reset: limit.reset,
    at: (ms) => {
      now = 1_000_000 + ms;
    },
  };
}

describe('a rate limit', () => {
  it('allows a number of requests at once, and returns the time to wait for more', () => {
    const limit = start('3/s');
    expect([limit.take(), limit.take(), limit.take()]).toEqual([0, 0, 0]);
    expect(limit.take()).toBe(1000);
    limit.at(400);
    expect(limit.take()).toBe(600);
    limit.at(999);
    expect(limit.take()).toBe(1);
    limit.at(1000);
    expect([limit.take(), limit.take(), limit.take(), limit.take()]).toEqual([0, 0, 0, 1000]);
  });

  it('never allows more in any time span', () => {
    const limit = start('10/s');
    const passed: number[] = [];
    for (let ms = 0; ms < 20_000; ms += 7 + ((ms * 13) % 61)) {
      limit.at(ms);
      if (limit.take() === 0) passed.push(ms);
    }
    const most = Math.max(...passed.map((from) => passed.filter((ms) => ms >= from && ms < from + 1000).length));
    expect(most).toBe(10);
    expect(passed.length).toBeGreaterThan(190);
  });

  it('allows a request after the time to wait, and does not count refused ones', () => {
    const limit = start('100/10s');
    for (let index = 0; index < 100; index += 1) {
      limit.at(index * 20);
      limit.take();
    }
    const waits = Array.from({ length: 50 }, () => limit.take());
    expect(new Set(waits)).toEqual(new Set([8020]));
    limit.at(99 * 20 + 8020);
    expect(limit.take()).toBe(0);
    expect(limit.take()).toBe(20);
  });

  it('that is strict starts the wait anew when a caller comes back too early', () => {
    const limit = start('2/s strict');
    expect([limit.take(), limit.take(), limit.take('other')]).toEqual([0, 0, 0]);
    limit.at(600);
    expect([limit.take(), limit.take('other')]).toEqual([400, 0]);
    limit.at(900);
    expect(limit.take()).toBe(1000);
    limit.at(1800);
    expect(limit.take()).toBe(1000);
    limit.at(2800);
    expect([limit.take(), limit.take(), limit.take()]).toEqual([0, 0, 1000]);
  });

  it('counts each caller separately', () => {
    const limit = start('1/m');
    expect([limit.take('full'), limit.take('other'), limit.take('full'), limit.take('other')]).toEqual([0, 0, 60_000, 60_000]);
  });

  it('is cleared by reset', () => {
    const limit = start('1/h');
    expect([limit.take(), limit.take()]).toEqual([0, 3_600_000]);
    limit.reset();
    expect(limit.take()).toBe(0);
  });

  it('still holds if the clock is set back', () => {
    const limit = start('2/s');
    limit.at(5000);
    expect([limit.take(), limit.take()]).toEqual([0, 0]);
    limit.at(0);
    expect(limit.take()).toBe(1000);
    limit.at(6000);
    expect(limit.take()).toBe(0);
  });

  it.each([
    ['20', 'cannot be read; write requests per time, such as 20/s, 600/m, 100/10s or "20/s strict"'],
    ['/s', 'cannot be read'],
    ['20/d', 'cannot be read'],
    ['20 / s', 'cannot be read'],
    ['1.5/s', 'cannot be read'],
    ['-1/s', 'cannot be read'],
    ['0/s', 'allows 0 requests; write a number from 1 to 100000'],
    ['100001/s', 'allows 100001 requests'],
    ['5/0s', 'has an invalid time; write a time from 1s to 24h'],
    ['5/25h', 'has an invalid time'],
  ])('throws for an invalid text: %s', (text, message) => {
    expect(() => createRateLimit(text, () => 0)).toThrow(UsageError);
    expect(() => createRateLimit(text, () => 0)).toThrow(`the rate limit ${text} ${message}`);
  });

  it.each(['1/s', '100000/24h', '600/m', '100/10s', '1/1h'])('may be %s', (text) => {
    expect(createRateLimit(text, () => 0)).toMatchObject({ text });
  });
});
