/** Exchanges with a server, written down once and played back without it: what a law makes of them then hangs on the law alone. */

import type { Delivery, Target } from '../../../contracts/target.ts';
import type { HttpRequest } from '../../../core/exchange.ts';

/** How a request was answered, or why not. */
type Outcome = { readonly [Kind in Delivery['kind']]: Omit<Extract<Delivery, { kind: Kind }>, 'startedMs' | 'endedMs'> }[Delivery['kind']];

/** Every request that was sent, with what became of it each time. */
export type Recording = Readonly<Record<string, readonly Outcome[]>>;

/** A target that is listened to. */
export interface Recorder extends Target {
  readonly recording: () => Recording;
}

/** Listens to a target. */
export function recordTarget(target: Target): Recorder {
  const heard: Record<string, Outcome[]> = {};
  const stamp = createStamp();
  return {
    ...target,
    send: async (request) => {
      const { startedMs: _started, endedMs: _ended, ...outcome } = await target.send(request);
      const name = nameOf(request);
      heard[name] = [...(heard[name] ?? []), outcome];
      return { ...outcome, ...stamp() };
    },
    recording: () => heard,
  };
}

/** A target that answers as another one did. What it was never asked, it does not answer; what it is asked more often, it answers as the last time. */
export function replayTarget(url: string, recording: Recording): Target {
  const asked = new Map<string, number>();
  const stamp = createStamp();
  return {
    url,
    isLocal: true,
    close: async () => undefined,
    send: async (request) => {
      const name = nameOf(request);
      const times = asked.get(name) ?? 0;
      asked.set(name, times + 1);
      const outcomes = recording[name] ?? [];
      const outcome = outcomes[Math.min(times, outcomes.length - 1)];
      return { ...(outcome ?? { kind: 'failure', cause: 'unreachable', message: 'This was never asked.' }), ...stamp() };
    },
  };
}

function nameOf({ method, target, headers }: HttpRequest): string {
  return JSON.stringify([method, target, Object.entries(headers).toSorted(([left], [right]) => (left < right ? -1 : 1))]);
}

/** Times that are the same in every run: each request takes two milliseconds. */
function createStamp(): () => Pick<Delivery, 'startedMs' | 'endedMs'> {
  let nowMs = 0;
  return () => {
    nowMs += 10;
    return { startedMs: nowMs, endedMs: nowMs + 2 };
  };
}
