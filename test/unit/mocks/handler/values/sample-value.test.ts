/** Typical values of schemas, which people can look at. */

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../../core/json.ts';
import { createDocument } from '../../../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../../../core/openapi/schema-facts.ts';
import { createDraw } from '../../../../../mocks/handler/values/draw.ts';
import { type SampleOptions, sampleValue } from '../../../../../mocks/handler/values/sample-value.ts';

const nowMs = Date.UTC(2026, 2, 29, 16);

function sample(schema: Schema, schemas: JsonObject = {}, options: Partial<SampleOptions> = {}): Json | undefined {
  const file = 'sample.yaml';
  const document = createDocument(file, new Map([[file, { components: { schemas } }]]));
  return sampleValue(schema, { document, nowMs, ...options }).value;
}

function memberOf(name: string, schema: JsonObject = { type: 'string' }): Json | undefined {
  return (sample({ type: 'object', properties: { [name]: schema } }) as JsonObject)[name];
}

describe('a member', () => {
  it('is an instant without milliseconds where they do not fit', () => {
    const instant = { type: 'string', format: 'date-time' };
    expect(memberOf('x', { ...instant, maxLength: 20 })).toBe('2026-03-29T16:00:00Z');
    expect(memberOf('x', { ...instant, pattern: '^[^.]+$' })).toBe('2026-03-29T16:00:00Z');
  });

  it('has its constant, its example or its default, whatever its name', () => {
    expect(memberOf('email', { type: 'string', const: 'c' })).toBe('c');
    expect(memberOf('email', { type: 'string', example: 'e', default: 'd' })).toBe('e');
    expect(memberOf('email', { type: 'string', examples: ['first', 'second'] })).toBe('first');
    expect(memberOf('email', { type: 'string', default: 'd' })).toBe('d');
    expect(memberOf('email', { type: 'string', enum: ['a', 'b'] })).toBe('a');
  });

  it.each([
    ['email', 'email', 'user@example.com'],
    ['x', 'date-time', '2026-03-29T16:00:00.000Z'],
    ['x', 'date', '2026-03-29'],
    ['x', 'time', '16:00:00Z'],
    ['x', 'ipv4', '192.168.0.1'],
    ['x', 'uri', 'http://example.com'],
    ['x', 'made-up', 'string'],
  ])('of the name %s and the format %s is %s', (name, format, value) => {
    expect(memberOf(name, { type: 'string', format })).toBe(value);
  });

  it.each([
    ['contactEmail', 'ada.lovelace@example.com'],
    ['first_name', 'Ada'],
    ['name', 'Ada Lovelace'],
    ['city', 'Berlin'],
    ['currency', 'EUR'],
    ['phoneNumber', '+1-202-555-0142'],
    ['avatar_url', 'https://example.com'],
    ['created_at', '2026-03-29T16:00:00.000Z'],
    ['birth-date', '2026-03-29'],
    ['token', 'string'],
    ['title', 'string'],
    ['id', 'string'],
  ])('of the name %s is %s', (name, value) => {
    expect(memberOf(name)).toBe(value);
  });

  it('keeps the bounds of its schema', () => {
    expect(memberOf('city', { type: 'string', maxLength: 3 })).toBe('Ber');
    expect(memberOf('x', { type: 'string', minLength: 8 })).toBe('stringst');
    expect(memberOf('x', { type: 'integer', minimum: 5, multipleOf: 4 })).toBe(8);
    expect(memberOf('x', { type: 'number', exclusiveMinimum: 0, maximum: 0.5 })).toBe(0.5);
    expect(memberOf('price', { type: 'number', minimum: 0.07, multipleOf: 0.01 })).toBe(0.07);
    expect(memberOf('x', { type: 'integer' })).toBe(0);
    expect(memberOf('user_id', { type: 'integer' })).toBe(1);
    expect(memberOf('x', { type: 'boolean' })).toBe(true);
  });

  it('asks for a text of a pattern only if no usual text fits', () => {
    const patternText = (): string => 'AB-1';
    expect(sample({ type: 'string', pattern: '^[A-Z]{2}-\\d$' }, {}, { patternText })).toBe('AB-1');
    expect(sample({ type: 'string', pattern: '^str' }, {}, { patternText })).toBe('string');
  });
});

