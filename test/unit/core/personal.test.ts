/** Personal fields do not show in bodies, records, queries and paths; everything else does, as it was sent. */

import { describe, expect, it } from 'vitest';
import type { Contract } from '../../../core/contract.ts';
import type { Exchange } from '../../../core/exchange.ts';
import type { Json } from '../../../core/json.ts';
import { createMask } from '../../../core/personal.ts';
import { contractFile } from '../../../core/shipped.ts';
import { contractText, loadText } from '../../helpers/contract-text.ts';
import { operationIn } from '../../helpers/generated.ts';
import { openContract } from '../../helpers/judge.ts';
import { notesText } from '../../helpers/notes-contract.ts';
import { business, wiki } from '../../helpers/targets.ts';

const businessApi = openContract(contractFile('business'));

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

  it('hides who reserved and what was noted', async () => {
    const record = { id: 1, customer: anna, notes: 'allergic to nuts', schedule: { date: '2026-01-01' } };
    const shown = { ...record, customer: hidden, notes: '‹personal›' };
    expect(JSON.parse(await shownBody(businessApi, business.reservations, { data: { reservations: [record] } }))).toEqual({
      data: { reservations: [shown] },
    });
    const contract = await businessApi;
    expect(createMask(contract).maskRecord(operationIn(contract, 'getReservation'), record)).toEqual(shown);
  });

  it('leaves null, which says that there is nothing to hide', async () => {
    const body = { data: { orders: [{ customer: { ...anna, phone: null, email: null } }] } };
    expect(await shownBody(businessApi, business.orders, body)).toBe(
      '{"data":{"orders":[{"customer":{"id":4,"name":"‹personal›","phone":null,"email":null}}]}}',
    );
  });

  it('hides every personal value of every example, and changes no other', async () => {
    for (const operation of (await businessApi).operations) {
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

/** What the documents call personal, by name: written apart from the contract. */
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
  it('stays as it was sent but for its personal values', async () => {
    const body =
      '{ "data" : {"orders":[ {"id": 12345678901234567890, "total": 1.50, "customer" : { "name":"A \\"B\\" }","phone": "\\u0031" } , "x":[ ] }]} }\n';
    expect(await shownBody(businessApi, business.orders, body)).toBe(
      '{ "data" : {"orders":[ {"id": 12345678901234567890, "total": 1.50, "customer" : { "name":"‹personal›","phone": "‹personal›" } , "x":[ ] }]} }\n',
    );
  });

  it('hides a value of any type, and of each of several members of one name', async () => {
    const orders = (customer: string): string => `{"data":{"orders":[{"customer":${customer}}]}}`;
    for (const value of ['5', 'true', '-1e9', '{"a":["}",{"b":1}]}', '["x","]"]', '""']) {
      expect(await shownBody(businessApi, business.orders, orders(`{"name":${value},"id":1}`))).toBe(
        orders('{"name":"‹personal›","id":1}'),
      );
    }
    expect(await shownBody(businessApi, business.orders, orders('{"name":"a","name":"b"}'))).toBe(
      orders('{"name":"‹personal›","name":"‹personal›"}'),
    );
    expect(await shownBody(businessApi, business.orders, orders('{"n\\u0061me":"a"}'))).toBe(orders('{"n\\u0061me":"‹personal›"}'));
  });

  it('hides a field where no schema speaks, by its name and that of its holder', async () => {
    const misplaced = { result: { list: [{ customer: anna, name: 'a dish' }] } };
    expect(JSON.parse(await shownBody(businessApi, business.orders, misplaced))).toEqual({
      result: { list: [{ customer: hidden, name: 'a dish' }] },
    });
    expect(JSON.parse(await shownBody(businessApi, '/elsewhere', misplaced, undefined, 404))).toEqual({
      result: { list: [{ customer: hidden, name: 'a dish' }] },
    });
  });

  it('hides fields in an answer whose status is not documented', async () => {
    const body = { data: { orders: [{ customer: anna }] } };
    expect(await shownBody(businessApi, business.orders, body, 'application/json', 203)).not.toContain('Anna');
  });

  it('is only described when it is no JSON, as far as the operation has personal fields', async () => {
    expect(await shownBody(businessApi, business.orders, '<p>Anna</p>', 'text/html; charset=utf-8')).toBe(
      '‹11 characters, text/html; charset=utf-8, which may be personal›',
    );
    expect(await shownBody(businessApi, business.orders, '{"customer":{"name":"Anna"')).toBe(
      '‹26 characters, application/json, which may be personal›',
    );
    expect(await shownBody(businessApi, business.orders, '')).toBe('');
    expect(await shownBody(businessApi, business.menu, '<p>Soup</p>', 'text/html')).toBe('<p>Soup</p>');
  });

  it('is read without recursion', async () => {
    const body = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(await shownBody(businessApi, business.orders, body)).toBe(body);
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
      responses:
        '200': { description: All., content: { application/json: { schema: { $ref: '#/components/schemas/Root' } } } }
components:
  schemas:
    Secret: { type: string, x-personal: true }
${schemas.replace(/^/gm, '    ')}
`),
    );

  it.each([
    [
      'a reference',
      'Root: { type: object, properties: { a: { $ref: "#/components/schemas/Secret" } } }',
      '{"a":"s","b":"s"}',
      '{"a":"P","b":"s"}',
    ],
    [
      'allOf',
      'Root: { allOf: [{ properties: { a: { x-personal: true } } }, { properties: { a: { type: string } } }] }',
      '{"a":"s"}',
      '{"a":"P"}',
    ],
    [
      'anyOf',
      'Root: { anyOf: [{ properties: { a: { type: integer } } }, { properties: { a: { x-personal: true } } }] }',
      '{"a":"s"}',
      '{"a":"P"}',
    ],
    ['oneOf inside', 'Root: { properties: { a: { oneOf: [{ type: "null" }, { x-personal: true }] } } }', '{"a":"s"}', '{"a":"P"}'],
    ['if and else', 'Root: { if: { required: [b] }, else: { properties: { a: { x-personal: true } } } }', '{"a":"s"}', '{"a":"P"}'],
    ['items', 'Root: { type: array, items: { $ref: "#/components/schemas/Secret" } }', '["s",null,["s"]]', '["P",null,"P"]'],
    [
      'prefixItems',
      'Root: { prefixItems: [{ type: string }, { x-personal: true }], items: { type: string } }',
      '["a","s","b"]',
      '["a","P","b"]',
    ],
    [
      'additionalProperties',
      'Root: { properties: { a: {} }, additionalProperties: { x-personal: true } }',
      '{"a":"a","b":"s"}',
      '{"a":"a","b":"P"}',
    ],
    ['patternProperties', 'Root: { patternProperties: { "^p": { x-personal: true } } }', '{"a":"a","pb":"s"}', '{"a":"a","pb":"P"}'],
    ['a whole object', 'Root: { properties: { a: { type: object, x-personal: true } } }', '{"a":{"b":1},"c":2}', '{"a":"P","c":2}'],
    [
      'recursion',
      'Root: { properties: { name: { x-personal: true }, friends: { type: array, items: { $ref: "#/components/schemas/Root" } } } }',
      '{"name":"s","friends":[{"name":"s","age":1,"friends":[{"name":"s"}]}]}',
      '{"name":"P","friends":[{"name":"P","age":1,"friends":[{"name":"P"}]}]}',
    ],
  ])('are read through %s', async (_, schemas, body, shown) => {
    expect(await shownBody(people(schemas), '/people', body)).toBe(shown.replaceAll('"P"', '"‹personal›"'));
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
    expect(mask(exchangeOf(target, '{}')).request.target).toBe(shown);
    expect(mask(exchangeOf('/people', '{}')).request.target).toBe('/people');
    expect(mask(exchangeOf('/people?town=Pisa', '{}')).request.target).toBe('/people?town=Pisa');
  });

  it('hide the fields of a record', async () => {
    const contract = await people(root, list);
    const record = { id: 1, town: 'Pisa', contact: { phone: '555' } };
    expect(createMask(contract).maskRecord(operationIn(contract, 'listPeople'), record)).toEqual({
      ...record,
      contact: { phone: '‹personal›' },
    });
  });

  it('hide the segment of a path, and the parameter of a single read', async () => {
    const contract = await loadText(
      contractText(`paths:
  /people/{phone}:
    get:
      operationId: getPerson
      parameters:
        - { name: phone, in: path, required: true, schema: { type: string } }
        - { name: email, in: query, schema: { type: string } }
      x-resource: { name: people, at: /person, by: { phone: /phone, email: /email } }
      responses:
        '200':
          description: One.
          content:
            application/json:
              schema:
                type: object
                properties:
                  person: { type: object, properties: { phone: { type: string, x-personal: true }, email: { type: string, x-personal: true } } }
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
