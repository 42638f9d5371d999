/** Operations are read as OpenAPI 3.1 writes them: security, answers with headers and examples, and comparison kinds of their collections. */

import { describe, expect, it } from 'vitest';
import { printPlace } from '../../../core/errors.ts';
import type { Operation } from '../../../core/operation.ts';
import { contractText, type Files, loadText, mistakeOf, positionOf } from '../../helpers/contract-text.ts';

async function operationsOf(rest: string, others: Files = {}): Promise<readonly Operation[]> {
  return (await loadText(contractText(rest), others)).operations;
}

async function firstOf(rest: string, others: Files = {}): Promise<Operation> {
  const [operation] = await operationsOf(rest, others);
  if (operation === undefined) throw new Error('the contract has no operation');
  return operation;
}

const schemes = `components:
  securitySchemes:
    header: { type: apiKey, in: header, name: X-Key }
    query: { type: apiKey, in: query, name: key }
    cookie: { type: apiKey, in: cookie, name: session }
    bearer: { type: http, scheme: bearer }
    basic: { type: http, scheme: BASIC }
    oauth: { type: oauth2, flows: {} }
    openid: { type: openIdConnect, openIdConnectUrl: https://example.com }
    alias: { $ref: '#/components/securitySchemes/header' }
    certificate: { type: mutualTLS }
`;

describe('the security of an operation', () => {
  async function carriersOf(security: string, root = ''): Promise<readonly (readonly string[])[]> {
    const { security: alternatives } = await firstOf(`${root}paths: { /a: { get: { ${security} responses: {} } } }\n${schemes}`);
    return alternatives.map((credentials) =>
      credentials.map(({ carrier }) => (carrier.in === 'authorization' ? carrier.word : `${carrier.in} ${carrier.name}`)),
    );
  }

  it.each([
    ['security: [{ header: [] }],', [['header X-Key']]],
    ['security: [{ query: [] }, { cookie: [] }],', [['query key'], ['cookie session']]],
    ['security: [{ header: [], bearer: [] }],', [['header X-Key', 'Bearer']]],
    ['security: [{ basic: [] }],', [['Basic']]],
    ['security: [{ oauth: [] }, { openid: [] }],', [['Bearer'], ['Bearer']]],
    ['security: [{ alias: [] }],', [['header X-Key']]],
    ['security: [{}, { header: [] }],', [[], ['header X-Key']]],
    ['security: [],', []],
    ['', []],
  ])('%s asks for %j', async (security, carriers) => {
    expect(await carriersOf(security)).toEqual(carriers);
  });

  it('is that of the API unless it has its own, and may be none', async () => {
    const root = 'security: [{ header: [] }]\n';
    expect(await carriersOf('', root)).toEqual([['header X-Key']]);
    expect(await carriersOf('security: [{ query: [] }],', root)).toEqual([['query key']]);
    expect(await carriersOf('security: [],', root)).toEqual([]);
  });

  it('keeps the roles that each scheme must carry', async () => {
    const { security } = await firstOf(`paths: { /a: { get: { security: [{ header: [a.read, a.write] }], responses: {} } } }\n${schemes}`);
    expect(security[0]?.[0]).toEqual({ scheme: 'header', scopes: ['a.read', 'a.write'], carrier: { in: 'header', name: 'X-Key' } });
  });

  it('by a client certificate cannot be judged, which is told at the scheme', async () => {
    const text = contractText(`paths: { /a: { get: { security: [{ certificate: [] }], responses: {} } } }\n${schemes}`);
    const mistake = await mistakeOf(loadText(text));
    expect(printPlace(mistake.place)).toBe(`api.yaml:${positionOf(text, '{ type: mutualTLS')}`);
    expect(mistake.message).toContain('mutualTLS');
  });
});

