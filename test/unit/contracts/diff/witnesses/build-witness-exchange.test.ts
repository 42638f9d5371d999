/** Requests of witnesses run as printed: with a key, and with every parameter and the body that the operation requires. */

import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../../core/json.ts';
import type { WitnessExchange } from '../../../../../core/results/diff-result.ts';
import { compareDocuments, documentOf } from '../small-documents.ts';

const size = (maximum: number): JsonObject => ({ name: 'size', in: 'query', schema: { type: 'integer', maximum } });

function things(operation: JsonObject, schemes: JsonObject = {}, path = '/things'): (maximum: number) => JsonObject {
  return (maximum) => {
    const { parameters = [], ...rest } = operation;
    const get = { responses: { '200': { description: 'ok' } }, ...rest, parameters: [size(maximum), ...(parameters as readonly Json[])] };
    return documentOf({ [path]: { get } }, { components: { securitySchemes: schemes, parameters: { Id: id } } });
  };
}

const id: JsonObject = { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'salt' };

async function requestOf(document: (maximum: number) => JsonObject): Promise<WitnessExchange['request']> {
  const { changes } = await compareDocuments(document(100), document(50));
  return changes[0]?.witness?.exchange.request;
}

describe('a key is a variable', () => {
  test.each([
    ['header', { type: 'apiKey', in: 'header', name: 'X-Key' }, { target: '/things?size=51', headers: { 'x-key': '$FULL_KEY' } }],
    ['query', { type: 'apiKey', in: 'query', name: 'key' }, { target: '/things?size=51&key=$FULL_KEY', headers: {} }],
    ['cookie', { type: 'apiKey', in: 'cookie', name: 'key' }, { target: '/things?size=51', headers: { cookie: 'key=$FULL_KEY' } }],
    ['bearer', { type: 'http', scheme: 'bearer' }, { target: '/things?size=51', headers: { authorization: 'Bearer $FULL_KEY' } }],
  ] as const)('in its place: %s', async (_, scheme, expected) => {
    expect(await requestOf(things({ security: [{ key: [] }] }, { key: scheme }))).toEqual({
      method: 'GET',
      variables: ['FULL_KEY'],
      ...expected,
    });
  });

  test('and absent where the operation allows anonymous requests', async () => {
    const request = await requestOf(things({ security: [{ key: [] }, {}] }, { key: { type: 'http', scheme: 'bearer' } }));
    expect(request).toEqual({ method: 'GET', target: '/things?size=51', headers: {} });
  });
});

describe('a required parameter', () => {
  test.each([
    ['with an example', { schema: { type: 'integer' }, example: 4711 }, 'p=4711'],
    ['with an invalid example', { schema: { enum: ['b'] }, example: 'a' }, 'p=b'],
    ['with a pattern', { schema: { type: 'string', pattern: '^#+$' } }, 'p=%23'],
  ] as const)('%s is sent', async (_, parameter, pair) => {
    const request = await requestOf(things({ parameters: [{ name: 'p', in: 'query', required: true, ...parameter }] }));
    expect(request?.target).toBe(`/things?size=51&${pair}`);
  });

  test('of the path has the example of a shared parameter', async () => {
    const request = await requestOf(things({ parameters: [{ $ref: '#/components/parameters/Id' }] }, {}, '/things/{id}'));
    expect(request?.target).toBe('/things/salt?size=51');
  });

  test.each([
    [
      'of the path is valid',
      { schema: { type: 'string', format: 'uuid' } },
      /^\/things\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\?size=51$/,
    ],
    ['of the path without an example has its name', { schema: { type: 'string' } }, /^\/things\/id\?size=51$/],
    ['of the path with a style has it', { style: 'matrix', schema: { type: 'integer' } }, /^\/things\/;id=1\?size=51$/],
  ] as const)('%s', async (_, parameter, target) => {
    const request = await requestOf(things({ parameters: [{ name: 'id', in: 'path', required: true, ...parameter }] }, {}, '/things/{id}'));
    expect(request?.target).toMatch(target);
  });

  test('of the path that has another name carries the value', async () => {
    const thing = (name: string, maxLength: number): JsonObject => {
      const parameter = { name, in: 'path', required: true, schema: { type: 'string', pattern: '^x+$', minLength: 3, maxLength } };
      return documentOf({ [`/things/{${name}}`]: { get: { parameters: [parameter], responses: { '200': { description: 'ok' } } } } });
    };
    const { changes } = await compareDocuments(thing('id', 9), thing('name', 8));
    const found = changes.find(({ id }) => id === 'path-parameter/max-length-decreased');
    expect(found?.witness?.exchange.request?.target).toBe('/things/xxxxxxxxx');
  });

  test('is sent where the file has rules that only contracts may have', async () => {
    const request = await requestOf(things({ 'x-collection': 1, parameters: [{ name: 'p', in: 'header', required: true, example: 'a' }] }));
    expect(request?.headers).toEqual({ p: 'a' });
  });
});

