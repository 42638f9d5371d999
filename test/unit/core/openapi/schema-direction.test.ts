/** A request may lack readOnly members and a response writeOnly ones, wherever they are marked and required. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../core/json.ts';
import { rawOf } from '../../../../core/openapi/raw-document.ts';
import { schemaFor } from '../../../../core/openapi/schema-direction.ts';
import { createValidators } from '../../../../core/openapi/validator.ts';
import { documentOf } from '../../../helpers/contracts/contract-text.ts';

const schemas = `
flat: { type: object, required: [id, name, secret], properties: { id: { type: integer, readOnly: true }, name: { type: string }, secret: { type: string, writeOnly: true } } }
refers: { allOf: [{ $ref: '#/base' }, { required: [id, name] }] }
base: { type: object, properties: { id: { $ref: '#/id' }, name: { type: string } } }
id: { type: integer, readOnly: true }
marksLater: { allOf: [{ $ref: '#/needsId' }, { properties: { id: { readOnly: true } } }] }
needsId: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } }
nested: { type: array, items: { type: object, required: [owner], properties: { owner: { $ref: '#/flat' } } } }
tree: { type: object, required: [id, children], properties: { id: { $ref: '#/id' }, children: { type: array, items: { $ref: '#/tree' } } } }
closed: { type: object, required: [id, name], additionalProperties: false, properties: { id: { $ref: '#/id' }, name: { type: string } } }
dependent: { type: object, dependentRequired: { name: [id] }, properties: { id: { $ref: '#/id' } } }
either: { oneOf: [{ required: [id, kind], properties: { kind: { const: own }, id: { $ref: '#/id' } } }, { required: [id, kind], properties: { kind: { const: foreign }, id: { type: integer } } }] }
`;

async function faults(name: string, direction: 'request' | 'response', value: Json) {
  const document = await documentOf(schemas);
  const validators = createValidators(document);
  const schema = schemaFor(document, { $ref: `#/${name}` }, direction);
  const list = (validate: typeof validators.compile) =>
    validate(schema)(value).map(({ path, keyword, missingKey = '' }) => `${path} ${keyword} ${missingKey}`.trim());
  return { wrong: list(validators.compile), misdirected: list(validators.compileMisdirected) };
}

describe('a schema in one direction', () => {
  it.each<[name: string, direction: 'request' | 'response', value: Json]>([
    ['flat', 'request', { name: 'Ann', secret: 'x' }],
    ['flat', 'response', { id: 1, name: 'Ann' }],
    ['refers', 'request', { name: 'Ann' }],
    ['marksLater', 'request', { name: 'Ann' }],
    ['nested', 'request', [{ owner: { name: 'Ann', secret: 'x' } }]],
    ['nested', 'response', [{ owner: { id: 1, name: 'Ann' } }]],
    ['tree', 'request', { children: [{ children: [] }] }],
    ['closed', 'request', { name: 'Ann' }],
    ['dependent', 'request', { name: 'Ann' }],
    ['either', 'request', { kind: 'own' }],
  ])('%s: a right %s lacks the members of the other direction', async (name, direction, value) => {
    expect(await faults(name, direction, value)).toEqual({ wrong: [], misdirected: [] });
  });

  it.each<[name: string, direction: 'request' | 'response', value: Json, wrong: string]>([
    ['flat', 'request', { name: 'Ann' }, 'required secret'],
    ['flat', 'response', { name: 'Ann' }, 'required id'],
    ['refers', 'response', { name: 'Ann' }, 'required id'],
    ['marksLater', 'request', {}, 'required name'],
    ['tree', 'response', { id: 1, children: [{ children: [] }] }, '/children/0 required id'],
    ['dependent', 'response', { name: 'Ann' }, 'dependentRequired'],
    ['either', 'request', { kind: 'foreign' }, 'required id'],
  ])('%s: a %s must have all others', async (name, direction, value, wrong) => {
    expect(await faults(name, direction, value)).toEqual({ wrong: [wrong], misdirected: [] });
  });

  it.each<[name: string, direction: 'request' | 'response', value: Json, misdirected: string]>([
    ['flat', 'request', { id: 'ignored', name: 'Ann', secret: 'x' }, '/id readOnly'],
    ['flat', 'response', { id: 1, name: 'Ann', secret: 2 }, '/secret writeOnly'],
    ['nested', 'response', [{ owner: { id: 1, name: 'Ann', secret: 'x' } }], '/0/owner/secret writeOnly'],
    ['closed', 'request', { id: 1, name: 'Ann' }, '/id readOnly'],
  ])('%s: a %s with a member of the other direction is valid, but the member is found', async (name, direction, value, misdirected) => {
    expect(await faults(name, direction, value)).toEqual({ wrong: [], misdirected: [misdirected] });
  });

  it('leaves a document without such members as it is', async () => {
    const document = await documentOf('schema: { properties: { id: { type: integer } } }');
    const schema = rawOf(document).root['schema'] as { [key: string]: Json };
    expect(schemaFor(document, schema, 'request')).toBe(schema);
  });

  it('names the line of the mark', async () => {
    const document = await documentOf('schema:\n  properties:\n    id:\n      type: integer\n      readOnly: true\n');
    const schema = schemaFor(document, { $ref: '#/schema' }, 'request');
    expect(createValidators(document).compileMisdirected(schema)({ id: 1 })[0]?.place.line).toBe(5);
  });
});
