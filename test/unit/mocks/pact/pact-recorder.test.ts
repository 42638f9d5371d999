/** Recorded pacts: one interaction per kind of exchange, with its description, provider states and generators. */

import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../core/json.ts';
import { parseBodyPath } from '../../../../core/pact/body-path.ts';
import { valueAt } from '../../../../core/pointer.ts';
import type { ChaosDecider } from '../../../../mocks/chaos/chaos-decision.ts';
import { notesWith } from '../../../helpers/contracts/notes-contract.ts';
import { type RecordingMock, recordBusiness, recordText, recordWiki } from '../../../helpers/recording-mock.ts';
import { business, wiki } from '../../../helpers/request-targets.ts';

/** An interaction in a few lines: description, states, what is injected. */
function linesOf(mock: RecordingMock): readonly string[] {
  return mock.pact().interactions.map(({ description, states, request, response }) => {
    const facts = states.map(({ name }) => name).join(' and ');
    const injected = [...JSON.stringify(request.generators).matchAll(/\$\{([^}]*)\}/g)].map(([, name]) => `<${name}>`).join(' ');
    return [`${response.status} ${description}`, facts, injected].filter((part) => part !== '').join(' | ');
  });
}

/** Placeholder for a value that a fact gives. */
function standingFor(name: string): string {
  return ['$', '{', name, '}'].join('');
}

function textAt(body: Json | undefined, pointer: string): string {
  const value = valueAt(body, pointer);
  if (value === undefined || value === null) throw new Error(`there is nothing at ${pointer}`);
  return String(value);
}

const key = (mock: RecordingMock, role: string): Readonly<Record<string, string>> => ({
  'x-service-api-key': mock.api.keys.byRole.get(role) ?? role,
});

/** A client that pages, reads records by both names, and reads them again with their tags. */
async function useBusiness(mock: RecordingMock): Promise<void> {
  const page = await mock.get(`${business.orders}?limit=2&status=ready`);
  await mock.get(`${business.orders}?limit=2&status=ready&cursor=${encodeURIComponent(textAt(page, '/data/page/next_cursor'))}`);
  const id = textAt(page, '/data/orders/0/id');
  await mock.get(`${business.order}?id=${id}`);
  await mock.get(`${business.order}?code=${textAt(page, '/data/orders/0/code')}`);
  await mock.get(`${business.order}?id=${id}`, { ...key(mock, 'full'), 'if-none-match': '"old"' });
  await mock.get(`${business.order}?id=${id}`, { ...key(mock, 'full'), 'if-none-match': '*' });
  await mock.get(business.menu);
}

