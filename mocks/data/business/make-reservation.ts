/**
 * Makes one reservation with its history from its index and the seed: while an index of the records is built, and again whenever one is shown, so it must be cheap and
 * pure. The names given to `chance` are part of the seed: renaming one changes the data.
 */

import type { JsonObject } from '../../../core/json.ts';
import type { RecordHistory } from '../dataset.ts';
import { day, formatDay, formatInstant, formatTime, hour, instantAt, lastSunday, minute, second, yearOf } from '../local-time.ts';
import { type Chance, copies } from '../seeded-random.ts';
import { makeTimeline, type Timeline, type TimelineChange, toRecordHistory } from '../timeline.ts';
import { type CommonParts, createdDay, type RoomTable, recordId, weeklyClosingInstant, withBatchReport } from './common-record-parts.ts';

/** Times of a reservation; `date` and `time` are local to the business. */
interface Booking {
  readonly createdMs: number;
  readonly startMs: number;
  readonly date: string;
  readonly time: string;
}

/** Cards of days between booking and visit; `spring` and `autumn` mean the next day on which European clocks change. */
const leadDays = [
  0,
  0,
  0,
  1,
  1,
  1,
  2,
  2,
  3,
  4,
  5,
  6,
  7,
  9,
  11,
  14,
  17,
  20,
  23,
  26,
  30,
  34,
  38,
  42,
  46,
  50,
  'spring',
  59,
  61,
  'autumn',
] as const;

/** Latest time of a visit, 01:45, in minutes of the day. A stay of two hours from then on includes a change of the clocks. */
const lastSlot = 105;

/** Times of visits, in minutes of the day. Some are around midnight; none is in the hour that clocks skip or repeat. */
const slots = [735, 750, 780, 795, 810, 1170, 1185, 1200, 1215, 1230, 1230, 1245, 1260, 1275, 1290, 1320, 1410, 15, lastSlot] as const;

/**
 * Visits around a change of the clocks, in turn: days after the change, and minutes of the day. Soon after midnight in Rome, UTC still has the day
 * before.
 */
const clockChangeVisits = [
  { days: 0, minutes: 15 },
  { days: 0, minutes: 1410 },
  { days: 0, minutes: lastSlot },
  { days: -1, minutes: 1410 },
  { days: 1, minutes: 15 },
] as const;

/** Creates the history of a reservation: its fixed fields, and its states over time. Its index numbers it within the period. */
export function makeReservation(common: CommonParts, index: number): RecordHistory {
  const { business } = common;
  const chance = common.chance.of('reservation', index);
  const lifecycle = common.chance.deal('reservation course', index, reservationLifecycles);
  const booking = chooseBooking(common, lifecycle, index, chance);
  const people = Math.min(chance.pick('people', [1, 2, 2, 2, 2, 3, 3, 4, 4, 4, 5, 6, 7, 8, 11]), largestPlace(common).table.seats - 1);
  const history = makeReservationTimeline(
    lifecycle,
    { ...booking, closedMs: weeklyClosingInstant('reservations', common, index) },
    people,
    chance,
  );
  const timeline = withBatchReport(history, 'reservations', business.reservations, common, index);
  const id = recordId(52_000, common, index);
  const showSchedule = (count: number): JsonObject => ({
    date: booking.date,
    time: booking.time,
    people: count,
    timezone: business.zone.name,
  });
  return toRecordHistory(
    timeline,
    ({ state }) => ({ id, status: state.status, schedule: showSchedule(state.people) }),
    ({ at, state }) => ({
      id,
      status: state.status,
      source: lifecycle.source,
      customer: chance.pick('customer', common.customers),
      schedule: showSchedule(state.people),
      notes: chance.pick('notes', [null, null, null, '', '', ...business.language.wishes]) ?? (common.gaps.notes ? null : ''),
      table_assignment: showAssignment(common, index, booking, state, people + (lifecycle.isExtended ? 1 : 0)),
      changed_at: formatInstant(at, business.zone),
    }),
  );
}

/** Chooses the times of a reservation. Walk-ins are recorded on arrival, all others are made before. */
function chooseBooking(common: CommonParts, lifecycle: ReservationLifecycle, index: number, chance: Chance): Booking {
  const { zone, reservations } = common.business;
  const madeDay = createdDay(reservations, common.period, index);
  const isWalkIn = lifecycle.source === 'walk_in';
  const wantedTime = isWalkIn ? { day: madeDay } : chooseDay(common, madeDay, index);
  const wantedDay = wantedTime.day;
  const minutes = wantedTime.minutes ?? (isLongNight(wantedDay) ? lastSlot : common.chance.deal('slot', index, slots));
  const madeMinutes = isWalkIn ? minutes + chance.range('standing', 0, 9) : chance.range('made minute', 9 * 60, 22 * 60 + 30);
  const createdMs = instantAt(madeDay, madeMinutes, zone) + chance.range('made second', 0, 59) * second;
  const isEarly = !isWalkIn && instantAt(wantedDay, minutes, zone) < createdMs + 45 * minute;
  const startDay = isEarly ? wantedDay + 1 : wantedDay;
  return { createdMs, startMs: instantAt(startDay, minutes, zone), date: formatDay(startDay), time: formatTime(minutes) };
}

