/** What the business API is asked to show its faults. */

import type { JsonObject } from '../../../../core/json.ts';
import { valueAt } from '../../../../core/pointer.ts';
import { business } from '../../../helpers/targets.ts';
import { conditional, member, once, type Probe, walk } from './probe.ts';
import type { Stage } from './stage.ts';

/** Probes of every operation. */
export function businessProbes(stage: Stage): readonly Probe[] {
  return [
    ...listProbes(stage, 'listOrders', business.orders, 'orders'),
    ...listProbes(stage, 'listReservations', business.reservations, 'reservations'),
    ...dateProbes(stage),
    ...readProbes(stage, 'getOrder', business.order, 'orders', ['id', 'code']),
    ...readProbes(stage, 'getReservation', business.reservation, 'reservations', ['id']),
    ...singleProbes(stage, 'getIdentity', business.identity),
    ...singleProbes(stage, 'getMenu', business.menu),
    ...singleProbes(stage, 'getMenuManifest', business.manifest),
  ];
}

function strangers(stage: Stage): readonly Readonly<Record<string, string>>[] {
  const name = 'x-service-api-key';
  const keys = [
    '',
    'never-issued-key',
    ...['expired', 'without:identity', 'without:menu', 'without:orders.read', 'without:reservations.read', 'other', 'no-menu'].map(
      stage.key,
    ),
  ];
  return [
    {},
    ...keys.map((key) => ({ [name]: key })),
    { [name]: stage.key('full').toUpperCase() },
    { [name]: stage.key('full').slice(0, -4) },
    { authorization: `Bearer ${stage.key('full')}` },
    { authorization: 'Bearer never-issued-key' },
  ];
}

function full(stage: Stage): Readonly<Record<string, string>> {
  return { 'x-service-api-key': stage.key('full') };
}

function strangerProbes(stage: Stage, operation: string, target: string): readonly Probe[] {
  return strangers(stage).map((headers) => once(operation, target, headers));
}

function listProbes(stage: Stage, operation: string, path: string, name: string): readonly Probe[] {
  const records =
    stage.contract.operations.find((each) => each.id === operation)?.collection?.query.sort(stage.world.records('full', name)) ?? [];
  const instants = records.map((record) => String(record['changed_at']));
  const tie = instants.findIndex((instant, index) => index > 3 && instant === instants[index + 1] && instant === instants[index + 2]);
  const middle = encodeURIComponent(instants[Math.floor(records.length / 2)] ?? '');
  const tied = instants[tie] ?? '';
  const utc = encodeURIComponent(new Date(tied).toISOString());
  const farWest = encodeURIComponent(`${new Date(Date.parse(tied) - 11 * 3_600_000).toISOString().slice(0, 19)}-11:00`);
  const states = [...new Set(records.map((record) => String(record['status'])))];
  const ask = (query: string): Probe => once(operation, `${path}?${query}`, full(stage));
  const pages = (query: string, count: number): Probe => walk(operation, `${path}?${query}`, full(stage), count);
  const checkpoint = encodeURIComponent(tied);
  const few = records.filter((record) => record['status'] === states[0]).length;
  return [
    once(operation, path, full(stage)),
    ...['limit=1', 'limit=60', 'limit=99', 'limit=100', 'limit=101', 'limit=0', 'limit=x', 'limit=1000'].map(ask),
    pages('limit=100', 8),
    pages(`limit=${tie + 1}`, 2),
    pages(`limit=${tie + 2}`, 3),
    pages('limit=1', 3),
    ...[
      'pending',
      'confirmed',
      'completed',
      'no_show',
      'pending,confirmed',
      'completed,cancelled,rejected,no_show',
      'cancelled,pending',
      'nonsense',
      '',
    ].map((value) => ask(`status=${value}&limit=100`)),
    ...[
      'channel=takeaway',
      'channel=table',
      'channel=nonsense',
      'channel=takeaway,table',
      `channel=takeaway&status=${states[0]}`,
      `channel=table&status=${states[1]}&updated_after=${middle}`,
    ].map(ask),
    ask(`status=${states[1]}&updated_after=${middle}`),
    ask(`status=${states[1]}&date_from=2026-03-20&updated_after=${middle}`),
    ask(`status=pending,confirmed&date_from=2026-03-20`),
    pages(`status=${states[0]}&limit=${few > 100 ? 10 : few}`, 2),
    pages('status=completed&limit=2', 2),
    pages('channel=table&limit=2', 2),
    pages('date_from=2026-03-25&limit=2', 2),
    pages('date_to=2026-03-25&limit=2', 2),
    pages(`updated_after=${checkpoint}&limit=2`, 40),
    ...[
      checkpoint,
      middle,
      utc,
      farWest,
      encodeURIComponent(tied.replace(/([+-]\d\d:\d\d|Z)$/, '.000$1')),
      '2027-01-01T00%3A00%3A00Z',
      'yesterday',
      '2026-02-30T00%3A00%3A00Z',
      '2020-01-01T00%3A00%3A00Z',
      encodeURIComponent(instants[0] ?? ''),
    ].map((value) => ask(`updated_after=${value}&limit=100`)),
    ask('status=no_show&updated_after=2026-12-01T00%3A00%3A00Z'),
    ask('cursor=damaged'),
    ask(`cursor=${'x'.repeat(60)}`),
    foreignCursor(stage, operation, path),
    ...strangerProbes(stage, operation, `${path}?limit=2`),
    ...strangers(stage).map((headers) => once(operation, `${path}?status=${states[0]}&limit=100`, headers)),
    ...["'", '%00', 'x'.repeat(600), '%F0%9F%92%A5'].map((value) => ask(`status=${value}`)),
    ...["'", '%00', 'x'.repeat(600), '%F0%9F%92%A5'].map((value) => ask(`updated_after=${value}`)),
  ];
}

