/** Calls as requests, with every carrier of a key and kind of parameter; replies with their records, tags and Retry-After. */

import { describe, expect, test } from 'vitest';
import { type Call, encodeAnyText, isSuccess, recordsIn, toRequest, Unwritable } from '../../../../../contracts/verify/evidence/call.ts';
import { anonymous, unissuedKey, unknownCaller } from '../../../../../contracts/verify/evidence/callers.ts';
import { tagOf } from '../../../../../contracts/verify/evidence/entity-tag.ts';
import { parseHttpDate, readRetryAfter } from '../../../../../core/http/time-headers.ts';
import type { Operation } from '../../../../../core/openapi/operation.ts';
import { operationOf, readTarget } from '../../../../helpers/contracts/contract-text.ts';
import { contractOf, keyringOf, listIn, operationIn, replyTo } from '../../../../helpers/engine.ts';

const keys = keyringOf({ full: 'kéy &=1', other: 'the-other' });
const business = await contractOf('business');
const library = await contractOf('library');
const parcels = await contractOf('parcels');
const wiki = await contractOf('wiki');

/** An operation with these alternatives of security, over schemes of every kind. */
function secured(security: string): Promise<Operation> {
  const schemes = [
    'components:',
    '  securitySchemes:',
    '    header: { type: apiKey, in: header, name: X-Key }',
    '    query: { type: apiKey, in: query, name: the key }',
    '    cookie: { type: apiKey, in: cookie, name: session }',
    '    bearer: { type: http, scheme: bearer }',
    '    basic: { type: http, scheme: basic }',
    '',
  ];
  return operationOf(`security: ${security}`, '/x', schemes.join('\n'));
}

function send(call: Call): { readonly target: string; readonly headers: Readonly<Record<string, unknown>> } {
  const { target, headers } = toRequest(call, keys);
  return { target, headers: { ...headers } };
}

test('one value where a list may be given is a list of one', async () => {
  const list = await operationOf('parameters: [{ name: s, in: query, explode: false, schema: { type: array, items: { type: string } } }]');
  expect(toRequest({ operation: list, values: { s: 'a' } }, keys).target).toBe('/x?s=a');
  expect(toRequest({ operation: list, values: { s: ['a', 'b'] } }, keys).target).toBe('/x?s=a,b');
  expect(() => toRequest({ operation: list, values: { s: { a: 'b' } } }, keys)).toThrow(Unwritable);
  const object = await operationOf('parameters: [{ name: s, in: query, schema: { type: object } }]');
  expect(() => toRequest({ operation: object, values: { s: 'a' } }, keys)).toThrow(
    /api\.yaml:\d+:\d+: s takes an object.*; let it take one value/,
  );
});

test('a cookie parameter is sent, beside a key in another cookie', async () => {
  const schemes = 'components: { securitySchemes: { session: { type: apiKey, in: cookie, name: session } } }';
  const lines = 'security: [{ session: [] }]\nparameters: [{ name: shop, in: cookie, required: true, schema: { type: string } }]';
  const operation = await operationOf(lines, '/x', schemes);
  expect(send({ operation, values: { shop: 'a b' } }).headers).toEqual({ accept: '*/*', cookie: 'shop=a%20b; session=kéy &=1' });
});

