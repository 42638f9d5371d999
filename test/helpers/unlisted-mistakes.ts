/**
 * Mistakes of servers that no mutant makes and no rule was written for, as functions that spoil a correct answer. They are made of the documents of the two
 * APIs alone: nothing here may follow what the verifier sends.
 */

import type { HttpRequest, HttpResponse } from '../../core/http/exchange.ts';
import type { Spoil } from './judged-servers.ts';

/** A mistake; each server gets a spoiler of its own, which may remember earlier requests. */
export interface UnlistedMistake {
  readonly key: string;
  readonly api: 'business' | 'wiki';
  readonly spoiler: () => Spoil;
}

// biome-ignore lint/suspicious/noExplicitAny: the functions below change bodies whose shape the documents give.
type Body = any;
type Next = Parameters<Spoil>[1];

/** What a spoiler knows of one exchange. */
interface Seen {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly next: Next;
  readonly query: URLSearchParams;
  readonly path: string;
  readonly body: Body;
}

const sees = (request: HttpRequest): Pick<Seen, 'path' | 'query'> => {
  const url = new URL(request.target, 'http://server');
  return { path: url.pathname, query: url.searchParams };
};

const parse = (response: HttpResponse): Body => {
  try {
    return JSON.parse(response.body);
  } catch {
    return undefined;
  }
};

/** Changes answers after they were given. The body that `change` returns is sent; `undefined` leaves the answer as it is. */
function changing(isMeant: (seen: Seen) => boolean, change: (seen: Seen) => Body | Promise<Body>): () => Spoil {
  return () => async (request, next) => {
    const response = await next(request);
    const seen: Seen = { request, response, next, ...sees(request), body: parse(response) };
    if (seen.body === undefined || !isMeant(seen)) return response;
    const body = await change(seen);
    return body === undefined ? response : { ...response, body: JSON.stringify(body) };
  };
}

/** Changes requests before they are answered. */
function asking(
  isMeant: (seen: Pick<Seen, 'path' | 'query' | 'request'>) => boolean,
  change: (query: URLSearchParams) => void,
): () => Spoil {
  return () => async (request, next) => {
    const seen = { ...sees(request), request };
    return next(isMeant(seen) ? asked(request, change) : request);
  };
}

function asked(request: HttpRequest, change: (query: URLSearchParams) => void): HttpRequest {
  const { path, query } = sees(request);
  change(query);
  const text = query.toString();
  return { ...request, target: text === '' ? path : `${path}?${text}` };
}

const isOrders = ({ path }: Pick<Seen, 'path'>): boolean => path.endsWith('orders/index.php');
const isReservations = ({ path }: Pick<Seen, 'path'>): boolean => path.endsWith('reservations/index.php');
const isOrder = ({ path }: Pick<Seen, 'path'>): boolean => path.endsWith('orders/view.php');
const isReservation = ({ path }: Pick<Seen, 'path'>): boolean => path.endsWith('reservations/view.php');
const isEntries = ({ path }: Pick<Seen, 'path'>): boolean => path === '/api/v1/wiki';
const isEntry = ({ path }: Pick<Seen, 'path'>): boolean => path.startsWith('/api/v1/wiki/');
const listOf = (body: Body): Body[] => body?.data?.orders ?? body?.data?.reservations ?? (Array.isArray(body?.data) ? body.data : []);
const recordOf = (body: Body): Body => body?.data?.order ?? body?.data?.reservation ?? body?.data;
const limitOf = (query: URLSearchParams): number => Number(query.get('limit') ?? (query.has('page') ? 30 : 50));
const pageOf = (query: URLSearchParams): number => Number(query.get('page') ?? 1);

function withList(body: Body, change: (records: Body[]) => Body[]): Body {
  if (Array.isArray(body.data)) return { ...body, data: change(body.data) };
  const name = body.data?.orders === undefined ? 'reservations' : 'orders';
  return body.data?.[name] === undefined ? body : { ...body, data: { ...body.data, [name]: change(body.data[name]) } };
}

function withRecord(body: Body, change: (record: Body) => Body): Body {
  const name = ['order', 'reservation'].find((each) => body.data?.[each] !== undefined);
  if (name !== undefined) return { ...body, data: { ...body.data, [name]: change(body.data[name]) } };
  return body.data === undefined ? body : { ...body, data: change(body.data) };
}

