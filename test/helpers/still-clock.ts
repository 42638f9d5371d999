import { createClock, type MockClock } from '../../mocks/clock.ts';

/** Creates a clock that shows an instant until it is moved. */
export function stillClock(instantMs: number): MockClock {
  return createClock({ from: instantMs, pace: 0 }, instantMs, () => 0);
}