describe('carriers', () => {
  const plain = { accept: '*/*' };
  test.each([
    ['[{ header: [] }]', '/x', { ...plain, 'x-key': 'kéy &=1' }],
    ['[{ query: [] }]', '/x?the%20key=k%C3%A9y%20%26%3D1', plain],
    ['[{ cookie: [] }]', '/x', { ...plain, cookie: 'session=kéy &=1' }],
    ['[{ bearer: [] }]', '/x', { ...plain, authorization: 'Bearer kéy &=1' }],
    ['[{ basic: [] }]', '/x', { ...plain, authorization: `Basic ${Buffer.from(':kéy &=1').toString('base64')}` }],
    ['[{ header: [], query: [] }]', '/x?the%20key=k%C3%A9y%20%26%3D1', { ...plain, 'x-key': 'kéy &=1' }],
    ['[]', '/x', plain],
    ['[{}]', '/x', plain],
  ])('%s', async (security, target, headers) => {
    expect(send({ operation: await secured(security) })).toEqual({ target, headers });
  });

  test('the second alternative is the second carrier, an empty alternative is none, and the count begins again', async () => {
    const operation = await secured('[{}, { header: [] }, { bearer: [] }]');
    expect(send({ operation, carrier: 0 }).headers).toHaveProperty('x-key');
    expect(send({ operation, carrier: 1 }).headers).toHaveProperty('authorization');
    expect(send({ operation, carrier: 2 }).headers).toHaveProperty('x-key');
  });

  test('each role sends its own key; nobody and unknown roles send none, and the stranger one that was never issued', async () => {
    const operation = await secured('[{ header: [] }]');
    const sent = (as: string): unknown => send({ operation, as }).headers['x-key'];
    expect([sent('full'), sent('other'), sent(anonymous), sent('expired'), sent(unknownCaller)]).toEqual([
      'kéy &=1',
      'the-other',
      undefined,
      undefined,
      unissuedKey,
    ]);
  });

  test('the documented carriers of the shipped contract', () => {
    const operation = operationIn(business, 'getIdentity');
    expect(send({ operation, as: 'other' }).headers).toEqual({ accept: 'application/json', 'x-service-api-key': 'the-other' });
    expect(send({ operation, as: 'other', carrier: 1 }).headers).toEqual({ accept: 'application/json', authorization: 'Bearer the-other' });
  });
});

describe('parameters', () => {
  test.each<[string, Operation, Omit<Call, 'operation'>, string]>([
    [
      'lists, dates and offsets of time',
      operationIn(business, 'listOrders'),
      { values: { status: ['ready', 'done'], updated_after: '2026-03-01T10:00:00+02:00' } },
      '/api/integrations/v1/orders/index.php?updated_after=2026-03-01T10%3A00%3A00%2B02%3A00&status=ready,done',
    ],
    [
      'exploded lists',
      operationIn(library, 'findBooks'),
      { values: { genre: ['novel', 'art, crafts'] } },
      '/books?genre=novel&genre=art%2C%20crafts',
    ],
    ['in the path', operationIn(library, 'readBook'), { values: { number: 12 } }, '/books/12'],
    ['in the path, encoded', operationIn(wiki, 'getEntry'), { values: { slug: 'a/b ?#è' } }, '/api/v1/wiki/a%2Fb%20%3F%23%C3%A8'],
    ['written by hand', operationIn(wiki, 'getEntry'), { segments: { slug: 'a%2fb' } }, '/api/v1/wiki/a%2fb'],
    [
      'raw pieces after the values, and the key last',
      operationIn(parcels, 'listParcels'),
      { values: { page: 2 }, raw: ['state=%zz', 'per_page=abc'], as: 'other' },
      '/v2/parcels?page=2&state=%zz&per_page=abc&access_key=the-other',
    ],
    ['unknown values are not sent', operationIn(parcels, 'listParcels'), { values: { colour: 'red' }, as: anonymous }, '/v2/parcels'],
  ])('%s', (_, operation, call, target) => {
    expect(send({ operation, ...call }).target).toBe(target);
  });

  test('header parameters, and headers that a call adds, by lower-case names', () => {
    const operation = operationIn(business, 'getOrder');
    const { target, headers } = send({
      operation,
      values: { id: 7, 'If-None-Match': 'W/"a"' },
      headers: { 'X-Trace': 'on', ACCEPT: 'text/html' },
    });
    expect(target).toBe('/api/integrations/v1/orders/view.php?id=7');
    expect(headers).toEqual({ accept: 'text/html', 'if-none-match': 'W/"a"', 'x-trace': 'on', 'x-service-api-key': 'kéy &=1' });
  });

  test('what is written is read back as it was meant', () => {
    const operation = operationIn(business, 'listReservations');
    const values = { limit: 7, cursor: 'a+b/c=&%', status: ['no_show'], date_from: '2026-02-28', date_to: '2026-03-01' };
    const reading = readTarget(operation, send({ operation, values }).target);
    expect(reading.problems).toEqual([]);
    expect(Object.fromEntries(reading.values)).toEqual(values);
  });
});

