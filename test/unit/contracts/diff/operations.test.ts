/** Changes of operations: added, removed, deprecated and removed after an announcement; security and servers. */

import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '../../../../core/json.ts';
import { compareDocuments, documentOf, operationOf, summaryOf } from './small-documents.ts';

const get: JsonObject = { responses: { '200': { description: 'ok' } } };
const both = documentOf({ '/a': { get }, '/b': { get } });

/** Removes the operation at `/b`, which has the given members. */
function removed(members: JsonObject): ReturnType<typeof compareDocuments> {
  return compareDocuments(documentOf({ '/a': { get }, '/b': { get: { ...get, ...members } } }), documentOf({ '/a': { get } }));
}

test('two documents that are the same have no changes', async () => {
  const { changes, version } = await compareDocuments(both, both);
  expect(changes).toEqual([]);
  expect(version).toMatchObject({ suggested: 'none', isEnough: true });
});

test('an operation that is new is compatible', async () => {
  const comparison = await compareDocuments(documentOf({ '/a': { get } }), both);
  expect(summaryOf(comparison)).toEqual(['compatible added']);
  expect(comparison.changes[0]).toMatchObject({ operation: 'GET /b', operations: ['GET /b'], before: { value: undefined } });
});

test('a path whose parameter is called otherwise is the same path', async () => {
  const item = (name: string): JsonObject => ({
    [`/things/{${name}}`]: { get: { ...get, parameters: [{ name, in: 'path', required: true, schema: { type: 'integer' } }] } },
  });
  expect(summaryOf(await compareDocuments(documentOf(item('id')), documentOf(item('key'))))).toEqual(['documentation renamed']);
});

describe('one edit at several operations is one change', () => {
  const under = (prefix: string, operation: JsonObject = get): JsonObject =>
    documentOf({
      [`${prefix}/a`]: { get: { ...operation, operationId: 'a' } },
      [`${prefix}/b/{id}`]: { get: { ...operation, operationId: 'b' } },
    });

  test.each([
    ['a moved path prefix', under('/v1'), under('/v2'), 'breaking operation/renamed', 'the path prefix `/v1` is now `/v2`'],
    [
      'a removed response',
      under('', { responses: { ...(get['responses'] as JsonObject), '401': { description: 'no' } } }),
      under(''),
      'risky response/status-removed',
      'the response 401 was removed',
    ],
    [
      'an added parameter',
      under(''),
      under('', { ...get, parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }] }),
      'compatible query-parameter/added',
      'the optional parameter `q` was added',
    ],
  ])('%s', async (_, old, next, change, text) => {
    const { changes } = await compareDocuments(old, next);
    expect(changes.map((each) => [`${each.level} ${each.id}`, each.text, each.operations.length])).toEqual([[change, text, 2]]);
  });

  test.each([
    ['another method', '/v1', '/v1'],
    ['another method and another prefix', '/v1', '/v2'],
  ])('operations that have %s are changes of their own', async (_, from, to) => {
    const next = documentOf({
      [`${to}/a`]: { post: { ...get, operationId: 'a' } },
      [`${to}/b/{id}`]: { post: { ...get, operationId: 'b' } },
    });
    const { changes } = await compareDocuments(under(from), next);
    expect(changes.map(({ text }) => text)).toEqual([
      `\`GET ${from}/a\` is now \`POST ${to}/a\``,
      `\`GET ${from}/b/{id}\` is now \`POST ${to}/b/{id}\``,
    ]);
  });

  test('paths that moved to different places are changes of their own', async () => {
    const next = documentOf({ '/v2/a': { get: { ...get, operationId: 'a' } }, '/v3/b/{id}': { get: { ...get, operationId: 'b' } } });
    const { changes } = await compareDocuments(under('/v1'), next);
    expect(changes.map(({ text }) => text)).toEqual(['`GET /v1/a` is now `GET /v2/a`', '`GET /v1/b/{id}` is now `GET /v3/b/{id}`']);
  });
});