describe('a recorded pact', () => {
  it('describes a client that paginates and re-reads records', async () => {
    const mock = await recordBusiness();
    await useBusiness(mock);
    expect(linesOf(mock)).toEqual([
      '200 a request for the menu | a menu exists',
      '200 a request to list orders by status, the next page, with a limit | more than 2 orders with status ready exist | <cursor>',
      '200 a request to list orders by status, with a limit, of which more follow | more than 2 orders with status ready exist',
      '200 a request for an order by id | an order exists | <id>',
      '200 a request for an order by code | an order exists | <code>',
      '200 a request for an order by id, whose copy is old | an order exists | <id>',
      '304 a request for an order by id, whose copy is current | an order exists | <etag> <id>',
    ]);
    expect(mock.leftOut()).toEqual([]);
  });

  it('expects the members of a record where the mock puts it, even if the contract leaves its place open', async () => {
    const mock = await recordBusiness();
    await useBusiness(mock);
    const byCode = mock.pact().interactions.find(({ description }) => description === 'a request for an order by code');
    const record = valueAt(byCode?.response.body, '/data/order');
    expect(Object.keys(record ?? {})).toEqual(expect.arrayContaining(['id', 'code', 'totals', 'changed_at']));
  });

  it('replaces inclusive bounds by fields of a record', async () => {
    const mock = await recordBusiness();
    await mock.get(`${business.orders}?updated_after=2026-03-29T14:00:00Z&channel=table,takeaway&limit=100`);
    await mock.get(`${business.reservations}?date_from=2026-03-29&date_to=2026-03-29&limit=100`);
    const [orders, reservations] = mock.pact().interactions;
    expect(orders?.states).toEqual([
      {
        name: expect.stringMatching(/^an order with channel (table|takeaway) exists$/),
        params: { where: { '/channel': expect.any(String) } },
      },
    ]);
    expect(orders?.request.generators).toEqual({
      query: { updated_after: { type: 'ProviderState', expression: standingFor('changed_at') } },
    });
    expect(reservations?.states).toEqual([{ name: 'a reservation exists', params: {} }]);
    const injected = { type: 'ProviderState', expression: standingFor('schedule.date') };
    expect(reservations?.request.generators).toEqual({ query: { date_from: injected, date_to: injected } });
  });

  it('describes numbered pages, and a search without expectations', async () => {
    const mock = await recordWiki();
    await mock.get(`${wiki}?limit=2&page=3`);
    await mock.get(`${wiki}?q=sale`);
    const first = await mock.get(`${wiki}?limit=1&type=creature`);
    await mock.get(`${wiki}/${textAt(first, '/data/0/slug')}`);
    await mock.get(`${wiki}/nothing-of-this-name`);
    expect(linesOf(mock)).toEqual([
      '200 a request to list entries by q',
      '200 a request to list entries by type, with a limit | an entry with type creature exists',
      '200 a request to list entries, a page by its number, with a limit | more than 4 entries exist',
      '200 a request for an entry by slug | an entry exists | <slug>',
      '404 a request for an entry by slug, which does not exist | no entry has this slug | <slug>',
    ]);
    const [search, byType] = mock.pact().interactions;
    const rulesOf = (found: typeof search, path: string): unknown =>
      found?.response.matching.body
        .find((each) => isDeepStrictEqual(each.path, parseBodyPath(path)))
        ?.rule.matchers.map(({ value }) => value);
    expect(rulesOf(search, '$.data')).toEqual([{ match: 'type', min: 0 }]);
    expect(rulesOf(byType, '$.data')).toEqual([{ match: 'type', min: 1 }]);
    expect(rulesOf(byType, '$.data[*].type')).toEqual([{ match: 'equality' }]);
    expect(rulesOf(search, '$.data[*].type')).toEqual([{ match: 'regex', regex: '^(creature|luogo|reperto|personaggio|brand|arma)$' }]);
  });

  it('describes problems of keys, invalid values and missing records', async () => {
    const mock = await recordBusiness();
    await mock.get(business.identity, {});
    await mock.get(business.identity, { authorization: 'Bearer of-nobody' });
    await mock.get(business.identity, key(mock, 'expired'));
    await mock.get(business.orders, key(mock, 'without:orders.read'));
    await mock.get(`${business.orders}?limit=101&status=lost`);
    await mock.get(`${business.orders}?cursor=broken`);
    await mock.get(`${business.order}?id=5&code=A`);
    await mock.get(`${business.order}?id=987654321`);
    await mock.get(business.menu, key(mock, 'no-menu'));
    expect(linesOf(mock)).toEqual([
      '401 a request for the identity, without a key | the key is missing',
      '401 a request for the identity, with an expired key | the key has expired',
      '401 a request for the identity, with an unknown key | the key is unknown',
      '404 a request for the menu, which does not exist | no menu exists',
      '403 a request to list orders, with a key that lacks the scope orders.read | the key lacks the scope orders.read',
      '422 a request to list orders, the next page, with wrong cursor',
      '422 a request to list orders by status, with a limit, with wrong limit and status',
      '404 a request for an order by id, which does not exist | no order has this id | <id>',
      '422 a request for an order by id and code, with wrong code and id',
    ]);
    expect(mock.pact().interactions.map(({ request }) => [...request.headers])).toContainEqual([['authorization', ['Bearer your-key']]]);
  });

  it('describes limits and outages', async () => {
    const met = [{ throttled: { retryAfter: '17' } }, { unavailable: { code: undefined } }, { unavailable: { code: 'ORDERS_NOT_READY' } }];
    const decider: ChaosDecider = { decide: () => met.shift() ?? {} };
    const mock = await recordBusiness({}, decider);
    for (const _ of [1, 2, 3]) await mock.get(business.orders);
    expect(linesOf(mock)).toEqual([
      '429 a request to list orders, when no more requests are allowed | the service allows no more requests',
      '503 a request to list orders, while the service is not ready (API_NOT_READY) | the service is not ready',
      '503 a request to list orders, while the service is not ready (ORDERS_NOT_READY) | the service is not ready',
    ]);
    // The wait depends on the moment, and the example does not.
    expect(mock.pact().interactions[0]?.response.headers.get('retry-after')).toEqual(['30']);
  });
});