test.each([
  ['plain', 'plain'],
  ['a b&c', 'a%20b%26c'],
  ['\ud83c\udf5d', '%F0%9F%8D%9D'],
  ['half \ud800', 'half%20%EF%BF%BD'],
])('the text %j is %s in a URL', (text, encoded) => {
  expect(encodeAnyText(text)).toBe(encoded);
});

const orders = { operation: listIn(business, 'listOrders') };

describe('replies', () => {
  test.each([
    [200, true],
    [204, true],
    [299, true],
    [199, false],
    [304, false],
    [422, false],
    [503, false],
  ])('%i: success is %s', (status, expected) => expect(isSuccess(replyTo(orders, { status }))).toBe(expected));

  test('records stand where the contract says; what is no object among them is none', () => {
    const body = { data: { orders: [{ id: 1 }, 'x', null, [1], { id: 2 }] } };
    expect(recordsIn(replyTo(orders, { body }))).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test.each([
    ['a failure', { status: 422, body: { data: { orders: [{ id: 1 }] } } }],
    ['no array', { body: { data: { orders: { id: 1 } } } }],
    ['nothing', {}],
  ])('%s has no records', (_, answer) => expect(recordsIn(replyTo(orders, answer))).toBeUndefined());

  test('an empty list is a list', () => expect(recordsIn(replyTo(orders, { body: { data: { orders: [] } } }))).toEqual([]));

  test('what lists nothing has no records', () => {
    const reply = replyTo({ operation: operationIn(business, 'getIdentity') }, { body: [{ id: 1 }] });
    expect(recordsIn(reply)).toBeUndefined();
  });

  test('the entity tag', () => {
    expect(tagOf(replyTo(orders, { headers: { etag: 'W/"1"' } }))).toBe('W/"1"');
    expect(tagOf(replyTo(orders, {}))).toBeUndefined();
  });
});

const wait = (headers: Readonly<Record<string, string>>): number | undefined => readRetryAfter({ status: 429, headers, body: '' });

describe('readRetryAfter', () => {
  test.each([
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': ' 17 ' }, 17_000],
    [{}, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': '1.5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '3, 4' }, undefined],
  ] as const)('%j is %s', (headers, expected) => expect(wait(headers)).toBe(expected));

  test('a date counts from the Date of the same answer, whatever the time is here', () => {
    expect(wait({ date: 'Sun, 08 Nov 1994 08:49:37 GMT', 'retry-after': 'Sun, 08 Nov 1994 08:50:07 GMT' })).toBe(30_000);
  });

  test('a date over the end of a year, and one that has passed', () => {
    expect(wait({ date: 'Thu, 31 Dec 2026 23:59:59 GMT', 'retry-after': 'Fri, 01 Jan 2027 00:00:04 GMT' })).toBe(5000);
    expect(wait({ date: 'Thu, 31 Dec 2026 23:59:59 GMT', 'retry-after': 'Thu, 31 Dec 2026 23:00:00 GMT' })).toBe(0);
  });

  test('a date without a Date beside it says nothing', () => {
    expect(wait({ 'retry-after': 'Sun, 08 Nov 1994 08:50:07 GMT' })).toBeUndefined();
    expect(wait({ date: 'yesterday', 'retry-after': 'Sun, 08 Nov 1994 08:50:07 GMT' })).toBeUndefined();
  });
});

describe('parseHttpDate', () => {
  test('the preferred form', () => {
    expect(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(784_111_777_000);
    expect(parseHttpDate(' Thu, 01 Jan 1970 00:00:00 GMT ')).toBe(0);
  });

  test.each([
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    '1994-11-06T08:49:37Z',
    'Sun, 06 Foo 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 CET',
    '',
  ])('%j is none', (text) => expect(parseHttpDate(text)).toBeUndefined());
});