describe('a removed operation', () => {
  test.each([
    ['without a word', {}, 'breaking'],
    ['that was deprecated', { deprecated: true }, 'risky'],
    ['whose end was announced and has come', { deprecated: true, 'x-sunset': '2026-11-21' }, 'compatible'],
    ['whose end was announced for later', { deprecated: true, 'x-sunset': '2026-11-22' }, 'breaking'],
    ['whose end cannot be read', { deprecated: true, 'x-sunset': 'soon' }, 'breaking'],
    ['that was a draft', { 'x-stability-level': 'draft' }, 'compatible'],
    ['that was in its alpha', { 'x-stability-level': 'alpha' }, 'compatible'],
    ['that was in its beta', { 'x-stability-level': 'beta' }, 'breaking'],
  ])('%s', async (_, members, level) => {
    expect(summaryOf(await removed(members))).toEqual([`${level} removed`]);
  });

  test('has a request as its witness', async () => {
    const { changes } = await removed({});
    expect(changes[0]).toMatchObject({
      verdict: 'witnessed',
      witness: { refusedBy: 'new', exchange: { request: { method: 'GET', target: '/b' } } },
    });
  });
});

describe('the members of an operation', () => {
  test.each([
    ['deprecated', {}, { deprecated: true }, ['compatible deprecated']],
    ['no longer deprecated', { deprecated: true }, {}, ['compatible reactivated']],
    [
      'an end sooner than announced',
      { deprecated: true, 'x-sunset': '2027-05-01' },
      { deprecated: true, 'x-sunset': '2027-04-01' },
      ['breaking sunset-changed'],
    ],
    [
      'an end later than announced',
      { deprecated: true, 'x-sunset': '2027-05-01' },
      { deprecated: true, 'x-sunset': '2027-06-01' },
      ['compatible sunset-changed'],
    ],
    ['an end that is no longer told', { deprecated: true, 'x-sunset': '2027-05-01' }, { deprecated: true }, ['breaking sunset-removed']],
    ['an end that is no date', { deprecated: true }, { deprecated: true, 'x-sunset': '2027-02-30' }, ['breaking sunset-unreadable']],
    ['stability that is raised', { 'x-stability-level': 'alpha' }, { 'x-stability-level': 'stable' }, ['compatible stability-raised']],
    ['stability that is lowered', { 'x-stability-level': 'stable' }, { 'x-stability-level': 'beta' }, ['breaking stability-lowered']],
    ['stability that is none', {}, { 'x-stability-level': 'firm' }, ['breaking stability-unreadable']],
    ['stability that was the default', {}, { 'x-stability-level': 'stable' }, []],
    [
      'the same unreadable stability beside another summary',
      { 'x-stability-level': 'firm', summary: 'a' },
      { 'x-stability-level': 'firm', summary: 'b' },
      ['documentation summary-changed'],
    ],
    ['another operationId', { operationId: 'a' }, { operationId: 'b' }, ['risky id-changed']],
    ['other words', { summary: 'a' }, { summary: 'b' }, ['documentation summary-changed']],
  ])('%s', async (_, old, next, expected) => {
    expect(summaryOf(await compareDocuments(operationOf(old), operationOf(next)))).toEqual(expected);
  });
});

