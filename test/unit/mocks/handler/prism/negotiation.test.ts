/** Prism chooses the status, the media type and the example of a response. */

import { describe, expect, it } from 'vitest';
import { jsonExample, servePlainly } from '../../../../helpers/plain-mock.ts';

const ask = await servePlainly(`
  /texts:
    get:
      responses:
        '200':
          description: All.
          content:
            application/json: { example: [1] }
            text/csv: { example: "id\\n1\\n" }
            application/xml: { example: <ids/> }
        '404': ${jsonExample({ why: 'gone' })}
        5XX: ${jsonExample({ why: 'down' })}
  /choosy:
    get: { responses: { '200': ${jsonExample(1)}, '406': ${jsonExample({ why: 'no' })} } }
  /named:
    get:
      responses:
        '200': { description: x, content: { application/json: { examples: { one: { value: 1 }, two: { value: 2 } } } } }
        '201': { description: x, content: { application/json: { examples: { three: { value: 3 } } } } }
    post: { responses: { '201': { description: Made. }, '422': { description: x, content: { application/json: { examples: { short: { value: 1 } } } } } } }
  /ranges:
    get: { responses: { 5XX: ${jsonExample('5xx')}, 4XX: ${jsonExample('4xx')} } }
  /default:
    get: { responses: { default: ${jsonExample('default')} } }
  /empty:
    get: { responses: { '204': { description: None. } } }
  /any:
    get: { responses: { '200': { description: x, content: { '*/*': { schema: { type: object, properties: { a: { example: 1 } } } } } } } }
  /image:
    get: { responses: { '200': { description: x, content: { 'image/*': {} } } } }
  /nothing:
    get: { summary: no responses }
  /made:
    get:
      deprecated: true
      responses:
        '200': { description: x, content: { application/json: { example: { a: 1 }, schema: { properties: { a: { type: integer, minimum: 5 } } } } } }
`);

describe('the media type', () => {
  it.each([
    ['', 'application/json', '[1]'],
    ['*/*', 'application/json', '[1]'],
    ['text/csv', 'text/csv', 'id\n1\n'],
    ['text/*', 'text/csv', 'id\n1\n'],
    ['application/json;q=0.5, application/xml', 'application/xml', '<ids/>'],
    ['image/png, application/json;q=0.1', 'application/json', '[1]'],
    ['application/json; version=2', 'application/json', '[1]'],
    ['text/html, garbage, text/csv;q=0.2', 'text/csv', 'id\n1\n'],
  ])('for Accept: %s is %s', async (accept, type, text) => {
    expect(await ask('GET /texts', accept === '' ? {} : { accept })).toMatchObject({ status: 200, type, text });
  });

  it('that nobody offers is refused with 406', async () => {
    expect(await ask('GET /texts', { accept: 'image/png' })).toMatchObject({ status: 406, type: 'application/problem+json' });
  });

  it('that nobody offers is refused with the documented 406', async () => {
    expect(await ask('GET /choosy', { accept: 'image/png' })).toMatchObject({ status: 406, type: 'application/json', json: { why: 'no' } });
  });

  it('of a range is one that the request accepts, else one that fits the schema', async () => {
    expect(await ask('GET /any')).toMatchObject({ type: 'application/json', json: { a: 1 } });
    expect(await ask('GET /any', { accept: 'application/vnd.x+json' })).toMatchObject({ type: 'application/vnd.x+json', json: { a: 1 } });
    expect(await ask('GET /image')).toMatchObject({ type: 'image/png' });
    expect(await ask('GET /image', { accept: 'image/gif' })).toMatchObject({ type: 'image/gif' });
  });
});

