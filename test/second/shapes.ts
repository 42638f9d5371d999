/** Knows how records of the business API look as JSON, with each open question of their fields answered. */

import { atLocal, second } from './instant.ts';
import type { Customer, OrderRow, ReservationRow, Row } from './record.ts';
import type { Setup } from './setup.ts';
import { shownInstant, shownMoment } from './spelling.ts';

/** A JSON object. */
export type Shape = Readonly<Record<string, unknown>>;

/** An order as a list shows it. */
export function orderSummary(setup: Setup, row: OrderRow): Shape {
  return {
    id: row.id,
    code: row.code,
    channel: row.channel,
    fulfillment_type: row.fulfillment,
    status: shownStatus(setup, row),
    customer: shownCustomer(setup, row.customer),
    service: service(setup, row),
    payment: payment(setup, row),
    totals: totals(setup, row),
    changed_at: changedAt(setup, row),
  };
}

/** An order as its own page shows it. */
export function orderDetail(setup: Setup, row: OrderRow): Shape {
  const items = row.items.map((item, index) => ({
    line: index + 1,
    name: item.name,
    quantity: item.quantity,
    unit_price: item.cents / 100,
  }));
  const modifiers = row.rank % 3 === 0 ? [{ line: 1, name: 'Senza glutine', price: 1.5 }] : [];
  return { ...orderSummary(setup, row), items, modifiers, option_groups: [] };
}

/** A reservation as a list and its own page show it. */
export function reservationShape(setup: Setup, row: ReservationRow): Shape {
  const zone = setup.choice('zone');
  return {
    id: row.id,
    status: shownStatus(setup, row),
    source: row.source,
    customer: shownCustomer(setup, row.customer),
    schedule: { date: row.date, time: row.time, people: row.people, timezone: zone },
    ...optional('notes', row.notes, setup.choice('empty-notes')),
    ...optional('table_assignment', assignment(setup, row, atLocal(zone, row.date, row.time)), setup.choice('no-assignment')),
    changed_at: changedAt(setup, row),
  };
}

/** A field without a value: null, absent or an empty text, as the question is answered. */
function optional(name: string, value: unknown, answer: string): Shape {
  if (value !== undefined) return { [name]: value };
  if (answer === 'absent') return {};
  return { [name]: answer === 'empty' ? '' : null };
}

function shownCustomer(setup: Setup, { id, name, phone, email }: Customer): Shape {
  const answer = setup.choice('guest-contact');
  return { id, name, ...optional('phone', phone, answer), ...optional('email', email, answer) };
}

function shownStatus(setup: Setup, row: Row): string {
  return setup.faulty('status-unlisted') && row.rank % 10 === 0 ? 'archived' : row.status;
}

function changedAt(setup: Setup, row: Row): string {
  const text = shownInstant(setup, row.changed, row.id);
  return setup.faulty('changed-at-no-offset') ? text.replace(/(Z|[+-]\d{2}:\d{2})$/, '') : text;
}

function service(setup: Setup, row: OrderRow): Shape {
  const table = row.table;
  const shown =
    table === undefined ? undefined : { label: table.label, room_id: table.room, room_table_id: table.table, qr_mode: table.qr };
  return {
    pickup_mode: row.pickup?.mode ?? null,
    pickup_date: row.pickup?.date ?? null,
    pickup_time: row.pickup?.time ?? null,
    ...optional('table', shown, setup.choice('takeaway-table')),
  };
}

function payment(setup: Setup, row: OrderRow): Shape {
  const { mode, status, provider, paidAt } = row.payment;
  const paid = paidAt === undefined ? undefined : shownInstant(setup, paidAt, row.id);
  const reference = setup.faulty('provider-reference')
    ? { provider_reference: `pi_3OqXkL2eZvKYlo2C${String(row.rank).padStart(10, '0')}` }
    : {};
  return { mode, status, provider, ...optional('paid_at', paid, setup.choice('unpaid')), ...reference };
}

function totals(setup: Setup, row: OrderRow): Shape {
  const cents = row.items.reduce((sum, item) => sum + item.quantity * item.cents, 0);
  const shown = (amount: number): number | string => (setup.faulty('totals-as-text') ? (amount / 100).toFixed(2) : amount / 100);
  return { subtotal: shown(cents), discount: shown(row.discount), total: shown(cents - row.discount), currency: 'EUR' };
}

function assignment(setup: Setup, row: ReservationRow, start: number): Shape | undefined {
  const held = row.assignment;
  if (held === undefined) return undefined;
  return {
    id: held.id,
    room_id: held.room,
    room_name: held.roomName,
    room_table_id: held.table,
    table_code: held.code,
    table_label: held.label,
    starts_at: shownMoment(setup, start),
    ends_at: shownMoment(setup, start + held.minutes * 60 * second),
    people: row.people,
  };
}
