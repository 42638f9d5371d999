/** Personal data is masked in bodies, records, queries and paths; everything else stays as sent. */

import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../core/http/exchange.ts';
import type { Json } from '../../../../core/json.ts';
import type { Contract } from '../../../../core/openapi/contract.ts';
import { createMask } from '../../../../core/redaction/mask-personal-data.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { contractText, loadText } from '../../../helpers/contracts/contract-text.ts';
import { notesText } from '../../../helpers/contracts/notes-contract.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';
import { operationIn } from '../../../helpers/generated.ts';
import { business, wiki } from '../../../helpers/request-targets.ts';

const businessApi = await openContract(contractFile('business'));

/** An exchange with this body. */
function exchangeOf(target: string, body: Json | string, type = 'application/json', status = 200): Exchange {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { request: { method: 'GET', target, headers: {} }, response: { status, headers: { 'content-type': type }, body: text } };
}

/** The body of such an exchange as it is shown. */
async function shownBody(
  contract: Contract | Promise<Contract>,
  target: string,
  body: Json | string,
  type?: string,
  status?: number,
): Promise<string> {
  return createMask(await contract).mask(exchangeOf(target, body, type, status)).response.body;
}

const anna = { id: 4, name: 'Anna Bianchi', phone: '+39 055 1234', email: 'anna@example.org' };
const hidden = { id: 4, name: '‹personal›', phone: '‹personal›', email: '‹personal›' };

describe('the two contracts', () => {
  it('hides who ordered, in lists and single reads, wherever the record stands', async () => {
    const order = { id: 1, code: 'AB12', customer: anna, totals: { total: 12.5 } };
    const shown = { ...order, customer: hidden };
    expect(JSON.parse(await shownBody(businessApi, business.orders, { data: { orders: [order, order] } }))).toEqual({
      data: { orders: [shown, shown] },
    });
    for (const place of [(at: Json) => ({ data: { order: at } }), (at: Json) => ({ data: at }), (at: Json) => at]) {
      expect(JSON.parse(await shownBody(businessApi, `${business.order}?id=1`, place(order)))).toEqual(place(shown));
    }
  });

  it('hides the fields of a record', async () => {
    const record = { id: 1, customer: anna, notes: 'allergic to nuts', schedule: { date: '2026-01-01' } };
    const shown = { ...record, customer: hidden, notes: '‹personal›' };
    for (const id of ['getReservation', 'listReservations']) {
      expect(createMask(businessApi).maskRecord(operationIn(businessApi, id), record)).toEqual(shown);
    }
  });

  it('leaves null, which says that there is nothing to hide', async () => {
    const body = { data: { orders: [{ customer: { ...anna, phone: null, email: null } }] } };
    expect(await shownBody(businessApi, business.orders, body)).toBe(JSON.stringify(body).replace('Anna Bianchi', '‹personal›'));
  });

  it('hides every personal value of every example, and changes no other', async () => {
    for (const operation of businessApi.operations) {
      for (const [status, { examples }] of operation.responses) {
        for (const { value } of examples.values()) {
          const shown = JSON.parse(await shownBody(businessApi, operation.path, value, 'application/json', Number(status))) as Json;
          expect(shown).toEqual(hideByName(value));
        }
      }
    }
  });

  it('leaves a contract without personal fields alone', async () => {
    const body = '{ "data" : [ {"name":"a", "notes" : "b", "customer": {"phone": 1}} ] }';
    expect(await shownBody(openContract(contractFile('wiki')), wiki, body)).toBe(body);
    expect(await shownBody(openContract(contractFile('wiki')), wiki, '<h1>Log in</h1>', 'text/html')).toBe('<h1>Log in</h1>');
  });
});

/** Personal fields by name, written from the documents and not from the contract. */
function hideByName(value: Json, holder = ''): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((each) => hideByName(each, holder));
  if (typeof value !== 'object' || value === null) return value;
  const personal = (key: string): boolean =>
    (holder === 'customer' && ['name', 'phone', 'email'].includes(key)) ||
    (key === 'notes' && ['reservation', 'reservations'].includes(holder));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, personal(key) && member !== null ? '‹personal›' : hideByName(member, key)]),
  );
}

