/** What the document of the business API says about reservations (§2.3, §3). Written from the document, not from the contract file. */

import type { JsonObject } from '../../../core/json.ts';
import { absent } from './contract-file.ts';
import { customerFacts } from './order-facts.ts';
import {
  type FieldFacts,
  type Given,
  instants,
  notInstants,
  notInteger,
  notNullableText,
  notObject,
  notText,
  nullable,
  type RecordFacts,
} from './record-facts.ts';

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
export const reservation: JsonObject = {
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
  { source: '§2.3', field: '/id', accepts: [1], refuses: notInteger },
  {
    source: '§3',
    field: '/status',
    accepts: ['pending', 'confirmed', 'cancelled', 'rejected', 'completed', 'no_show'],
    refuses: ['preparing', 'ready', 'seated', '', ...notText],
  },
  { source: '§2.3', field: '/source', accepts: ['anything'], refuses: notText },
  ...customerFacts,
  { source: '§2.3', field: '/schedule', accepts: [], refuses: [...notObject, {}] },
  {
    source: '§2.3',
    field: '/schedule/date',
    accepts: ['2024-02-29'],
    refuses: ['2026-02-30', '2026-13-01', '10.10.2026', '2026-10-10T00:00:00Z', ...notText],
  },
  {
    source: '§2.3',
    field: '/schedule/time',
    accepts: ['00:00', '23:59'],
    refuses: ['25:10', '24:00', '20:60', '8:30', '20:30:00', ...notText],
  },
  { source: '§2.3', field: '/schedule/people', accepts: [1, 40], refuses: notInteger },
  {
    source: '§2.3',
    field: '/schedule/timezone',
    accepts: ['UTC', 'Europe/Rome', 'America/Argentina/Buenos_Aires', 'America/Port-au-Prince', 'Etc/GMT+1'],
    refuses: ['+02:00', '', 'Europe/', '/Rome', 'a/b/c/d', 'Central European Time', ...notText],
  },
  { source: '§2.3', field: '/notes', accepts: ['text', ...nullable], refuses: notNullableText },
  { source: '§2.3', field: '/table_assignment', accepts: [null, absent], refuses: [[], {}, 'T7', 17] },
  { source: '§2.3', field: '/table_assignment/id', accepts: [1], refuses: notInteger },
  { source: '§2.3', field: '/table_assignment/room_id', accepts: [1], refuses: notInteger },
  { source: '§2.3', field: '/table_assignment/room_name', accepts: ['Terrazza'], refuses: notText },
  { source: '§2.3', field: '/table_assignment/room_table_id', accepts: [1], refuses: notInteger },
  { source: '§2.3', field: '/table_assignment/table_code', accepts: ['T8'], refuses: notText },
  { source: '§2.3', field: '/table_assignment/table_label', accepts: ['Tavolo 8'], refuses: notText },
  { source: '§2.3', field: '/table_assignment/starts_at', accepts: assignmentTimes, refuses: notAssignmentTimes },
  { source: '§2.3', field: '/table_assignment/ends_at', accepts: assignmentTimes, refuses: notAssignmentTimes },
  { source: '§2.3', field: '/table_assignment/people', accepts: [1], refuses: notInteger },
  { source: '§2.3', field: '/changed_at', accepts: instants, refuses: [...notInstants, ...notText] },
];

/** The facts about reservations. */
export const reservationFacts: readonly RecordFacts[] = [
  { schema: '/components/schemas/Reservation', record: reservation, fields: reservationFields },
  {
    schema: '/components/schemas/ReservationBody',
    record: {},
    fields: [
      {
        source: '§2.3: the place is not shown',
        field: '',
        accepts: [reservation, { data: reservation }, { data: { reservation } }],
        refuses: [{}, { data: [] }, { data: { reservation: null } }, { reservation }],
      },
    ],
  },
];
