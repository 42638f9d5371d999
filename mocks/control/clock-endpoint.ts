/**
 * Endpoint `/__mock/clock`, which shows the mock's clock, sets or advances it, and changes its pace. `control-handler.ts` includes it once per mock; its
 * methods run per request. `publish-changes-as-events.ts` calls `showClock` after each change, `control-handler.ts` after a reset. The clock itself is in
 * `mocks/clock.ts`.
 */

import type { JsonObject } from '../../core/json.ts';
import { printInstant } from '../../core/query/instants-and-dates.ts';
import { addDuration, type MockClock, requireInstant, requirePace } from '../clock.ts';
import type { ClockState } from './control-bodies.ts';
import { ControlError, type Endpoint, toJsonResponse } from './endpoint-interface.ts';
import { flagMember, readMembers, textMember } from './read-body-members.ts';

/** Describes the clock for the endpoint and for the events of `publish-changes-as-events.ts`. */
export function showClock(clock: MockClock): ClockState {
  return { scope: 'this process', now: printInstant(clock.now()), pace: clock.pace() };
}

/** Creates the endpoint. */
export function clockEndpoint(clock: MockClock): Endpoint {
  return {
    path: 'clock',
    methods: {
      GET: () => toJsonResponse(showClock(clock)),
      POST: ({ body }) => {
        changeClock(clock, readMembers(body(), ['set', 'advance', 'pace', 'reset'], '{"advance": "PT2H"}'));
        return toJsonResponse(showClock(clock));
      },
    },
  };
}

/** Reads all members before the first change, so that a wrong request changes nothing. */
function changeClock(clock: MockClock, body: JsonObject): void {
  if (flagMember(body, 'reset')) {
    if (Object.keys(body).length > 1)
      throw new ControlError(400, 'reset must be the only member; send the other members in a second request.');
    clock.reset();
    return;
  }
  const set = textMember(body, 'set', '2026-03-29T02:30:00+01:00');
  const advance = textMember(body, 'advance', 'PT2H');
  const pace = body['pace'];
  if (set !== undefined && advance !== undefined) throw new ControlError(400, 'set and advance both move the clock; send one of them.');
  const instant = set === undefined ? undefined : requireInstant(set);
  const newTime = advance === undefined ? instant : addDuration(advance, clock.now());
  const newPace = pace === undefined ? undefined : requirePace(pace);
  if (newTime !== undefined) clock.set(newTime);
  if (newPace !== undefined) clock.setPace(newPace);
}