describe('a body', () => {
  it.each([
    [
      '{ "data" : {"orders":[ {"id": 12345678901234567890, "total": 1.50, "customer" : { "name":"A \\"B\\" }","phone": "\\u0031" } , "x":[ ] }]} }\n',
      '{ "data" : {"orders":[ {"id": 12345678901234567890, "total": 1.50, "customer" : { "name":P,"phone": P } , "x":[ ] }]} }\n',
    ],
    ...['5', 'true', '-1e9', '{"a":["}",{"b":1}]}', '["x","]"]', '""'].map((value) => [
      `{"data":{"orders":[{"customer":{"name":${value},"id":1}}]}}`,
      '{"data":{"orders":[{"customer":{"name":P,"id":1}}]}}',
    ]),
    ['{"data":{"orders":[{"customer":{"name":"a","name":"b"}}]}}', '{"data":{"orders":[{"customer":{"name":P,"name":P}}]}}'],
    ['{"data":{"orders":[{"customer":{"n\\u0061me":"a"}}]}}', '{"data":{"orders":[{"customer":{"n\\u0061me":P}}]}}'],
  ])('stays as it was sent but for its personal values, of any type: %s', async (body = '', shown = '') => {
    expect(await shownBody(businessApi, business.orders, body)).toBe(shown.replaceAll(/\bP\b/g, '"‹personal›"'));
  });

  it.each<readonly [string, string, number]>([
    ['where no schema speaks', business.orders, 200],
    ['outside every operation', '/elsewhere', 404],
    ['in an answer whose status is not documented', business.orders, 203],
  ])('hides a field %s, by its name and that of its holder', async (_, target, status) => {
    const result = (customer: Json): Json => ({ result: { list: [{ customer, name: 'a dish' }] } });
    expect(JSON.parse(await shownBody(businessApi, target, result(anna), undefined, status))).toEqual(result(hidden));
  });

  it.each([
    ['<p>Anna</p>', 'text/html; charset=utf-8', '‹11 characters, text/html; charset=utf-8, which may be personal›'],
    ['{"customer":{"name":"Anna"', 'application/json', '‹26 characters, application/json, which may be personal›'],
    ['', 'application/json', ''],
  ])('is only described when it is no JSON, as far as the operation has personal fields: %s', async (body, type, shown) => {
    expect(await shownBody(businessApi, business.orders, body, type)).toBe(shown);
    expect(await shownBody(businessApi, business.menu, '<p>Soup</p>', 'text/html')).toBe('<p>Soup</p>');
  });

  it('is only described when it is nested too deeply', async () => {
    const body = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const shown = '‹60000 characters, application/json, which may be personal›';
    expect(await shownBody(businessApi, business.orders, body)).toBe(shown);
    expect(await shownBody(businessApi, '/elsewhere', body, undefined, 404)).toBe(shown);
  });
});

