/** An order: what it is from the beginning, and how the clock moves it. */

import type { JsonObject } from '../../../core/json.ts';
import type { Life } from '../../world.ts';
import { day, formatDay, formatInstant, formatTime, instantAt, minute, second } from '../calendar.ts';
import type { Chance } from '../chance.ts';
import { livingBy } from '../timeline.ts';
import type { Business } from './business.ts';
import { makeOrderTimeline, type OrderState, orderCourses } from './order-history.ts';
import { makeOrderContent } from './order-items.ts';
import { closedInstant, createdDay, recordNumber, reported, type Setting } from './traffic.ts';

/** The day and the minute of the day at which an order is to be picked up. */
interface Pickup {
  readonly mode: 'asap' | 'scheduled';
  readonly dayNumber: number;
  readonly minutes: number;
}

/** The order of an index. */
export function makeOrder(setting: Setting, index: number): Life {
  const { business, era } = setting;
  const chance = setting.chance.of('order', index);
  const course = setting.chance.deal('order course', index, orderCourses);
  const id = recordNumber(10_000, setting, index);
  const placedDay = createdDay(business.orders, era, index);
  const placedMinutes = chooseMinutes(chance);
  const createdMs = instantAt(placedDay, placedMinutes, business.zone) + chance.range('second', 0, 59) * second;
  const pickup = course.channel === 'takeaway' ? choosePickup(placedDay, placedMinutes, chance) : undefined;
  const wantedMs = pickup?.mode === 'scheduled' ? instantAt(pickup.dayNumber, pickup.minutes, business.zone) : undefined;
  const closedMs = closedInstant('orders', setting, index);
  const online = chance.happens('online', course.channel === 'takeaway' ? 60 : 40);
  const history = makeOrderTimeline(course, { createdMs, wantedMs, closedMs, online, prepaid: !setting.gaps.payments }, chance);
  const timeline = reported(history, 'orders', business.orders, setting, index);
  const code = makeCode(setting, index);
  return livingBy(
    timeline,
    ({ state }) => ({ id, code, channel: course.channel, status: state.status }),
    ({ at, state }) => {
      const content = makeOrderContent(setting, id, chance);
      return {
        id,
        code,
        channel: course.channel,
        fulfillment_type: pickup === undefined ? 'dine_in' : 'pickup',
        status: state.status,
        customer: chance.pick('customer', setting.customers),
        service: pickup === undefined ? showTable(setting, chance) : showPickup(pickup, setting),
        payment: showPayment(state, online, setting),
        totals: content.totals,
        changed_at: formatInstant(at, business.zone),
        items: content.items,
        modifiers: content.modifiers,
        option_groups: content.optionGroups,
      };
    },
  );
}

/** Most orders come at noon and in the evening, a few in between and late at night: minutes of the day. */
const timesOfDay = [
  [700, 830],
  [700, 830],
  [1100, 1300],
  [1100, 1300],
  [1100, 1300],
  [560, 690],
  [930, 1070],
  [1300, 1415],
] as const;

function chooseMinutes(chance: Chance): number {
  const [from, to] = chance.pick('time of day', timesOfDay);
  return chance.range('minute', from, to);
}

/** Who wants an order at once gets it within the hour; the others name a quarter of an hour, on the next day if it gets too late. */
function choosePickup(dayNumber: number, minutes: number, chance: Chance): Pickup {
  if (chance.happens('asap', 55)) return atMinutes('asap', dayNumber, roundUp(minutes + 25, 5));
  const wanted = roundUp(minutes + chance.range('ahead minutes', 60, 330), 15);
  if (wanted <= 22 * 60 + 30) return atMinutes('scheduled', dayNumber, wanted);
  return atMinutes('scheduled', dayNumber + 1, roundUp(chance.range('next day', 12 * 60, 20 * 60), 15));
}

function atMinutes(mode: Pickup['mode'], dayNumber: number, minutes: number): Pickup {
  const perDay = day / minute;
  return { mode, dayNumber: dayNumber + Math.floor(minutes / perDay), minutes: minutes % perDay };
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}

const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Multiplying by an odd number permutes the four-letter codes, so no two orders of a business get the same. */
function makeCode({ business, chance }: Setting, index: number): string {
  const odd = business.oddCodes.get(index);
  if (odd !== undefined) return odd;
  const scrambled = (index * 0x9e375 + chance.range('first code', 0, 0xfffff)) % 0x100000;
  const letter = (shift: number): string => letters.charAt((scrambled >>> shift) & 31);
  return business.codePrefix + letter(15) + letter(10) + letter(5) + letter(0);
}

function showTable({ business }: Setting, chance: Chance): JsonObject {
  const room = chance.pick('room', business.rooms);
  const table = chance.pick('table', room.tables);
  const qrMode = chance.pick('qr mode', ['self_order', 'self_order', 'self_order', 'menu_only']);
  return {
    pickup_mode: null,
    pickup_date: null,
    pickup_time: null,
    table: { label: table.label, room_id: room.id, room_table_id: table.id, qr_mode: qrMode },
  };
}

function showPickup({ mode, dayNumber, minutes }: Pickup, { business, gaps }: Setting): JsonObject {
  const table = gaps.tables ? null : showCounter(business);
  return { pickup_mode: mode, pickup_date: formatDay(dayNumber), pickup_time: formatTime(minutes), table };
}

/** The counter where takeaway orders are handed over; it has the number before those of the tables. */
function showCounter({ rooms, language }: Business): JsonObject {
  const [room] = rooms;
  if (room === undefined) throw new Error('a business has no room; give it one');
  return { label: language.counter, room_id: room.id, room_table_id: room.id * 100, qr_mode: 'menu_only' };
}

function showPayment({ paidAt, refunded }: OrderState, online: boolean, { business }: Setting): JsonObject {
  const status = paidAt === undefined ? 'unpaid' : refunded ? 'refunded' : 'paid';
  const instant = paidAt === undefined ? null : formatInstant(paidAt, business.zone);
  return { mode: online ? 'online' : 'cash', status, provider: online ? 'card' : 'none', paid_at: instant };
}
