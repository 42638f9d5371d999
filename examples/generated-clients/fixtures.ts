/**
 * Typed records with all fields and with as few as the API documents allow, and mistakes that must not compile. `npm run generate` copies this file for each
 * generator, so that its types are checked too.
 */

import type {
  Customer,
  Error as Failure,
  Identity,
  Menu,
  MenuManifest,
  OrderBody,
  OrderDetail,
  OrderPage,
  OrderPayment,
  OrderService,
  OrderSummary,
  Reservation,
  ReservationBody,
  ReservationPage,
  TableAssignment,
} from './generated/hey-api/types.gen.ts';

/** Fails to compile for `any`, `unknown` and `never`, which accept a value without checking it. */
type Known<T> = 0 extends 1 & T ? 'any' : unknown extends T ? 'unknown' : [T] extends [never] ? 'never' : T;
function read<T>(value: T & Known<T>): void {
  void value;
}

export const table: NonNullable<OrderService['table']> = { label: 'T4', room_id: 1, room_table_id: 4, qr_mode: 'any text' };

const fullOrder: OrderSummary = {
  id: 1,
  code: 'A1',
  channel: 'table',
  fulfillment_type: 'any text',
  status: 'ready',
  customer: { id: 2, name: 'Ada', phone: '+39 055 1', email: 'ada@example.com' },
  service: { pickup_mode: 'any text', pickup_date: '2026-10-03', pickup_time: '19:30', table },
  payment: { mode: 'any text', status: 'any text', provider: 'any text', paid_at: '2026-10-03T18:00:00+02:00' },
  totals: { subtotal: 10, discount: 0.5, total: 9.5, currency: 'EUR' },
  changed_at: '2026-10-03T18:00:00+02:00',
};

const nullCustomer: Customer = { id: 2, name: 'Ada', phone: null, email: null };
const nullService: OrderService = { pickup_mode: null, pickup_date: null, pickup_time: null, table: null };
const nullPayment: OrderPayment = { mode: 'cash', status: 'unpaid', provider: 'none', paid_at: null };

/** The same order with null, and without whatever may be absent. */
export const orders: readonly OrderSummary[] = [
  fullOrder,
  { ...fullOrder, customer: nullCustomer, service: nullService, payment: nullPayment },
  { ...fullOrder, customer: { id: 2, name: 'Ada' }, service: {}, payment: { mode: 'cash', status: 'unpaid', provider: 'none' } },
];

export const detail: OrderDetail = {
  ...fullOrder,
  items: [{ id: 1, product_id: 2, variant_id: null, name: 'Soup', quantity: 1, unit_price: 6, modifiers_price: 0, total: 6 }, {}],
  modifiers: [{ item_id: 1, add_on_id: 3, name: 'Cheese', price: 1 }, {}],
  option_groups: [{ item_id: 1, name: 'Size', options: [{ variant_id: 1, name: 'Large', price: 2 }, {}] }, {}],
};

const assignment: TableAssignment = {
  id: 5,
  room_id: 1,
  room_name: 'Garden',
  room_table_id: 4,
  table_code: 'G4',
  table_label: 'Garden 4',
  starts_at: '2026-10-10T20:00:00',
  ends_at: '2026-10-10T22:00:00+02:00',
  people: 4,
};

const fullReservation: Reservation = {
  id: 9,
  status: 'confirmed',
  source: 'any text',
  customer: nullCustomer,
  schedule: { date: '2026-10-10', time: '20:00', people: 4, timezone: 'Europe/Rome' },
  notes: 'By the window.',
  table_assignment: assignment,
  changed_at: '2026-10-03T18:00:00+02:00',
};
const { notes: _notes, table_assignment: _assignment, ...shortReservation } = fullReservation;

export const reservations: readonly Reservation[] = [
  fullReservation,
  { ...fullReservation, notes: null, table_assignment: null },
  shortReservation,
];

export const orderPages: readonly OrderPage[] = [
  { ok: true, schema_version: '1', business: { id: 1 }, data: { orders: [fullOrder], page: { has_more: true, next_cursor: 'abc' } } },
  { data: { schema_version: '1', business: {}, orders: [], page: { has_more: false, next_cursor: null } } },
  { data: { orders: [], page: { has_more: false } } },
];
export const reservationPage: ReservationPage = { data: { reservations: [shortReservation], page: { has_more: false } } };
export const orderBody: OrderBody = { data: { order: detail } };
export const reservationBody: ReservationBody = { ok: true, data: { reservation: fullReservation } };
export const failure: Failure = { ok: false, error: { code: 'NOT_FOUND', message: 'No such order.', request_id: 'r1' } };

