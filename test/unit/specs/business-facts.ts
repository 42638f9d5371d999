/** Facts of the business API's document about records and bodies (§2, §3). Written from the document, not from the contract file. */

import type { JsonObject } from '../../../core/json.ts';
import {
  absent,
  type FieldFacts,
  type Given,
  instants,
  notInstants,
  notInteger,
  notNullableText,
  notNumber,
  notObject,
  notText,
  nullable,
  type RecordFacts,
} from './contract-file.ts';

/** Facts about the customer of an order and of a reservation. */
const customerFacts: readonly FieldFacts[] = [
  ['§2.2', '/customer', [{ id: 1, name: 'Anna' }], [...notObject, {}, { id: 1 }, { name: 'Anna' }]],
  ['§2.2', '/customer/id', [1], notInteger],
  ['§2.2', '/customer/name', ['Anna', ''], notText],
  ['§2.2', '/customer/phone', ['+39 055 0100188', ...nullable], notNullableText],
  ['§2.2', '/customer/email', ['anna@example.com', ...nullable], notNullableText],
];

/** An order as lists show it. */
const order: JsonObject = {
  id: 4711,
  code: 'TDN-4711',
  channel: 'table',
  fulfillment_type: 'dine_in',
  status: 'ready',
  customer: { id: 88, name: 'Giulia Ferri', phone: '+39 055 0100188', email: 'giulia.ferri@example.com' },
  service: {
    pickup_mode: null,
    pickup_date: null,
    pickup_time: null,
    table: { label: 'Tavolo 7', room_id: 2, room_table_id: 17, qr_mode: 'self_order' },
  },
  payment: { mode: 'cash', status: 'paid', provider: 'none', paid_at: '2026-10-03T18:52:10+02:00' },
  totals: { subtotal: 34.5, discount: 3.5, total: 31, currency: 'EUR' },
  changed_at: '2026-10-03T19:20:41+02:00',
};

const orderFields: readonly FieldFacts[] = [
  ['§2.2', '/id', [1, 4711], notInteger],
  ['§2.2', '/code', ['A-1'], notText],
  ['§2.2', '/channel', ['takeaway', 'table'], ['delivery', 'Table', ...notText]],
  ['§2.2: values not shown', '/fulfillment_type', ['pickup', 'whatever'], notText],
  [
    '§3',
    '/status',
    ['pending', 'confirmed', 'preparing', 'ready', 'completed', 'cancelled', 'rejected', 'no_show'],
    ['canceled', 'noshow', 'PENDING', '', ...notText],
  ],
  ...customerFacts,
  ['§2.2', '/service', [{}], notObject],
  ['§2.2', '/service/pickup_mode', ['asap', ...nullable], notNullableText],
  ['§2.2', '/service/pickup_date', ['2026-10-03', ...nullable], notNullableText],
  ['§2.2', '/service/pickup_time', ['19:45', ...nullable], notNullableText],
  ['§2.2', '/service/table', [null, absent], [[], {}, 'Tavolo 7', 7]],
  ['§2.2', '/service/table/label', ['Tavolo 8'], notText],
  ['§2.2', '/service/table/room_id', [3], notInteger],
  ['§2.2', '/service/table/room_table_id', [18], notInteger],
  ['§2.2', '/service/table/qr_mode', ['anything'], notText],
  ['§2.2', '/payment', [{ mode: 'a', status: 'b', provider: 'c' }], [...notObject, {}]],
  ['§2.2: values not shown', '/payment/mode', ['barter'], notText],
  ['§2.2: values not shown', '/payment/status', ['promised'], notText],
  ['§2.2: values not shown', '/payment/provider', ['a friend'], notText],
  ['§2.2', '/payment/paid_at', [null, absent, ...instants], [...notInstants, {}, []]],
  ['§2.2', '/totals', [], notObject],
  ['§2.2', '/totals/subtotal', [0, 12.5], notNumber],
  ['§2.2', '/totals/discount', [0, 12.5], notNumber],
  ['§2.2', '/totals/total', [0, 12.5], notNumber],
  ['§2.2', '/totals/currency', ['CHF'], notText],
  ['§2.2', '/changed_at', instants, [...notInstants, ...notText]],
  ['§2: other fields are not excluded', '/loyalty_points', [3], []],
];

/** An order as its detail shows it. */
const orderDetail: JsonObject = { ...order, items: [{}], modifiers: [], option_groups: [] };