describe('the value of a parameter', () => {
  const list = (changes: JsonObject, maxItems: number): JsonObject =>
    documentOf({
      [changes['in'] === 'path' ? '/things/{p}' : '/things']: {
        get: {
          parameters: [{ name: 'p', in: 'query', ...changes, schema: { type: 'array', items: { enum: ['a b', 'c,d'] }, maxItems } }],
          responses: { '200': { description: 'ok' } },
        },
      },
    });

  test.each([
    ['as a query has it by default', {}, '/things?p=a%20b&p=a%20b', {}],
    ['in one text', { explode: false }, '/things?p=a%20b,a%20b', {}],
    ['in a path', { in: 'path', required: true }, '/things/a%20b,a%20b', {}],
    ['in a path with a style', { in: 'path', required: true, style: 'label', explode: true }, '/things/.a%20b.a%20b', {}],
    ['in a header', { in: 'header' }, '/things', { p: 'a b,a b' }],
    ['in a cookie', { in: 'cookie', explode: false }, '/things', { cookie: 'p=a%20b,a%20b' }],
  ] as const)('is a list %s', async (_, changes, target, headers) => {
    const { changes: found } = await compareDocuments(list(changes, 2), list(changes, 1));
    expect(found[0]?.witness?.exchange.request).toEqual({ method: 'GET', target, headers });
  });

  test('that no style can express is text', async () => {
    const get = (maxLength: number): JsonObject => {
      const schema = { type: ['array', 'string'], items: { type: 'string' }, pattern: '^x+$', minLength: 3, maxLength };
      return documentOf({
        '/things': { get: { parameters: [{ name: 'p', in: 'query', schema }], responses: { '200': { description: 'ok' } } } },
      });
    };
    const { changes } = await compareDocuments(get(4), get(3));
    expect(changes[0]?.witness?.exchange.request?.target).toBe('/things?p=xxxx');
  });
});

describe('a required body', () => {
  const post = (maximum: number, requestBody: JsonObject): JsonObject =>
    documentOf({ '/things': { post: { parameters: [size(maximum)], requestBody, responses: { '200': { description: 'ok' } } } } });
  const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string', enum: ['salt'] }, note: { type: 'string' } } };
  const content = { 'application/json': { schema } };
  const bodyOf = async (requestBody: JsonObject): Promise<WitnessExchange['request']> =>
    (await compareDocuments(post(100, requestBody), post(50, requestBody))).changes[0]?.witness?.exchange.request;
  const sent = { method: 'POST', target: '/things?size=51' };

  test('is sent', async () => {
    const headers = { 'content-type': 'application/json' };
    expect(await bodyOf({ required: true, content })).toEqual({ ...sent, headers, body: { name: 'salt' } });
  });

  test.each([
    ['if it is optional', { content }],
    ['if it cannot be JSON', { required: true, content: { 'text/plain': {} } }],
  ])('is left out %s', async (_, requestBody) => {
    expect(await bodyOf(requestBody)).toEqual({ ...sent, headers: {} });
  });

  test('is sent to an operation that is gone', async () => {
    const { changes } = await compareDocuments(post(100, { required: true, content }), documentOf({}));
    expect(changes[0]?.witness?.exchange.request).toMatchObject({ method: 'POST', body: { name: 'salt' } });
  });
});