function withPage(body: Body, change: object): Body {
  return { ...body, data: { ...body.data, page: { ...body.data.page, ...change } } };
}

const ok = ({ response }: Pick<Seen, 'response'>): boolean => response.status === 200;

/** A page that was given out, by its cursor. */
type GivenPages = Map<string, { readonly page: number; readonly records: readonly Body[] }>;

/** The number of a page in its walk, and the records of the page before. */
function notePage(pages: GivenPages, { query, body }: Seen): { readonly page: number; readonly before: readonly Body[] } {
  const before = pages.get(query.get('cursor') ?? '');
  const page = (before?.page ?? 0) + 1;
  const cursor = body.data.page.next_cursor;
  if (typeof cursor === 'string') pages.set(cursor, { page, records: listOf(body) });
  return { page, before: before?.records ?? [] };
}

/** Changes pages of lists with a cursor, by their number in the walk and the page before. */
function paging(isMeant: (seen: Seen) => boolean, change: (seen: Seen, page: number, before: readonly Body[]) => Body): () => Spoil {
  return () => {
    const pages: GivenPages = new Map();
    const isPage = (seen: Seen): boolean => ok(seen) && (isOrders(seen) || isReservations(seen));
    return changing(isPage, (seen) => {
      const { page, before } = notePage(pages, seen);
      return isMeant(seen) ? change(seen, page, before) : undefined;
    })();
  };
}

let failures = 0;

const asError = (status: number, code: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  get body() {
    failures += 1;
    return JSON.stringify({ ok: false, error: { code, message: 'No.', request_id: `failure-${failures}` } });
  },
});

/** Answers some requests with an error. */
function failing(isMeant: (seen: Seen) => boolean, answer: HttpResponse): () => Spoil {
  return () => async (request, next) => {
    const response = await next(request);
    const seen: Seen = { request, response, next, ...sees(request), body: parse(response) };
    return isMeant(seen) ? answer : response;
  };
}

/** Answers as to another request. */
function insteadOf(change: (seen: Pick<Seen, 'path' | 'query' | 'request'>) => HttpRequest | undefined): () => Spoil {
  return () => async (request, next) => next(change({ ...sees(request), request }) ?? request);
}

/** Answers with the keys of other tenants, learnt from their requests. */
function remembering(isKey: (seen: Pick<Seen, 'path' | 'query' | 'request'>) => boolean, isMeant: (seen: Seen) => boolean): () => Spoil {
  return () => {
    const keys = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      const seen: Seen = { request, response, next, ...sees(request), body: parse(response) };
      if (isKey(seen) && ok(seen)) keys.add(keyOf(request) ?? '');
      return isMeant(seen) ? answerOfOther(keys, seen) : response;
    };
  };
}

async function answerOfOther(keys: ReadonlySet<string>, { request, response, next }: Seen): Promise<HttpResponse> {
  for (const key of keys) {
    const answer = key === keyOf(request) ? response : await next(withKey(request, key));
    if (answer.status === 200) return answer;
  }
  return response;
}

function keyOf({ headers }: HttpRequest): string | undefined {
  const own = headers['x-service-api-key'] ?? headers['authorization'];
  return typeof own === 'string' ? own.replace(/^Bearer /i, '') : undefined;
}

function isBearer({ headers }: HttpRequest): boolean {
  return headers['authorization'] !== undefined;
}

function withKey(request: HttpRequest, key: string): HttpRequest {
  const { authorization: _, ...headers } = request.headers;
  return { ...request, headers: { ...headers, 'x-service-api-key': key } };
}

const member = (query: URLSearchParams, name: string): string[] => (query.get(name) ?? '').split(',').filter((each) => each !== '');
const addDays = (day: string, days: number): string => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

