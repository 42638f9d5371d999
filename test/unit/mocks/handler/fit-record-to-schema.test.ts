import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../core/json.ts';
import type { Document } from '../../../../core/openapi/document.ts';
import { createDocument } from '../../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../../core/openapi/schema-facts.ts';
import { createFit } from '../../../../mocks/handler/fit-record-to-schema.ts';

function documentWith(schemas: JsonObject): Document {
  return createDocument('api.yaml', new Map([['api.yaml', { components: { schemas } }]]));
}

const empty = documentWith({});

function fitTo(schema: Schema | readonly Schema[], value: Json, document: Document = empty): Json {
  return createFit(document, Array.isArray(schema) ? (schema as readonly Schema[]) : [schema as Schema])(value);
}

describe('fitting', () => {
  it('removes members whose schema is false, and no others', () => {
    expect(fitTo({ properties: { secret: false, shown: true } }, { secret: 1, shown: 2, unnamed: 3 })).toEqual({ shown: 2, unnamed: 3 });
  });

  it('removes a null if the schema refuses it, and keeps it otherwise', () => {
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

  it('removes the offset of an instant for a local time only', () => {
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

  it('removes a null if one of several schemas refuses it', () => {
    const schema = { properties: { at: { type: ['string', 'null'], allOf: [{ type: 'string' }] } } };
    expect(fitTo(schema, { at: null })).toEqual({});
    expect(fitTo([{ properties: { at: { type: ['string', 'null'] } } }, { properties: { at: { type: 'string' } } }], { at: null })).toEqual(
      {},
    );
  });

  it('removes a member that one of several schemas excludes', () => {
    const document = documentWith({ Base: { properties: { a: { type: 'string' }, b: true } } });
    const schema = { allOf: [{ $ref: '#/components/schemas/Base' }], properties: { a: false } };
    expect(fitTo(schema, { a: 'x', b: 'y' }, document)).toEqual({ b: 'y' });
  });

  it('fits members and elements at any depth', () => {
    const schema = {
      properties: { list: { items: { properties: { at: { type: 'string' }, no: false } } }, one: { properties: { no: false } } },
    };
    expect(fitTo(schema, { list: [{ at: null, no: 1, b: 2 }, { at: 'x' }], one: { no: 1, c: 3 } })).toEqual({
      list: [{ b: 2 }, { at: 'x' }],
      one: { c: 3 },
    });
  });

  it('ignores conditions and alternatives in a schema', () => {
    const schema = { anyOf: [{ properties: { a: false } }, { properties: { b: false } }], if: false, else: { properties: { c: false } } };
    expect(fitTo(schema, { a: 1, b: 2, c: 3 })).toEqual({ a: 1, b: 2, c: 3 });
  });

  it('follows a recursive schema as deep as the value', () => {
    const document = documentWith({ Node: { properties: { hidden: false, next: { $ref: '#/components/schemas/Node' } } } });
    const value = { hidden: 1, kept: 1, next: { hidden: 2, kept: 2, next: { hidden: 3, kept: 3 } } };
    expect(fitTo({ $ref: '#/components/schemas/Node' }, value, document)).toEqual({ kept: 1, next: { kept: 2, next: { kept: 3 } } });
  });

  it('does not change its input', () => {
    const value = Object.freeze({ secret: 1, inner: Object.freeze({ secret: 2 }) });
    const schema = { properties: { secret: false, inner: { properties: { secret: false } } } };
    expect(fitTo(schema, value)).toEqual({ inner: {} });
    expect(value).toEqual({ secret: 1, inner: { secret: 2 } });
  });

  it('returns values that are not objects unchanged', () => {
    for (const value of [null, 7, 'text', true, [1, null]] as const) expect(fitTo({ properties: { a: false } }, value)).toEqual(value);
    expect(fitTo(true, { a: 1 })).toEqual({ a: 1 });
  });

  it('returns a fitting value without a copy', () => {
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
