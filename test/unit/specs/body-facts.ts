/** What the document of the business API says about its other bodies (§2.1, §2.4, §2.5). Written from the document, not from the contract file. */

import type { JsonObject } from '../../../core/json.ts';
import { absent } from './contract-file.ts';
import { order } from './order-facts.ts';
import { type FieldFacts, notObject, notText, type RecordFacts } from './record-facts.ts';
import { reservation } from './reservation-facts.ts';

const pageFields: readonly FieldFacts[] = [
  {
    source: '§2.4',
    field: '',
    accepts: [{ has_more: false }, { has_more: true, next_cursor: 'x' }],
    refuses: [{}, { has_more: true }, [], null],
  },
  { source: '§2.4', field: '/has_more', accepts: [], refuses: [absent, null, 'true', 1] },
  { source: '§2.4', field: '/next_cursor', accepts: [null, absent, 'still given'], refuses: [5, {}, []] },
];

const headFields: readonly FieldFacts[] = [
  { source: '§2.4', field: '/schema_version', accepts: ['1', 1], refuses: [absent] },
  { source: '§2.4', field: '/business', accepts: ['Trattoria', 12, {}], refuses: [absent] },
  { source: '§2.4', field: '/data', accepts: [], refuses: [...notObject, {}] },
  { source: '§2.4', field: '/data/orders', accepts: [[order], []], refuses: [absent, null, {}, [{ ...order, items: [] }], [{}], [null]] },
  { source: '§2.4', field: '/data/page', accepts: [], refuses: notObject },
  { source: '§2.1', field: '/ok', accepts: [absent, true], refuses: [false, 'true', null] },
];

const reservations: JsonObject = { data: { reservations: [reservation], page: { has_more: false } } };
const failure: JsonObject = { ok: false, error: { code: 'X', message: 'Something went wrong.', request_id: 'r-1' } };

/** The facts about failures, pages and bodies whose fields are not shown. */
export const bodyFacts: readonly RecordFacts[] = [
  {
    schema: '/components/schemas/Error',
    record: failure,
    fields: [
      { source: '§2.1', field: '/ok', accepts: [], refuses: [absent, true, null, 'false'] },
      { source: '§2.1', field: '/error', accepts: [], refuses: [...notObject, {}] },
      { source: '§2.1', field: '/error/code', accepts: ['ANY'], refuses: notText },
      { source: '§2.1', field: '/error/message', accepts: ['Any'], refuses: notText },
      { source: '§2.1', field: '/error/request_id', accepts: ['any'], refuses: ['', ...notText] },
      { source: '§2: other fields are not excluded', field: '/error/details', accepts: [[]], refuses: [] },
    ],
  },
  { schema: '/components/schemas/Page', record: { has_more: false, next_cursor: null }, fields: pageFields },
  {
    schema: '/components/schemas/Page',
    record: { has_more: true, next_cursor: 'abc' },
    fields: [{ source: '§2.4', field: '/next_cursor', accepts: ['x'], refuses: [absent, null, '', 5] }],
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
      { source: '§2.4: the place is not shown', field: '/data/schema_version', accepts: ['2'], refuses: [absent] },
      { source: '§2.4: the place is not shown', field: '/data/business', accepts: [{}], refuses: [absent] },
    ],
  },
  {
    schema: '/components/schemas/ReservationPage',
    record: reservations,
    fields: [
      { source: '§2.4', field: '/data', accepts: [], refuses: [...notObject, {}] },
      { source: '§2.4', field: '/data/reservations', accepts: [[]], refuses: [absent, null, {}, [{}], [{ ...reservation, id: '9021' }]] },
      { source: '§2.4', field: '/data/page', accepts: [], refuses: notObject },
      { source: '§2.1', field: '/ok', accepts: [true, absent], refuses: [false] },
    ],
  },
  ...['Identity', 'MenuManifest', 'Menu'].map((name) => ({
    schema: `/components/schemas/${name}`,
    record: {},
    fields: [{ source: '§2.5: fields not shown', field: '', accepts: [{}, { anything: [] }], refuses: [null, [], 'text', 1] }],
  })),
];
