/** Wraps the clock, the chaos and the reload of a mock, once when it starts, so that each later change becomes an event. */

import type { Chaos } from '../chaos/active-chaos.ts';
import type { MockClock } from '../clock.ts';
import { showChaos } from './chaos-endpoint.ts';
import { showClock } from './clock-endpoint.ts';
import type { EventStreams } from './event-stream.ts';

type EventPublisher = Pick<EventStreams, 'publish'>;

/** Returns the same clock, which publishes its state after each change. */
export function announceClock(clock: MockClock, events: EventPublisher): MockClock {
  const { set, advance, setPace, reset } = clock;
  return { ...clock, ...thenCall({ set, advance, setPace, reset }, () => events.publish({ type: 'clock', data: showClock(clock) })) };
}

/** Returns the same chaos, which publishes its rules after each change. */
export function announceChaos(chaos: Chaos, events: EventPublisher): Chaos {
  const { set, add, clear, reset } = chaos;
  return { ...chaos, ...thenCall({ set, add, clear, reset }, () => events.publish({ type: 'chaos', data: showChaos(chaos) })) };
}

/** Returns the same methods, each of which calls `publish` after it has succeeded. */
function thenCall<Methods extends Readonly<Record<string, (argument: never) => void>>>(methods: Methods, publish: () => void): Methods {
  const calls = Object.entries(methods).map(([name, method]) => [
    name,
    (argument: never): void => {
      method(argument);
      publish();
    },
  ]);
  return Object.fromEntries(calls) as Methods;
}

/** Returns the same reload, which publishes an event after each attempt; `problem` holds the message of a failure. */
export function announceReload(reload: () => Promise<void>, events: EventPublisher): () => Promise<void> {
  const publish = (problem: string | null): void => events.publish({ type: 'reload', data: { scope: 'this process', problem } });
  return async () => {
    try {
      await reload();
    } catch (error) {
      publish(error instanceof Error ? error.message : String(error));
      throw error;
    }
    publish(null);
  };
}