const business: Readonly<Record<string, () => Spoil>> = {
  'the last page of three or more loses its last record': paging(isOrders, ({ body }, page) =>
    page >= 3 && !body.data.page.has_more ? withList(body, (records) => records.slice(0, -1)) : undefined,
  ),
  'pages of 20 or more skip a record as old as the last one before': paging(
    ({ query }) => limitOf(query) >= 20,
    ({ body }, _, before) =>
      before.length > 0 && listOf(body)[0]?.changed_at === before.at(-1)?.changed_at
        ? withList(body, (records) => records.slice(1))
        : undefined,
  ),
  'nothing follows the ninth page': paging(isOrders, ({ body }, page) =>
    page >= 9 ? withPage(body, { has_more: false, next_cursor: null }) : undefined,
  ),
  'the last record comes again from the fifth page on': paging(isReservations, ({ body }, page, before) =>
    page >= 5
      ? withList(body, (records) => [...before.slice(-1), ...records]).data &&
        withList(body, (records) => [...before.slice(-1), ...records.slice(0, -1)])
      : undefined,
  ),
  'the second page loses a record if two states are asked for': paging(
    ({ query }) => member(query, 'status').length >= 2,
    ({ body }, page) => (page === 2 ? withList(body, (records) => records.slice(1)) : undefined),
  ),
  'a page without a limit loses its last record': paging(
    ({ query }) => !query.has('limit'),
    ({ body }) => withList(body, (records) => (records.length > 1 ? records.slice(0, -1) : records)),
  ),
  'pages of 100 have 99 records': paging(
    (seen) => isReservations(seen) && limitOf(seen.query) === 100,
    ({ body }) => withList(body, (records) => records.filter((_, index) => index !== 49)),
  ),
  'a filtered list promises a page after its last': paging(
    (seen) => isOrders(seen) && seen.query.has('channel'),
    ({ body, query }) =>
      body.data.page.has_more || listOf(body).length === 0 || query.has('cursor')
        ? undefined
        : withPage(body, { has_more: true, next_cursor: 'bm90aGluZw' }),
  ),
  'later pages of filtered reservations run backwards': paging(
    (seen) => isReservations(seen) && seen.query.has('status'),
    ({ body }, page) => (page >= 2 ? withList(body, (records) => records.toReversed()) : undefined),
  ),
  'the third page of single records comes twice': paging(
    ({ query }) => limitOf(query) === 1,
    ({ body }, page, before) => (page === 3 ? withList(body, () => [...before]) : undefined),
  ),
  'more is forgotten when exactly one record follows': paging(isReservations, ({ body, query }) =>
    body.data.page.has_more && limitOf(query) % 5 === 4 ? withPage(body, { has_more: false, next_cursor: null }) : undefined,
  ),
  'pages of orders overlap when they are of odd size': paging(
    (seen) => isOrders(seen) && limitOf(seen.query) % 2 === 1 && limitOf(seen.query) > 10,
    ({ body }, page, before) => (page >= 2 ? withList(body, (records) => [...before.slice(-1), ...records.slice(0, -1)]) : undefined),
  ),
  'the channel is ignored on later pages of ready or pending orders': changing(
    (seen) =>
      ok(seen) &&
      isOrders(seen) &&
      seen.query.has('cursor') &&
      seen.query.has('channel') &&
      /ready|pending/.test(seen.query.get('status') ?? ''),
    async ({ request, next, body }) => {
      const all = parse(
        await next(
          asked({ ...request }, (query) => {
            query.delete('cursor');
            query.delete('channel');
          }),
        ),
      );
      return withList(body, (records) =>
        [...records, ...listOf(all).filter((each: Body) => !records.some((one) => one.id === each.id))].slice(
          0,
          limitOf(sees(request).query),
        ),
      );
    },
  ),
  'date_from is ignored beside two states': asking(
    (seen) => isReservations(seen) && member(seen.query, 'status').length >= 2 && !seen.query.has('cursor'),
    (query) => query.delete('date_from'),
  ),
  'date_to leaves out the last day of a range over two months': changing(
    (seen) =>
      ok(seen) &&
      isReservations(seen) &&
      (seen.query.get('date_from') ?? '').slice(0, 7) < (seen.query.get('date_to') ?? '').slice(0, 7) &&
      seen.query.has('date_from'),
    ({ body, query }) => withList(body, (records) => records.filter(({ schedule }) => schedule.date !== query.get('date_to'))),
  ),
  'date_from begins a day late from the 20th of a month on': asking(
    (seen) =>
      isReservations(seen) &&
      !seen.query.has('cursor') &&
      Number((seen.query.get('date_from') ?? '').slice(8)) >= 20 &&
      (seen.query.get('date_from') ?? '') < (seen.query.get('date_to') ?? '9'),
    (query) => query.set('date_from', addDays(query.get('date_from') ?? '', 1)),
  ),
  'evening reservations belong to the next day for date_to': changing(
    (seen) => ok(seen) && isReservations(seen) && seen.query.has('date_to'),
    ({ body, query }) =>
      withList(body, (records) => records.filter(({ schedule }) => schedule.date !== query.get('date_to') || schedule.time < '22:00')),
  ),
  'a checkpoint with an offset other than Z excludes its own instant': changing(
    (seen) => ok(seen) && /[+-]\d\d:\d\d$/.test(seen.query.get('updated_after') ?? ''),
    ({ body, query }) =>
      withList(body, (records) =>
        records.filter(({ changed_at }) => Date.parse(changed_at) !== Date.parse(query.get('updated_after') ?? '')),
      ),
  ),
  'a checkpoint beside a state is rounded up to the minute': changing(
    (seen) => ok(seen) && isOrders(seen) && seen.query.has('updated_after') && seen.query.has('status'),
    ({ body, query }) =>
      withList(body, (records) =>
        records.filter(
          ({ changed_at }) => Date.parse(changed_at) >= Math.ceil(Date.parse(query.get('updated_after') ?? '') / 60_000) * 60_000,
        ),
      ),
  ),
  'a state beside the channel table finds takeaway too': asking(
    (seen) => isOrders(seen) && seen.query.get('channel') === 'table' && seen.query.has('status'),
    (query) => query.delete('channel'),
  ),
  'states in falling order lose the last one': asking(
    ({ query }) =>
      member(query, 'status').length >= 2 &&
      member(query, 'status').join() !== member(query, 'status').toSorted().join() &&
      !query.has('cursor'),
    (query) => query.set('status', member(query, 'status').slice(0, -1).join(',')),
  ),
  'all states together find nothing': changing(
    (seen) => ok(seen) && isReservations(seen) && member(seen.query, 'status').length >= 5,
    ({ body }) =>
      withPage(
        withList(body, () => []),
        { has_more: false, next_cursor: null },
      ),
  ),
  'cancelled orders older than the rest are lost': changing(
    (seen) => ok(seen) && isOrders(seen) && seen.query.get('status') === 'cancelled',
    ({ body }) => withList(body, (records) => records.filter(({ id }) => id > 10_300)),
  ),
  'a range of one day has the day after too': asking(
    (seen) =>
      isReservations(seen) &&
      seen.query.has('date_from') &&
      seen.query.get('date_from') === seen.query.get('date_to') &&
      !seen.query.has('cursor'),
    (query) => query.set('date_to', addDays(query.get('date_to') ?? '', 1)),
  ),
  'old orders cannot be read': failing((seen) => isOrder(seen) && recordOf(seen.body)?.id < 10_400, asError(404, 'ORDER_NOT_FOUND')),
  'the newest order cannot be read': failing((seen) => isOrder(seen) && recordOf(seen.body)?.id > 11_560, asError(404, 'ORDER_NOT_FOUND')),
  'old reservations cannot be read': failing(
    (seen) => isReservation(seen) && recordOf(seen.body)?.id < 52_800,
    asError(404, 'RESERVATION_NOT_FOUND'),
  ),
  'orders at a table show another total': changing(
    (seen) => ok(seen) && isOrder(seen) && recordOf(seen.body).channel === 'table' && recordOf(seen.body).status === 'completed',
    ({ body }) => withRecord(body, (record) => ({ ...record, totals: { ...record.totals, total: record.totals.total + 1 } })),
  ),
  'codes with a 7 find nothing': failing(
    (seen) => isOrder(seen) && /7/.test(seen.query.get('code') ?? ''),
    asError(404, 'ORDER_NOT_FOUND'),
  ),
  'codes are compared without their last letter': insteadOf(({ path, query, request }) =>
    path.endsWith('orders/view.php') && /[A-H]$/.test(query.get('code') ?? '')
      ? asked(request, (each) => each.set('code', 'TR-66DF'))
      : undefined,
  ),
  'long notes are cut in the detail': changing(
    (seen) => ok(seen) && isReservation(seen),
    ({ body }) => withRecord(body, (record) => ({ ...record, notes: record.notes?.slice(0, 20) ?? record.notes })),
  ),
  'the detail has no table for large groups': changing(
    (seen) => ok(seen) && isReservation(seen) && recordOf(seen.body).schedule.people >= 8,
    ({ body }) => withRecord(body, (record) => ({ ...record, table_assignment: null })),
  ),
  'old details were changed an hour earlier': changing(
    (seen) => ok(seen) && isOrder(seen) && recordOf(seen.body).id < 10_500,
    ({ body }) =>
      withRecord(body, (record) => ({
        ...record,
        changed_at: new Date(Date.parse(record.changed_at) - 3_600_000).toISOString().replace('.000Z', '+00:00'),
      })),
  ),
  'every fifth detail has the phone of another customer': changing(
    (seen) => ok(seen) && isOrder(seen) && recordOf(seen.body).id % 5 === 0,
    ({ body }) => withRecord(body, (record) => ({ ...record, customer: { ...record.customer, phone: '+39 055 0199999' } })),
  ),
  'a detail by code has no items': changing(
    (seen) => ok(seen) && isOrder(seen) && seen.query.has('code'),
    ({ body }) => withRecord(body, (record) => ({ ...record, items: [] })),
  ),
  'odd reservations never answer 304': insteadOf(({ path, query, request }) => {
    const { 'if-none-match': _, ...headers } = request.headers;
    return path.endsWith('reservations/view.php') && Number(query.get('id')) % 2 === 1 ? { ...request, headers } : undefined;
  }),
  'cancelled orders answer 304 to any tag': () => async (request, next) => {
    const response = await next(request);
    const isMeant =
      isOrder(sees(request)) && request.headers['if-none-match'] !== undefined && recordOf(parse(response))?.status === 'cancelled';
    return isMeant ? { status: 304, headers: response.headers, body: '' } : response;
  },
  'every second read has a weaker tag of its own': () => {
    let reads = 0;
    return async (request, next) => {
      const response = await next(request);
      if (!isReservation(sees(request)) || response.status !== 200) return response;
      reads += 1;
      return { ...response, headers: { ...response.headers, etag: `"t${reads}"` } };
    };
  },
  'the tag is the day of the change': () => async (request, next) => {
    const response = await next(request);
    const day = recordOf(parse(response))?.changed_at?.slice(0, 10);
    return isReservation(sees(request)) && response.status === 200
      ? { ...response, headers: { ...response.headers, etag: `"${day}"` } }
      : response;
  },
  'a read by code has no tag': () => async (request, next) => {
    const response = await next(request);
    const { etag: _, ...headers } = response.headers;
    return isOrder(sees(request)) && sees(request).query.has('code') && response.status === 200 ? { ...response, headers } : response;
  },
  "another tenant's order can be read by its code": remembering(
    isOrders,
    (seen) => isOrder(seen) && seen.query.has('code') && seen.response.status === 404,
  ),
  "another tenant's newer reservations can be read": remembering(
    isReservations,
    (seen) => isReservation(seen) && Number(seen.query.get('id')) % 2 === 0 && seen.response.status === 404,
  ),
  "a checkpoint shows another tenant's latest order": () => {
    const keys = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      const key = keyOf(request);
      if (isOrders(sees(request)) && response.status === 200 && key !== undefined) keys.add(key);
      const { query } = sees(request);
      const [other] = [...keys].filter((each) => each !== key);
      if (!isOrders(sees(request)) || response.status !== 200 || !query.has('updated_after') || query.has('cursor') || other === undefined)
        return response;
      const foreign = parse(await next(withKey(request, other)));
      return {
        ...response,
        body: JSON.stringify(withList(parse(response), (records) => [...listOf(foreign).slice(0, 1), ...records].slice(0, limitOf(query)))),
      };
    };
  },
  "another tenant's order is forbidden": () => {
    const foreign = new Set<string>();
    let full: string | undefined;
    return async (request, next) => {
      const response = await next(request);
      const { query } = sees(request);
      const key = keyOf(request);
      if (isOrders(sees(request)) && response.status === 200) full ??= key;
      if (isOrders(sees(request)) && response.status === 200 && key !== full)
        for (const { id } of listOf(parse(response))) foreign.add(String(id));
      return isOrder(sees(request)) && key === full && response.status === 404 && foreign.has(query.get('id') ?? '')
        ? asError(403, 'FORBIDDEN')
        : response;
    };
  },
  'the scope of reservations is not asked of a bearer': () => {
    let full: string | undefined;
    return async (request, next) => {
      const response = await next(request);
      const key = keyOf(request);
      if (isReservations(sees(request)) && response.status === 200) full ??= key;
      const isMeant = isReservations(sees(request)) && isBearer(request) && response.status === 403 && full !== undefined;
      return isMeant ? next(withKey(request, full ?? '')) : response;
    };
  },
  'a bearer may have expired': () => {
    let full: string | undefined;
    return async (request, next) => {
      const response = await next(request);
      if (isOrders(sees(request)) && response.status === 200) full ??= keyOf(request);
      const isMeant = isBearer(request) && /-exp|expired/i.test(JSON.stringify(parse(response) ?? '')) && response.status === 401;
      return isMeant && full !== undefined ? next(withKey(request, full)) : response;
    };
  },
  'a limit above 100 is cut when a state is sent': asking(
    ({ query }) => Number(query.get('limit')) > 100 && query.has('status'),
    (query) => query.set('limit', '100'),
  ),
  'the 31st of February is a day': asking(
    (seen) => isReservations(seen) && /-02-3\d/.test(seen.query.get('date_from') ?? ''),
    (query) => query.set('date_from', '2026-03-01'),
  ),
  'a number with a fraction is an id': asking(
    (seen) => isOrder(seen) && /^\d+\.\d+$/.test(seen.query.get('id') ?? ''),
    (query) => query.set('id', (query.get('id') ?? '').split('.')[0] ?? ''),
  ),
  'an unknown state beside a known one is ignored': asking(
    (seen) => isReservations(seen) && member(seen.query, 'status').length > 1,
    (query) =>
      query.set(
        'status',
        member(query, 'status')
          .filter((each) => /^(pending|confirmed|cancelled|rejected|completed|no_show|seated|arrived)$/.test(each))
          .join(','),
      ),
  ),
  'a range that ends before it begins is turned around': asking(
    (seen) =>
      isReservations(seen) &&
      seen.query.has('date_from') &&
      seen.query.has('date_to') &&
      (seen.query.get('date_from') ?? '') > (seen.query.get('date_to') ?? ''),
    (query) => {
      const [from, to] = [query.get('date_from') ?? '', query.get('date_to') ?? ''];
      query.set('date_from', to);
      query.set('date_to', from);
    },
  ),
  'an id beside a code wins': asking(
    (seen) => isOrder(seen) && seen.query.has('id') && seen.query.has('code'),
    (query) => query.delete('code'),
  ),
  'a malformed checkpoint is ignored if a channel is sent': asking(
    (seen) =>
      isOrders(seen) &&
      seen.query.has('channel') &&
      seen.query.has('updated_after') &&
      Number.isNaN(Date.parse(seen.query.get('updated_after') ?? '')),
    (query) => query.delete('updated_after'),
  ),
  'a changed cursor begins again': () => async (request, next) => {
    const response = await next(request);
    const isMeant = isReservations(sees(request)) && response.status === 422 && sees(request).query.has('cursor');
    return isMeant ? next(asked(request, (query) => query.delete('cursor'))) : response;
  },
  'old records have a changed_at without an offset': changing(
    (seen) => ok(seen) && isOrders(seen),
    ({ body }) =>
      withList(body, (records) => records.map((each) => (each.id < 10_100 ? { ...each, changed_at: each.changed_at.slice(0, 19) } : each))),
  ),
  'a total without a discount is a text': changing(
    (seen) => ok(seen) && isOrders(seen) && seen.query.has('status'),
    ({ body }) =>
      withList(body, (records) =>
        records.map((each) =>
          each.totals.discount === 0 ? { ...each, totals: { ...each.totals, total: String(each.totals.total) } } : each,
        ),
      ),
  ),
  'every failure of a read has one request id': changing(
    (seen) => seen.response.status === 404,
    ({ body }) => ({ ...body, error: { ...body.error, request_id: 'none' } }),
  ),
  'dates that are refused have no code': changing(
    (seen) => seen.response.status === 422 && (seen.query.has('date_from') || seen.query.has('date_to')),
    ({ body }) => ({ ...body, error: { message: body.error.message, request_id: body.error.request_id } }),
  ),
  'a list beside another request shows the records of that one': () => {
    let running = 0;
    let last: HttpRequest | undefined;
    return async (request, next) => {
      running += 1;
      const shared = isOrders(sees(request)) && running > 1 && last !== undefined && isOrders(sees(last)) ? last : request;
      last = request;
      await new Promise((resolve) => setImmediate(resolve));
      const response = await next({ ...shared, headers: request.headers });
      running -= 1;
      return response;
    };
  },
  'the menu has another version than its manifest when it is asked with a tag': failing(
    (seen) =>
      seen.path.endsWith('menus/current.php') &&
      seen.request.headers['if-none-match'] !== undefined &&
      seen.response.status === 200 &&
      /no-such/.test(String(seen.request.headers['if-none-match'])),
    asError(404, 'MENU_NOT_FOUND'),
  ),
};

