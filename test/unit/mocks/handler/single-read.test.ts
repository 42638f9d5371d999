/** Single reads: the record by its parameters, refused parameters, and conditional reads. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixture } from '../../../helpers/judged-mock.ts';
import { createDirectMock, type DirectMock, datasetOf, serveText } from '../../../helpers/served.ts';

interface ReadParts {
  /** The value of `x-api/precedence`. */
  readonly precedence?: string;
  /** Statuses besides 200, 400 and 404. */
  readonly statuses?: string;
  /** The value of `x-invalid`. */
  readonly invalid?: string;
}

const records = [
  { id: 1, name: 'one', colour: 'red' },
  { id: 2, name: 'two', colour: 'red' },
  { id: 3, name: 'two', colour: 'blue' },
];

/** One operation that reads a record by its name, by its colour, or by both. */
async function serve({
  precedence = '[invalid, absent]',
  statuses = '',
  invalid = '{ sloppy: refused }',
}: ReadParts = {}): Promise<DirectMock> {
  const error = "content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } }";
  const text = `
openapi: 3.1.0
jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema
info: { title: Things, version: '1' }
x-api: { error: { schema: '#/components/schemas/Error', code: /code, message: /message }, precedence: ${precedence} }
x-invalid: ${invalid}
paths:
  /thing:
    get:
      operationId: readThing
      parameters:
        - { name: name, in: query, schema: { type: string, maxLength: 5 } }
        - { name: colour, in: query, schema: { enum: [red, blue, green] } }
      x-resource: { name: things, at: '', by: { name: /name, colour: /colour } }
      responses:
        '200':
          description: A thing.
          headers: { ETag: { required: true, schema: { type: string } } }
          content:
            application/json:
              schema: { type: object, properties: { id: { type: integer }, name: { type: string }, colour: { type: string } } }
        '400': { description: Wrong., ${error} }
        '404': { description: Nothing., ${error} }
${statuses}
components:
  schemas:
    Error: { type: object, required: [code, message], properties: { code: { type: string }, message: { type: string } } }
`;
  return createDirectMock([await serveText(text, { dataset: () => datasetOf(records) })]);
}

describe('a single read', () => {
  it('finds the record whose fields equal all sent parameters', async () => {
    const mock = await serve();
    const idOf = async (query: string): Promise<unknown> => {
      const reply = await mock.get(`/thing?${query}`);
      return reply.status === 200 ? reply.at('/id') : reply.status;
    };
    expect(await idOf('name=two&colour=blue')).toBe(3);
    expect(await idOf('name=two&colour=red')).toBe(2);
    expect(await idOf('colour=red')).toBe(1);
    expect(await idOf('name=one&colour=blue')).toBe(404);
    expect(await idOf('colour=green')).toBe(404);
  });

  it('finds no record without parameters', async () => {
    expect((await (await serve()).get('/thing')).status).toBe(404);
  });

  it('refuses a wrong value before it looks for a record, in any precedence', async () => {
    for (const precedence of ['[invalid, absent]', '[absent, invalid]']) {
      const mock = await serve({ precedence });
      expect((await mock.get('/thing?name=toolong&colour=red')).status).toBe(400);
      expect((await mock.get('/thing?colour=pink')).status).toBe(400);
      expect((await mock.get('/thing?name=none')).status).toBe(404);
    }
  });

  it('ignores or answers with 404 a wrong value, by the contract', async () => {
    expect((await (await serve({ invalid: '{ unknown-value: ignored }' })).get('/thing?name=two&colour=pink')).at('/id')).toBe(2);
    expect((await (await serve({ invalid: '{ unknown-value: empty }' })).get('/thing?name=two&colour=pink')).status).toBe(404);
  });

  it('answers a conditional read with the body, unless the contract documents 304', async () => {
    const unchanged = "        '304': { description: Unchanged. }";
    for (const [statuses, expected] of [
      ['', 200],
      [unchanged, 304],
    ] as const) {
      const mock = await serve({ statuses });
      const etag = String((await mock.get('/thing?name=one')).headers.etag);
      expect((await mock.get('/thing?name=one', { 'if-none-match': etag })).status).toBe(expected);
    }
  });
});

describe('a hidden record', () => {
  it('is not readable, while other records are', async () => {
    const text = readFileSync(fixture('parcels'), 'utf8')
      .replace('filters: {', 'visible: { field: /state, shown: [waiting], hidden: forbidden }\n        filters: {')
      .replace('security: [{ access: [track] }]', 'security: []')
      .replace('security: [{ access: [admin] }]', 'security: []');
    const mock = createDirectMock([await serveText(text)]);
    expect((await mock.get('/v2/parcels/D4')).status).toBe(200);
    const hidden = await mock.get('/v2/parcels/C3');
    expect(hidden.status).toBe(403);
    expect(hidden.text).not.toContain('delivered');
    expect((await mock.get('/v2/parcels/Z9')).status).toBe(404);
    expect((await mock.get('/v2/parcels?per_page=3')).at('/count')).toBe(5);
  });
});