describe('a value', () => {
  it('is that of the first branch, with the members beside it', () => {
    const branches: JsonObject = {
      oneOf: [{ type: 'null' }, { properties: { number: { example: '4111' } } }, { properties: { iban: {} } }],
    };
    expect(sample({ type: 'object', properties: { kind: { type: 'string' } }, ...branches })).toEqual({ kind: 'string', number: '4111' });
  });

  it('names the branch by the discriminator', () => {
    const discriminator = { propertyName: 'kind', mapping: { card: '#/components/schemas/Card' } };
    const schemas = { Card: { type: 'object', properties: { kind: { type: 'string' } } } };
    expect(sample({ oneOf: [{ $ref: '#/components/schemas/Card' }], discriminator }, schemas)).toEqual({ kind: 'card' });
    const unmapped = { oneOf: [{ $ref: '#/components/schemas/Card' }], discriminator: { propertyName: 'kind' } };
    expect(sample(unmapped, schemas)).toEqual({ kind: 'Card' });
    expect(sample(unmapped, { Card: { type: 'object', properties: { kind: { enum: ['card'] } } } })).toEqual({ kind: 'card' });
  });

  it('ends its recursion where the schema allows', () => {
    const Node = {
      type: 'object',
      properties: { text: { type: 'string' }, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } },
    };
    expect(sample({ $ref: '#/components/schemas/Node' }, { Node })).toEqual({
      text: 'string',
      children: [{ text: 'string', children: [{}] }],
    });
    const Person = {
      type: 'object',
      required: ['name'],
      properties: { name: { example: 'Ann' }, boss: { $ref: '#/components/schemas/Person' } },
    };
    expect(sample({ $ref: '#/components/schemas/Person' }, { Person })).toEqual({ name: 'Ann', boss: { name: 'Ann' } });
    const Endless = { type: 'object', required: ['next'], properties: { next: { $ref: '#/components/schemas/Endless' } } };
    expect(sample({ $ref: '#/components/schemas/Endless' }, { Endless })).toBeUndefined();
    expect(
      sample({ oneOf: [{ $ref: '#/components/schemas/Loop' }] }, { Loop: { oneOf: [{ $ref: '#/components/schemas/Loop' }] } }),
    ).toBeUndefined();
  });

  it('is cut where it becomes too large', () => {
    let wide: JsonObject = { type: 'string' };
    for (let depth = 0; depth < 6; depth += 1) {
      const names = Array.from({ length: 10 }, (_, index) => `m${index}`);
      wide = { type: 'object', required: ['m0'], properties: Object.fromEntries(names.map((name) => [name, wide])) };
    }
    const document = createDocument('wide.yaml', new Map([['wide.yaml', {}]]));
    const { value, isCut } = sampleValue(wide, { document, nowMs });
    expect(isCut).toBe(true);
    expect(JSON.stringify(value).length).toBeLessThan(200_000);
  });

  it('has as many elements as the schema wants, and different ones', () => {
    expect(sample({ type: 'array', items: { type: 'string' } })).toEqual(['string']);
    expect(sample({ type: 'array', items: { type: 'string' }, minItems: 2, uniqueItems: true })).toEqual(['string', 'string2']);
    expect(sample({ type: 'array', items: { type: 'string' }, maxItems: 0 })).toEqual([]);
    expect(sample({ type: 'array', contains: { type: 'integer', exclusiveMinimum: 20 } })).toEqual([21]);
    expect(sample({ prefixItems: [{ const: 'a' }], contains: { const: 1 }, minContains: 2, unevaluatedItems: false })).toEqual(['a', 1, 1]);
    expect(sample({ type: 'array', prefixItems: [{ const: 1 }, { const: 2 }], items: { const: 3 } })).toEqual([1, 2]);
  });

  it('has another value where one was invalid: without the example, of the next branch, and none in the end', () => {
    const schema = {
      type: 'object',
      properties: {
        'e/mail': { type: 'string', format: 'email', example: 'no' },
        name: { example: 'Ann' },
        any: { example: 0, oneOf: [{ const: 1 }, { const: 2 }] },
      },
    };
    const withFailures = (failures: number): Json | undefined =>
      sample(schema, {}, { failures: new Map(['/e~1mail', '/any'].map((path) => [path, failures])) });
    expect(withFailures(1)).toEqual({ 'e/mail': 'user@example.com', name: 'Ann', any: 1 });
    expect(withFailures(2)).toEqual({ name: 'Ann', any: 2 });
    expect(withFailures(3)).toEqual({ name: 'Ann' });
  });

  it('has a branch only if its type fits what stands beside it', () => {
    const any = { type: ['string', 'null'], oneOf: [{ type: 'object', properties: { a: {} } }] };
    expect(sample({ properties: { any, all: { ...any, oneOf: [...any.oneOf, { type: 'string' }] } } })).toEqual({ all: 'string' });
    expect(sample({ allOf: [{ type: 'number' }, { type: 'integer' }] })).toBe(0);
  });

  it('has a name that the schema allows', () => {
    expect(sample({ propertyNames: { enum: ['en', 'fr'] }, additionalProperties: { type: 'boolean' } })).toEqual({ en: true });
  });

  it('varies with a draw, the same for the same seed', () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        count: { type: 'integer' },
        state: { enum: ['a', 'b', 'c'] },
        id: { type: 'string', format: 'uuid' },
      },
    };
    const drawn = (seed: number): Json | undefined => sample(schema, {}, { draw: createDraw(seed) });
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
  });
});