describe('security', () => {
  it.each([
    ['oauth2', ['read'], ['read', 'write'], 'OAuth2 tokens now also need the scope `write`'],
    ['oauth2', [], ['read', 'write'], 'OAuth2 tokens now need the scopes `read` and `write`'],
    ['openIdConnect', ['read'], ['write'], 'OpenID Connect tokens now need the scope `write` instead of `read`'],
    ['apiKey', ['read'], ['read', 'write'], 'keys now need the scope `write`'],
  ])('of %s names what needs a scope', async (type, old, next, text) => {
    const of = (scopes: string[]): JsonObject =>
      operationOf(
        { security: [{ key: [], sign: scopes }] },
        { components: { securitySchemes: { key: { type: 'apiKey' }, sign: { type } } } },
      );
    expect((await compareDocuments(of(old), of(next))).changes[0]?.text).toBe(text);
  });

  const schemes = (key: JsonObject): JsonObject => ({
    components: { securitySchemes: { key, other: { type: 'http', scheme: 'bearer' } } },
  });
  const header = { type: 'apiKey', in: 'header', name: 'X-Key' };
  const secured = (security: readonly JsonObject[], key: JsonObject = header): JsonObject =>
    operationOf({ security: [...security] }, schemes(key));

  test.each([
    ['a scope is new', secured([{ key: ['read'] }]), secured([{ key: ['read', 'write'] }]), ['breaking security-tightened']],
    ['a scope is gone', secured([{ key: ['read', 'write'] }]), secured([{ key: ['read'] }]), ['security security-relaxed']],
    ['an alternative is new', secured([{ key: [] }]), secured([{ key: [] }, { other: [] }]), ['compatible security-relaxed']],
    ['an alternative is gone', secured([{ key: [] }, { other: [] }]), secured([{ key: [] }]), ['breaking security-tightened']],
    ['two keys in place of one', secured([{ key: [] }]), secured([{ key: [], other: [] }]), ['breaking security-tightened']],
    ['a key in place of none', secured([]), secured([{ key: [] }]), ['breaking security-tightened']],
    ['none in place of a key', secured([{ key: [] }]), secured([]), ['security security-relaxed']],
    [
      'the same key in another header',
      secured([{ key: [] }]),
      secured([{ key: [] }], { ...header, name: 'X-Other' }),
      ['breaking name-changed'],
    ],
    ['the same in another order', secured([{ key: [] }, { other: [] }]), secured([{ other: [] }, { key: [] }]), []],
  ])('%s', async (_, old, next, expected) => {
    expect(summaryOf(await compareDocuments(old, next))).toEqual(expected);
  });

  const flow = { tokenUrl: 'https://a.example/token', scopes: {} };
  const oauth = (flows: JsonObject): JsonObject => secured([{ key: [] }], { type: 'oauth2', flows });

  test.each([
    ['is gone', oauth({ clientCredentials: flow }), oauth({ password: flow }), ['breaking flow-removed', 'compatible flow-added']],
    ['is new', oauth({ clientCredentials: flow }), oauth({ clientCredentials: flow, password: flow }), ['compatible flow-added']],
    [
      'describes a scope in other words',
      oauth({ password: { ...flow, scopes: { read: 'Read' } } }),
      oauth({ password: { ...flow, scopes: { read: 'Read all' } } }),
      ['documentation scope-description-changed'],
    ],
    [
      'has a scope less and another one more',
      oauth({ password: { ...flow, scopes: { read: '', write: '' } } }),
      oauth({ password: { ...flow, scopes: { read: '', all: '' } } }),
      ['breaking scope-removed', 'compatible scope-added'],
    ],
    ['has another address', oauth({ password: flow }), oauth({ password: { ...flow, tokenUrl: '/t' } }), ['risky token-url-changed']],
  ])('a flow of OAuth 2.0 %s', async (_, old, next, expected) => {
    expect(summaryOf(await compareDocuments(old, next))).toEqual(expected);
  });

  test('a scheme that no operation names is compared too', async () => {
    const of = (securitySchemes: JsonObject): JsonObject => operationOf({}, { components: { securitySchemes } });
    const scheme = (scopes: JsonObject): JsonObject => ({ a: { type: 'oauth2', flows: { password: { ...flow, scopes } } } });
    const summary = async (old: JsonObject, next: JsonObject): Promise<readonly string[]> =>
      summaryOf(await compareDocuments(of(old), of(next)));
    expect(await summary(scheme({ read: '', write: '' }), scheme({ read: '' }))).toEqual(['breaking scope-removed']);
    expect(await summary(scheme({}), { ...scheme({}), key: header })).toEqual(['compatible added']);
  });

  test('another scope as an alternative opens more, and is named', async () => {
    const { changes } = await compareDocuments(secured([{ key: ['read'] }]), secured([{ key: ['read'] }, { key: ['write'] }]));
    expect(changes.map(({ level, text }) => [level, text])).toEqual([
      ['security', 'the security scheme `key with write` is now accepted too'],
    ]);
  });

  test('the requirement of the file applies to operations without their own', async () => {
    const old = operationOf({}, { ...schemes(header), security: [{ key: ['read'] }] });
    const next = operationOf({}, { ...schemes(header), security: [{ key: ['read', 'write'] }] });
    expect(summaryOf(await compareDocuments(old, next))).toEqual(['breaking security-tightened']);
  });
});

