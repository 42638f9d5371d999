/** Questions that show faults: each is a short conversation with a mock, and its transcript is what was answered. */

import type { Contract } from '../../../../core/contract.ts';
import type { Json, JsonObject } from '../../../../core/json.ts';
import { valueAt } from '../../../../core/pointer.ts';
import { asResponse } from '../../../../mocks/answer.ts';
import { createWorld } from '../../../../mocks/content.ts';
import { applyFaults } from '../../../../mocks/faults/apply.ts';
import { listFaults } from '../../../../mocks/faults/catalogue.ts';
import type { Fault } from '../../../../mocks/faults/fault.ts';
import { createMock } from '../../../../mocks/mock.ts';
import { ownInstant } from '../../../../mocks/world/era.ts';
import type { World } from '../../../../mocks/world.ts';
import { serveApi } from '../../../helpers/served.ts';
import { business, wiki } from '../../../helpers/targets.ts';
import { withoutPrism } from '../../../helpers/without-prism.ts';

/** An answer, as far as faults can show in it. */
interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Asks a mock. Header names are in lower case. */
export type Ask = (target: string, headers?: Readonly<Record<string, string>>) => Promise<Seen>;

/** One contract with its world, and mocks that have its faults. */
export interface Stage {
  readonly contract: Contract;
  readonly world: World;
  readonly faults: readonly Fault[];
  readonly probes: readonly Probe[];
  readonly key: (role: string) => string;
  /** A mock with these faults; without any, the untouched one. */
  readonly serve: (faults: readonly Fault[]) => Ask;
}

type Ground = Omit<Stage, 'probes'>;

/** Prepares a contract of the package. */
export async function createStage(name: 'business' | 'wiki'): Promise<Stage> {
  const api = await serveApi(name, { world: (written) => createWorld(written, 1).at(ownInstant) });
  const serve = (faults: readonly Fault[]): Ask => {
    const { api: served, around } = applyFaults(api, faults);
    const mock = createMock([{ api: served, ...withoutPrism, ...(around === undefined ? {} : { around }) }], () => undefined);
    return async (target, headers = {}) => {
      const { status, headers: fields, body } = asResponse(await mock.respond({ method: 'GET', target, headers }));
      return { status, headers: fields, body: status < 400 ? body : body.replaceAll(/request-\d+/g, 'request-N') };
    };
  };
  const { contract } = api;
  const world = api.world.at(ownInstant);
  const stage = { contract, world, faults: listFaults(contract), key: (role: string) => api.keys.byRole.get(role) ?? '', serve };
  return { ...stage, probes: (name === 'business' ? businessProbes : wikiProbes)(stage) };
}

/** One conversation. */
export interface Probe {
  /** The operation that it is mainly about. */
  readonly operation: string;
  /** The target that it begins with. */
  readonly target: string;
  readonly ask: (ask: Ask) => Promise<readonly Seen[]>;
}

/** A single request. */
function once(operation: string, target: string, headers: Readonly<Record<string, string>>): Probe {
  return { operation, target, ask: async (ask) => [await ask(target, headers)] };
}

