import { describe, expect, it } from 'vitest';
import { periodAt } from '../../../../mocks/data/four-year-periods.ts';
import { formatDay } from '../../../../mocks/data/local-time.ts';
import { createChance } from '../../../../mocks/data/seeded-random.ts';
import { collapseToBatch, lastOfBatch } from '../../../../mocks/data/simultaneous-changes.ts';
import { latestEvent, makeTimeline } from '../../../../mocks/data/timeline.ts';

interface Lamp {
  readonly lit: boolean;
  readonly colour: string;
}

const changes = [
  { at: 300, fields: { colour: 'blue' } },
  { at: 200, fields: { lit: true } },
  { at: 300, fields: { lit: false } },
];
const timeline = makeTimeline<Lamp>(100, { lit: false, colour: 'red' }, changes, (state, fields) => ({ ...state, ...fields }));

describe('a timeline', () => {
  it.each([
    [100, 100, false, 'red'],
    [199, 100, false, 'red'],
    [200, 200, true, 'red'],
    [299, 200, true, 'red'],
    [300, 300, false, 'blue'],
    [9999, 300, false, 'blue'],
  ])('at %i shows the event of %i', (now, at, lit, colour) => {
    expect(latestEvent(timeline, now)).toEqual({ at, state: { lit, colour } });
  });

  it('has nothing before the creation', () => {
    expect(latestEvent(timeline, 99)).toBeUndefined();
  });
});

describe('a reported timeline', () => {
  const reported = collapseToBatch(timeline, 250);

  it('begins with the report and never changes', () => {
    expect(latestEvent(reported, 249)).toBeUndefined();
    expect(latestEvent(reported, 250)).toEqual({ at: 250, state: { lit: true, colour: 'red' } });
    expect(latestEvent(reported, 9999)).toEqual({ at: 250, state: { lit: true, colour: 'red' } });
  });
});

describe('batches', () => {
  const plan = { every: 20, sizes: [7, 2] };
  const chance = createChance(1);
  const lasts = Array.from({ length: 400 }, (_, index) => lastOfBatch(plan, chance, index));

  it('have the sizes of the plan, equally often', () => {
    const sizes = new Map<number, number>();
    for (const last of lasts) if (last !== undefined) sizes.set(last, (sizes.get(last) ?? 0) + 1);
    expect([...sizes.values()].sort()).toEqual([...Array<number>(10).fill(2), ...Array<number>(10).fill(7)]);
  });

  it('are runs of indexes that end with their last', () => {
    lasts.forEach((last, index) => {
      if (last === undefined) return;
      expect(last).toBeGreaterThanOrEqual(index);
      expect(lasts[last]).toBe(last);
    });
  });

  it('never touch', () => {
    lasts.forEach((last, index) => {
      if (last === index) expect(lasts[index + 1]).toBeUndefined();
    });
  });
});

describe('periods', () => {
  it.each([
    ['2026-02-21T23:59:59Z', -1, '2022-02-22'],
    ['2026-02-22T00:00:00Z', 0, '2026-02-22'],
    ['2030-02-21T23:59:59Z', 0, '2026-02-22'],
    ['2030-02-22T00:00:00Z', 1, '2030-02-22'],
  ])('%s lies in period %i, which begins on %s', (instant, number, firstDay) => {
    const period = periodAt(Date.parse(instant));
    expect([period.number, formatDay(period.firstDay)]).toEqual([number, firstDay]);
  });
});