test('a callback that is sent to another address is another callback', async () => {
  const called = (field: string): JsonObject => operationOf({ callbacks: { sold: { [`{$request.body#/${field}}`]: { post: get } } } });
  const { changes } = await compareDocuments(called('hook'), called('url'));
  expect(changes.map(({ level, id, reason }) => [level, id, reason])).toEqual([
    ['breaking', 'operation/renamed', 'The server no longer sends it to the old address.'],
  ]);
});

describe('servers', () => {
  test.each([
    ['come and replace those of the file', [], ['https://b.example/v1'], ['risky server-changed']],
    ['have another path', ['https://b.example/v1'], ['https://b.example/v2'], ['breaking server-changed']],
    ['are the same', ['https://b.example/v1'], ['https://b.example/v1'], []],
  ])('of an operation that %s', async (_, old, next, expected) => {
    const served = (urls: readonly string[]): JsonObject =>
      operationOf({ servers: urls.map((url) => ({ url })) }, { servers: [{ url: 'https://a.example/v1' }] });
    const { changes } = await compareDocuments(served(old), served(next));
    expect(changes.map(({ level, id }) => `${level} ${id}`)).toEqual(expected.map((each) => each.replace(' ', ' operation/')));
  });

  const served = (...urls: readonly string[]): JsonObject => operationOf({}, { servers: urls.map((url) => ({ url })) });

  test.each([
    [
      'that are removed are risky, and added ones are not',
      ['https://a.example', 'https://b.example'],
      ['https://c.example'],
      ['compatible server-added', 'risky server-removed', 'risky server-removed'],
    ],
    ['of which one has another address are one change', ['https://a.example'], ['https://b.example'], ['risky server-changed']],
    ['with another scheme or port are risky', ['http://a.example/v1'], ['https://a.example:8443/v1/'], ['risky server-changed']],
    ['that are only spelled otherwise are the same', ['https://a.example/v1'], ['https://A.example:443/v1/'], []],
    ['with another path are breaking', ['https://a.example/v1'], ['https://a.example/v2'], ['breaking server-changed']],
    ['with a path relative to the file are breaking too', ['/api/v1'], ['/api/v2'], ['breaking server-changed']],
    [
      'that all have another path are breaking',
      ['https://a.example/v1', 'https://b.example/v1'],
      ['https://a.example/v2', 'https://b.example/v2'],
      ['breaking server-removed', 'breaking server-removed', 'compatible server-added', 'compatible server-added'],
    ],
    [
      'of which one keeps the old path are risky',
      ['https://a.example/v1', 'https://b.example/v1'],
      ['https://a.example/v2', 'https://b.example/v1'],
      ['risky server-changed'],
    ],
    ['that are no longer listed are risky', ['https://a.example/v1'], [], ['risky server-removed']],
  ])('%s', async (_, old, next, expected) => {
    expect(summaryOf(await compareDocuments(served(...old), served(...next)))).toEqual(expected);
  });
});

describe('a component under another name', () => {
  const thing = (properties: JsonObject): JsonObject => ({ type: 'object', properties: { id: { type: 'integer' }, ...properties } });
  const named = (schemas: JsonObject, used = Object.keys(schemas)[0] ?? ''): JsonObject => {
    const schema = { $ref: `#/components/schemas/${used}` };
    const responses = { '200': { description: 'ok', content: { 'application/json': { schema } } } };
    return documentOf({ '/things': { get: { responses } } }, { components: { schemas } });
  };
  const small = thing({ name: { type: 'string' } });
  const larger = thing({ name: { type: 'string' }, note: { type: 'string' } });
  const other = { type: 'object', properties: { key: { type: 'string', format: 'uuid' }, total: { type: 'number' } } };
  const renamed = 'documentation component-renamed';

  test.each([
    ['is renamed if its content is the same', named({ Old: small }), named({ New: small }), true],
    ['is renamed if it has the same uses and most of its content', named({ Old: small }), named({ New: larger }), true],
    ['is another one if its content differs', named({ Old: small }), named({ New: other }), false],
    ['is another one if its uses differ', named({ Used: other, Old: small }), named({ Used: other, New: larger }), false],
    ['is another one if the old one is still there', named({ Old: small }), named({ New: larger, Old: small }), false],
  ])('%s', async (_, old, next, isRenamed) => {
    expect(summaryOf(await compareDocuments(old, next)).includes(renamed)).toBe(isRenamed);
  });
});