/** The first pages of a walk by cursor. */
function walk(operation: string, target: string, headers: Readonly<Record<string, string>>, pages: number): Probe {
  return {
    operation,
    target,
    ask: async (ask) => {
      const seen: Seen[] = [];
      let next = target;
      for (let page = 0; page < pages; page += 1) {
        const answer = await ask(next, headers);
        seen.push(answer);
        const cursor = member(answer, '/data/page/next_cursor');
        if (typeof cursor !== 'string') break;
        next = `${target}${target.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
      }
      return seen;
    },
  };
}

/** Reads something, and again with the tag that it had, and with others. */
function conditional(
  operation: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  strangers: readonly Readonly<Record<string, string>>[],
): Probe {
  return {
    operation,
    target,
    ask: async (ask) => {
      const first = await ask(target, headers);
      const tag = typeof first.headers['etag'] === 'string' ? first.headers['etag'] : '"none"';
      const seen = [
        first,
        await ask(target, { ...headers, 'if-none-match': tag }),
        await ask(target, { ...headers, 'if-none-match': '"other"' }),
      ];
      for (const stranger of strangers) seen.push(await ask(target, { ...stranger, 'if-none-match': tag }));
      return [...seen, await ask(target, headers)];
    },
  };
}

/** The value at a pointer of a JSON body. */
function member({ body }: Seen, pointer: string): Json | undefined {
  try {
    return valueAt(JSON.parse(body) as Json, pointer);
  } catch {
    // A fault may answer with something that is no JSON; then there is no member.
    return undefined;
  }
}

function businessProbes(stage: Ground): readonly Probe[] {
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

function strangers(stage: Ground): readonly Readonly<Record<string, string>>[] {
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

function full(stage: Ground): Readonly<Record<string, string>> {
  return { 'x-service-api-key': stage.key('full') };
}

function strangerProbes(stage: Ground, operation: string, target: string): readonly Probe[] {
  return strangers(stage).map((headers) => once(operation, target, headers));
}

function listProbes(stage: Ground, operation: string, path: string, name: string): readonly Probe[] {
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
    ...'pending confirmed completed no_show pending,confirmed completed,cancelled,rejected,no_show cancelled,pending nonsense '
      .split(' ')
      .map((value) => ask(`status=${value}&limit=100`)),
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
function foreignCursor(stage: Ground, operation: string, path: string): Probe {
  return {
    operation,
    target: `${path}?cursor`,
    ask: async (ask) => {
      const first = await ask(`${path}?limit=2`, { 'x-service-api-key': stage.key('other') });
      return [await ask(`${path}?limit=2&cursor=${encodeURIComponent(String(member(first, '/data/page/next_cursor')))}`, full(stage))];
    },
  };
}

function dateProbes(stage: Ground): readonly Probe[] {
  const date = '2026-03-28';
  const queries = [
    ...[`date_from=${date}&date_to=${date}`, `date_from=${date}`, `date_to=${date}`, 'date_from=2026-03-20&date_to=2026-03-22'],
    ...'date_from=2026-03-29&date_to=2026-03-28 date_from=2031-01-01&date_to=2031-01-02 date_from=2026-03-24&date_to=2026-03-25'.split(' '),
    ...'date_from=2026-02-30 date_to=2026-02-30 date_from=2026-13-01 date_to=2026-13-01 date_from=x date_to=x'.split(' '),
    ...'date_from=2026-03-24&date_to=2026-03-24 date_from=2026-03-23&date_to=2026-03-23 date_from=2026-03-20&status=completed'.split(' '),
    ...'date_to=2026-03-20&status=completed status=completed&date_from=2026-03-20&date_to=2026-03-22'.split(' '),
  ];
  return queries.map((query) => once('listReservations', `${business.reservations}?${query}&limit=100`, full(stage)));
}

function readProbes(stage: Ground, operation: string, path: string, name: string, by: readonly string[]): readonly Probe[] {
  const records =
    stage.contract.operations.find((each) => each.collection?.name === name)?.collection?.query.sort(stage.world.records('full', name)) ??
    [];
  const foreign = stage.world.records('other', name)[0];
  const value = (record: JsonObject | undefined, field: string): string => encodeURIComponent(String(valueAt(record, `/${field}`)));
  const tie = records.findIndex((record, index) => record['changed_at'] === records[index + 1]?.['changed_at']);
  const target = (record: JsonObject | undefined, field: string): string => `${path}?${field}=${value(record, field)}`;
  const shown = [...records.slice(0, 4), records[tie], records[tie + 1]];
  const odd = [
    ..." 0 -1 abc 1.5 99999999 9007199254740993 %00 %F0%9F%92%A5 ..%2F..%2Fetc '%20OR%201=1".split(' '),
    ...['9'.repeat(30), `${value(records[0], 'id')}abc`, 'x'.repeat(600)],
  ];
  return [
    once(operation, path, full(stage)),
    once(operation, `${path}?id=${value(records[0], 'id')}&code=${value(records[0], 'code')}`, full(stage)),
    once(operation, `${path}?id=${value(records[0], 'id')}&code=${value(records[1], 'code')}`, full(stage)),
    ...by.flatMap((field) => shown.map((record) => once(operation, target(record, field), full(stage)))),
    ...by.flatMap((field) => odd.map((text) => once(operation, `${path}?${field}=${text}`, full(stage)))),
    once(operation, `${path}?id=0`, { ...full(stage), 'if-none-match': '*' }),
    once(operation, `${path}?id=99999999`, { ...full(stage), 'if-none-match': '*' }),
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
    ...strangerProbes(stage, operation, target(records[0], by[0] ?? '')),
    once(operation, `${path}?id=99999999`, {
      'x-service-api-key': stage.key(operation === 'getOrder' ? 'without:orders.read' : 'without:reservations.read'),
    }),
  ];
}

function singleProbes(stage: Ground, operation: string, path: string): readonly Probe[] {
  return [
    ...strangerProbes(stage, operation, path),
    once(operation, path, full(stage)),
    conditional(operation, path, full(stage), strangers(stage)),
  ];
}

function wikiProbes(stage: Ground): readonly Probe[] {
  const records = stage.world.records('public', 'entries');
  const hidden = records.filter((record) => record['visibility'] !== 'public');
  const slugs = records.slice(0, 12).map((record) => String(record['slug']));
  const word = String(hidden[0]?.['title']).split(' ').at(-1) ?? '';
  const odd = [
    ...'nothing-here lupo LUPO-DI-SALE Lupo-di-sale %00 .. %2e%2e %F0%9F%92%A5 lupo-di-sale%20 lupo-di-salex lupo%2Ddi%2Dsale'.split(' '),
    ...["'%20OR%201=1", 'x'.repeat(600)],
  ];
  const queries = [
    ...' limit=10 limit=10&page=2 limit=10&page=3 page=2 page=1 limit=60 limit=60&page=2 limit=100&page=2 limit=1 limit=1&page=2'.split(
      ' ',
    ),
    ...'limit=100 limit=1000 page=9999 limit=10&page=9999 page=0 page=-1 page=abc page=1.5 limit=0 limit=-1 limit=abc'.split(' '),
    ..."creature luogo reperto personaggio brand arma nonsense %00 '".split(' ').map((type) => `type=${type}`),
    ...'type=creature&limit=5 type=arma&limit=5&page=2 type=arma&limit=100 type=creature&q=a type=brand&q=zzzzqqqq'.split(' '),
    ..."q=lupo q=lupo%20di q=citt%C3%A0 q=zzzzqqqq q=lupo&type=creature q=lupo&type=luogo q=' q=%25 q=%00 q= q=a q=a&limit=5".split(' '),
    ...[`q=${encodeURIComponent(word)}`, `q=${'x'.repeat(600)}`, 'q=%F0%9F%92%A5'],
  ];
  const callers: readonly Readonly<Record<string, string>>[] = [{}, { authorization: 'Bearer never-issued-key' }];
  return [
    ...queries.flatMap((query) => callers.map((headers) => once('listEntries', `${wiki}?${query}`, headers))),
    { operation: 'listEntries', target: wiki, ask: async (ask) => [await ask(wiki), await ask(wiki), await ask(wiki)] },
    ...[...slugs, String(hidden[0]?.['slug']), String(hidden[1]?.['slug'])].map((slug) =>
      once('getEntry', `${wiki}/${encodeURIComponent(slug)}`, {}),
    ),
    ...odd.map((slug) => once('getEntry', `${wiki}/${slug}`, {})),
    once('getEntry', `${wiki}/${slugs[0]}`, { authorization: 'Bearer never-issued-key' }),
  ];
}
