/** Operations are read from OpenAPI 3.1 and annotations: security, parameters, styles, responses, headers and examples. */

import { beforeAll, describe, expect, it } from 'vitest';
import { readCollection, readParameterRules, readResource } from '../../../../core/annotations/read-annotations.ts';
import { formatLocation } from '../../../../core/errors.ts';
import type { Operation } from '../../../../core/openapi/operation.ts';
import type { Parameter } from '../../../../core/parameters/parse-parameter.ts';
import {
  contractText,
  type Files,
  loadText,
  mistakeOf,
  operationOf,
  parameterOf,
  positionOf,
} from '../../../helpers/contracts/contract-text.ts';

async function operationsOf(rest: string, others: Files = {}): Promise<readonly [Operation, ...Operation[]]> {
  return (await loadText(contractText(rest), others)).operations as readonly [Operation, ...Operation[]];
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
  async function carriersOf(security: string, root: string): Promise<readonly (readonly string[])[]> {
    const [{ security: alternatives }] = await operationsOf(`${root}paths: { /a: { get: { ${security} responses: {} } } }\n${schemes}`);
    return alternatives.map((credentials) =>
      credentials.map(({ carrier }) => (carrier.in === 'authorization' ? carrier.word : `${carrier.in} ${carrier.name}`)),
    );
  }

  it.each<readonly [string, readonly (readonly string[])[], root: string]>([
    ['security: [{ header: [] }],', [['header X-Key']], ''],
    ['security: [{ query: [] }, { cookie: [] }],', [['query key'], ['cookie session']], ''],
    ['security: [{ header: [], bearer: [] }],', [['header X-Key', 'Bearer']], ''],
    ['security: [{ basic: [] }],', [['Basic']], ''],
    ['security: [{ oauth: [] }, { openid: [] }],', [['Bearer'], ['Bearer']], ''],
    ['security: [{ alias: [] }],', [['header X-Key']], ''],
    ['security: [{}, { header: [] }],', [[], ['header X-Key']], ''],
    ['security: [],', [], ''],
    ['', [], ''],
    ['', [['header X-Key']], 'security: [{ header: [] }]\n'],
    ['security: [{ query: [] }],', [['query key']], 'security: [{ header: [] }]\n'],
    ['security: [],', [], 'security: [{ header: [] }]\n'],
  ])('%s asks for %j, and without its own for that of the API', async (security, carriers, root) => {
    expect(await carriersOf(security, root)).toEqual(carriers);
  });

  it('keeps the roles that each scheme must carry', async () => {
    const [{ security }] = await operationsOf(
      `paths: { /a: { get: { security: [{ header: [a.read, a.write] }], responses: {} } } }\n${schemes}`,
    );
    expect(security[0]?.[0]).toEqual({
      scheme: 'header',
      isToken: false,
      scopes: ['a.read', 'a.write'],
      carrier: { in: 'header', name: 'X-Key' },
    });
  });

  it('by a client certificate cannot be judged, which is reported at the scheme', async () => {
    const text = contractText(`paths: { /a: { get: { security: [{ certificate: [] }], responses: {} } } }\n${schemes}`);
    const mistake = await mistakeOf(loadText(text));
    expect(formatLocation(mistake.place)).toBe(`api.yaml:${positionOf(text, '{ type: mutualTLS')}`);
    expect(mistake.message).toContain('mutualTLS');
  });
});