describe('the operations of a file', () => {
  it('are those of its paths, each with its method', async () => {
    const operations = await operationsOf(
      'paths: { /b: { get: { operationId: one, responses: {} }, trace: { responses: {} } }, /a: { summary: x, head: { responses: {} } }, x-more: { get: {} } }\n',
    );
    expect(operations.map(({ id, method, path }) => `${id} ${method} ${path}`)).toEqual([
      'one GET /b',
      'trace /b TRACE /b',
      'head /a HEAD /a',
    ]);
  });

  it('may stand in another file, and refer from there', async () => {
    const parts = "item: { get: { operationId: there, responses: { '200': { $ref: '#/ok' } } } }\nok: { description: Fine. }\n";
    const operation = await firstOf("paths: { /a: { $ref: 'parts.yaml#/item' } }\n", { 'parts.yaml': parts });
    expect([operation.id, printPlace(operation.place), operation.responses.get('200')?.place.file]).toEqual([
      'there',
      'parts.yaml:1:14',
      'parts.yaml',
    ]);
  });

  it('compare the fields of their collection as the success says, whatever stands before it', async () => {
    const content =
      '{ text/html: { schema: { type: string } }, application/json: { schema: { properties: { data: { items: { properties: { id: {}, at: { format: date-time } } } } } } } }';
    const operation = await firstOf(`paths:
  /a:
    get:
      parameters: [{ name: limit, in: query }, { name: offset, in: query }]
      x-collection: { name: a, items: /data, key: /id, order: [{ by: /at, direction: ascending }], page: { style: offset, limit: limit, offset: offset }, filters: {} }
      responses: { '404': { description: b, content: { application/json: {} } }, '200': { description: a, content: ${content} } }
`);
    const [early, late] = [
      { id: 1, at: '2026-10-03T14:00:00Z' },
      { id: 2, at: '2026-10-03T13:00:00-02:00' },
    ];
    expect(operation.collection?.query.sort([late, early])).toEqual([early, late]);
  });
});

describe('the documented answers', () => {
  const answers = `paths:
  /a:
    get:
      responses:
        '200':
          description: Fine.
          headers:
            X-Count: { required: true, schema: { type: integer } }
            Content-Type: { schema: { type: string } }
            Shared: { $ref: '#/components/headers/Shared' }
          content:
            Application/JSON:
              schema: { type: object }
              examples: { one: { value: { a: 1 } }, two: { $ref: '#/components/examples/Two' }, far: { externalValue: far.json } }
            text/plain: { example: hello }
        404: { $ref: '#/components/responses/Absent' }
        x-more: {}
components:
  headers: { Shared: { schema: { type: boolean } } }
  examples: { Two: { value: null } }
  responses: { Absent: { description: Gone. } }
`;

  it('are found by their status, through references', async () => {
    const { responses } = await firstOf(answers);
    expect([...responses.keys()].sort()).toEqual(['200', '404']);
    expect(responses.get('404')).toMatchObject({ status: '404', headers: [], content: new Map() });
  });

  it('have headers in lower case, but for the content type', async () => {
    const headers = (await firstOf(answers)).responses.get('200')?.headers ?? [];
    expect(headers.map(({ name, required }) => [name, required])).toEqual([
      ['x-count', true],
      ['shared', false],
    ]);
    expect(headers.map(({ parameter }) => parameter.kinds)).toEqual([['integer'], ['boolean']]);
  });

  it('have content by its type in lower case', async () => {
    const content = (await firstOf(answers)).responses.get('200')?.content;
    expect([...(content?.keys() ?? [])]).toEqual(['application/json', 'text/plain']);
    expect(content?.get('application/json')?.validate([])).toHaveLength(1);
    expect(content?.get('text/plain')?.validate(5)).toEqual([]);
  });

  it('have examples by name, each with its line', async () => {
    const examples = (await firstOf(answers)).responses.get('200')?.examples;
    expect([...(examples ?? [])].map(([name, { value }]) => [name, value])).toEqual([
      ['one', { a: 1 }],
      ['two', null],
      ['example', 'hello'],
    ]);
    const place = examples?.get('two')?.place;
    expect(place && printPlace(place)).toBe(`api.yaml:${positionOf(contractText(answers), 'value: null')}`);
  });
});