/** Day of a visit, with the minute of the day if it is near a change of the clocks. */
interface WantedTime {
  readonly day: number;
  readonly minutes?: number;
}

function chooseDay({ chance }: CommonParts, madeDay: number, index: number): WantedTime {
  const lead = chance.deal('lead', index, leadDays);
  if (typeof lead === 'number') return { day: madeDay + lead };
  const month = lead === 'spring' ? 3 : 10;
  const thisYear = lastSunday(yearOf(madeDay), month);
  const changeDay = madeDay + 3 < thisYear ? thisYear : lastSunday(yearOf(madeDay) + 1, month);
  const { days, minutes } = clockChangeVisits[Math.floor(index / leadDays.length) % clockChangeVisits.length] ?? clockChangeVisits[0];
  return { day: changeDay + days, minutes };
}

/** True for a day on which European clocks are set back. */
function isLongNight(dayNumber: number): boolean {
  return dayNumber === lastSunday(yearOf(dayNumber), 10);
}

/** Shows the table of a reservation, which only confirmed ones have. It has a seat for everyone who may come. */
function showAssignment(
  common: CommonParts,
  index: number,
  booking: Booking,
  state: ReservationState,
  mostPeople: number,
): JsonObject | null {
  if (!state.hasTable || state.status !== 'confirmed') return null;
  const { room, table } = choosePlace(common, index, mostPeople);
  const { zone } = common.business;
  return {
    id: recordId(78_000, common, index),
    room_id: room.id,
    room_name: room.name,
    room_table_id: table.id,
    table_code: table.code,
    table_label: table.label,
    starts_at: formatInstant(booking.startMs, zone),
    ends_at: formatInstant(booking.startMs + (mostPeople > 6 ? day / 8 : day / 12), zone),
    people: state.people,
  };
}

/** Chooses a table of a fitting size; consecutive reservations get different ones if possible. */
function choosePlace(common: CommonParts, index: number, people: number): RoomTable {
  const fittingPlaces = common.places.filter(({ table }) => table.seats >= people && table.seats <= people + 3);
  return fittingPlaces[index % Math.max(1, fittingPlaces.length)] ?? largestPlace(common);
}

function largestPlace({ business, places }: CommonParts): RoomTable {
  const largestTable = places.at(-1);
  if (largestTable === undefined) throw new Error(`${business.name} has no table; give it a room with one`);
  return largestTable;
}

/** Fields of a reservation that change. */
interface ReservationState {
  readonly status: string;
  readonly people: number;
  /** True if a table is assigned. Only confirmed reservations show it. */
  readonly hasTable: boolean;
}

/** Lifecycle of a reservation: its source and its states. */
interface ReservationLifecycle {
  readonly source: 'website' | 'phone' | 'walk_in';
  readonly last: 'completed' | 'cancelled' | 'rejected' | 'no_show';
  /** True if it is confirmed before its last state. */
  readonly isConfirmed: boolean;
  /** True if one person is added later. */
  readonly isExtended: boolean;
}

/** Times of a reservation. */
interface ReservationTimes {
  readonly createdMs: number;
  readonly startMs: number;
  /** Instant of the last state, if the weekly closing sets it. */
  readonly closedMs?: number | undefined;
}

/** Lifecycles, dealt as cards to the reservations of a business. */
const reservationLifecycles: readonly ReservationLifecycle[] = [
  ...copies<ReservationLifecycle>(4, { source: 'website', last: 'completed', isConfirmed: true, isExtended: false }),
  ...copies<ReservationLifecycle>(2, { source: 'website', last: 'completed', isConfirmed: true, isExtended: true }),
  ...copies<ReservationLifecycle>(2, { source: 'website', last: 'cancelled', isConfirmed: true, isExtended: false }),
  ...copies<ReservationLifecycle>(3, { source: 'website', last: 'cancelled', isConfirmed: false, isExtended: false }),
  { source: 'website', last: 'rejected', isConfirmed: false, isExtended: false },
  { source: 'website', last: 'no_show', isConfirmed: true, isExtended: false },
  ...copies<ReservationLifecycle>(3, { source: 'phone', last: 'completed', isConfirmed: true, isExtended: false }),
  { source: 'phone', last: 'cancelled', isConfirmed: true, isExtended: true },
  { source: 'phone', last: 'no_show', isConfirmed: true, isExtended: false },
  ...copies<ReservationLifecycle>(2, { source: 'walk_in', last: 'completed', isConfirmed: true, isExtended: false }),
];

