/**
 * Makes one order with its history from its index and the seed: while an index of the records is built, and again whenever one is shown, so it must be cheap and
 * pure. The names given to `chance` are part of the seed: renaming one changes the data.
 */

import type { JsonObject } from '../../../core/json.ts';
import type { RecordHistory } from '../dataset.ts';
import { day, formatDay, formatInstant, formatTime, hour, instantAt, minute, second } from '../local-time.ts';
import { type Chance, copies } from '../seeded-random.ts';
import { makeTimeline, type Timeline, type TimelineChange, toRecordHistory } from '../timeline.ts';
import type { AddOn, Product, Variant } from './business-words.ts';
import type { Business } from './businesses.ts';
import { type CommonParts, createdDay, recordId, weeklyClosingInstant, withBatchReport } from './common-record-parts.ts';

/** Time at which an order is to be picked up, as a day and a minute of the day. */
interface Pickup {
  readonly mode: 'asap' | 'scheduled';
  readonly dayNumber: number;
  readonly minutes: number;
}

/** Creates the history of an order: its content, which never changes, and its states over time. Its index numbers it within the period. */
export function makeOrder(common: CommonParts, index: number): RecordHistory {
  const { business, period } = common;
  const chance = common.chance.of('order', index);
  const lifecycle = common.chance.deal('order course', index, orderLifecycles);
  const id = recordId(10_000, common, index);
  const placedDay = createdDay(business.orders, period, index);
  const placedMinutes = chooseMinutes(chance);
  const createdMs = instantAt(placedDay, placedMinutes, business.zone) + chance.range('second', 0, 59) * second;
  const pickup = lifecycle.channel === 'takeaway' ? choosePickup(placedDay, placedMinutes, chance) : undefined;
  const wantedMs = pickup?.mode === 'scheduled' ? instantAt(pickup.dayNumber, pickup.minutes, business.zone) : undefined;
  const closedMs = weeklyClosingInstant('orders', common, index);
  const isOnline = chance.happens('online', lifecycle.channel === 'takeaway' ? 60 : 40);
  const history = makeOrderTimeline(lifecycle, { createdMs, wantedMs, closedMs, isOnline, isPrepaid: !common.gaps.payments }, chance);
  const timeline = withBatchReport(history, 'orders', business.orders, common, index);
  const code = makeCode(common, index);
  return toRecordHistory(
    timeline,
    ({ state }) => ({ id, code, channel: lifecycle.channel, status: state.status }),
    ({ at, state }) => {
      const content = makeOrderContent(common, id, chance);
      return {
        id,
        code,
        channel: lifecycle.channel,
        fulfillment_type: pickup === undefined ? 'dine_in' : 'pickup',
        status: state.status,
        customer: chance.pick('customer', common.customers),
        service: pickup === undefined ? showTable(common, chance) : showPickup(pickup, common),
        payment: showPayment(state, isOnline, common),
        totals: content.totals,
        changed_at: formatInstant(at, business.zone),
        items: content.items,
        modifiers: content.modifiers,
        option_groups: content.optionGroups,
      };
    },
  );
}

/** Times of orders, in minutes of the day: mostly noon and evening, some in between and late at night. */
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

