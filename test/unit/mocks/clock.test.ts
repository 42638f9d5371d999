/** The clock of a mock: valid and invalid changes. An invalid one changes nothing. */

import { describe, expect, it } from 'vitest';
import { createClock } from '../../../mocks/clock.ts';

const start = Date.UTC(2026, 2, 29, 16);
const hour = 3_600_000;

const clockAt = (): ReturnType<typeof createClock> => createClock({ from: undefined, pace: 0 }, start, () => 0);

describe('a clock', () => {
  it.each([
    ['PT2H', 2 * hour],
    ['-PT30M', -hour / 2],
    ['P1D', 24 * hour],
    [hour, hour],
    [-1000, -1000],
    [0, 0],
  ])('advances by %s', (duration, expected) => {
    const clock = clockAt();
    clock.advance(duration);
    expect(clock.now() - start).toBe(expected);
  });

  it.each([
    ['2026-03-29T02:30:00+01:00', Date.UTC(2026, 2, 29, 1, 30)],
    ['2026-03-29T02:30:00Z', Date.UTC(2026, 2, 29, 2, 30)],
    [start + hour, start + hour],
  ])('is set to %s', (instant, expected) => {
    const clock = clockAt();
    clock.set(instant);
    expect(clock.now()).toBe(expected);
  });

  it.each<[string, (clock: ReturnType<typeof createClock>) => void, RegExp]>([
    ['advance two hours', (clock) => clock.advance('two hours'), /^advance is two hours, which is not a duration; .*"PT2H"/],
    ['advance NaN', (clock) => clock.advance(Number.NaN), /^advance is null, which is not a duration/],
    ['advance nothing', (clock) => clock.advance(undefined as never), /^advance is undefined, which is not a duration/],
    ['advance too far', (clock) => clock.advance('P999999W'), /leaves the years 0000 to 9999/],
    ['advance without end', (clock) => clock.advance(Number.POSITIVE_INFINITY), /leaves the years/],
    [
      'set without an offset',
      (clock) => clock.set('2026-03-29T02:30:00'),
      /^set is 2026-03-29T02:30:00, which is not an instant with an offset/,
    ],
    ['set a duration', (clock) => clock.set('PT2H'), /which is not an instant/],
    ['set NaN', (clock) => clock.set(Number.NaN), /which is not an instant/],
    ['pace backwards', (clock) => clock.setPace(-1), /^pace is -1, which is not a number from 0 to 1000000/],
    ['pace NaN', (clock) => clock.setPace(Number.NaN), /which is not a number/],
  ])('refuses to %s, and does not move', (_title, move, message) => {
    const clock = clockAt();
    expect(() => move(clock)).toThrow(expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(message) }));
    expect([clock.now(), clock.pace()]).toEqual([start, 0]);
  });
});