describe('the operations of a file', () => {
  it('are those of its paths, each with its method', async () => {
    const operations = await operationsOf(
      'paths: { /b: { get: { operationId: one, responses: {} }, trace: { responses: {} } }, /a: { summary: x, head: { responses: {} } }, x-more: { get: {} } }\n',
    );
    const shown = operations.map(({ id, method, path }) => `${id} ${method} ${path}`);
    expect(shown).toEqual(['one GET /b', 'trace /b TRACE /b', 'head /a HEAD /a']);
  });

  it('may stand in another file, and refer from there', async () => {
    const parts = "item: { get: { operationId: there, responses: { '200': { $ref: '#/ok' } } } }\nok: { description: Fine. }\n";
    const [{ id, place, responses }] = await operationsOf("paths: { /a: { $ref: 'parts.yaml#/item' } }\n", { 'parts.yaml': parts });
    expect([id, formatLocation(place), responses.get('200')?.place.file]).toEqual(['there', 'parts.yaml:1:14', 'parts.yaml']);
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

  let operation: Operation;
  beforeAll(async () => {
    [operation] = await operationsOf(answers);
  });

  it('are found by their status, through references', () => {
    expect([...operation.responses.keys()].sort()).toEqual(['200', '404']);
    expect(operation.responses.get('404')).toMatchObject({ status: '404', headers: [], content: new Map() });
  });

  it('have headers in lower case, but for the content type', () => {
    const headers = operation.responses.get('200')?.headers ?? [];
    const shown = headers.map(({ name, required, parameter }) => `${name} ${required} ${parameter.kinds.join()}`);
    expect(shown).toEqual(['x-count true integer', 'shared false boolean']);
  });

  it('have content by its type in lower case', () => {
    const content = operation.responses.get('200')?.content;
    expect([...(content?.keys() ?? [])]).toEqual(['application/json', 'text/plain']);
    expect(content?.get('application/json')?.validate([])).toHaveLength(1);
    expect(content?.get('text/plain')?.validate(5)).toEqual([]);
  });

  it('have examples by name, each with its line', () => {
    const examples = operation.responses.get('200')?.examples ?? new Map();
    const values = Object.fromEntries([...examples].map(([name, { value }]) => [name, value]));
    expect(values).toEqual({ one: { a: 1 }, two: null, example: 'hello' });
    expect(formatLocation(examples.get('two').place)).toBe(`api.yaml:${positionOf(contractText(answers), 'value: null')}`);
  });
});

async function parametersOf(rest: string): Promise<readonly Parameter[]> {
  return (await loadText(contractText(rest))).operations[0]?.parameters ?? [];
}

describe('the parameters of an operation', () => {
  it('are those of its path and its own, and its own win', async () => {
    const parameters = await parametersOf(`paths:
  /a:
    parameters: [{ name: a, in: query, schema: { type: integer } }, { name: b, in: query, schema: { type: integer } }]
    get:
      parameters: [{ name: b, in: query, schema: { type: boolean } }, { name: b, in: header, schema: { type: number } }]
      responses: {}
`);
    const shown = parameters.map(({ name, in: location, kinds }) => `${name} ${location} ${kinds.join()}`);
    expect(shown).toEqual(['a query integer', 'b query boolean', 'b header number']);
  });

  it('may be references, and stand at the line of what is referred to', async () => {
    const [parameter] = await parametersOf(`paths: { /a: { get: { parameters: [{ $ref: '#/components/parameters/A' }], responses: {} } } }
components:
  parameters:
    A: { name: a, in: query, required: true }
`);
    expect(parameter && [parameter.name, parameter.required, formatLocation(parameter.place)]).toEqual(['a', true, 'api.yaml:6:8']);
  });

  it('leave out the headers that content negotiation and security are about', async () => {
    const headers = ['Accept', 'content-type', 'AUTHORIZATION', 'X-A'].map((name) => `{ name: ${name}, in: header }`);
    const { parameters } = await operationOf(`parameters: [{ name: accept, in: query }, ${headers.join()}]`);
    expect(parameters.map(({ name, in: location }) => `${name} ${location}`)).toEqual(['accept query', 'X-A header']);
  });
});

describe('a parameter', () => {
  it.each([
    ['in: query', 'form', true],
    ['in: cookie', 'form', true],
    ['in: path', 'simple', false],
    ['in: header', 'simple', false],
    ['in: query, style: pipeDelimited', 'pipeDelimited', false],
    ['in: query, style: deepObject', 'deepObject', false],
    ['in: query, explode: false', 'form', false],
    ['in: path, explode: true', 'simple', true],
  ])('%s has the style %s and explode %s', async (members, style, explode) => {
    expect((await parameterOf(members, '{ type: object }')).style).toMatchObject({ style, explode });
  });

  it.each([
    ['{ type: string }', 'one'],
    ['{ type: array, items: {} }', 'list'],
    ["{ type: [array, 'null'] }", 'list'],
    ['{ type: object }', 'members'],
    ["{ $ref: '#/components/schemas/List' }", 'list'],
    ["{ allOf: [{ $ref: '#/components/schemas/List' }] }", 'list'],
    ['{}', 'one'],
    ['true', 'one'],
  ])('of %s has the shape %s', async (schema, shape) => {
    const schemas = 'components: { schemas: { List: { type: array, items: { type: integer } } } }\n';
    const operation = await operationOf(`parameters: [{ name: a, in: query, schema: ${schema} }]`, '/x', schemas);
    expect(operation.parameters[0]?.style.shape).toBe(shape);
  });

  it('knows the values and the default that its schema lists, through references', async () => {
    const schemas = 'components: { schemas: { State: { type: string, enum: [a, b], default: a }, One: { const: 5 } } }\n';
    const lines = `parameters:
  - { name: state, in: query, schema: { $ref: '#/components/schemas/State' } }
  - { name: states, in: query, schema: { type: array, items: { $ref: '#/components/schemas/State' } } }
  - { name: one, in: query, schema: { $ref: '#/components/schemas/One' } }
  - { name: own, in: query, schema: { $ref: '#/components/schemas/State', default: b } }`;
    const { parameters } = await operationOf(lines, '/x', schemas);
    expect(parameters.map(({ allowed }) => allowed)).toEqual([['a', 'b'], ['a', 'b'], [5], ['a', 'b']]);
    expect(parameters.map(({ fallback }) => fallback)).toEqual(['a', undefined, undefined, 'b']);
  });

  it.each([
    ['{ type: array, items: { type: integer } }', true],
    ['{ type: array, items: { enum: [a, b] } }', true],
    ['{ type: array, items: { enum: ["a,b"] } }', false],
    ['{ type: array, items: { type: string } }', false],
    ['{ type: array, items: {} }', false],
  ])('of %s may have its commas encoded: %s', async (schema, safe) => {
    expect((await parameterOf('in: query', schema)).style.delimiterIsSafe).toBe(safe);
  });

  it('whose content is JSON is one text, judged by the schema of that content', async () => {
    const parameter = await parameterOf('in: query, content: { application/json: { schema: { type: array, items: { type: integer } } } }');
    expect([parameter.json, parameter.style.shape]).toEqual([true, 'one']);
    expect([parameter.validate([1]).length, parameter.validate(['a']).length]).toEqual([0, 1]);
  });

  it('is required only when it says so', async () => {
    expect([(await parameterOf('in: query')).required, (await parameterOf('in: query, required: true')).required]).toEqual([false, true]);
  });
});

const collection = {
  name: 'notes',
  items: '/data',
  key: '/id',
  order: [{ by: '/id', direction: 'ascending' }],
  page: { style: 'offset', limit: 'limit', offset: 'offset' },
};

describe('the rules of a collection', () => {
  it('are what the annotation says', () => {
    const found = readCollection({ ...collection, filters: {}, version: '/at', head: '' });
    expect(found).toEqual({ ...collection, filters: new Map(), version: '/at', head: '' });
  });

  it.each(['equals', 'any-of', 'from', 'to', 'after', 'before'] as const)('know the filter %s: its field, and its kind', (operator) => {
    const { filters } = readCollection({ ...collection, filters: { a: { [operator]: '/a' }, b: { [operator]: '/b', as: 'number' } } });
    expect(filters.get('a')).toEqual({ operator, field: '/a', as: undefined });
    expect(filters.get('b')).toEqual({ operator, field: '/b', as: 'number' });
  });

  it('are refused when a filter compares nothing, which the schema of the annotations forbids', () => {
    expect(() => readCollection({ ...collection, filters: { a: {} } })).toThrow(TypeError);
  });
});

it('the rules of a singleton resource know that nothing is needed to find it', () => {
  expect(readResource({ name: 'menu', view: 'manifest', at: '' })).toEqual({ name: 'menu', view: 'manifest', at: '', by: new Map() });
});

it('the rules of parameters are those of the list, in its order', () => {
  const ordered = { rule: 'ordered', parameters: ['a', 'b'] };
  const found = readParameterRules([{ ordered: ['a', 'b'] }, { 'exactly-one-of': ['c', 'd', 'e'] }]);
  expect(found).toEqual([ordered, { rule: 'exactly-one-of', parameters: ['c', 'd', 'e'] }]);
  expect(readParameterRules(undefined)).toEqual([]);
});
