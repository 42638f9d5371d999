/** Prism judges parameters and forms, and the contract judges JSON; the answer is made of what they find. */

import { describe, expect, it } from 'vitest';
import { jsonExample, servePlainly } from '../../../../helpers/plain-mock.ts';

const ask = await servePlainly(
  `
  /q:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 9 } }
        - { name: state, in: query, schema: { type: string, enum: [on, off] } }
        - { name: tag, in: query, schema: { type: array, items: { type: integer } } }
        - { name: ids, in: query, explode: false, schema: { type: array, items: { type: integer } } }
        - { name: box, in: query, style: deepObject, explode: true, schema: { type: object, properties: { w: { type: integer } } } }
        - { name: level, in: query, schema: { enum: [1, 2] } }
        - { name: at, in: query, schema: { type: string, format: date-time } }
        - { name: either, in: query, schema: { oneOf: [{ type: integer }, { type: string, pattern: '^x' }] } }
        - { name: filter, in: query, content: { application/json: { schema: { type: object, required: [a] } } } }
        - { name: old, in: query, deprecated: true, schema: { type: string } }
        - { name: X-Ids, in: header, schema: { type: array, items: { type: integer } } }
        - { name: X-Count, in: header, schema: { type: integer } }
        - { name: theme, in: cookie, schema: { type: string, enum: [dark] } }
      responses: { '200': ${jsonExample('ok')} }
  /p/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }, { name: must, in: query, required: true, schema: { type: string } }]
      responses: { '200': ${jsonExample('ok')}, '400': { description: x, content: { application/json: { schema: { type: object, properties: { message: { type: string } } } } } } }
  /m/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, style: matrix, schema: { type: integer } }]
      responses: { '200': ${jsonExample('ok')}, '400': ${jsonExample('no')} }
  /json:
    post:
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [n], properties: { n: { type: integer } } } } } }
      responses: { '201': ${jsonExample('made')}, '422': ${jsonExample({ message: 'no' })} }
  /form:
    post:
      requestBody:
        content:
          application/x-www-form-urlencoded: { schema: &form { type: object, required: [name], properties: { name: { type: string, minLength: 2 }, age: { type: integer }, tags: { type: array, items: { enum: [a, b] } }, more: { type: object } } } }
          multipart/form-data: { schema: *form }
          text/plain: {}
      responses: { '200': ${jsonExample('ok')}, '415': ${jsonExample('what?')} }
  /none:
    post: { responses: { '200': ${jsonExample('ok')} } }
`
    .replace('&form ', '')
    .replace('*form', '{ type: object, required: [name], properties: { name: { type: string }, file: { type: string, format: binary } } }'),
);

describe('parameters', () => {
  it.each([
    [';id=5', 200],
    ['5', 400],
    [';id=x', 400],
  ])('have the prefix of their style in a path: %s', async (segment, status) => {
    expect(await ask(`GET /m/${segment}`)).toMatchObject({ status });
  });

  it.each(['l%', '%ff', '7%2'])('are read as sent where a path has a broken escape: %s', async (id) => {
    expect(await ask(`GET /p/${id}?must=x`)).toMatchObject({ status: 400 });
  });

  it.each([
    'limit=5',
    'state=on',
    'tag=1&tag=2',
    'ids=1,2',
    'box[w]=3',
    'at=2026-03-29T16:00:00Z',
    'level=1',
    'either=7',
    'either=xy',
    'filter=%7B%22a%22:1%7D',
    'unknown=1',
    '',
  ])('may be ?%s', async (query) => {
    expect(await ask(`GET /q?${query}`)).toMatchObject({ status: 200, json: 'ok' });
  });

  it.each([
    ['limit=10', ['query', 'limit'], 'maximum'],
    ['limit=x', ['query', 'limit'], 'type'],
    ['state=maybe', ['query', 'state'], 'enum'],
    ['tag=1&tag=x', ['query', 'tag', '1'], 'type'],
    ['ids=1,x', ['query', 'ids', '1'], 'type'],
    ['box[w]=x', ['query', 'box', 'w'], 'type'],
    ['at=yesterday', ['query', 'at'], 'format'],
    ['either=y', ['query', 'either'], 'malformed'],
    ['filter=%7B%7D', ['query', 'filter'], 'malformed'],
  ])('must not be ?%s', async (query, location, code) => {
    const answer = await ask(`GET /q?${query}`);
    expect(answer).toMatchObject({ status: 422, type: 'application/problem+json' });
    expect(answer.json).toMatchObject({ validation: [{ location, code: expect.stringContaining(code.slice(0, 4)) }] });
  });

  it('may be in headers and cookies', async () => {
    expect(await ask('GET /q', { 'x-ids': '1,2', 'x-count': '3', cookie: 'theme=dark' })).toMatchObject({ status: 200 });
    expect(await ask('GET /q', { 'x-ids': '1,x' })).toMatchObject({ status: 422 });
    expect(await ask('GET /q', { 'x-count': 'x' })).toMatchObject({ status: 422 });
    expect(await ask('GET /q', { cookie: 'theme=light' })).toMatchObject({ status: 422 });
  });

  it('that are deprecated are said, and not refused', async () => {
    const { status, headers } = await ask('GET /q?old=1');
    expect(status).toBe(200);
    expect(headers['sl-violations']).toContain('"severity":"Warning","code":"deprecated"');
  });

  it('that are wrong get the documented answer, with the reason where its schema has room', async () => {
    expect(await ask('GET /p/x?must=1')).toMatchObject({ status: 400, json: { message: 'Request path parameter id must be integer' } });
    const { json } = await ask('GET /p/x');
    expect(json).toEqual({ message: expect.stringMatching(/must have required property 'must'.*; .*id must be integer/) });
  });
});