const wiki: Readonly<Record<string, () => Spoil>> = {
  'the total is one more from the tenth page on': changing(
    (seen) => ok(seen) && isEntries(seen) && pageOf(seen.query) >= 10,
    ({ body }) => ({ ...body, meta: { ...body.meta, total: body.meta.total + 1 } }),
  ),
  'the total of a type is one less on later pages': changing(
    (seen) => ok(seen) && isEntries(seen) && pageOf(seen.query) >= 2 && seen.query.has('type'),
    ({ body }) => ({ ...body, meta: { ...body.meta, total: body.meta.total - 1 } }),
  ),
  'a last page of ten or more loses its last entry': changing(
    (seen) => ok(seen) && isEntries(seen) && limitOf(seen.query) >= 10 && pageOf(seen.query) >= 2,
    ({ body, query }) => (listOf(body).length < limitOf(query) ? withList(body, (records) => records.slice(0, -1)) : undefined),
  ),
  'pages of five to nine begin one entry late': changing(
    (seen) =>
      ok(seen) &&
      isEntries(seen) &&
      limitOf(seen.query) >= 5 &&
      limitOf(seen.query) <= 9 &&
      limitOf(seen.query) !== 7 &&
      pageOf(seen.query) >= 2,
    async ({ request, next, body, query }) => {
      const after = listOf(parse(await next(asked(request, (each) => each.set('page', String(pageOf(query) + 1))))));
      return withList(body, (records) => [...records.slice(1), ...after.slice(0, 1)]);
    },
  ),
  'the fourth page of large pages is the third': asking(
    (seen) => isEntries(seen) && limitOf(seen.query) >= 20 && pageOf(seen.query) === 4,
    (query) => query.set('page', '3'),
  ),
  'the number of a page stops at five': changing(
    (seen) => ok(seen) && isEntries(seen) && pageOf(seen.query) > 5 && listOf(seen.body).length > 0,
    ({ body }) => ({ ...body, meta: { ...body.meta, page: 5 } }),
  ),
  'a limit above 60 is said to be 30': changing(
    (seen) => ok(seen) && isEntries(seen) && limitOf(seen.query) > 60,
    ({ body }) => ({ ...body, meta: { ...body.meta, limit: 30 } }),
  ),
  'past the end of a type is its first page': changing(
    (seen) => ok(seen) && isEntries(seen) && seen.query.has('type') && listOf(seen.body).length === 0 && pageOf(seen.query) > 2,
    async ({ request, next }) => {
      const first = parse(await next(asked(request, (query) => query.delete('page'))));
      return first;
    },
  ),
  'the type is forgotten on later pages of weapons': asking(
    (seen) => isEntries(seen) && ['arma', 'brand'].includes(seen.query.get('type') ?? '') && pageOf(seen.query) >= 2,
    (query) => query.delete('type'),
  ),
  'pages of a type of 50 or more have an entry of another type': changing(
    (seen) => ok(seen) && isEntries(seen) && seen.query.has('type') && limitOf(seen.query) >= 50,
    async ({ request, next, body, query }) => {
      const others = listOf(parse(await next(asked(request, (each) => each.delete('type')))));
      return withList(body, (records) => [...records, ...others.filter(({ type }) => type !== query.get('type')).slice(0, 1)]);
    },
  ),
  'characters are not found by their type': changing(
    (seen) => ok(seen) && isEntries(seen) && seen.query.get('type') === 'personaggio',
    ({ body }) => ({ ...withList(body, (records) => records.slice(0, -1)), meta: { ...body.meta, total: body.meta.total - 1 } }),
  ),
  'pages of three or fewer are in another order': changing(
    (seen) => ok(seen) && isEntries(seen) && limitOf(seen.query) <= 3,
    ({ body }) => withList(body, (records) => records.toReversed()),
  ),
  'titles with an apostrophe are escaped in the single read': changing(
    (seen) => ok(seen) && isEntry(seen),
    ({ body }) =>
      withRecord(body, (record) => ({
        ...record,
        title: record.title.replaceAll('à', '&agrave;').replaceAll("'", '&#39;').replaceAll('è', '&egrave;'),
      })),
  ),
  'a place was changed a second later in its single read': changing(
    (seen) => ok(seen) && isEntry(seen) && recordOf(seen.body).type === 'luogo',
    ({ body }) =>
      withRecord(body, (record) => ({
        ...record,
        updated_at: record.updated_at.replace(/\d$/, (digit: string) => String((Number(digit) + 1) % 10)),
      })),
  ),
  'slugs of four or more words are not found': failing(
    (seen) => isEntry(seen) && seen.path.split('-').length >= 4,
    asError(404, 'NOT_FOUND'),
  ),
  'entries of last year are not found': failing(
    (seen) => isEntry(seen) && ok(seen) && recordOf(seen.body).updated_at < '2025-05',
    asError(404, 'NOT_FOUND'),
  ),
  'brands cannot be read': failing((seen) => isEntry(seen) && ok(seen) && recordOf(seen.body).type === 'brand', {
    status: 500,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ok: false, error: { code: 'SERVER_ERROR', message: 'No.' } }),
  }),
  'later pages are HTML': () => async (request, next) => {
    const response = await next(request);
    return isEntries(sees(request)) && pageOf(sees(request).query) >= 5
      ? { ...response, headers: { ...response.headers, 'content-type': 'text/html' } }
      : response;
  },
  'later pages have the texts of their entries': changing(
    (seen) => ok(seen) && isEntries(seen) && pageOf(seen.query) >= 4,
    ({ body }) => withList(body, (records) => records.map((each) => ({ ...each, body_public: '<p>…</p>' }))),
  ),
  'a search beside a type ignores the type': asking(
    (seen) => isEntries(seen) && seen.query.has('q') && seen.query.has('type'),
    (query) => query.delete('type'),
  ),
  'long searches fail': failing((seen) => isEntries(seen) && (seen.query.get('q') ?? '').length > 12 && ok(seen), {
    status: 500,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ok: false, error: { code: 'SERVER_ERROR', message: 'No.' } }),
  }),
  'a search for one letter ignores it': asking(
    (seen) => isEntries(seen) && (seen.query.get('q') ?? '').length === 1,
    (query) => query.delete('q'),
  ),
  'the total of a type counts two hidden entries': changing(
    (seen) => ok(seen) && isEntries(seen) && ['luogo', 'creature'].includes(seen.query.get('type') ?? ''),
    ({ body }) => ({ ...body, meta: { ...body.meta, total: body.meta.total + 2 } }),
  ),
  'one answer in forty is a 502': () => {
    let answers = 0;
    return async (request, next) => {
      answers += 1;
      return answers % 40 === 0 ? { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad Gateway</h1>' } : next(request);
    };
  },
};

export const unlistedMistakes: readonly UnlistedMistake[] = [
  ...Object.entries(business).map(([key, spoiler]) => ({ key: `business: ${key}`, api: 'business' as const, spoiler })),
  ...Object.entries(wiki).map(([key, spoiler]) => ({ key: `wiki: ${key}`, api: 'wiki' as const, spoiler })),
];
