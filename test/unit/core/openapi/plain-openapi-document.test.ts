/** Plain OpenAPI documents for other tools: one file, answered questions, and members that only examples show. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isArray, type Json, type JsonObject } from '../../../../core/json.ts';
import { memoize } from '../../../../core/memo.ts';
import { type Contract, loadContract, loadUncheckedContract, resolveContract } from '../../../../core/openapi/contract.ts';
import { plainDocument } from '../../../../core/openapi/plain-openapi-document.ts';
import { valueAt } from '../../../../core/pointer.ts';
import { contractFile, listShipped } from '../../../../core/shipped-files.ts';

/** Loads a contract whose files are given as values. */
function load(files: Readonly<Record<string, object>>): Promise<Contract> {
  return loadContract('api.json', async (file) => JSON.stringify(files[file]));
}

/** A document with one operation and the schema of its response, with an example of that response. */
function withSchema(schema: object, value?: unknown): JsonObject {
  const content = { 'application/json': { schema, ...(value === undefined ? {} : { examples: { one: { value } } }) } };
  const get = { operationId: 'getThing', responses: { '200': { description: 'Yes.', content } } };
  return { openapi: '3.1.0', info: { title: 'Things', version: '1' }, paths: { '/thing': { get } } } as unknown as JsonObject;
}

/** The schema of the response in the plain document. */
const shipped = memoize((name: string) => loadUncheckedContract(contractFile(name)));

async function plainSchema(schema: object, value?: unknown): Promise<Json | undefined> {
  const document = plainDocument(await load({ 'api.json': withSchema(schema, value) }));
  return valueAt(document, '/paths/~1thing/get/responses/200/content/application~1json/schema');
}

describe.each(listShipped())('the %s contract', async (name) => {
  const contract = await shipped(name);
  const document = plainDocument(contract, { server: 'http://127.0.0.1:4010' });

  it('has no extensions, and no references to other files', () => {
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/"x-/);
    expect([...text.matchAll(/"\$ref":"([^"]*)"/g)].filter(([, target]) => !target?.startsWith('#/components/'))).toEqual([]);
    expect(document['servers']).toEqual([{ url: 'http://127.0.0.1:4010' }]);
  });

  it('is a contract with the same operations', async () => {
    const plain = await load({ 'api.json': document });
    expect(plain.operations.map(({ id, parameters }) => [id, parameters.length])).toEqual(
      contract.operations.map(({ id, parameters }) => [id, parameters.length]),
    );
  });

  it('keeps extensions that are wanted', () => {
    expect(plainDocument(contract, { extensions: true })).toHaveProperty('x-invalid');
  });
});

it('has the servers with the default values of their variables', async () => {
  const document = plainDocument(await shipped('business'));
  expect(valueAt(document, '/servers/0/url')).toBe('http://127.0.0.1:4010');
});

describe('open questions', async () => {
  const business = await shipped('business');
  const at = (pointer: string, answered: boolean): Json | undefined =>
    valueAt(plainDocument(business, { answered }), `/components/schemas/${pointer}`);

  it.each([
    ['Customer/properties/phone', { type: ['string', 'null'] }, { type: 'string' }],
    ['Customer/required', ['id', 'name'], ['id', 'name', 'phone', 'email']],
    ['OrderService/properties/table', { type: ['object', 'null'] }, { type: 'object' }],
    ['OrderPayment/properties/provider', { type: 'string' }, { type: 'string', enum: ['none', 'card'] }],
    ['AssignmentTime', { type: 'string' }, { type: 'string', format: 'date-time' }],
  ])('leave %s as wide as the documents do, unless they are answered', (pointer, wide, narrow) => {
    expect(at(pointer, false)).toEqual(isArray(wide) ? wide : expect.objectContaining(wide));
    expect(at(pointer, true)).toEqual(isArray(narrow) ? narrow : expect.objectContaining(narrow));
  });

  it('are answered in the property, not beside it', () => {
    const schemas = JSON.stringify(at('OrderService', true));
    expect(schemas).not.toContain('allOf');
    expect(JSON.stringify(at('OrderService', false))).not.toContain('enum');
  });

  it.each(listShipped())(
    'the exported types and the Postman collection of %s belong to its contract (`npm run write-types` in examples/generated-clients)',
    async (name) => {
      const document = plainDocument(await shipped(name));
      const digest = createHash('sha256').update(JSON.stringify(document)).digest('hex');
      for (const file of [`types/${name}.d.cts`, `postman/${name}.json`])
        expect(readFileSync(contractFile(name).replace(/[^/\\]+$/, file), 'utf8')).toContain(digest.slice(0, 16));
    },
  );
});

describe('schemas that generators type best', () => {
  it.each<readonly [string, object, object]>([
    [
      'leave out members that must be absent',
      { type: 'object', properties: { a: false, b: {} } },
      { type: 'object', properties: { b: {} } },
    ],
    [
      'have inline parts of allOf in place',
      { type: 'object', allOf: [{ required: ['a'] }, { properties: { a: { type: 'string' } } }] },
      {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string' } },
      },
    ],
    [
      'keep parts that say something else',
      { type: 'string', pattern: 'a', allOf: [{ pattern: 'b' }] },
      {
        type: 'string',
        pattern: 'a',
        allOf: [{ pattern: 'b' }],
      },
    ],
    [
      'keep closed objects apart',
      { additionalProperties: false, allOf: [{ properties: { a: {} } }] },
      {
        additionalProperties: false,
        allOf: [{ properties: { a: {} } }],
      },
    ],
    [
      'leave out alternatives that no type can express',
      { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      { type: 'object', additionalProperties: true },
    ],
    [
      'say of an object without described members that it may have any',
      {
        properties: {
          free: { type: ['object', 'null'] },
          one: { type: 'object', anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'string' } } }] },
        },
      },
      {
        properties: {
          free: { type: ['object', 'null'], additionalProperties: true },
          one: { type: 'object', anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'string' } } }] },
        },
      },
    ],
    ['keep alternatives of types', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['write a constant as a typed list', { const: true }, { type: 'boolean', enum: [true] }],
  ])('%s', async (_, schema, expected) => {
    expect(await plainSchema(schema)).toEqual(expected);
  });
});

