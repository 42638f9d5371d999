/** `/__mock/clock`: shows the mock's clock, and moves it. */

import type { JsonObject } from '../../core/json.ts';
import { type MockClock, printInstant, requireInstant, requireMoment, requirePace } from '../clock.ts';
import { type Endpoint, Refusal, toJson } from './control-endpoint.ts';
import type { ClockState } from './control-message.ts';
import { flagMember, readMembers, textMember } from './members.ts';

/** The clock as the endpoint shows it. */
export function showClock(clock: MockClock): ClockState {
  return { scope: 'this process', now: printInstant(clock.now()), pace: clock.pace() };
}

/** The endpoint. */
export function clockEndpoint(clock: MockClock): Endpoint {
  return {
    path: 'clock',
    methods: {
      GET: () => toJson(showClock(clock)),
      POST: ({ body }) => {
        moveClock(clock, readMembers(body(), ['set', 'advance', 'pace', 'reset'], '{"advance": "PT2H"}'));
        return toJson(showClock(clock));
      },
    },
  };
}

/** Everything is read before anything is moved: a wrong request moves nothing. */
function moveClock(clock: MockClock, body: JsonObject): void {
  if (flagMember(body, 'reset')) {
    if (Object.keys(body).length > 1) throw new Refusal(400, 'reset stands alone; send the other members in a request of their own.');
    clock.reset();
    return;
  }
  const { set, advance, pace } = {
    set: textMember(body, 'set', '2026-03-29T02:30:00+01:00'),
    advance: textMember(body, 'advance', 'PT2H'),
    pace: body['pace'],
  };
  if (set !== undefined && advance !== undefined)
    throw new Refusal(400, 'set and advance say both where the clock goes; send one of them.');
  const instant = set === undefined ? undefined : requireInstant(set);
  const moment = advance === undefined ? instant : requireMoment(advance, clock.now());
  const next = pace === undefined ? undefined : requirePace(pace);
  if (moment !== undefined) clock.set(moment);
  if (next !== undefined) clock.setPace(next);
}