describe('schemas', () => {
  const people = (schemas: string, parts = ''): Promise<Contract> =>
    loadText(
      contractText(`paths:
  /people:
    get:
      operationId: listPeople
${parts}
      responses: { '200': { description: All., content: { application/json: { schema: { $ref: '#/components/schemas/Root' } } } } }
components:
  schemas:
    Secret: { type: string, x-personal: true }
${schemas.replace(/^/gm, '    ')}
`),
    );
  const [secret, again] = ["$ref: '#/components/schemas/Secret'", "$ref: '#/components/schemas/Root'"];
  const friends = '{"name":"s","friends":[{"name":"s","age":1,"friends":[{"name":"s"}]}]}';

  it.each([
    ['a reference', `properties: { a: { ${secret} } }`, '{"a":"s","b":"s"}', '{"a":"P","b":"s"}'],
    ['allOf', 'allOf: [{ properties: { a: { x-personal: true } } }, { properties: { a: {} } }]', '{"a":"s"}', '{"a":"P"}'],
    ['anyOf', 'anyOf: [{ properties: { a: { type: integer } } }, { properties: { a: { x-personal: true } } }]', '{"a":"s"}', '{"a":"P"}'],
    ['oneOf inside', 'properties: { a: { oneOf: [{ type: "null" }, { x-personal: true }] } }', '{"a":"s"}', '{"a":"P"}'],
    ['if and else', 'if: { required: [b] }, else: { properties: { a: { x-personal: true } } }', '{"a":"s"}', '{"a":"P"}'],
    ['items', `type: array, items: { ${secret} }`, '["s",null,["s"]]', '["P",null,"P"]'],
    ['prefixItems', 'prefixItems: [{}, { x-personal: true }], items: { type: string }', '["a","s","b"]', '"P"'],
    ['additionalProperties', 'properties: { a: {} }, additionalProperties: { x-personal: true }', '{"a":"a","b":"s"}', '"P"'],
    ['patternProperties', 'patternProperties: { "^p": { x-personal: true } }', '{"a":"a","pb":"s"}', '"P"'],
    [
      'a map below a member',
      'properties: { a: { additionalProperties: { properties: { b: { x-personal: true } } } } }',
      '{"a":{"x":{"b":"s"}},"b":"s"}',
      '{"a":"P","b":"s"}',
    ],
    ['a whole object', 'properties: { a: { type: object, x-personal: true } }', '{"a":{"b":1},"c":2}', '{"a":"P","c":2}'],
    ['recursion', `properties: { name: { ${secret} }, friends: { items: { ${again} } } }`, friends, friends.replaceAll('"s"', '"P"')],
  ])('are read through %s', async (_, schemas, body, shown) => {
    expect(await shownBody(people(`Root: { ${schemas} }`), '/people', body)).toBe(shown.replaceAll('"P"', '"‹personal›"'));
  });

  const list = `
      parameters:
        - { name: phone, in: query, schema: { type: string } }
        - { name: town, in: query, schema: { type: string } }
        - { name: q, in: query, schema: { type: string } }
        - { name: limit, in: query, schema: { type: integer, default: 3 } }
        - { name: page, in: query, schema: { type: integer, default: 1 } }
      x-collection:
        name: people
        items: /people
        key: /id
        order: [{ by: /id, direction: ascending }]
        page: { style: page, limit: limit, page: page }
        filters:
          phone: { equals: /contact/phone }
          town: { equals: /town }
          q: { matches: { fields: [/town, /contact/phone], fold: true } }`;
  const root = `Root: { type: object, properties: { people: { type: array, items: { $ref: '#/components/schemas/Person' } } } }
Person:
  type: object
  properties:
    id: { type: integer }
    town: { type: string }
    contact: { type: object, properties: { phone: { $ref: '#/components/schemas/Secret' } } }`;

  it('hide the parameters that are compared with a personal field', async () => {
    const { mask } = createMask(await people(root, list));
    const target = '/people?limit=2&town=Pisa&phone=555%2012&ph%6Fne=555&q=55&phone';
    const shown = '/people?limit=2&town=Pisa&phone=‹personal›&ph%6Fne=‹personal›&q=‹personal›&phone';
    for (const [given, expected] of [
      [target, shown],
      ['/people', '/people'],
      ['/people?town=Pisa', '/people?town=Pisa'],
    ] as const) {
      expect(mask(exchangeOf(given, '{}')).request.target).toBe(expected);
    }
  });

  it('hide the segment of a path, and the parameter of a single read', async () => {
    const person = '{ properties: { phone: { type: string, x-personal: true }, email: { type: string, x-personal: true } } }';
    const contract = await loadText(
      contractText(`paths:
  /people/{phone}:
    get:
      parameters: [{ name: phone, in: path, required: true, schema: { type: string } }, { name: email, in: query, schema: { type: string } }]
      x-resource: { name: people, at: /person, by: { phone: /phone, email: /email } }
      responses: { '200': { description: One., content: { application/json: { schema: { properties: { person: ${person} } } } } } }
`),
    );
    const { mask } = createMask(contract);
    expect(mask(exchangeOf('/people/555%2012?email=a%40b&x=1', '{}')).request.target).toBe('/people/‹personal›?email=‹personal›&x=1');
  });

  it('are read in the contract of notes, whose head names its owner', async () => {
    expect(await shownBody(loadText(notesText), '/notes', '{"owner":{"name":"Anna"},"notes":[]}')).toBe(
      '{"owner":{"name":"‹personal›"},"notes":[]}',
    );
  });
});