describe('the place of a record', async () => {
  const business = await shipped('business');
  const orderBody = (place: string): Json | undefined =>
    valueAt(plainDocument(resolveContract(business, { 'order-place': place })), '/components/schemas/OrderBody');
  const order = { $ref: '#/components/schemas/OrderDetail' };
  const success = { type: 'object', allOf: [{ $ref: '#/components/schemas/Success' }] };

  it.each([
    [
      'data-order',
      { ...success, required: ['data'], properties: { data: { type: 'object', required: ['order'], properties: { order } } } },
    ],
    ['data', { ...success, required: ['data'], properties: { data: order } }],
    ['root', { type: 'object', allOf: [...success.allOf, order] }],
  ])('%s chooses its branch', (place, expected) => {
    const { description: _description, ...body } = orderBody(place) as JsonObject;
    expect(body).toMatchObject(expected);
    expect(JSON.stringify(orderBody(place))).not.toContain('anyOf');
  });
});

describe('several files', () => {
  const files = {
    'api.json': {
      openapi: '3.1.0',
      info: { title: 'Parts', version: '1' },
      paths: { '/a': { $ref: 'parts/paths.json#/a' } },
      components: { schemas: { Id: { type: 'string' }, Own: { properties: { id: { $ref: 'parts/types.json#/Id' } } } } },
    },
    'parts/paths.json': {
      a: {
        get: {
          operationId: 'getA',
          parameters: [{ $ref: 'types.json#/Page' }],
          responses: { '200': { $ref: 'types.json#/Found' } },
        },
      },
    },
    'parts/types.json': {
      Id: { type: 'integer', examples: [{ $ref: 'nowhere' }] },
      Page: { name: 'page', in: 'query', schema: { $ref: '#/Id' } },
      Found: { description: 'Yes.', content: { 'application/json': { schema: { $ref: '#/Tree' } } } },
      Tree: { type: 'object', properties: { own: { $ref: '../api.json#/components/schemas/Own' }, next: { $ref: '#/Tree' } } },
    },
  };

  it('become components of one file, under free names', async () => {
    const document = plainDocument(await load(files));
    expect(valueAt(document, '/paths/~1a/get')).toMatchObject({
      parameters: [{ $ref: '#/components/parameters/Page' }],
      responses: { '200': { $ref: '#/components/responses/Found' } },
    });
    expect(document['components']).toEqual({
      parameters: { Page: { name: 'page', in: 'query', schema: { $ref: '#/components/schemas/Id2' } } },
      responses: { Found: { description: 'Yes.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } } } },
      schemas: {
        Id: { type: 'string' },
        Own: { properties: { id: { $ref: '#/components/schemas/Id2' } } },
        Id2: { type: 'integer', examples: [{ $ref: 'nowhere' }] },
        Tree: {
          type: 'object',
          properties: { own: { $ref: '#/components/schemas/Own' }, next: { $ref: '#/components/schemas/Tree' } },
        },
      },
    });
  });
});

describe('members that only examples show', () => {
  it.each<readonly [string, object, unknown, object]>([
    [
      'are optional members with the types of the examples',
      { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
      { id: 1, name: 'One', sizes: [1, 2.5], maker: { town: null } },
      {
        required: ['id'],
        properties: {
          id: { type: 'integer' },
          name: { type: 'string' },
          sizes: { type: 'array', items: { type: 'number' } },
          maker: { type: 'object', properties: { town: {} } },
        },
      },
    ],
    [
      'describe the elements of a list',
      { type: 'array' },
      [{ a: 1 }, { b: 'x' }],
      { items: { type: 'object', properties: { a: {}, b: {} } } },
    ],
    ['describe a schema without keywords', { description: 'Anything.' }, 'text', { description: 'Anything.', type: 'string' }],
  ])('%s', async (_, schema, value, expected) => {
    expect(await plainSchema(schema, value)).toMatchObject(expected);
  });

  it('have no type where an example is null, which says nothing of other values', async () => {
    expect(await plainSchema({ type: 'object' }, { town: null })).toEqual({ type: 'object', properties: { town: {} } });
  });

  it('are not suggested where one of several branches describes them', async () => {
    const pages = [
      { properties: { limit: { type: 'integer' } } },
      { properties: { page: { type: 'integer' }, rows: { items: { type: 'string' } } } },
    ];
    const schema = { type: 'object', anyOf: pages, properties: { first: { oneOf: [{ type: 'null' }, { items: { type: 'string' } }] } } };
    expect(await plainSchema(schema, { limit: 1, page: null, rows: [], first: ['x'] })).toEqual(schema);
  });

  it('exclude no branch', async () => {
    const schema = { oneOf: [{ type: 'null' }, { type: 'object', properties: { a: { type: 'string' } } }] };
    expect(await plainSchema(schema, { a: 'x', b: 'y' })).toEqual(schema);
  });

  it('leave a closed object, a map and a described list as they are', async () => {
    const schema = {
      type: 'object',
      properties: {
        closed: { additionalProperties: false },
        map: { additionalProperties: { type: 'integer' } },
        list: { items: { type: 'string' } },
      },
    };
    expect(await plainSchema(schema, { closed: { more: 1 }, map: { a: 1 }, list: ['x'] })).toEqual(schema);
  });
});
