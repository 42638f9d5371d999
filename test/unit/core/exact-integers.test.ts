/** Integers beyond 2^53 keep their digits: in texts, in contracts, where values are judged, and in generated values. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, printJson, readJson } from '../../../core/json.ts';
import { canonicalText, equal } from '../../../core/json-equality.ts';
import type { Document } from '../../../core/openapi/document.ts';
import { rawOf } from '../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { createValidators } from '../../../core/openapi/validator.ts';
import { readStrictly } from '../../../core/parameters/read-value.ts';
import { arbitraryFor, invalidArbitraryFor } from '../../../generators/index.ts';
import { documentOf } from '../../helpers/contracts/contract-text.ts';

function schemaOf(document: Document): Schema {
  return rawOf(document).root['schema'] as Schema;
}

const [greatest, least] = [9223372036854775807n, -9223372036854775808n];

describe('the text of a large integer', () => {
  it('is read with all its digits', () => {
    const text =
      '{"id":9007199254740993,"list":[-9223372036854775808,1],"text":"1\\"12345678901234567890","far":1e30,"low":0.1234567890123456}';
    const value = { id: 9007199254740993n, list: [least, 1], text: '1"12345678901234567890', far: 1e30, low: 0.1234567890123456 };
    expect(parseJson(text)).toEqual(value);
  });

  it('is printed on lines as other values are', () => {
    const value = { empty: [], list: [9007199254740993n, { none: null, object: {}, left: undefined }] };
    const text = '{\n  "empty": [],\n  "list": [\n    9007199254740993,\n    {\n      "none": null,\n      "object": {}\n    }\n  ]\n}';
    expect(printJson(value, 2)).toBe(text);
  });

  it.each([
    ['9007199254740993'],
    ['[9007199254740993]'],
    ['{"integer":"9007199254740993","n":-12345678901234567890}'],
    ['{"__proto__":12345678901234567890}'],
    ['{"\\u0069nteger":"7","n":12345678901234567890}', '{"integer":"7","n":12345678901234567890}'],
    ['["9007199254740993", "at 9007199254740993"]', '["9007199254740993","at 9007199254740993"]'],
    ['[ -9007199254740993 , { "n":\n9007199254740993\t} ]', '[-9007199254740993,{"n":9007199254740993}]'],
  ])('comes back from %s', (text, printed = text) => expect(printJson(readJson(text))).toBe(printed));

  it('is no JSON where the text around it is none', () => expect(readJson('{"a":9007199254740993]')).toBeUndefined());

  it('is rounded where its arithmetic would take long', () => expect(readJson('1'.repeat(200))).toBe(Number('1'.repeat(200))));

  it('equals the same number in another spelling', () => {
    expect(equal(1e20, 100000000000000000000n)).toBe(true);
    expect(equal(9007199254740992, 9007199254740993n)).toBe(false);
    expect(canonicalText([1e21, -1e30])).toBe(canonicalText([10n ** 21n, -BigInt(1e30)]));
  });

  it('is a parameter', () => expect(readStrictly(['integer'], '9223372036854775807')).toBe(greatest));
});

describe('a validator', () => {
  it.each([
    ['{ type: integer, format: int64 }', [greatest, least, 1e18, 0], [9223372036854775808n, -9223372036854775809n, 1.5]],
    [
      '{ type: integer, maximum: 9223372036854775806, minimum: -9007199254740993 }',
      [9223372036854775806n, -9007199254740993n],
      [greatest, least],
    ],
    ['{ type: number, exclusiveMaximum: 9007199254740993 }', [9007199254740992, 1.5], [9007199254740993n]],
    ['{ type: integer, maximum: 10 }', [10], [greatest]],
    ['{ type: [integer, "null"], multipleOf: 9007199254740993 }', [18014398509481986n, null, 0], [18014398509481985n]],
    ['{ multipleOf: 5 }', [9007199254740995n], [9007199254740996n]],
    ['{ enum: [9007199254740993, x] }', [9007199254740993n, 'x'], [9007199254740992, 9007199254740994n]],
    ['{ const: 9007199254740993 }', [9007199254740993n], [9007199254740992]],
    ['{ const: { a: [9007199254740993] } }', [{ a: [9007199254740993n] }], [{ a: [9007199254740992] }]],
    [
      '{ uniqueItems: true }',
      [[9007199254740993n, 9007199254740992]],
      [
        [9007199254740993n, 9007199254740993n],
        [1e20, 10n ** 20n],
      ],
    ],
    ['{ type: string, maxLength: 9223372036854775807 }', ['x'], [greatest]],
    ['{ type: object, additionalProperties: { type: integer } }', [{ a: greatest }], [{ a: 1.5 }]],
  ])('judges %s exactly', async (schema, valid, invalid) => {
    const document = await documentOf(`schema: ${schema}`);
    const validate = createValidators(document).compile(schemaOf(document));
    expect([...valid, ...invalid].filter((value) => validate(value).length === 0)).toEqual(valid);
    expect(validate(invalid[0] ?? null)[0]?.message).toMatch(/^must/);
  });
});

describe('generated values', () => {
  it.each([
    ['{ type: integer, format: int64 }', [greatest, least]],
    ['{ type: integer, minimum: 9007199254740993, exclusiveMaximum: 9007199254740995 }', [9007199254740993n, 9007199254740994n]],
    ['{ type: integer, minimum: 9223372036854775800, multipleOf: 7 }', [9223372036854775807n]],
    ['{ enum: [9007199254740993] }', [9007199254740993n]],
  ])('of %s are valid, and reach its edges', async (schema, edges) => {
    const document = await documentOf(`schema: ${schema}`);
    const validate = createValidators(document).compile(schemaOf(document));
    const values = fc.sample(arbitraryFor(schemaOf(document), { document }), { numRuns: 300, seed: 1 });
    expect(values.filter((value) => validate(value).length > 0)).toEqual([]);
    expect(edges.filter((edge) => !values.includes(edge))).toEqual([]);
    const wrong = fc.sample(invalidArbitraryFor(schemaOf(document), { document }), { numRuns: 100, seed: 1 });
    expect(wrong.filter((value) => validate(value as never).length === 0)).toEqual([]);
  });
});