describe('the path of a server with variables', () => {
  const served = (url: string, values: readonly string[]): JsonObject =>
    operationOf({}, { servers: [{ url, variables: { version: { enum: values, default: values.at(-1) ?? '' } } }] });

  test.each([
    ['is the path of its values', served('/api/v1', []), served('/api/{version}', ['v2', 'v3']), ['breaking server-changed']],
    ['is the old one if one value is', served('/api/v1', []), served('/api/{version}', ['v1', 'v2']), ['compatible server-added']],
    ['is gone with a value', served('/api/{version}', ['v1', 'v2']), served('/api/{version}', ['v2']), ['breaking server-changed']],
    [
      'is another one with a value',
      served('/api/{version}', ['v1']),
      served('/api/{version}', ['v1', 'v2']),
      ['compatible server-changed'],
    ],
    ['is another one by default', served('/api/{version}', ['v2', 'v1']), served('/api/{version}', ['v1', 'v2']), ['risky server-changed']],
  ])('%s', async (_, old, next, expected) => {
    expect(summaryOf(await compareDocuments(old, next))).toEqual(expected);
  });
});

describe('a base path that moved between the paths and the server', () => {
  const of = (url: string, prefix: string): JsonObject =>
    documentOf({ [`${prefix}/a`]: { get }, [`${prefix}/b/{id}`]: { get } }, { servers: [{ url }] });
  const inPaths = of('https://api.example.com', '/v1');
  const inServer = of('https://api.example.com/v1', '');

  test.each([
    ['into the server', inPaths, inServer],
    ['into the paths', inServer, inPaths],
  ])('%s breaks nobody', async (_, old, next) => {
    expect(summaryOf(await compareDocuments(old, next))).toEqual(['compatible server-changed']);
  });

  test('does not hide another path of the server', async () => {
    expect(summaryOf(await compareDocuments(inServer, of('https://api.example.com/v2', '')))).toEqual(['breaking server-changed']);
  });
});

describe('the encoding of a form', () => {
  const of = (encoding: JsonObject): JsonObject => {
    const schema = { type: 'object', properties: { photo: { type: 'string' } } };
    return operationOf({ requestBody: { content: { 'multipart/form-data': { schema, encoding: { photo: encoding } } } } });
  };

  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['loses a type', { contentType: 'image/png, image/jpeg' }, { contentType: 'image/png' }, ['breaking encoding-content-type-changed']],
    ['gains a type', { contentType: 'image/png' }, { contentType: 'image/png, image/jpeg' }, ['compatible encoding-content-type-changed']],
    ['has a range of types', { contentType: 'image/png' }, { contentType: 'image/*' }, ['compatible encoding-content-type-changed']],
    ['writes lists in another way', { explode: true }, { explode: false }, ['breaking encoding-explode-changed']],
    ['stays the same', { contentType: 'image/png' }, { contentType: 'image/png' }, []],
    ['states the defaults', {}, { contentType: 'text/plain', style: 'form', explode: true }, []],
    ['gets a type', {}, { contentType: 'image/png' }, ['breaking encoding-content-type-changed']],
  ])('%s', async (_, old, next, expected) => {
    expect(summaryOf(await compareDocuments(of(old), of(next)))).toEqual(expected);
  });

  test('of a new part is no other encoding', async () => {
    const form = (properties: JsonObject, encoding: JsonObject): JsonObject =>
      operationOf({ requestBody: { content: { 'multipart/form-data': { schema: { type: 'object', properties }, encoding } } } });
    const [old, part] = [{ name: { type: 'string' } }, { type: 'string', format: 'binary' }];
    const comparison = await compareDocuments(form(old, {}), form({ ...old, photo: part }, { photo: { contentType: 'image/png' } }));
    expect(summaryOf(comparison)).toEqual(['compatible property-added']);
  });
});
