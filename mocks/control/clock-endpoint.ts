/** `/__mock/clock`: shows the mock's clock, and moves it. */

import type { JsonObject } from '../../core/json.ts';
import { type Clock, printInstant, readDuration, readMoment } from '../clock.ts';
import { type Endpoint, Refusal, toJson } from './endpoint.ts';
import { excerpt, flagMember, readMembers, textMember } from './members.ts';
import type { ClockState } from './message.ts';

/** The clock as the endpoint shows it. */
export function showClock(clock: Clock): ClockState {
  return { scope: 'this process', now: printInstant(clock.now()), pace: clock.pace() };
}

/** The endpoint. */
export function clockEndpoint(clock: Clock): Endpoint {
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
function moveClock(clock: Clock, body: JsonObject): void {
  if (flagMember(body, 'reset')) {
    if (Object.keys(body).length > 1) throw new Refusal(400, 'reset stands alone; send the other members in a request of their own.');
    clock.reset();
    return;
  }
  const instant = readSet(clock, body);
  const length = readAdvance(clock, body);
  const pace = readPace(body);
  if (instant !== undefined && length !== undefined)
    throw new Refusal(400, 'set and advance say both where the clock goes; send one of them.');
  if (instant !== undefined) clock.set(instant);
  if (length !== undefined) clock.advance(length);
  if (pace !== undefined) clock.setPace(pace);
}

const instantExample = '2026-03-29T02:30:00+01:00';

function readSet(clock: Clock, body: JsonObject): number | undefined {
  const text = textMember(body, 'set', instantExample);
  if (text === undefined) return undefined;
  const instant = readDuration(text) === undefined ? readMoment(text, clock.now()) : undefined;
  if (instant !== undefined) return instant;
  throw new Refusal(400, `set is ${excerpt(text)}, which is no instant with an offset; send one such as "${instantExample}".`);
}

function readAdvance(clock: Clock, body: JsonObject): number | undefined {
  const text = textMember(body, 'advance', 'PT2H');
  if (text === undefined) return undefined;
  const length = readDuration(text);
  if (length === undefined)
    throw new Refusal(400, `advance is ${excerpt(text)}, which is no duration; send one such as "PT2H", "P1D" or "-PT30M".`);
  if (readMoment(text, clock.now()) === undefined)
    throw new Refusal(400, `advance is ${text}, which leads out of the years 0000 to 9999; send a shorter duration.`);
  return length;
}

function readPace(body: JsonObject): number | undefined {
  const { pace } = body;
  if (pace === undefined || (typeof pace === 'number' && pace >= 0 && pace <= 1_000_000)) return pace;
  throw new Refusal(
    400,
    `pace is ${excerpt(JSON.stringify(pace))}, which is no number from 0 to 1000000; 0 stops the clock, 1 lets it run.`,
  );
}
