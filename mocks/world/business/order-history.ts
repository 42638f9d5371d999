/** What happens to an order: the states that it passes through, and its payment. */

import { day, hour, minute, second } from '../calendar.ts';
import { type Chance, copies } from '../chance.ts';
import { type Change, makeTimeline, type Timeline } from '../timeline.ts';

/** The state of an order, as far as it changes. */
export interface OrderState {
  readonly status: string;
  readonly paidAt: number | undefined;
  readonly refunded: boolean;
}

/** How an order goes: through so many states after `pending`, and then, after a usual or a long time, to its last state. */
export interface OrderCourse {
  readonly channel: 'takeaway' | 'table';
  readonly through: 0 | 1 | 2 | 3;
  readonly last: 'completed' | 'cancelled' | 'rejected' | 'no_show';
  /** Whether the order is forgotten in its last state but one for days. */
  readonly forgotten: boolean;
}

/** When an order is placed, when it is wanted, and how it is paid. */
export interface OrderTimes {
  readonly createdMs: number;
  /** `undefined` when it is wanted as soon as possible. */
  readonly wantedMs: number | undefined;
  /** When it reaches its last state; `undefined` when that takes as long as it usually does. */
  readonly closedMs?: number | undefined;
  readonly online: boolean;
  /** Whether it is paid when it is placed, however it is paid. */
  readonly prepaid: boolean;
}

/** The courses, dealt to the orders of a business; what is rare in life is not so rare here that a day lacks it. */
export const orderCourses: readonly OrderCourse[] = [
  ...copies<OrderCourse>(6, { channel: 'takeaway', through: 3, last: 'completed', forgotten: false }),
  { channel: 'takeaway', through: 0, last: 'cancelled', forgotten: false },
  { channel: 'takeaway', through: 1, last: 'cancelled', forgotten: false },
  { channel: 'takeaway', through: 0, last: 'rejected', forgotten: false },
  { channel: 'takeaway', through: 3, last: 'no_show', forgotten: false },
  { channel: 'takeaway', through: 0, last: 'cancelled', forgotten: true },
  { channel: 'takeaway', through: 1, last: 'completed', forgotten: true },
  { channel: 'takeaway', through: 2, last: 'completed', forgotten: true },
  { channel: 'takeaway', through: 3, last: 'no_show', forgotten: true },
  ...copies<OrderCourse>(6, { channel: 'table', through: 3, last: 'completed', forgotten: false }),
  { channel: 'table', through: 1, last: 'cancelled', forgotten: false },
  { channel: 'table', through: 0, last: 'rejected', forgotten: false },
  { channel: 'table', through: 2, last: 'completed', forgotten: true },
  { channel: 'table', through: 3, last: 'completed', forgotten: true },
];

/** Everything that happens to an order. */
export function makeOrderTimeline(course: OrderCourse, times: OrderTimes, chance: Chance): Timeline<OrderState> {
  const passed = passStates(course, times, chance);
  const lastMs = times.closedMs ?? (passed.at(-1)?.at ?? times.createdMs) + lastDwell(course, chance);
  const ending: Change<OrderState> = { at: lastMs, fields: { status: course.last } };
  const changes = [...passed, ending, ...pay(course, times, lastMs, chance)];
  const paidAt = times.prepaid ? times.createdMs : undefined;
  return makeTimeline<OrderState>(times.createdMs, { status: 'pending', paidAt, refunded: false }, changes, applyChange);
}

function applyChange(state: OrderState, fields: Partial<OrderState>): OrderState {
  const { status = state.status, paidAt = state.paidAt, refunded = state.refunded } = fields;
  return { status, paidAt, refunded };
}

function passStates(course: OrderCourse, times: OrderTimes, chance: Chance): readonly Change<OrderState>[] {
  const confirmedMs = times.createdMs + seconds(chance, 'confirmed', 100, 420);
  const begunMs = Math.max(confirmedMs + seconds(chance, 'begun', 30, 600), (times.wantedMs ?? 0) - seconds(chance, 'ahead', 1500, 2100));
  const readyMs = begunMs + seconds(chance, 'ready', 480, 1500);
  const reached = [
    { at: confirmedMs, fields: { status: 'confirmed' } },
    { at: begunMs, fields: { status: 'preparing' } },
    { at: readyMs, fields: { status: 'ready' } },
  ];
  return reached.slice(0, course.through);
}

/** How long the order stays in its last state but one. */
function lastDwell({ channel, last, forgotten }: OrderCourse, chance: Chance): number {
  if (forgotten) return hour * chance.range('forgotten hours', 24, 720) + seconds(chance, 'forgotten seconds', 0, 3599);
  if (last === 'no_show') return seconds(chance, 'no show', 3600, 10_800);
  if (last === 'completed' && channel === 'table') return seconds(chance, 'meal', 1200, 4200);
  return seconds(chance, 'ending', 150, 1400);
}

/**
 * Who pays online does so at once, except those who give up before anyone has seen the order; cash changes hands at the end. Of what is paid when it is
 * placed, only refunds are left; those in cash are paid out when the order ends.
 */
function pay(
  course: OrderCourse,
  { createdMs, online, prepaid }: OrderTimes,
  lastMs: number,
  chance: Chance,
): readonly Change<OrderState>[] {
  const paidMs = online ? createdMs + seconds(chance, 'paid', 12, 95) : lastMs;
  const pays = online ? course.through > 0 || course.last === 'rejected' : course.last === 'completed';
  const isServed = course.last !== 'cancelled' && course.last !== 'rejected';
  if (!pays) return prepaid && !isServed ? [{ at: lastMs, fields: { refunded: true } }] : [];
  const payment: readonly Change<OrderState>[] = prepaid ? [] : [{ at: paidMs, fields: { paidAt: paidMs } }];
  if (isServed) return payment;
  const refundedMs =
    lastMs + chance.pick('refund after', [3 * minute, 20 * minute, 5 * hour, 2 * day]) + seconds(chance, 'refund seconds', 0, 59);
  return [...payment, { at: refundedMs, fields: { refunded: true } }];
}

function seconds(chance: Chance, field: string, least: number, most: number): number {
  return chance.range(field, least, most) * second;
}
