/** The endpoint that shows and changes the clock of a running mock. What a change means is the clock's own business. */

import type { Json } from '../../core/json.ts';
import { printInstant } from '../../core/query/instants.ts';
import { addDuration, type MockClock, requireInstant, requirePace } from '../clock.ts';
import type { ClockState } from './control-bodies.ts';
import { ControlError, type Endpoint, toJsonResponse } from './endpoint.ts';
import { flag, readBodyMembers, textLike } from './read-members.ts';

/** Describes the clock, as the endpoint and events show it. */
export function showClock(clock: MockClock): ClockState {
  return { scope: 'this process', now: printInstant(clock.now()), pace: clock.pace() };
}

/** Creates the endpoint `/__mock/clock`, which shows the mock's clock, sets or advances it, and changes its pace. */
export function clockEndpoint(clock: MockClock): Endpoint {
  return {
    path: 'clock',
    methods: {
      GET: () => toJsonResponse(showClock(clock)),
      POST: ({ body }) => {
        changeClock(clock, body);
        return toJsonResponse(showClock(clock));
      },
    },
  };
}

const exampleInstant = textLike('2026-03-29T02:30:00+01:00');
const exampleDuration = textLike('PT2H');

/** Reads all members before the first change, so that a wrong request changes nothing. */
function changeClock(clock: MockClock, text: string): void {
  const readers = {
    set: (value: Json, name: string) => requireInstant(exampleInstant(value, name)),
    advance: (value: Json, name: string) => addDuration(exampleDuration(value, name), clock.now()),
    pace: requirePace,
    reset: flag,
  };
  const { reset, ...changes } = readBodyMembers(text, readers, '{"advance": "PT2H"}');
  if (reset) {
    if (Object.keys(changes).length > 0)
      throw new ControlError(400, 'reset must be the only member; send the other members in a second request.');
    clock.reset();
    return;
  }
  const { set, advance, pace } = changes;
  if (set !== undefined && advance !== undefined) throw new ControlError(400, 'set and advance both move the clock; send one of them.');
  const instant = set ?? advance;
  if (instant !== undefined) clock.set(instant);
  if (pace !== undefined) clock.setPace(pace);
}
