/** What the document of the business API says about orders (§2.2, §3). Written from the document, not from the contract file. */

import type { JsonObject } from '../../../core/json.ts';
import { absent } from './contract-file.ts';
import {
  type FieldFacts,
  instants,
  notInstants,
  notInteger,
  notNullableText,
  notNumber,
  notObject,
  notText,
  nullable,
  type RecordFacts,
} from './record-facts.ts';

/** What holds for the customer of an order and of a reservation. */
export const customerFacts: readonly FieldFacts[] = [
  { source: '§2.2', field: '/customer', accepts: [{ id: 1, name: 'Anna' }], refuses: [...notObject, {}, { id: 1 }, { name: 'Anna' }] },
  { source: '§2.2', field: '/customer/id', accepts: [1], refuses: notInteger },
  { source: '§2.2', field: '/customer/name', accepts: ['Anna', ''], refuses: notText },
  { source: '§2.2', field: '/customer/phone', accepts: ['+39 055 0100188', ...nullable], refuses: notNullableText },
  { source: '§2.2', field: '/customer/email', accepts: ['anna@example.com', ...nullable], refuses: notNullableText },
];

/** An order as lists show it. */
export const order: JsonObject = {
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
  { source: '§2.2', field: '/id', accepts: [1, 4711], refuses: notInteger },
  { source: '§2.2', field: '/code', accepts: ['A-1'], refuses: notText },
  { source: '§2.2', field: '/channel', accepts: ['takeaway', 'table'], refuses: ['delivery', 'Table', ...notText] },
  { source: '§2.2: values not shown', field: '/fulfillment_type', accepts: ['pickup', 'whatever'], refuses: notText },
  {
    source: '§3',
    field: '/status',
    accepts: ['pending', 'confirmed', 'preparing', 'ready', 'completed', 'cancelled', 'rejected', 'no_show'],
    refuses: ['canceled', 'noshow', 'PENDING', '', ...notText],
  },
  ...customerFacts,
  { source: '§2.2', field: '/service', accepts: [{}], refuses: notObject },
  { source: '§2.2', field: '/service/pickup_mode', accepts: ['asap', ...nullable], refuses: notNullableText },
  { source: '§2.2', field: '/service/pickup_date', accepts: ['2026-10-03', ...nullable], refuses: notNullableText },
  { source: '§2.2', field: '/service/pickup_time', accepts: ['19:45', ...nullable], refuses: notNullableText },
  { source: '§2.2', field: '/service/table', accepts: [null, absent], refuses: [[], {}, 'Tavolo 7', 7] },
  { source: '§2.2', field: '/service/table/label', accepts: ['Tavolo 8'], refuses: notText },
  { source: '§2.2', field: '/service/table/room_id', accepts: [3], refuses: notInteger },
  { source: '§2.2', field: '/service/table/room_table_id', accepts: [18], refuses: notInteger },
  { source: '§2.2', field: '/service/table/qr_mode', accepts: ['anything'], refuses: notText },
  { source: '§2.2', field: '/payment', accepts: [{ mode: 'a', status: 'b', provider: 'c' }], refuses: [...notObject, {}] },
  { source: '§2.2: values not shown', field: '/payment/mode', accepts: ['barter'], refuses: notText },
  { source: '§2.2: values not shown', field: '/payment/status', accepts: ['promised'], refuses: notText },
  { source: '§2.2: values not shown', field: '/payment/provider', accepts: ['a friend'], refuses: notText },
  { source: '§2.2', field: '/payment/paid_at', accepts: [null, absent, ...instants], refuses: [...notInstants, {}, []] },
  { source: '§2.2', field: '/totals', accepts: [], refuses: notObject },
  { source: '§2.2', field: '/totals/subtotal', accepts: [0, 12.5], refuses: notNumber },
  { source: '§2.2', field: '/totals/discount', accepts: [0, 12.5], refuses: notNumber },
  { source: '§2.2', field: '/totals/total', accepts: [0, 12.5], refuses: notNumber },
  { source: '§2.2', field: '/totals/currency', accepts: ['CHF'], refuses: notText },
  { source: '§2.2', field: '/changed_at', accepts: instants, refuses: [...notInstants, ...notText] },
  { source: '§2: other fields are not excluded', field: '/loyalty_points', accepts: [3], refuses: [] },
];

/** An order as its detail shows it. */
export const orderDetail: JsonObject = { ...order, items: [{}], modifiers: [], option_groups: [] };

const arrays = ['/items', '/modifiers', '/option_groups'] as const;

/** The facts about orders. */
export const orderFacts: readonly RecordFacts[] = [
  { schema: '/components/schemas/OrderSummary', record: order, fields: orderFields },
  {
    schema: '/components/schemas/OrderSummary',
    record: order,
    fields: arrays.map((field) => ({ source: '§2.2: the list leaves it out', field, accepts: [], refuses: [[], null, {}] })),
  },
  { schema: '/components/schemas/OrderDetail', record: orderDetail, fields: orderFields },
  {
    schema: '/components/schemas/OrderDetail',
    record: orderDetail,
    fields: arrays.map((field) => ({
      source: '§2.2: the detail has it',
      field,
      accepts: [[], [{ anything: 1 }]],
      refuses: [absent, null, {}, 'x'],
    })),
  },
  {
    schema: '/components/schemas/OrderBody',
    record: {},
    fields: [
      {
        source: '§2.2: the place is not shown',
        field: '',
        accepts: [orderDetail, { data: orderDetail }, { data: { order: orderDetail } }, { ok: true, data: { order: orderDetail } }],
        refuses: [
          {},
          { data: null },
          { data: { order } },
          { order: orderDetail },
          { ok: false, data: orderDetail },
          { data: { order: { ...orderDetail, id: '1' } } },
        ],
      },
    ],
  },
];
