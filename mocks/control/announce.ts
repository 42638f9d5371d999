/** Clock, chaos and reloading that tell of every change, whoever makes it: a program, the terminal, or the control endpoint. */

import type { Chaos } from '../chaos/chaos.ts';
import type { MockClock } from '../clock.ts';
import { showChaos } from './chaos-endpoint.ts';
import { showClock } from './clock-endpoint.ts';
import type { Events } from './event-stream.ts';

/** The same clock; its changes are events. */
export function announceClock(clock: MockClock, events: Pick<Events, 'publish'>): MockClock {
  const tell = (): void => events.publish({ type: 'clock', data: showClock(clock) });
  return {
    ...clock,
    set: (instant) => {
      clock.set(instant);
      tell();
    },
    advance: (duration) => {
      clock.advance(duration);
      tell();
    },
    setPace: (pace) => {
      clock.setPace(pace);
      tell();
    },
    reset: () => {
      clock.reset();
      tell();
    },
  };
}

/** The same chaos; its changes are events. */
export function announceChaos(chaos: Chaos, events: Pick<Events, 'publish'>): Chaos {
  const tell = (): void => events.publish({ type: 'chaos', data: showChaos(chaos) });
  return {
    ...chaos,
    set: (rules) => {
      chaos.set(rules);
      tell();
    },
    add: (rules) => {
      chaos.add(rules);
      tell();
    },
    clear: () => {
      chaos.clear();
      tell();
    },
    reset: () => {
      chaos.reset();
      tell();
    },
  };
}

/** The same way to read files anew; each time is an event, whether the files were good or not. */
export function announceReload(reload: () => Promise<void>, events: Pick<Events, 'publish'>): () => Promise<void> {
  const tell = (problem: string | null): void => events.publish({ type: 'reload', data: { scope: 'this process', problem } });
  return async () => {
    try {
      await reload();
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
      throw error;
    }
    tell(null);
  };
}