const arrays = ['/items', '/modifiers', '/option_groups'] as const;

/** The facts about orders. */
const orderFacts: readonly RecordFacts[] = [
  { schema: '/components/schemas/OrderSummary', record: order, fields: orderFields },
  {
    schema: '/components/schemas/OrderSummary',
    record: order,
    fields: arrays.map((field) => ['§2.2: the list leaves it out', field, [], [[], null, {}]]),
  },
  { schema: '/components/schemas/OrderDetail', record: orderDetail, fields: orderFields },
  {
    schema: '/components/schemas/OrderDetail',
    record: orderDetail,
    fields: arrays.map((field) => ['§2.2: the detail has it', field, [[], [{ anything: 1 }]], [absent, null, {}, 'x']]),
  },
  {
    schema: '/components/schemas/OrderBody',
    record: {},
    fields: [
      [
        '§2.2: the place is not shown',
        '',
        [orderDetail, { data: orderDetail }, { data: { order: orderDetail } }, { ok: true, data: { order: orderDetail } }],
        [
          {},
          { data: null },
          { data: { order } },
          { order: orderDetail },
          { ok: false, data: orderDetail },
          { data: { order: { ...orderDetail, id: '1' } } },
        ],
      ],
    ],
  },
];

const assignment: JsonObject = {
  id: 301,
  room_id: 2,
  room_name: 'Sala grande',
  room_table_id: 17,
  table_code: 'T7',
  table_label: 'Tavolo 7',
  starts_at: '2026-10-10T20:30:00+02:00',
  ends_at: '2026-10-10T22:30:00',
  people: 4,
};

/** A reservation. */
const reservation: JsonObject = {
  id: 9021,
  status: 'confirmed',
  source: 'website',
  customer: { id: 88, name: 'Giulia Ferri', phone: null, email: null },
  schedule: { date: '2026-10-10', time: '20:30', people: 4, timezone: 'Europe/Rome' },
  notes: 'Un seggiolone, per favore.',
  table_assignment: assignment,
  changed_at: '2026-10-03T17:42:05+02:00',
};

const assignmentTimes: readonly Given[] = ['2026-10-10T20:30:00', '2026-10-10T20:30:00+02:00', '2026-10-10T18:30:00Z'];
const notAssignmentTimes: readonly Given[] = [
  '2026-10-10 20:30:00',
  '2026-02-30T20:30:00',
  '2026-10-10T25:10:00',
  '20:30',
  '2026-10-10',
  ...notText,
];

const reservationFields: readonly FieldFacts[] = [
  ['§2.3', '/id', [1], notInteger],
  [
    '§3',
    '/status',
    ['pending', 'confirmed', 'cancelled', 'rejected', 'completed', 'no_show'],
    ['preparing', 'ready', 'seated', '', ...notText],
  ],
  ['§2.3', '/source', ['anything'], notText],
  ...customerFacts,
  ['§2.3', '/schedule', [], [...notObject, {}]],
  ['§2.3', '/schedule/date', ['2024-02-29'], ['2026-02-30', '2026-13-01', '10.10.2026', '2026-10-10T00:00:00Z', ...notText]],
  ['§2.3', '/schedule/time', ['00:00', '23:59'], ['25:10', '24:00', '20:60', '8:30', '20:30:00', ...notText]],
  ['§2.3', '/schedule/people', [1, 40], notInteger],
  [
    '§2.3',
    '/schedule/timezone',
    ['UTC', 'Europe/Rome', 'America/Argentina/Buenos_Aires', 'America/Port-au-Prince', 'Etc/GMT+1'],
    ['+02:00', '', 'Europe/', '/Rome', 'a/b/c/d', 'Central European Time', ...notText],
  ],
  ['§2.3', '/notes', ['text', ...nullable], notNullableText],
  ['§2.3', '/table_assignment', [null, absent], [[], {}, 'T7', 17]],
  ['§2.3', '/table_assignment/id', [1], notInteger],
  ['§2.3', '/table_assignment/room_id', [1], notInteger],
  ['§2.3', '/table_assignment/room_name', ['Terrazza'], notText],
  ['§2.3', '/table_assignment/room_table_id', [1], notInteger],
  ['§2.3', '/table_assignment/table_code', ['T8'], notText],
  ['§2.3', '/table_assignment/table_label', ['Tavolo 8'], notText],
  ['§2.3', '/table_assignment/starts_at', assignmentTimes, notAssignmentTimes],
  ['§2.3', '/table_assignment/ends_at', assignmentTimes, notAssignmentTimes],
  ['§2.3', '/table_assignment/people', [1], notInteger],
  ['§2.3', '/changed_at', instants, [...notInstants, ...notText]],
];

