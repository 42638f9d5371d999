/** What the annotations name is looked for wherever a schema may describe it, in every style of paging, and nowhere else. */

import { describe, expect, it } from 'vitest';
import { printPlace } from '../../../core/errors.ts';
import { contractText, loadText, mistakeOf, positionOf } from '../../helpers/contract-text.ts';

const plain = '{ properties: { data: { items: { properties: { id: {} } } }, meta: { properties: { n: {} } } } }';

/** A list with this style of paging, whose success has this schema. */
function list(page: string, schema = plain): string {
  return contractText(`paths:
  /a:
    get:
      operationId: listA
      parameters: [{ name: limit, in: query }, { name: page, in: query }, { name: offset, in: query }]
      x-collection:
        name: a
        items: /data
        key: /id
        order: [{ by: /id, direction: ascending }]
        page: ${page}
        filters: {}
      responses: { '200': { description: a, content: { application/json: { schema: ${schema} } } } }
`);
}

describe('a page', () => {
  it.each([
    '{ style: page, limit: limit, page: page, total: /meta/n, echo: { limit: /meta/n, page: /meta/n } }',
    '{ style: page, limit: limit, page: page }',
    '{ style: offset, limit: limit, offset: offset, total: /meta/n, more: /meta/n }',
    '{ style: offset, limit: limit, offset: offset }',
  ])('may be %s', async (page) => {
    await expect(loadText(list(page))).resolves.toBeDefined();
  });

  it.each([
    ['{ style: page, limit: limit, page: seite }', 'page: seite', 'seite'],
    ['{ style: page, limit: limit, page: page, total: /meta/m }', 'total: /meta/m', '/meta/m'],
    ['{ style: page, limit: limit, page: page, echo: { page: /n } }', 'page: /n', '/n'],
    ['{ style: offset, limit: size, offset: offset }', 'limit: size', 'size'],
    ['{ style: offset, limit: limit, offset: skip }', 'offset: skip', 'skip'],
    ['{ style: offset, limit: limit, offset: offset, total: /n }', 'total: /n', '/n'],
    ['{ style: offset, limit: limit, offset: offset, more: /n }', 'more: /n', '/n'],
  ])('that names nothing is told: %s', async (page, at, words) => {
    const text = list(page);
    const mistake = await mistakeOf(loadText(text));
    expect(printPlace(mistake.place)).toBe(`api.yaml:${positionOf(text, at)}`);
    expect(mistake.message).toContain(words);
    expect(mistake.message).toContain('listA');
  });
});

describe('a field', () => {
  const page = '{ style: offset, limit: limit, offset: offset }';

  it.each([
    ['a branch', "{ anyOf: [{ type: 'null' }, { properties: { data: { items: { oneOf: [{ properties: { id: {} } }] } } } }] }"],
    ['a part', '{ allOf: [{ properties: { data: {} } }, { properties: { data: { items: { allOf: [{ properties: { id: {} } }] } } } }] }'],
    ['a map', '{ additionalProperties: { items: { patternProperties: { ^i: {} } } } }'],
    ['a reference', "{ $ref: '#/components/schemas/List' }"],
  ])('may be described by %s', async (_, schema) => {
    const schemas = "{ List: { properties: { data: { items: { $ref: '#/components/schemas/One' } } } }, One: { properties: { id: {} } } }";
    const text = `${list(page, schema)}components: { schemas: ${schemas} }\n`;
    await expect(loadText(text)).resolves.toBeDefined();
  });

  it('of an answer without a schema is nowhere', async () => {
    await expect(loadText(list(page, 'true'))).rejects.toThrow(/\/data leads nowhere in the success of listA/);
    await expect(loadText(list(page, '{ type: object }'))).rejects.toThrow(/\/data leads nowhere/);
  });

  it('may be one of the single read, for a search', async () => {
    const single = `  /a/{id}:
    get:
      parameters: [{ name: id, in: path, required: true }]
      x-resource: { name: a, at: /one, by: { id: /id } }
      responses: { '200': { description: a, content: { application/json: { schema: { properties: { one: { properties: { id: {}, text: {} } } } } } } } }
`;
    const search = list(page).replace('filters: {}', 'filters: { page: { matches: { fields: [/text], fold: true } } }');
    await expect(loadText(search + single)).resolves.toBeDefined();
    await expect(loadText(search)).rejects.toThrow(/\/text leads nowhere/);
  });
});

describe('a filter', () => {
  const filtered = (filter: string, schema: string): string =>
    contractText(`paths:
  /a:
    get:
      operationId: listA
      parameters: [{ name: limit, in: query }, { name: offset, in: query }, { name: f, in: query, schema: ${schema} }]
      x-collection:
        name: a
        items: /data
        key: /id
        order: [{ by: /id, direction: ascending }]
        page: { style: offset, limit: limit, offset: offset }
        filters: { f: ${filter} }
      responses: { '200': { description: a, content: { application/json: { schema: ${plain} } } } }
`);
  const array = '{ type: array, items: { type: string } }';

  it.each([
    ['{ any-of: /id }', '{ type: string }', 'equals'],
    ['{ equals: /id }', '{ type: string }', 'equals'],
    ['{ equals: /id }', array, 'equals'],
    ['{ any-of: /id }', array, 'any-of'],
  ])('takes as many values as its parameter: %s and %s', async (filter, schema, operator) => {
    const { operations } = await loadText(filtered(filter, schema));
    expect(operations[0]?.collection?.filters.get('f')?.operator).toBe(operator);
  });
});

describe('a scope', () => {
  const secured = (scopes: string, security: string): string =>
    contractText(`x-api: { error: { schema: '#/components/schemas/E', code: '', message: '' }, scopes: ${scopes} }
security: ${security}
paths: { /a: { get: { responses: {} } } }
components: { schemas: { E: {} }, securitySchemes: { key: { type: apiKey, in: header, name: K } } }
`);

  it('may be any when the contract describes none', async () => {
    await expect(loadText(secured('{}', '[{ key: [any] }]'))).resolves.toBeDefined();
  });

  it('that is not described is told where it is asked for, also at the root', async () => {
    const text = secured('{ read: {} }', '[{ key: [read, write] }]');
    const mistake = await mistakeOf(loadText(text));
    expect(printPlace(mistake.place)).toBe(`api.yaml:${positionOf(text, 'write')}`);
    expect(mistake.message).toContain('write');
  });
});
