/** Changes of parameters: presence, serialisation and defaults. */

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../core/json.ts';
import { compareDocuments, documentOf, operationOf, parameterOf, summaryOf } from './small-documents.ts';

const list = { type: 'array', items: { type: 'string' } };

describe('a parameter', () => {
  test.each([
    ['is required now', {}, { required: true }, ['breaking became-required']],
    ['is no longer required', { required: true }, {}, ['compatible became-optional']],
    [
      'is written in another style',
      { schema: list, style: 'form' },
      { schema: list, style: 'spaceDelimited', explode: true },
      ['breaking style-changed'],
    ],
    ['is a list by commas now', { schema: list }, { schema: list, explode: false }, ['breaking explode-changed']],
    ['says what it was by default', { schema: list }, { schema: list, style: 'form', explode: true }, []],
    ['is no list, so that explode means nothing', {}, { explode: false }, []],
    ['has other words', {}, { description: 'words' }, ['documentation description-changed']],
    ['is deprecated', {}, { deprecated: true }, ['compatible deprecated']],
    ['is shorter', {}, { schema: { type: 'string', maxLength: 3 } }, ['breaking max-length-decreased']],
    ['is longer', { schema: { type: 'string', maxLength: 3 } }, {}, ['compatible max-length-increased']],
  ])('%s', async (_, old, next, expected) => {
    expect(summaryOf(await compareDocuments(parameterOf(old), parameterOf(next)))).toEqual(expected);
  });

  test.each([
    ['another default', { type: 'integer', default: 10 }, { type: 'integer', default: 20 }],
    ['no default', { type: 'integer', default: 10 }, { type: 'integer' }],
    ['a default', { type: 'integer' }, { type: 'integer', default: 10 }],
  ])('has another default: %s', async (_, old, next) => {
    const { count } = await compareDocuments(parameterOf({ schema: old }), parameterOf({ schema: next }));
    expect(count.breaking).toBe(1);
  });

  test.each<[string, JsonObject, JsonObject, string]>([
    ['any text', { type: 'integer' }, { type: 'string' }, 'risky'],
    ['a pattern of its texts', { type: 'integer', minimum: 0 }, { type: 'string', pattern: '^[0-9]+$' }, 'risky'],
    ['as many characters', { type: 'integer', minimum: 0, maximum: 99 }, { type: 'string', maxLength: 2 }, 'risky'],
    ['listed texts', { type: 'boolean' }, { type: 'string', enum: ['true', 'false'] }, 'risky'],
    ['other texts', { type: 'boolean' }, { type: 'string', enum: ['yes', 'no'] }, 'breaking'],
    ['a format', { type: 'integer' }, { type: 'string', format: 'uuid' }, 'breaking'],
    ['longer texts', { type: 'integer' }, { type: 'string', minLength: 2 }, 'breaking'],
    ['shorter texts', { type: 'number' }, { type: 'string', maxLength: 3 }, 'breaking'],
    ['a list of it', { type: 'string' }, list, 'compatible'],
    ['a list of its texts', { type: 'integer' }, list, 'compatible'],
    ['a list of something else', { type: 'string' }, { type: 'array', items: { type: 'integer' } }, 'breaking'],
    ['two or more of it', { type: 'string' }, { ...list, minItems: 2 }, 'breaking'],
    ['a single one of a list', list, { type: 'string' }, 'breaking'],
  ])('whose type is now %s is judged by the old texts', async (_, old, next, level) => {
    const { changes } = await compareDocuments(parameterOf({ schema: old }), parameterOf({ schema: next }));
    expect(changes.map((each) => `${each.level} ${each.id}`)).toEqual([`${level} query-parameter/type-changed`]);
  });

  const textOrNull = { type: ['string', 'null'] };
  test.each<[string, JsonObject, JsonObject]>([
    ['in a list of types', textOrNull, { type: 'string' }],
    ['as a branch', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { anyOf: [{ type: 'string' }] }],
    ['as a branch, written plainly', { oneOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'string' }],
    ['among its values', { enum: ['a', null] }, { enum: ['a'] }],
    ['among its values and types', { ...textOrNull, enum: ['a', null] }, { type: 'string', enum: ['a'] }],
    ['in its items', { type: 'array', items: textOrNull }, { type: 'array', items: { type: 'string' } }],
  ])('that loses null %s refuses nothing, since no text is null', async (_, old, next) => {
    for (const place of ['query', 'header', 'cookie']) {
      const { count } = await compareDocuments(parameterOf({ in: place, schema: old }), parameterOf({ in: place, schema: next }));
      expect([place, count.breaking, count.risky]).toEqual([place, 0, 0]);
    }
  });

  test('that loses null in a JSON text refuses it', async () => {
    const of = (schema: JsonObject): JsonObject =>
      operationOf({ parameters: [{ name: 'p', in: 'query', content: { 'application/json': { schema } } }] });
    const { count } = await compareDocuments(
      of({ type: 'object', properties: { a: textOrNull } }),
      of({ type: 'object', properties: { a: { type: 'string' } } }),
    );
    expect(count.breaking).toBe(1);
  });

  test('that is required has no effective default', async () => {
    const required = (schema: JsonObject): JsonObject => parameterOf({ required: true, schema });
    const { count } = await compareDocuments(required({ type: 'integer', default: 1 }), required({ type: 'integer', default: 2 }));
    expect(count.breaking).toBe(0);
  });

  test('appears in the request of its witness', async () => {
    const { changes } = await compareDocuments(parameterOf({}), parameterOf({ schema: { type: 'string', maxLength: 2 } }));
    expect(changes[0]).toMatchObject({ level: 'breaking', verdict: 'witnessed', witness: { refusedBy: 'new', keyword: 'maxLength' } });
    expect(changes[0]?.witness?.exchange.request?.target).toMatch(/^\/things\?p=[^&]{3}$/);
  });

  test('has no witness without a text form', async () => {
    const { changes } = await compareDocuments(parameterOf({}), parameterOf({ schema: { type: 'string', minLength: 1 } }));
    expect(changes).toMatchObject([{ level: 'breaking', verdict: 'unwitnessed' }]);
  });
});

