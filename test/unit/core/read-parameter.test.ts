/** Parameters are read as OpenAPI 3.1 writes them: inherited from the path, of a default style, with what their schema tells about their text. */

import { describe, expect, it } from 'vitest';
import { printPlace } from '../../../core/errors.ts';
import type { Parameter } from '../../../core/parameter.ts';
import { contractText, loadText, operationOf, parameterOf } from '../../helpers/contract-text.ts';

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
    expect(parameters.map(({ name, in: location, kinds }) => `${name} ${location} ${kinds.join()}`)).toEqual([
      'a query integer',
      'b query boolean',
      'b header number',
    ]);
  });

  it('may be references, and stand at the line of what is referred to', async () => {
    const [parameter] = await parametersOf(`paths: { /a: { get: { parameters: [{ $ref: '#/components/parameters/A' }], responses: {} } } }
components:
  parameters:
    A: { name: a, in: query, required: true }
`);
    expect(parameter && [parameter.name, parameter.required, printPlace(parameter.place)]).toEqual(['a', true, 'api.yaml:6:8']);
  });

  it('leave out the headers that content negotiation and security are about', async () => {
    const { parameters } = await operationOf(
      'parameters: [{ name: Accept, in: header }, { name: content-type, in: header }, { name: AUTHORIZATION, in: header }, { name: accept, in: query }, { name: X-A, in: header }]',
    );
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
    const operation = await operationOf(
      `parameters: [{ name: a, in: query, schema: ${schema} }]`,
      '/x',
      'components: { schemas: { List: { type: array, items: { type: integer } } } }\n',
    );
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
    expect(parameters.map(({ allowed, fallback }) => [allowed, fallback])).toEqual([
      [['a', 'b'], 'a'],
      [['a', 'b'], undefined],
      [[5], undefined],
      [['a', 'b'], 'b'],
    ]);
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
