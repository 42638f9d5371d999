/** What happens to a reservation: whether it is accepted, changed, given a table, and how it ends. */

import { day, hour, minute, second } from '../calendar.ts';
import { type Chance, copies } from '../chance.ts';
import { type Change, makeTimeline, type Timeline } from '../timeline.ts';

/** The state of a reservation, as far as it changes. */
export interface ReservationState {
  readonly status: string;
  readonly people: number;
  /** Whether a table has been chosen; it is held only while the reservation is confirmed. */
  readonly seated: boolean;
}

/** How a reservation goes. */
export interface ReservationCourse {
  readonly source: 'website' | 'phone' | 'walk_in';
  readonly last: 'completed' | 'cancelled' | 'rejected' | 'no_show';
  /** Whether it is ever confirmed. */
  readonly confirmed: boolean;
  /** Whether the guests call again because there will be one more of them. */
  readonly grows: boolean;
}

/** When a reservation is made, and when the guests are to come. */
export interface ReservationTimes {
  readonly createdMs: number;
  readonly startMs: number;
  /** When it reaches its last state; `undefined` when that happens as it usually does. */
  readonly closedMs?: number | undefined;
}

/** The courses, dealt to the reservations of a business. */
export const reservationCourses: readonly ReservationCourse[] = [
  ...copies<ReservationCourse>(4, { source: 'website', last: 'completed', confirmed: true, grows: false }),
  ...copies<ReservationCourse>(2, { source: 'website', last: 'completed', confirmed: true, grows: true }),
  ...copies<ReservationCourse>(2, { source: 'website', last: 'cancelled', confirmed: true, grows: false }),
  ...copies<ReservationCourse>(3, { source: 'website', last: 'cancelled', confirmed: false, grows: false }),
  { source: 'website', last: 'rejected', confirmed: false, grows: false },
  { source: 'website', last: 'no_show', confirmed: true, grows: false },
  ...copies<ReservationCourse>(3, { source: 'phone', last: 'completed', confirmed: true, grows: false }),
  { source: 'phone', last: 'cancelled', confirmed: true, grows: true },
  { source: 'phone', last: 'no_show', confirmed: true, grows: false },
  ...copies<ReservationCourse>(2, { source: 'walk_in', last: 'completed', confirmed: true, grows: false }),
];

/** Everything that happens to a reservation. */
export function makeReservationTimeline(
  course: ReservationCourse,
  times: ReservationTimes,
  people: number,
  chance: Chance,
): Timeline<ReservationState> {
  const asks = course.source === 'website';
  const answeredMs = asks
    ? between(times.createdMs, Math.min(times.startMs, times.createdMs + 2 * day), 45, chance, 'answered')
    : times.createdMs;
  const changes = course.confirmed
    ? confirm(course, times, answeredMs, people, chance)
    : [{ at: endUnconfirmed(course, times, answeredMs, chance), fields: { status: lastStatus(course, times) } }];
  const first = { status: asks ? 'pending' : 'confirmed', people, seated: course.source === 'walk_in' };
  return makeTimeline<ReservationState>(times.createdMs, first, changes, applyChange);
}

function applyChange(state: ReservationState, fields: Partial<ReservationState>): ReservationState {
  const { status = state.status, people = state.people, seated = state.seated } = fields;
  return { status, people, seated };
}

function confirm(
  course: ReservationCourse,
  times: ReservationTimes,
  answeredMs: number,
  people: number,
  chance: Chance,
): readonly Change<ReservationState>[] {
  const endMs = endConfirmed(course, times, answeredMs, chance);
  const untilMs = Math.min(endMs, times.startMs);
  const answer = course.source === 'website' ? [{ at: answeredMs, fields: { status: 'confirmed' } }] : [];
  const seat =
    course.source === 'walk_in' || chance.happens('never seated', 20)
      ? []
      : [{ at: seatInstant(answeredMs, untilMs, chance), fields: { seated: true } }];
  const grow = course.grows ? [{ at: between(answeredMs, untilMs, 90, chance, 'grows'), fields: { people: people + 1 } }] : [];
  return [...answer, ...seat, ...grow, { at: endMs, fields: { status: lastStatus(course, times) } }];
}

/** Nobody has come, or failed to come, to a reservation that is closed before its time: it is cancelled. */
function lastStatus({ last }: ReservationCourse, { startMs, closedMs = startMs }: ReservationTimes): ReservationCourse['last'] {
  return closedMs < startMs && (last === 'completed' || last === 'no_show') ? 'cancelled' : last;
}

/** A table is often chosen along with the answer, otherwise some time before the guests come. */
function seatInstant(answeredMs: number, untilMs: number, chance: Chance): number {
  return chance.happens('seated at once', 60) ? answeredMs : between(answeredMs, untilMs, 95, chance, 'seated');
}

function endConfirmed({ last }: ReservationCourse, { startMs, closedMs }: ReservationTimes, answeredMs: number, chance: Chance): number {
  if (closedMs !== undefined) return closedMs;
  if (last === 'cancelled') return between(answeredMs, startMs, 98, chance, 'cancelled');
  const after =
    last === 'no_show' ? chance.range('no show minutes', 20, 70) : chance.pick('stay minutes', [105, 120, 135, 150, 720, 840, 2160]);
  return startMs + after * minute + chance.range('end second', 0, 59) * second;
}

/** Some requests are answered with a no or withdrawn; others nobody looks at, and they lapse after their day. */
function endUnconfirmed({ last }: ReservationCourse, { startMs, closedMs }: ReservationTimes, answeredMs: number, chance: Chance): number {
  if (closedMs !== undefined) return closedMs;
  const lapses = last === 'cancelled' && chance.happens('lapses', 75);
  return lapses ? startMs + 20 * hour + chance.range('lapse second', 0, 3599) * second : answeredMs;
}

/** A whole second after one instant, within so many hundredths of the way to another. */
function between(fromMs: number, toMs: number, hundredths: number, chance: Chance, field: string): number {
  const most = Math.floor(((toMs - fromMs) / second) * (hundredths / 100));
  return fromMs + chance.range(field, Math.min(1, most), Math.max(1, most)) * second;
}