describe('the status', () => {
  it.each([
    ['GET /ranges', 500, '5xx'],
    ['GET /default', 200, 'default'],
    ['GET /texts?__code=404', 404, { why: 'gone' }],
    ['GET /texts?__code=502', 502, { why: 'down' }],
    ['GET /default?__code=418', 418, 'default'],
    ['GET /named?__code=201', 201, 3],
    ['GET /named?__example=two', 200, 2],
    ['GET /named?__code=201&__example=three', 201, 3],
  ])('of %s is %i', async (line, status, json) => {
    expect(await ask(line)).toMatchObject({ status, json });
  });

  it('may be preferred by a header, and the response says what it applied', async () => {
    const answer = await ask('GET /named', { prefer: 'code=201, example="three"' });
    expect(answer).toMatchObject({ status: 201, json: 3, headers: { 'preference-applied': 'code=201, example="three"' } });
    const other = await ask('GET /texts', { prefer: 'code=404' });
    expect(other.headers['preference-applied']).toBe('code=404');
    expect((await ask('GET /texts')).headers).not.toHaveProperty('preference-applied');
  });

  it.each([
    ['code=422, example=missing', 201],
    ['code=422, example=short', 422],
  ])('for Prefer: %s is %i, and a note says which preference is not met', async (prefer, status) => {
    const answer = await ask('POST /named', { prefer });
    expect(answer.status).toBe(status);
    expect(String(answer.headers['mock-note'] ?? '')).toContain(status === 422 ? '' : 'code=422, example="missing"');
    expect(answer.headers['mock-note'] === undefined).toBe(status === 422);
  });

  it.each(['GET /named?__code=404', 'GET /named?__example=four', 'GET /texts?__code=302'])('of %s does not exist', async (line) => {
    expect(await ask(line)).toMatchObject({
      status: 404,
      type: 'application/problem+json',
      json: { title: expect.stringContaining('cannot find') },
    });
  });

  it('204 has neither a body nor a type', async () => {
    expect(await ask('GET /empty')).toMatchObject({ status: 204, type: undefined, text: '' });
    expect(await ask('GET /empty', { accept: 'application/json' })).toMatchObject({ status: 204, text: '' });
  });

  it('is 200 where the document has no responses', async () => {
    expect(await ask('GET /nothing')).toMatchObject({ status: 200, text: '' });
  });
});

it.each(['const: zstd', 'enum: [br, deflate]', 'enum: [br, gzip]'])(
  'the coding of a body is one that the document allows: %s',
  async (schema) => {
    const coded = await servePlainly(
      `  /a: { get: { responses: { '200': { description: x, headers: { Content-Encoding: { schema: { ${schema} } } }, content: { application/json: { example: { a: 1 } } } } } } }`,
    );
    const { headers, json } = await coded('GET /a', { 'accept-encoding': 'gzip, br' });
    expect([headers['content-encoding'], json]).toEqual([schema.includes('gzip') ? 'gzip' : undefined, { a: 1 }]);
  },
);

describe('an example', () => {
  it('that breaks its schema is sent, and the response says so', async () => {
    const { json, headers } = await ask('GET /made');
    expect(json).toEqual({ a: 1 });
    expect(headers['deprecation']).toBe('true');
    expect(JSON.parse(String(headers['sl-violations']))).toEqual([
      expect.objectContaining({ location: ['response', 'body', 'a'], severity: 'Error', code: 'minimum' }),
    ]);
  });

  it('that breaks its schema is a 500 with --errors', async () => {
    const strict = await servePlainly(
      `  /made: { get: { responses: { '200': { description: x, content: { application/json: { example: 1, schema: { type: string } } } } } } }`,
      '',
      { errors: true },
    );
    expect(await strict('GET /made')).toMatchObject({
      status: 500,
      json: { validation: [{ location: ['response', 'body'], code: 'type' }] },
    });
  });

  it('is not used with dynamic, by the mock or by the request', async () => {
    expect((await ask('GET /made?__dynamic=true')).json).not.toEqual({ a: 1 });
    const dynamic = await servePlainly(
      `  /made: { get: { responses: { '200': { description: x, content: { application/json: { example: 1, schema: { type: string } } } } } } }`,
      '',
      { dynamic: true },
    );
    expect(typeof (await dynamic('GET /made')).json).toBe('string');
    expect((await dynamic('GET /made', { prefer: 'dynamic=false' })).json).toBe(1);
  });
});