/** Creates the timeline of a reservation. */
function makeReservationTimeline(
  lifecycle: ReservationLifecycle,
  times: ReservationTimes,
  people: number,
  chance: Chance,
): Timeline<ReservationState> {
  const needsAnswer = lifecycle.source === 'website';
  const answeredMs = needsAnswer
    ? between(times.createdMs, Math.min(times.startMs, times.createdMs + 2 * day), 45, chance, 'answered')
    : times.createdMs;
  const changes = lifecycle.isConfirmed
    ? confirm(lifecycle, times, answeredMs, people, chance)
    : [{ at: endUnconfirmed(lifecycle, times, answeredMs, chance), fields: { status: lastStatus(lifecycle, times) } }];
  const initialState = { status: needsAnswer ? 'pending' : 'confirmed', people, hasTable: lifecycle.source === 'walk_in' };
  return makeTimeline<ReservationState>(times.createdMs, initialState, changes, applyChange);
}

function applyChange(state: ReservationState, fields: Partial<ReservationState>): ReservationState {
  const { status = state.status, people = state.people, hasTable = state.hasTable } = fields;
  return { status, people, hasTable };
}

function confirm(
  lifecycle: ReservationLifecycle,
  times: ReservationTimes,
  answeredMs: number,
  people: number,
  chance: Chance,
): readonly TimelineChange<ReservationState>[] {
  const endMs = endConfirmed(lifecycle, times, answeredMs, chance);
  const untilMs = Math.min(endMs, times.startMs);
  const answerChange = lifecycle.source === 'website' ? [{ at: answeredMs, fields: { status: 'confirmed' } }] : [];
  const tableChange =
    lifecycle.source === 'walk_in' || chance.happens('never seated', 20)
      ? []
      : [{ at: seatInstant(answeredMs, untilMs, chance), fields: { hasTable: true } }];
  const peopleChange = lifecycle.isExtended
    ? [{ at: between(answeredMs, untilMs, 90, chance, 'grows'), fields: { people: people + 1 } }]
    : [];
  return [...answerChange, ...tableChange, ...peopleChange, { at: endMs, fields: { status: lastStatus(lifecycle, times) } }];
}

/** Returns the last status. A reservation that is closed before the visit is cancelled, since nobody can have come or stayed away. */
function lastStatus({ last }: ReservationLifecycle, { startMs, closedMs = startMs }: ReservationTimes): ReservationLifecycle['last'] {
  return closedMs < startMs && (last === 'completed' || last === 'no_show') ? 'cancelled' : last;
}

/** Returns the instant at which a table is assigned: with the answer, or later before the visit. */
function seatInstant(answeredMs: number, untilMs: number, chance: Chance): number {
  return chance.happens('seated at once', 60) ? answeredMs : between(answeredMs, untilMs, 95, chance, 'seated');
}

function endConfirmed({ last }: ReservationLifecycle, { startMs, closedMs }: ReservationTimes, answeredMs: number, chance: Chance): number {
  if (closedMs !== undefined) return closedMs;
  if (last === 'cancelled') return between(answeredMs, startMs, 98, chance, 'cancelled');
  const stayMinutes =
    last === 'no_show' ? chance.range('no show minutes', 20, 70) : chance.pick('stay minutes', [105, 120, 135, 150, 720, 840, 2160]);
  return startMs + stayMinutes * minute + chance.range('end second', 0, 59) * second;
}

/** Returns the end of a request that is never confirmed: rejected or cancelled early, or lapsed on the day after the visit. */
function endUnconfirmed(
  { last }: ReservationLifecycle,
  { startMs, closedMs }: ReservationTimes,
  answeredMs: number,
  chance: Chance,
): number {
  if (closedMs !== undefined) return closedMs;
  const isLapsed = last === 'cancelled' && chance.happens('lapses', 75);
  return isLapsed ? startMs + 20 * hour + chance.range('lapse second', 0, 3599) * second : answeredMs;
}

/** Chooses a whole second after one instant, within a percentage of the time to another. */
function between(fromMs: number, toMs: number, percent: number, chance: Chance, field: string): number {
  const most = Math.floor(((toMs - fromMs) / second) * (percent / 100));
  return fromMs + chance.range(field, Math.min(1, most), Math.max(1, most)) * second;
}
