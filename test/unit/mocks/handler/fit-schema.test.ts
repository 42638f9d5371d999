/** Fitting content into a schema: what is left out, what is kept, and what every answer carries. */

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../core/json.ts';
import { createDocument, type Document } from '../../../../core/openapi/document.ts';
import type { Schema } from '../../../../core/openapi/schema.ts';
import { constantsOf, createFit } from '../../../../mocks/handler/fit-schema.ts';

function documentWith(schemas: JsonObject): Document {
  return createDocument('api.yaml', new Map([['api.yaml', { components: { schemas } }]]));
}

const empty = documentWith({});

function fitTo(schema: Schema | readonly Schema[], value: Json, document: Document = empty): Json {
  return createFit(document, Array.isArray(schema) ? (schema as readonly Schema[]) : [schema as Schema])(value);
}

describe('fitting', () => {
  it('leaves out members whose schema is false, and nothing else', () => {
    expect(fitTo({ properties: { secret: false, shown: true } }, { secret: 1, shown: 2, unnamed: 3 })).toEqual({ shown: 2, unnamed: 3 });
  });

  it('leaves out a null where null is refused, and keeps it where it is allowed', () => {
    const schema = {
      properties: { plain: { type: 'string' }, open: { type: ['string', 'null'] }, any: {}, listed: { enum: ['a', null] } },
    };
    expect(fitTo(schema, { plain: null, open: null, any: null, listed: null, unnamed: null })).toEqual({
      open: null,
      any: null,
      listed: null,
      unnamed: null,
    });
  });

  it('shows a moment without its offset where a local time is wanted, and only there', () => {
    const moment = '2026-03-29T10:00:00+02:00';
    const schema = {
      properties: {
        local: { format: 'date-time-local' },
        moment: { format: 'date-time' },
        plain: {},
        other: { format: 'date-time-local' },
      },
    };
    expect(fitTo(schema, { local: moment, moment, plain: moment, other: '2026-03-29 10:00:00' })).toEqual({
      local: '2026-03-29T10:00:00',
      moment,
      plain: moment,
      other: '2026-03-29 10:00:00',
    });
    const nullable = {
      properties: { no: { type: 'string', format: 'date-time-local' }, yes: { type: ['string', 'null'], format: 'date-time-local' } },
    };
    expect(fitTo(nullable, { no: null, yes: null })).toEqual({ yes: null });
  });

  it('keeps values that are false, zero or empty', () => {
    const value = { a: false, b: 0, c: '', d: [], e: {} };
    expect(fitTo({ properties: { a: true, b: true, c: true, d: true, e: true } }, value)).toEqual(value);
  });

  it('refuses a null when one of several schemas that all hold refuses it', () => {
    const schema = { properties: { at: { type: ['string', 'null'], allOf: [{ type: 'string' }] } } };
    expect(fitTo(schema, { at: null })).toEqual({});
    expect(fitTo([{ properties: { at: { type: ['string', 'null'] } } }, { properties: { at: { type: 'string' } } }], { at: null })).toEqual(
      {},
    );
  });

  it('leaves out a member that is excluded anywhere among the schemas that hold', () => {
    const document = documentWith({ Base: { properties: { a: { type: 'string' }, b: true } } });
    const schema = { allOf: [{ $ref: '#/components/schemas/Base' }], properties: { a: false } };
    expect(fitTo(schema, { a: 'x', b: 'y' }, document)).toEqual({ b: 'y' });
  });

  it('reaches into members and elements', () => {
    const schema = {
      properties: { list: { items: { properties: { at: { type: 'string' }, no: false } } }, one: { properties: { no: false } } },
    };
    expect(fitTo(schema, { list: [{ at: null, no: 1, b: 2 }, { at: 'x' }], one: { no: 1, c: 3 } })).toEqual({
      list: [{ b: 2 }, { at: 'x' }],
      one: { c: 3 },
    });
  });

  it('does not touch what a schema says under a condition or as one of several choices', () => {
    const schema = { anyOf: [{ properties: { a: false } }, { properties: { b: false } }], if: false, else: { properties: { c: false } } };
    expect(fitTo(schema, { a: 1, b: 2, c: 3 })).toEqual({ a: 1, b: 2, c: 3 });
  });

  it('follows a schema into itself as deep as the value goes', () => {
    const document = documentWith({ Node: { properties: { hidden: false, next: { $ref: '#/components/schemas/Node' } } } });
    const value = { hidden: 1, kept: 1, next: { hidden: 2, kept: 2, next: { hidden: 3, kept: 3 } } };
    expect(fitTo({ $ref: '#/components/schemas/Node' }, value, document)).toEqual({ kept: 1, next: { kept: 2, next: { kept: 3 } } });
  });

  it('does not change the value that it is given', () => {
    const value = Object.freeze({ secret: 1, inner: Object.freeze({ secret: 2 }) });
    const schema = { properties: { secret: false, inner: { properties: { secret: false } } } };
    expect(fitTo(schema, value)).toEqual({ inner: {} });
    expect(value).toEqual({ secret: 1, inner: { secret: 2 } });
  });

  it('lets values through that are no objects', () => {
    for (const value of [null, 7, 'text', true, [1, null]] as const) expect(fitTo({ properties: { a: false } }, value)).toEqual(value);
    expect(fitTo(true, { a: 1 })).toEqual({ a: 1 });
  });

  it('gives a value that fits as it is, and no copy of it', () => {
    const schema = { properties: { a: { type: 'integer' }, b: { items: { properties: { c: { type: 'string' } } } } } };
    const value = { a: 1, b: [{ c: 'x' }, { d: null }] };
    expect(fitTo(schema, value)).toBe(value);
  });

  it('keeps the order of the members', () => {
    expect(Object.keys(fitTo({ properties: { b: true, a: true, x: false } }, { z: 1, x: 0, b: 2, a: 3 }) as JsonObject)).toEqual([
      'z',
      'b',
      'a',
    ]);
  });
});

describe('the constants of a schema', () => {
  it('are gathered however deep they are, and through references', () => {
    const document = documentWith({
      Success: { properties: { ok: { const: true }, meta: { properties: { version: { const: 'v1' } } } } },
    });
    const schema = {
      allOf: [{ $ref: '#/components/schemas/Success' }],
      properties: { meta: { properties: { page: { type: 'integer' } } } },
    };
    expect(constantsOf(document, schema)).toEqual({ ok: true, meta: { version: 'v1' } });
  });

  it('are nothing where no value is fixed', () => {
    expect(constantsOf(empty, { properties: { a: { enum: ['x'] }, b: { default: 'y' }, c: { type: 'string' } } })).toBeUndefined();
    expect(constantsOf(empty, true)).toBeUndefined();
  });

  it('may be null or false', () => {
    expect(constantsOf(empty, { properties: { a: { const: null }, b: { const: false } } })).toEqual({ a: null, b: false });
  });

  it('leave out what must not be there', () => {
    expect(constantsOf(empty, { properties: { ok: { const: true, allOf: [false] }, gone: false, kept: { const: 1 } } })).toEqual({
      kept: 1,
    });
  });

  it('are not taken from a choice or a condition', () => {
    expect(
      constantsOf(empty, { anyOf: [{ properties: { a: { const: 1 } } }], if: false, else: { properties: { b: { const: 2 } } } }),
    ).toBeUndefined();
  });

  it('come to an end in a schema that contains itself', () => {
    const document = documentWith({ Node: { properties: { kind: { const: 'node' }, next: { $ref: '#/components/schemas/Node' } } } });
    expect(constantsOf(document, { $ref: '#/components/schemas/Node' })).toEqual({ kind: 'node' });
  });
});
