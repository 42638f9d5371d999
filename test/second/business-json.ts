/** The JSON of the business API: orders, reservations, menus and identities, with each open question of their fields answered. */

import type { Identity } from './access.ts';
import type { BusinessRow, CustomerRow, OrderRow, ReservationRow } from './business-records.ts';
import { atLocal, instantText, localText, second, zoneOffset } from './instants.ts';
import { firstChange } from './seeded-draws.ts';
import type { Setup } from './server-setup.ts';

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

function shownCustomer(setup: Setup, { id, name, phone, email }: CustomerRow): Shape {
  const answer = setup.choice('guest-contact');
  return { id, name, ...optional('phone', phone, answer), ...optional('email', email, answer) };
}

function shownStatus(setup: Setup, row: BusinessRow): string {
  return setup.has('status-unlisted') && row.rank % 10 === 0 ? 'archived' : row.status;
}

function changedAt(setup: Setup, row: BusinessRow): string {
  const text = shownInstant(setup, row.changed, row.id);
  return setup.has('changed-at-no-offset') ? text.replace(/(Z|[+-]\d{2}:\d{2})$/, '') : text;
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
  const reference = setup.has('provider-reference')
    ? { provider_reference: `pi_3OqXkL2eZvKYlo2C${String(row.rank).padStart(10, '0')}` }
    : {};
  return { mode, status, provider, ...optional('paid_at', paid, setup.choice('unpaid')), ...reference };
}

function totals(setup: Setup, row: OrderRow): Shape {
  const cents = row.items.reduce((sum, item) => sum + item.quantity * item.cents, 0);
  const shown = (amount: number): number | string => (setup.has('totals-as-text') ? (amount / 100).toFixed(2) : amount / 100);
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

/** An instant as changed_at and paid_at show it; the salt decides where offsets are mixed. */
export function shownInstant(setup: Setup, instant: number, salt: number): string {
  const style = setup.choice('changed-at');
  if (style === 'utc') return instantText(instant, { offset: 0, digits: 0, zulu: true });
  if (style === 'plus-two') return instantText(instant, { offset: 120, digits: 0, zulu: false });
  if (style === 'milliseconds') return instantText(instant, { offset: 0, digits: 3, zulu: true });
  if (style === 'microseconds') return instantText(instant, { offset: 0, digits: 6, zulu: false });
  if (style === 'mixed') return instantText(instant, { offset: [0, 120, -210][salt % 3] ?? 0, digits: 0, zulu: true });
  if (style === 'mixed-microseconds') return instantText(instant, { offset: oddOffsets[salt % 5] ?? 0, digits: 6, zulu: salt % 2 === 0 });
  return instantText(instant, { offset: zoneOffset(setup.choice('zone'), instant), digits: 0, zulu: false });
}

/** Offsets of Nepal, the Chatham Islands, Newfoundland and, twice, of UTC, which is written in both ways. */
const oddOffsets = [345, 0, 765, 0, -150];

/** A moment of a table's use, with or without its offset. */
function shownMoment(setup: Setup, instant: number): string {
  const offset = zoneOffset(setup.choice('zone'), instant);
  return setup.choice('assignment-times') === 'offset'
    ? instantText(instant, { offset, digits: 0, zulu: false })
    : localText(instant, offset, 'T');
}

/** The full menu; undefined for a business that has none. */
export function menuOf(tenant: string, revision: number): Shape | undefined {
  if (tenant === 'N') return undefined;
  const prefix = tenant === 'A' ? 1 : 5;
  return {
    version: `${tenant}-${revision + 1}`,
    sections: [
      { id: prefix * 10, name: 'Pizze', products: [product(prefix * 100, 'Margherita', 8.5), product(prefix * 100 + 1, 'Diavola', 9.5)] },
      { id: prefix * 10 + 1, name: 'Bevande', products: [product(prefix * 100 + 2, 'Acqua', 2)] },
    ],
    allergens: ['glutine', 'latte'],
  };
}

/** The light version manifest of a menu. */
export function manifestOf(setup: Setup, tenant: string, revision: number): Shape | undefined {
  if (menuOf(tenant, revision) === undefined && !setup.has('manifest-without-menu')) return undefined;
  return { version: `${tenant}-${revision + 1}`, updated_at: shownInstant(setup, firstChange(setup), 0), sections: 2 };
}

/** The body of the identity endpoint. */
export function identityShape(setup: Setup, identity: Identity, key: string): Shape {
  const dotted = setup.choice('scope-names') === 'dotted';
  const names: Readonly<Record<string, string>> = dotted ? { identity: 'integration.whoami', menu: 'menus.read' } : {};
  const scopes = identity.scopes.map((scope) => names[scope] ?? scope);
  const shown = {
    business: businessShape(setup, identity.tenant),
    key: { label: `Sync ${identity.role}`, ...(setup.has('key-in-identity') ? { token: key } : {}) },
    scopes,
    capabilities: { conditional_reads: true, webhooks: false },
    ...(setup.has('credential-shown') ? { panel: { user: 'admin', password: 'hunter2-s3cret!' } } : {}),
  };
  return shown;
}

/** The business as identity and lists show it: a name, a number or an object. */
export function businessShape(setup: Setup, tenant: string): unknown {
  const number = 40 + tenant.charCodeAt(0);
  const type = setup.choice('business-type');
  if (type === 'string') return `trattoria-${tenant.toLowerCase()}`;
  return type === 'number' ? number : { id: number, name: `Trattoria ${tenant}`, timezone: setup.choice('zone') };
}

function product(id: number, name: string, price: number): Shape {
  return { id, name, price, available: true, variants: [], add_ons: [], allergens: ['glutine'], ingredients: ['farina', 'acqua'] };
}