describe('added and removed parameters', () => {
  const p = { name: 'p', in: 'query', schema: { type: 'string' } };

  test.each([
    ['an optional one is new', [], [p], ['compatible added']],
    ['a required one is new', [], [{ ...p, required: true }], ['breaking required-added']],
    ['one is gone', [p], [], ['risky removed']],
    ['one moves into the header', [p], [{ ...p, in: 'header' }], ['compatible added', 'risky removed']],
    ['they stand in another order', [p, { ...p, name: 'q' }], [{ ...p, name: 'q' }, p], []],
    ['a header comes that OpenAPI ignores', [], [{ ...p, in: 'header', name: 'Authorization', required: true }], []],
    ['a header goes that OpenAPI ignores', [{ ...p, in: 'header', name: 'Content-Type' }], [], []],
    ['a header is written in another case', [{ ...p, in: 'header', name: 'X-A' }], [{ ...p, in: 'header', name: 'x-a' }], []],
  ])('%s', async (_, old, next, expected) => {
    expect(summaryOf(await compareDocuments(operationOf({ parameters: old }), operationOf({ parameters: next })))).toEqual(expected);
  });

  test('those of a path item apply to its operations unless an operation overrides them', async () => {
    const get = { responses: { '200': { description: 'ok' } } };
    const limited = (maximum: number): JsonObject => ({ name: 'p', in: 'query', schema: { type: 'integer', maximum } });
    const shared = documentOf({ '/things': { parameters: [limited(5)], get } });
    const own = documentOf({ '/things': { parameters: [limited(9)], get: { ...get, parameters: [limited(5)] } } });
    const other = documentOf({ '/things': { parameters: [limited(4)], get } });
    expect(summaryOf(await compareDocuments(shared, own))).toEqual([]);
    expect(summaryOf(await compareDocuments(shared, other))).toEqual(['breaking maximum-decreased']);
  });
});
