/** Schemas with keywords that affect each other. */

import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { conditional } from './conditional.ts';

const object = { type: 'object' } as const;
const array = { type: 'array' } as const;
const text: Schema = { type: 'string' };
const whole: Schema = { type: 'integer' };
const closed = { additionalProperties: false } as const;
const cat: Schema = { ...object, properties: { kind: { const: 'cat' }, lives: whole }, required: ['kind', 'lives'], ...closed };
const dog: Schema = { ...object, properties: { kind: { const: 'dog' }, tricks: { ...array, items: text } }, required: ['kind'], ...closed };
const hen: Schema = { ...object, properties: { kind: { enum: ['hen', 'cock'] }, eggs: whole }, required: ['kind'], ...closed };

/** By what meets in them. */
export const combinedSchemas: Readonly<Record<string, readonly Schema[]>> = {
  'allOf of closed objects': [
    { allOf: [cat, { ...object, properties: { kind: text, lives: { minimum: 1, maximum: 9 } }, ...closed }] },
    {
      allOf: [
        { ...object, properties: { a: whole, b: whole }, ...closed },
        { properties: { b: { minimum: 2 }, c: whole }, ...closed },
      ],
    },
    {
      ...object,
      allOf: [
        { properties: { a: whole }, ...closed },
        { patternProperties: { '^a': { minimum: 3 } }, ...closed },
      ],
      minProperties: 1,
    },
    {
      ...object,
      properties: { a: text },
      allOf: [{ $ref: '#/$defs/base' }],
      required: ['a', 'id'],
      $defs: { base: { properties: { id: whole } } },
    },
  ],
  'overlapping patterns': [
    { ...object, patternProperties: { '^a': { minimum: 3 }, b$: { maximum: 5 }, '^ab$': whole }, ...closed, minProperties: 2 },
    { ...object, patternProperties: { '^a': whole, '^ab': text }, ...closed },
    { ...object, properties: { ab: { multipleOf: 3 } }, patternProperties: { '^a': whole, b$: { minimum: 4 } }, required: ['ab', 'ac'] },
    {
      ...object,
      patternProperties: { '\\d': { type: 'null' } },
      additionalProperties: text,
      propertyNames: { maxLength: 3 },
      minProperties: 3,
    },
  ],
  'unevaluatedProperties over every applicator': [
    { ...object, properties: { a: text }, unevaluatedProperties: false },
    { ...object, patternProperties: { '^a': text }, unevaluatedProperties: false },
    { ...object, additionalProperties: text, unevaluatedProperties: false },
    { ...object, allOf: [{ properties: { a: text } }, { properties: { b: whole } }], unevaluatedProperties: false },
    {
      ...object,
      anyOf: [
        { properties: { a: text }, required: ['a'] },
        { properties: { b: whole }, required: ['b'] },
      ],
      unevaluatedProperties: false,
    },
    {
      ...object,
      oneOf: [
        { properties: { a: text }, required: ['a'] },
        { properties: { b: whole }, required: ['b'] },
      ],
      unevaluatedProperties: false,
    },
    {
      ...object,
      ...conditional({ properties: { a: { const: 1 } }, required: ['a'] }, { properties: { b: text } }, { properties: { c: text } }),
      unevaluatedProperties: false,
    },
    { ...object, properties: { a: whole }, dependentSchemas: { a: { properties: { b: text } } }, unevaluatedProperties: false },
    { ...object, $ref: '#/$defs/a', properties: { b: whole }, unevaluatedProperties: false, $defs: { a: { properties: { a: text } } } },
    { ...object, not: { required: ['b'] }, properties: { a: text }, unevaluatedProperties: whole },
    { ...object, allOf: [{ properties: { a: text }, unevaluatedProperties: whole }], unevaluatedProperties: false },
    { ...object, anyOf: [{ properties: { a: text } }, true], unevaluatedProperties: false },
  ],
  'unevaluatedItems over every applicator': [
    { ...array, prefixItems: [text], unevaluatedItems: false },
    { ...array, prefixItems: [text], items: whole, unevaluatedItems: false },
    { ...array, allOf: [{ prefixItems: [text] }, { prefixItems: [true, whole] }], unevaluatedItems: false },
    { ...array, anyOf: [{ prefixItems: [text] }, { prefixItems: [whole, whole] }], unevaluatedItems: { type: 'null' } },
    { ...array, oneOf: [{ prefixItems: [text] }, { prefixItems: [whole, whole] }], unevaluatedItems: false, minItems: 1 },
    {
      ...array,
      ...conditional({ prefixItems: [{ const: 1 }] }, { prefixItems: [true, text] }, { prefixItems: [true, true, whole] }),
      unevaluatedItems: false,
    },
    { ...array, $ref: '#/$defs/a', unevaluatedItems: text, $defs: { a: { prefixItems: [whole] } } },
    { ...array, contains: text, unevaluatedItems: whole },
    { ...array, prefixItems: [true], contains: text, unevaluatedItems: false },
    { ...array, allOf: [{ contains: { multipleOf: 2 } }, { contains: { multipleOf: 3 } }], unevaluatedItems: { multipleOf: 5 } },
  ],
  'contains with minContains and maxContains': [
    { ...array, contains: { const: 'x' }, minContains: 2, maxContains: 2, items: text },
    { ...array, items: { enum: [1, 2, 3] }, contains: { const: 2 }, maxContains: 1, minItems: 3 },
    { ...array, contains: whole, minContains: 0, maxContains: 1 },
    { ...array, contains: whole, minContains: 2, maxItems: 2 },
    { ...array, allOf: [{ contains: { minimum: 10 } }, { contains: { maximum: 0 } }], items: whole, maxItems: 3 },
    {
      ...array,
      allOf: [
        { contains: { const: 1 }, maxContains: 1 },
        { contains: { type: 'integer' }, minContains: 3 },
      ],
    },
    { ...array, prefixItems: [text, text], contains: { const: 'x' }, items: whole },
    { ...array, contains: { type: 'object', required: ['a'] }, not: { contains: { type: 'object', required: ['b'] } } },
  ],
  'uniqueItems over small domains': [
    { ...array, uniqueItems: true, items: { enum: ['a', 'b', 'c'] }, minItems: 3 },
    { ...array, uniqueItems: true, items: { type: ['boolean', 'null'] }, minItems: 2 },
    { ...array, uniqueItems: true, items: { type: 'integer', minimum: 1, maximum: 4 }, minItems: 4 },
    {
      ...array,
      uniqueItems: true,
      items: { type: 'integer', multipleOf: 5, minimum: 0, maximum: 20 },
      minItems: 3,
      contains: { const: 10 },
    },
    { ...array, uniqueItems: true, prefixItems: [{ const: 1 }, { enum: [1, 2] }], items: { enum: [1, 2, 3, 4] }, minItems: 3 },
    { ...array, uniqueItems: true, items: { ...object, properties: { a: { type: 'boolean' } }, required: ['a'], ...closed }, minItems: 2 },
    { ...array, uniqueItems: true, items: { type: 'string', maxLength: 1, pattern: '^[ab]?$' }, minItems: 3 },
    { ...array, not: { uniqueItems: true }, items: whole },
  ],
  'dependentRequired and dependentSchemas': [
    { ...object, properties: { a: whole, b: whole, c: whole }, dependentRequired: { a: ['b'], b: ['c'] }, ...closed },
    { ...object, properties: { a: true, b: true }, dependentRequired: { a: ['b'], b: ['a'] }, required: ['a'] },
    {
      ...object,
      properties: { card: whole, address: text },
      dependentSchemas: { card: { required: ['address'], properties: { address: { minLength: 3 } } } },
    },
    { ...object, properties: { a: true, b: true }, dependentSchemas: { a: false, b: { maxProperties: 1 } } },
    { ...object, properties: { a: whole, b: text }, dependentRequired: { a: ['b'] }, maxProperties: 1 },
  ],
  'if, then and else': [
    {
      ...object,
      properties: { kind: { enum: ['x', 'y'] }, size: whole },
      required: ['kind'],
      ...conditional({ properties: { kind: { const: 'x' } } }, { required: ['size'] }, { properties: { size: false } }),
    },
    { type: ['integer', 'string'], ...conditional({ type: 'integer' }, { minimum: 10 }, { minLength: 2 }) },
    { type: 'integer', ...conditional({ minimum: 10 }, { multipleOf: 10 }, { multipleOf: 3 }) },
    { type: 'integer', ...conditional({ multipleOf: 2 }, conditional({ minimum: 0 }, { maximum: 100 }, { minimum: -100 })) },
    {
      allOf: [conditional({ type: 'string' }, { pattern: '^a' }), conditional({ maxLength: 3 }, { not: { const: 'abc' } })],
      type: ['string', 'null'],
    },
  ],
  oneOf: [
    { oneOf: [cat, dog, hen] },
    { oneOf: [cat, dog], discriminator: { propertyName: 'kind' } },
    {
      oneOf: [
        { ...object, required: ['a'] },
        { ...object, required: ['b'] },
      ],
    },
    {
      oneOf: [
        { type: 'integer', multipleOf: 2 },
        { type: 'integer', multipleOf: 3 },
      ],
    },
    { type: 'string', oneOf: [{ pattern: '^a' }, { pattern: 'b$' }] },
    { type: 'array', oneOf: [{ contains: { const: 1 } }, { contains: { const: 2 } }], items: { enum: [1, 2, 3] } },
    { ...object, properties: { id: whole, code: text }, ...closed, oneOf: [{ required: ['id'] }, { required: ['code'] }] },
    { oneOf: [{ type: ['string', 'null'] }, { type: ['null', 'integer'] }] },
    { oneOf: [{ enum: [1, 2, 3] }, { enum: [3, 4, 5] }] },
  ],
  not: [
    { type: 'integer', not: { minimum: 5, maximum: 10 } },
    { type: 'string', not: { pattern: '^[a-z]+$' } },
    { type: 'string', not: { enum: ['a', 'b', ''] }, maxLength: 1 },
    { ...array, not: { contains: { type: 'integer' } } },
    { ...array, items: whole, not: { items: { minimum: 0 } } },
    { ...object, properties: { a: whole, b: whole }, not: { required: ['a', 'b'] }, minProperties: 1, ...closed },
    { ...object, not: { properties: { a: { type: 'string' } }, required: ['a'] } },
    { ...object, not: { additionalProperties: whole }, properties: { a: text } },
    { ...object, not: { propertyNames: { maxLength: 3 } } },
    { not: { anyOf: [{ type: 'string' }, { type: 'object' }, { minimum: 0 }] } },
    { type: 'integer', not: { not: { multipleOf: 7 } } },
    { type: 'string', not: { format: 'date' }, maxLength: 12 },
  ],
  formats: [
    ...[
      'date-time',
      'date',
      'time',
      'duration',
      'uri',
      'uri-reference',
      'uri-template',
      'email',
      'hostname',
      'ipv4',
      'ipv6',
      'regex',
      'uuid',
    ],
    ...['json-pointer', 'relative-json-pointer', 'byte', 'date-time-local'],
  ].map((format): Schema => ({ type: 'string', format })),
  'formats with other limits': [
    { type: 'string', format: 'email', maxLength: 12 },
    { type: 'string', format: 'date', pattern: '^202[0-9]-0' },
    { type: 'string', format: 'uri', pattern: '^https://', minLength: 20 },
    { type: 'string', format: 'uuid', not: { pattern: '^0' } },
    {
      anyOf: [
        { type: 'string', format: 'ipv4' },
        { type: 'string', format: 'ipv6' },
      ],
    },
    { type: ['integer', 'null'], format: 'int32', minimum: 2147483640 },
    { type: 'number', format: 'double', exclusiveMinimum: 0 },
  ],
  nullable: [
    { type: 'string', nullable: true, minLength: 2 },
    { type: 'object', nullable: true, properties: { a: { type: 'integer', nullable: true } }, required: ['a'] },
    { type: 'string', nullable: true, enum: ['a', 'b', null] },
    { anyOf: [{ type: 'null' }, { ...object, required: ['a'] }] },
    { type: ['string', 'null'], format: 'date-time' },
  ],
  'choices within choices': [
    {
      anyOf: [
        { oneOf: [{ type: 'integer' }, { minimum: 10 }] },
        { allOf: [{ type: 'string' }, { anyOf: [{ minLength: 3 }, { const: '' }] }] },
      ],
    },
    {
      allOf: [{ anyOf: [{ minimum: 3 }, { type: 'string' }] }, { anyOf: [{ maximum: 5 }, { type: 'string', maxLength: 2 }] }],
      type: ['integer', 'string'],
    },
    { ...object, properties: { a: { anyOf: [cat, { ...array, items: { anyOf: [dog, whole] } }] } }, required: ['a'], ...closed },
  ],
};