/** The facts about reservations. */
const reservationFacts: readonly RecordFacts[] = [
  { schema: '/components/schemas/Reservation', record: reservation, fields: reservationFields },
  {
    schema: '/components/schemas/ReservationBody',
    record: {},
    fields: [
      [
        '§2.3: the place is not shown',
        '',
        [reservation, { data: reservation }, { data: { reservation } }],
        [{}, { data: [] }, { data: { reservation: null } }, { reservation }],
      ],
    ],
  },
];

const pageFields: readonly FieldFacts[] = [
  ['§2.4', '', [{ has_more: false }, { has_more: true, next_cursor: 'x' }], [{}, { has_more: true }, [], null]],
  ['§2.4', '/has_more', [], [absent, null, 'true', 1]],
  ['§2.4', '/next_cursor', [null, absent, 'still given'], [5, {}, []]],
];

const headFields: readonly FieldFacts[] = [
  ['§2.4', '/schema_version', ['1', 1], [absent]],
  ['§2.4', '/business', ['Trattoria', 12, {}], [absent]],
  ['§2.4', '/data', [], [...notObject, {}]],
  ['§2.4', '/data/orders', [[order], []], [absent, null, {}, [{ ...order, items: [] }], [{}], [null]]],
  ['§2.4', '/data/page', [], notObject],
  ['§2.1', '/ok', [absent, true], [false, 'true', null]],
];

const reservations: JsonObject = { data: { reservations: [reservation], page: { has_more: false } } };
const failure: JsonObject = { ok: false, error: { code: 'X', message: 'Something went wrong.', request_id: 'r-1' } };

/** The facts about failures, pages and bodies whose fields are not shown. */
const bodyFacts: readonly RecordFacts[] = [
  {
    schema: '/components/schemas/Error',
    record: failure,
    fields: [
      ['§2.1', '/ok', [], [absent, true, null, 'false']],
      ['§2.1', '/error', [], [...notObject, {}]],
      ['§2.1', '/error/code', ['ANY'], notText],
      ['§2.1', '/error/message', ['Any'], notText],
      ['§2.1', '/error/request_id', ['any'], ['', ...notText]],
      ['§2: other fields are not excluded', '/error/details', [[]], []],
    ],
  },
  { schema: '/components/schemas/Page', record: { has_more: false, next_cursor: null }, fields: pageFields },
  {
    schema: '/components/schemas/Page',
    record: { has_more: true, next_cursor: 'abc' },
    fields: [['§2.4', '/next_cursor', ['x'], [absent, null, '', 5]]],
  },
  {
    schema: '/components/schemas/OrderPage',
    record: { ok: true, schema_version: '1.0', business: { id: 12 }, data: { orders: [order], page: { has_more: false } } },
    fields: headFields,
  },
  {
    schema: '/components/schemas/OrderPage',
    record: { data: { schema_version: 1, business: 'x', orders: [], page: { has_more: false } } },
    fields: [
      ['§2.4: the place is not shown', '/data/schema_version', ['2'], [absent]],
      ['§2.4: the place is not shown', '/data/business', [{}], [absent]],
    ],
  },
  {
    schema: '/components/schemas/ReservationPage',
    record: reservations,
    fields: [
      ['§2.4', '/data', [], [...notObject, {}]],
      ['§2.4', '/data/reservations', [[]], [absent, null, {}, [{}], [{ ...reservation, id: '9021' }]]],
      ['§2.4', '/data/page', [], notObject],
      ['§2.1', '/ok', [true, absent], [false]],
    ],
  },
  ...['Identity', 'MenuManifest', 'Menu'].map(
    (name): RecordFacts => ({
      schema: `/components/schemas/${name}`,
      record: {},
      fields: [['§2.5: fields not shown', '', [{}, { anything: [] }], [null, [], 'text', 1]]],
    }),
  ),
];

/** All facts about the bodies of the business API. */
export const businessFacts: readonly RecordFacts[] = [...bodyFacts, ...orderFacts, ...reservationFacts];