export const identities: readonly Identity[] = [
  { business: { id: 1, name: 'Nino', timezone: 'Europe/Rome', currency: 'EUR' }, key: { id: 1, label: 'Till', status: 'active' } },
  { scopes: ['orders.read'], capabilities: ['orders'] },
  {},
];
export const manifests: readonly MenuManifest[] = [{ id: 3, name: 'Autumn', version: '2', revision: 2, counts: { sections: 1 } }, {}];
export const menus: readonly Menu[] = [
  { sections: [{ id: 1, name: 'Primi', products: [{ id: 2, price: 9, allergens: ['milk'], availability: { available: true } }, {}] }, {}] },
  {},
];

/** Reads every field of orders. */
export function readOrders(): void {
  const { customer, service, payment, totals } = detail;
  for (const text of [detail.code, detail.channel, detail.fulfillment_type, detail.status, detail.changed_at]) read<string>(text);
  for (const text of [customer.name, payment.mode, payment.status, payment.provider, totals.currency]) read<string>(text);
  for (const text of [customer.phone, customer.email, service.pickup_mode, service.pickup_date]) read<string | null | undefined>(text);
  for (const text of [service.pickup_time, payment.paid_at, reservations[0]?.notes]) read<string | null | undefined>(text);
  for (const number of [detail.id, customer.id, totals.subtotal, totals.discount, totals.total]) read<number>(number);
  read<number | undefined>(service.table?.room_id);
  read<number | undefined>(service.table?.room_table_id);
  read<string | undefined>(service.table?.label);
  read<string | undefined>(service.table?.qr_mode);
  for (const { id, quantity, name } of detail.items) {
    read<number | undefined>(id);
    read<number | undefined>(quantity);
    read<string | undefined>(name);
  }
  for (const { name, price } of detail.modifiers) {
    read<string | undefined>(name);
    read<number | undefined>(price);
  }
  for (const { options = [] } of detail.option_groups) read<string | undefined>(options[0]?.name);
}

/** Reads every field of the other records. */
export function readOthers(): void {
  for (const { status, source, schedule, table_assignment } of reservations) {
    for (const text of [status, source, schedule.date, schedule.time, schedule.timezone]) read<string>(text);
    read<number>(schedule.people);
    for (const text of [table_assignment?.starts_at, table_assignment?.ends_at, table_assignment?.room_name])
      read<string | undefined>(text);
    for (const text of [table_assignment?.table_code, table_assignment?.table_label]) read<string | undefined>(text);
    for (const number of [table_assignment?.id, table_assignment?.room_id, table_assignment?.people]) read<number | undefined>(number);
  }
  for (const { data } of orderPages) {
    read<boolean>(data.page.has_more);
    read<string | null | undefined>(data.page.next_cursor);
    read<string | undefined>(data.orders[0]?.code);
  }
  for (const text of [failure.error.code, failure.error.message, failure.error.request_id]) read<string>(text);
  for (const { sections = [] } of menus) read<number | undefined>(sections[0]?.products?.[0]?.price);
  read<string | undefined>(manifests[0]?.version);
  read<string | undefined>(identities[0]?.business?.name);
}

// @ts-expect-error: there is no such member.
export const wrongMember: OrderSummary = { ...fullOrder, colour: 'red' };
// @ts-expect-error: there is no such state.
export const wrongState: OrderSummary = { ...fullOrder, status: 'lost' };
// @ts-expect-error: a reservation is never ready.
export const wrongReservation: Reservation = { ...fullReservation, status: 'ready' };
// @ts-expect-error: there is no such channel.
export const wrongChannel: OrderDetail = { ...detail, channel: 'phone' };
// @ts-expect-error: the name is missing.
export const missingField: Customer = { id: 1 };
// @ts-expect-error: the arrays are missing.
export const missingArrays: OrderDetail = fullOrder;
// @ts-expect-error: the table is missing its room.
export const missingRoom: OrderService = { table: { label: 'T4', room_table_id: 4, qr_mode: 'menu' } };
// @ts-expect-error: a time is a string.
export const wrongTime: TableAssignment = { ...assignment, starts_at: 5 };
// @ts-expect-error: the phone number of an order may be null.
export const phone: string = fullOrder.customer.phone;
// @ts-expect-error: the table may be absent.
export const label: string = fullOrder.service.table.label;
// @ts-expect-error: the request id is missing.
export const wrongFailure: Failure = { ok: false, error: { code: 'NOT_FOUND', message: 'No such order.' } };
