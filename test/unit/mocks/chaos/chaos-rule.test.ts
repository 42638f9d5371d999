import { describe, expect, it } from 'vitest';
import { chooseDelay, readChaosRules } from '../../../../mocks/chaos/chaos-rule.ts';

describe('a delay', () => {
  const numbers = Array.from({ length: 1000 }, (_, index) => (index + 0.5) / 1000);
  const delaysOf = (text: string): readonly number[] => {
    const disturbance = readChaosRules(`latency ${text}`).rules[0]?.disturbance;
    if (disturbance?.kind !== 'latency') throw new Error(`${text} is no delay`);
    const { delay } = disturbance;
    return numbers.flatMap((first) => [0, 0.25, 0.5, 0.75].map((second) => chooseDelay(delay, first, second))).sort((a, b) => a - b);
  };

  it('is fixed', () => {
    expect(new Set(delaysOf('30ms'))).toEqual(new Set([30]));
  });

  it('is evenly distributed between two bounds', () => {
    const delays = delaysOf('100ms..200ms');
    expect([delays.at(0), delays.at(2000), delays.at(-1)]).toEqual([100, 150, 200]);
  });

  it('is distributed around a median, with large outliers', () => {
    const delays = delaysOf('lognormal(100ms,0.5)');
    expect(delays.at(2000)).toBe(100);
    expect(delays.at(0)).toBeGreaterThan(5);
    expect(delays.at(-1)).toBeGreaterThan(300);
    expect(new Set(delaysOf('lognormal(100ms,0)'))).toEqual(new Set([100]));
  });

  it('is at most ten minutes', () => {
    expect(delaysOf('lognormal(5m,9)').at(-1)).toBe(600_000);
  });
});