/** Chooses the pickup: soon, or at a quarter of an hour later on, which may be on the next day. */
function choosePickup(dayNumber: number, minutes: number, chance: Chance): Pickup {
  if (chance.happens('asap', 55)) return atMinutes('asap', dayNumber, roundUp(minutes + 25, 5));
  const wantedMinutes = roundUp(minutes + chance.range('ahead minutes', 60, 330), 15);
  if (wantedMinutes <= 22 * 60 + 30) return atMinutes('scheduled', dayNumber, wantedMinutes);
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

/** Makes the code of an order. Multiplying by an odd number permutes the four-letter codes, so codes of a business differ. */
function makeCode({ business, chance }: CommonParts, index: number): string {
  const oddCode = business.oddCodes.get(index);
  if (oddCode !== undefined) return oddCode;
  const scrambled = (index * 0x9e375 + chance.range('first code', 0, 0xfffff)) % 0x100000;
  const letter = (shift: number): string => letters.charAt((scrambled >>> shift) & 31);
  return business.codePrefix + letter(15) + letter(10) + letter(5) + letter(0);
}

function showTable({ business }: CommonParts, chance: Chance): JsonObject {
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

function showPickup({ mode, dayNumber, minutes }: Pickup, { business, gaps }: CommonParts): JsonObject {
  const table = gaps.tables ? null : showCounter(business);
  return { pickup_mode: mode, pickup_date: formatDay(dayNumber), pickup_time: formatTime(minutes), table };
}

/** Shows the counter for takeaway orders, whose id precedes those of the tables. */
function showCounter({ rooms, language }: Business): JsonObject {
  const [room] = rooms;
  if (room === undefined) throw new Error('a business has no room; give it one');
  return { label: language.counter, room_id: room.id, room_table_id: room.id * 100, qr_mode: 'menu_only' };
}

function showPayment({ paidAt, isRefunded }: OrderState, isOnline: boolean, { business }: CommonParts): JsonObject {
  const status = paidAt === undefined ? 'unpaid' : isRefunded ? 'refunded' : 'paid';
  const instant = paidAt === undefined ? null : formatInstant(paidAt, business.zone);
  return { mode: isOnline ? 'online' : 'cash', status, provider: isOnline ? 'card' : 'none', paid_at: instant };
}

/** Fields of an order that depend on its lines. */
interface OrderContent {
  readonly items: readonly JsonObject[];
  readonly modifiers: readonly JsonObject[];
  readonly optionGroups: readonly JsonObject[];
  readonly totals: JsonObject;
}

interface Line {
  readonly id: number;
  readonly product: Product;
  readonly variant: Variant | undefined;
  readonly addOns: readonly AddOn[];
  readonly quantity: number;
}

/** Makes the content of an order. The subtotal is the sum of the lines, the total is the subtotal minus the discount. */
function makeOrderContent({ business }: CommonParts, orderId: number, chance: Chance): OrderContent {
  const lines = chooseLines(business.menu.products, orderId, chance);
  const subtotal = lines.reduce((sum, line) => sum + lineCents(line), 0);
  const discount = Math.floor((subtotal * chance.pick('discount', [0, 0, 0, 0, 0, 0, 5, 10, 15])) / 100);
  return {
    items: lines.map(showItem),
    modifiers: showModifiers(lines),
    optionGroups: showOptionGroups(lines),
    totals: { subtotal: money(subtotal), discount: money(discount), total: money(subtotal - discount), currency: business.currency },
  };
}

function chooseLines(products: readonly Product[], orderId: number, chance: Chance): readonly Line[] {
  const count = Math.min(products.length, chance.pick('lines', [1, 1, 2, 2, 3, 3, 4, 5, 7]));
  const first = chance.range('first product', 0, products.length - 1);
  const lines: Line[] = [];
  for (let index = 0; index < count; index += 1) {
    const lineChance = chance.of('line', index);
    // Each line is from a different part of the menu, so no product occurs twice.
    const partLength = Math.floor(products.length / count);
    const place = (first + index * partLength + lineChance.range('product', 0, partLength - 1)) % products.length;
    lines.push(chooseLine(products[place] as Product, orderId * 10 + index + 1, lineChance));
  }
  return lines;
}

function chooseLine(product: Product, id: number, chance: Chance): Line {
  const variant = product.variants.length === 0 ? undefined : chance.pick('variant', product.variants);
  const addOns = product.addOns.filter((addOn) => chance.happens(addOn.id, 35));
  return { id, product, variant, addOns, quantity: chance.pick('quantity', [1, 1, 1, 1, 2, 2, 3, 4]) };
}

function showItem(line: Line): JsonObject {
  return {
    id: line.id,
    product_id: line.product.id,
    variant_id: line.variant?.id ?? null,
    name: line.product.name,
    quantity: line.quantity,
    unit_price: money(line.variant?.cents ?? line.product.cents),
    modifiers_price: money(addOnCents(line)),
    total: money(lineCents(line)),
  };
}

function showModifiers(lines: readonly Line[]): readonly JsonObject[] {
  const modifiers: JsonObject[] = [];
  for (const { id, addOns } of lines)
    for (const addOn of addOns) modifiers.push({ item_id: id, add_on_id: addOn.id, name: addOn.name, price: money(addOn.cents) });
  return modifiers;
}

function showOptionGroups(lines: readonly Line[]): readonly JsonObject[] {
  const optionGroups: JsonObject[] = [];
  for (const { id, product, variant } of lines) {
    if (variant === undefined) continue;
    const options = [{ variant_id: variant.id, name: variant.name, price: money(variant.cents) }];
    optionGroups.push({ item_id: id, name: product.choice ?? '', options });
  }
  return optionGroups;
}

function lineCents(line: Line): number {
  return line.quantity * ((line.variant?.cents ?? line.product.cents) + addOnCents(line));
}

function addOnCents({ addOns }: Line): number {
  return addOns.reduce((sum, addOn) => sum + addOn.cents, 0);
}

/** Converts cents. Dividing whole cents by 100 gives the nearest number, which prints with at most two decimals. */
function money(cents: number): number {
  return cents / 100;
}

/** Fields of an order that change. */
interface OrderState {
  readonly status: string;
  readonly paidAt: number | undefined;
  readonly isRefunded: boolean;
}

/** Lifecycle of an order: its states from `pending` to the last. */
interface OrderLifecycle {
  readonly channel: 'takeaway' | 'table';
  /** Number of states between `pending` and the last: confirmed, preparing, ready. */
  readonly through: 0 | 1 | 2 | 3;
  readonly last: 'completed' | 'cancelled' | 'rejected' | 'no_show';
  /** True if the order stays in its second to last state for days. */
  readonly isForgotten: boolean;
}

/** Times and payment of an order. */
interface OrderTimes {
  readonly createdMs: number;
  /** Time of a scheduled pickup; `undefined` for other orders. */
  readonly wantedMs: number | undefined;
  /** Instant of the last state, if the weekly closing sets it. */
  readonly closedMs?: number | undefined;
  readonly isOnline: boolean;
  /** True if it is paid when placed. */
  readonly isPrepaid: boolean;
}

/** Lifecycles, dealt as cards to the orders of a business, so that every day has rare ones too. */
const orderLifecycles: readonly OrderLifecycle[] = [
  ...copies<OrderLifecycle>(6, { channel: 'takeaway', through: 3, last: 'completed', isForgotten: false }),
  { channel: 'takeaway', through: 0, last: 'cancelled', isForgotten: false },
  { channel: 'takeaway', through: 1, last: 'cancelled', isForgotten: false },
  { channel: 'takeaway', through: 0, last: 'rejected', isForgotten: false },
  { channel: 'takeaway', through: 3, last: 'no_show', isForgotten: false },
  { channel: 'takeaway', through: 0, last: 'cancelled', isForgotten: true },
  { channel: 'takeaway', through: 1, last: 'completed', isForgotten: true },
  { channel: 'takeaway', through: 2, last: 'completed', isForgotten: true },
  { channel: 'takeaway', through: 3, last: 'no_show', isForgotten: true },
  ...copies<OrderLifecycle>(6, { channel: 'table', through: 3, last: 'completed', isForgotten: false }),
  { channel: 'table', through: 1, last: 'cancelled', isForgotten: false },
  { channel: 'table', through: 0, last: 'rejected', isForgotten: false },
  { channel: 'table', through: 2, last: 'completed', isForgotten: true },
  { channel: 'table', through: 3, last: 'completed', isForgotten: true },
];

/** Creates the timeline of an order. */
function makeOrderTimeline(lifecycle: OrderLifecycle, times: OrderTimes, chance: Chance): Timeline<OrderState> {
  const passedStates = passStates(lifecycle, times, chance);
  const lastMs = times.closedMs ?? (passedStates.at(-1)?.at ?? times.createdMs) + lastDwell(lifecycle, chance);
  const lastChange: TimelineChange<OrderState> = { at: lastMs, fields: { status: lifecycle.last } };
  const changes = [...passedStates, lastChange, ...pay(lifecycle, times, lastMs, chance)];
  const paidAt = times.isPrepaid ? times.createdMs : undefined;
  return makeTimeline<OrderState>(times.createdMs, { status: 'pending', paidAt, isRefunded: false }, changes, applyChange);
}

function applyChange(state: OrderState, fields: Partial<OrderState>): OrderState {
  const { status = state.status, paidAt = state.paidAt, isRefunded = state.isRefunded } = fields;
  return { status, paidAt, isRefunded };
}

function passStates(lifecycle: OrderLifecycle, times: OrderTimes, chance: Chance): readonly TimelineChange<OrderState>[] {
  const confirmedMs = times.createdMs + seconds(chance, 'confirmed', 100, 420);
  const begunMs = Math.max(confirmedMs + seconds(chance, 'begun', 30, 600), (times.wantedMs ?? 0) - seconds(chance, 'ahead', 1500, 2100));
  const readyMs = begunMs + seconds(chance, 'ready', 480, 1500);
  const states = [
    { at: confirmedMs, fields: { status: 'confirmed' } },
    { at: begunMs, fields: { status: 'preparing' } },
    { at: readyMs, fields: { status: 'ready' } },
  ];
  return states.slice(0, lifecycle.through);
}

/** Returns the time that the order stays in its second to last state. */
function lastDwell({ channel, last, isForgotten }: OrderLifecycle, chance: Chance): number {
  if (isForgotten) return hour * chance.range('forgotten hours', 24, 720) + seconds(chance, 'forgotten seconds', 0, 3599);
  if (last === 'no_show') return seconds(chance, 'no show', 3600, 10_800);
  if (last === 'completed' && channel === 'table') return seconds(chance, 'meal', 1200, 4200);
  return seconds(chance, 'ending', 150, 1400);
}

/**
 * Returns payment and refund as changes. Online orders are paid at once, unless they are cancelled before confirmation; cash is paid at the end. Cancelled
 * and rejected orders are refunded. A prepaid order has no change for its payment.
 */
function pay(
  lifecycle: OrderLifecycle,
  { createdMs, isOnline, isPrepaid }: OrderTimes,
  lastMs: number,
  chance: Chance,
): readonly TimelineChange<OrderState>[] {
  const paidMs = isOnline ? createdMs + seconds(chance, 'paid', 12, 95) : lastMs;
  const isPaid = isOnline ? lifecycle.through > 0 || lifecycle.last === 'rejected' : lifecycle.last === 'completed';
  const isServed = lifecycle.last !== 'cancelled' && lifecycle.last !== 'rejected';
  if (!isPaid) return isPrepaid && !isServed ? [{ at: lastMs, fields: { isRefunded: true } }] : [];
  const payment: readonly TimelineChange<OrderState>[] = isPrepaid ? [] : [{ at: paidMs, fields: { paidAt: paidMs } }];
  if (isServed) return payment;
  const refundedMs =
    lastMs + chance.pick('refund after', [3 * minute, 20 * minute, 5 * hour, 2 * day]) + seconds(chance, 'refund seconds', 0, 59);
  return [...payment, { at: refundedMs, fields: { isRefunded: true } }];
}

function seconds(chance: Chance, field: string, least: number, most: number): number {
  return chance.range(field, least, most) * second;
}