describe('left out of a recorded pact', () => {
  it.each<[string, string, string, Readonly<Record<string, string>>?]>([
    ['a path of nobody', '/nowhere', 'no operation of the contract has its path and method'],
    ['a value that the contract leaves open', `${business.orders}?limit=07`, 'the contract does not specify its response (sloppy-values)'],
    [
      'a parameter of which it says nothing',
      `${business.orders}?utm=3`,
      'the contract does not specify its response (undeclared-parameters)',
    ],
    ['what only the wire shows', `${business.order}?code=%zz`, 'its encoding is invalid, and a pact stores decoded values'],
    ['a wrong value without a key', `${business.orders}?limit=0`, 'it has several problems, and the response reports only one', {}],
  ])('%s', async (_name, target, reason, headers) => {
    const mock = await recordBusiness();
    await mock.get(target, headers);
    expect(mock.leftOut()).toEqual([{ reason, count: 1, example: `GET ${target}` }]);
    expect(mock.pact().interactions).toEqual([]);
  });

  it.each([
    ['a limit that the mock rejects by its own choice', `${wiki}?limit=0`, 'the contract does not say that it is rejected'],
    ['a type that is none', `${wiki}?type=dragon`, 'the contract does not specify its response (bad-parameters)'],
  ])('%s', async (_name, target, reason) => {
    const mock = await recordWiki();
    await mock.get(target);
    expect(mock.leftOut()).toEqual([{ reason, count: 1, example: `GET ${target}` }]);
  });

  it('are a cursor with other filters, and one past the end', async () => {
    const mock = await recordBusiness({ profile: { 'last-cursor': 'given' } });
    const page = await mock.get(`${business.orders}?limit=2`);
    await mock.get(`${business.orders}?limit=2&status=ready&cursor=${textAt(page, '/data/page/next_cursor')}`);
    const last = await mock.get(`${business.orders}?limit=100&status=preparing`);
    expect(valueAt(last, '/data/page/has_more')).toBe(false);
    await mock.get(`${business.orders}?limit=100&status=preparing&cursor=${textAt(last, '/data/page/next_cursor')}`);
    expect(mock.leftOut().map(({ reason }) => reason)).toEqual([
      'the contract does not specify its response (changed-filters)',
      'its cursor leads past the last record, which no provider state expresses',
    ]);
    expect(mock.pact().interactions).toHaveLength(2);
  });

  it('is a page past the end, for which the mock returns its last one', async () => {
    const mock = await recordWiki({ profile: { 'page-beyond': 'last' } });
    await mock.get(`${wiki}?page=1000`);
    expect(mock.leftOut()).toEqual([{ reason: 'its response is not the requested page', count: 1, example: `GET ${wiki}?page=1000` }]);
  });

  it('is a request with two mistakes that the contract need not refuse', async () => {
    const mock = await recordWiki({ profile: { 'undeclared-parameters': 'refused', 'bad-parameters': 'refused' } });
    await mock.get(`${wiki}?limit=x&nope=1`);
    expect(mock.leftOut().map(({ count, reason }) => `${count} ${reason}`)).toEqual([
      expect.stringMatching(/^1 .*(?:undeclared|bad)-parameters/),
    ]);
  });

  it('are truncated answers, and requests without context', async () => {
    const met = [{ wire: { cut: 'reset' } } as const];
    const mock = await recordBusiness({}, { decide: () => met.shift() ?? {} });
    await mock.get(business.identity);
    await mock.send({ method: 'HEAD', target: business.identity, headers: key(mock, 'full') });
    await mock.send({ method: 'OPTIONS', target: business.identity, headers: {} });
    expect(mock.leftOut().map(({ reason }) => reason)).toEqual([
      'its response was cut short',
      'HEAD has no body, and contracts do not describe it',
    ]);
    expect(mock.pact().interactions).toEqual([]);
  });

  it('are requests, reported once per reason with the shortest example', async () => {
    const mock = await recordBusiness();
    for (const path of ['/a/long/way', '/b', '/a']) await mock.get(path);
    expect(mock.leftOut()).toEqual([{ reason: 'no operation of the contract has its path and method', count: 3, example: 'GET /a' }]);
  });
});

describe('a recorded pact as a file', () => {
  const targets = [
    ...['ready', 'pending', 'ready,pending', 'completed'].map((status) => `${business.orders}?status=${status}&limit=1`),
    ...[5, 50, 7].map((limit) => `${business.orders}?limit=${limit}`),
    ...[987654321, 7, 987654322].map((id) => `${business.order}?id=${id}`),
    ...['0', '101', 'x'].map((limit) => `${business.reservations}?limit=${limit}`),
    business.menu,
    business.menu,
  ];

  it('is the same, byte for byte, for any order of requests', async () => {
    const [forwards, backwards] = [await recordBusiness(), await recordBusiness()];
    for (const target of targets) await forwards.get(target);
    for (const target of targets.toReversed()) await backwards.get(target);
    expect(backwards.text()).toBe(forwards.text());
    expect(forwards.pact().interactions.length).toBe(5);
  });

  it('has no keys and no names', async () => {
    const mock = await recordBusiness();
    await useBusiness(mock);
    await mock.get(`${business.reservations}?limit=100`);
    const names = mock.api.dataset
      .at(Date.UTC(2026, 2, 29, 16))
      .records('full', 'reservations')
      .map((record) => textAt(record, '/customer/name'));
    const text = mock.text();
    for (const secret of [...mock.api.keys.byRole.values(), ...new Set(names)]) expect(text.includes(secret), secret).toBe(false);
    expect(text).toContain('"name": "Xxx');
  });

  it('masks personal values in requests, and messages that repeat them', async () => {
    const personalTitle = notesWith('title: { type: string }\n        seen', 'title: { type: string, x-personal: true }\n        seen');
    const mock = await recordText(personalTitle);
    await mock.get('/notes?q=Anna%20Rossi');
    expect(mock.text()).not.toContain('Anna');
    expect(mock.pact().interactions[0]?.request.query.get('q')).toEqual(['Xxxx Xxxxx']);
  });
});