describe('a body of JSON', () => {
  const type = { 'content-type': 'application/json' };

  it('is judged by the contract', async () => {
    expect(await ask('POST /json', type, '{"n":1}')).toMatchObject({ status: 201, json: 'made' });
    for (const body of ['{}', '{"n":"1"}', 'no json', '', '[]'])
      expect(await ask('POST /json', type, body)).toMatchObject({ status: 422, json: { message: 'no' } });
  });

  it('that is wrong keeps the example of its answer, and the reason is beside it', async () => {
    const { headers } = await ask('POST /json', type, '{"n":"1"}');
    expect(headers['mock-note']).toBe('Request body property n must be integer');
    expect(headers['sl-violations']).toContain('["request","body","n"]');
  });

  it('of another type is refused with 415', async () => {
    expect(await ask('POST /json', { 'content-type': 'text/plain' }, 'x')).toMatchObject({ status: 422 });
    expect(await ask('POST /form', type, '{}')).toMatchObject({ status: 415, json: 'what?' });
    expect(await ask('POST /none', { 'content-type': 'text/plain' }, 'x')).toMatchObject({ status: 415 });
    expect(await ask('POST /none', { 'content-type': 'text/plain' })).toMatchObject({ status: 200 });
  });
});

describe('a form', () => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const multipart = { 'content-type': 'multipart/form-data; boundary=B' };
  const parts = (...entries: readonly string[]): string =>
    `${entries.map((entry) => `--B\r\nContent-Disposition: form-data; name="${entry.split('=')[0]}"\r\n\r\n${entry.split('=')[1]}\r\n`).join('')}--B--\r\n`;

  it.each(['name=Ann', 'name=A%20n&age=7', 'name=Ann&tags=a&tags=b', 'name=Ann&more=%7B%7D', ''])('may be %s', async (body) => {
    expect(await ask('POST /form', type, body)).toMatchObject({ status: 200 });
  });

  it.each(['age=7', 'name=A', 'name=Ann&age=x', 'name=Ann&tags=c'])('must not be %s', async (body) => {
    expect(await ask('POST /form', type, body)).toMatchObject({ status: 422 });
  });

  it('may have several parts, with files of any size and kind', async () => {
    expect(await ask('POST /form', multipart, parts('name=Ann', 'file=\uFFFD\0'))).toMatchObject({ status: 200 });
    expect(await ask('POST /form', multipart, parts(`file=${'x'.repeat(1_000_000)}`, 'name=Ann'))).toMatchObject({ status: 200 });
    expect(await ask('POST /form', multipart, parts('file=x'))).toMatchObject({ status: 422 });
  });

  it('may be a text', async () => {
    expect(await ask('POST /form', { 'content-type': 'text/plain' }, 'anything')).toMatchObject({ status: 200 });
  });
});