/** A cursor of one tenant with the key of another. */
function foreignCursor(stage: Stage, operation: string, path: string): Probe {
  return {
    operation,
    ask: async (ask) => {
      const first = await ask(`${path}?limit=2`, { 'x-service-api-key': stage.key('other') });
      return [await ask(`${path}?limit=2&cursor=${encodeURIComponent(String(member(first, '/data/page/next_cursor')))}`, full(stage))];
    },
  };
}

function dateProbes(stage: Stage): readonly Probe[] {
  const date = '2026-03-28';
  const queries = [
    `date_from=${date}&date_to=${date}`,
    `date_from=${date}`,
    `date_to=${date}`,
    'date_from=2026-03-29&date_to=2026-03-28',
    'date_from=2026-02-30',
    'date_to=2026-02-30',
    'date_from=2026-13-01',
    'date_from=2031-01-01&date_to=2031-01-02',
    'date_from=2026-03-20&date_to=2026-03-22',
    'date_to=2026-13-01',
    'date_from=2026-03-20&status=completed',
    'date_to=2026-03-20&status=completed',
    'date_from=2026-03-24&date_to=2026-03-24',
    'date_from=2026-03-23&date_to=2026-03-23',
    'date_from=2026-03-24&date_to=2026-03-25',
    'status=completed&date_from=2026-03-20&date_to=2026-03-22',
    'date_from=x',
    'date_to=x',
  ];
  return queries.map((query) => once('listReservations', `${business.reservations}?${query}&limit=100`, full(stage)));
}

function readProbes(stage: Stage, operation: string, path: string, name: string, by: readonly string[]): readonly Probe[] {
  const records =
    stage.contract.operations.find((each) => each.collection?.name === name)?.collection?.query.sort(stage.world.records('full', name)) ??
    [];
  const foreign = stage.world.records('other', name)[0];
  const value = (record: JsonObject | undefined, field: string): string => encodeURIComponent(String(valueAt(record, `/${field}`)));
  const tie = records.findIndex((record, index) => record['changed_at'] === records[index + 1]?.['changed_at']);
  const target = (record: JsonObject | undefined, field: string): string => `${path}?${field}=${value(record, field)}`;
  const shown = [...records.slice(0, 30), records[tie], records[tie + 1]];
  const odd = [
    '',
    '0',
    '-1',
    'abc',
    '1.5',
    '99999999',
    '9'.repeat(30),
    '9007199254740993',
    `${value(records[0], 'id')}abc`,
    "'%20OR%201=1",
    '%00',
    'x'.repeat(600),
    '%F0%9F%92%A5',
    '..%2F..%2Fetc',
  ];
  return [
    ...by.flatMap((field) => shown.map((record) => once(operation, target(record, field), full(stage)))),
    ...by.flatMap((field) => odd.map((text) => once(operation, `${path}?${field}=${text}`, full(stage)))),
    ...by.flatMap((field) => odd.map((text) => once(operation, `${path}?${field}=${text}`, { ...full(stage), 'if-none-match': '*' }))),
    ...by.map((field) => conditional(operation, target(records[0], field), full(stage), strangers(stage))),
    ...by.map((field) => conditional(operation, target(foreign, field), { 'x-service-api-key': stage.key('other') }, [full(stage)])),
    ...by.map((field) => once(operation, target(foreign, field), full(stage))),
    ...by.flatMap((field) =>
      records
        .filter((record) => /[^\w-]/.test(String(record[field])))
        .slice(0, 5)
        .map((record) => once(operation, target(record, field), full(stage))),
    ),
    ...by.map((field) => once(operation, target(records[0], field).slice(0, -1), full(stage))),
    ...by.map((field) => once(operation, `${target(records[0], field)}x`, full(stage))),
    once(operation, path, full(stage)),
    once(operation, `${path}?id=${value(records[0], 'id')}&code=${value(records[0], 'code')}`, full(stage)),
    once(operation, `${path}?id=${value(records[0], 'id')}&code=${value(records[1], 'code')}`, full(stage)),
    ...strangerProbes(stage, operation, target(records[0], by[0] ?? '')),
    once(operation, `${path}?id=99999999`, {
      'x-service-api-key': stage.key(operation === 'getOrder' ? 'without:orders.read' : 'without:reservations.read'),
    }),
  ];
}

function singleProbes(stage: Stage, operation: string, path: string): readonly Probe[] {
  return [
    ...strangerProbes(stage, operation, path),
    once(operation, path, full(stage)),
    conditional(operation, path, full(stage), strangers(stage)),
  ];
}
