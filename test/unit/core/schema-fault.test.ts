/** A schema that does not compile is told at the innermost line that keeps it from compiling, wherever its references lead. */

import { describe, expect, it } from 'vitest';
import { printPlace } from '../../../core/errors.ts';
import type { JsonObject } from '../../../core/json.ts';
import { placeOfFault } from '../../../core/schema-fault.ts';
import { createValidators } from '../../../core/validator.ts';
import { documentOf, type Files, mistakeOf } from '../../helpers/contract-text.ts';

/** Where the schema `schema` of a file is said to be wrong. */
async function faultOf(text: string, others: Files = {}): Promise<string> {
  const document = await documentOf(text, others);
  const compile = async (): Promise<unknown> => createValidators(document).compile(document.root['schema'] as JsonObject)({});
  return printPlace((await mistakeOf(compile())).place);
}

describe('the fault of a schema', () => {
  it.each([
    ['at the top', 'schema:\n  type: strng\n', 'api.yaml:2:3'],
    ['beside what is right', 'schema:\n  minimum: 1\n  maximum: "2"\n', 'api.yaml:3:3'],
    ['in a property', 'schema:\n  properties:\n    a: { type: string }\n    b: { pattern: "(" }\n', 'api.yaml:4:10'],
    ['in a branch', 'schema:\n  anyOf:\n    - type: string\n    - items: { type: strng }\n', 'api.yaml:4:16'],
    ['in what is referred to', "schema: { $ref: '#/a' }\na:\n  properties:\n    b: { $ref: '#/c' }\nc:\n  type: strng\n", 'api.yaml:6:3'],
    [
      'in a schema that contains itself',
      "schema: { $ref: '#/a' }\na:\n  properties:\n    b: { $ref: '#/a' }\n    c: { type: strng }\n",
      'api.yaml:5:10',
    ],
  ])('%s is told there', async (_, text, place) => {
    expect(await faultOf(text)).toBe(place);
  });

  it('in another file is told in that file', async () => {
    expect(await faultOf("schema: { items: { $ref: 'b.yaml#/a' } }\n", { 'b.yaml': '# b\na: { minLength: x }\n' })).toBe('b.yaml:2:6');
  });

  it('is not looked for in data', async () => {
    expect(await faultOf('schema:\n  const: { type: strng }\n  enum: [{ type: strng }]\n  x-more: { type: strng }\n  type: strng\n')).toBe(
      'api.yaml:5:3',
    );
  });

  it('that no single keyword shows is told at its schema', async () => {
    const document = await documentOf('schema:\n  properties:\n    a:\n      minimum: 1\n');
    const schema = document.root['schema'] as JsonObject;
    const place = placeOfFault(
      document,
      schema,
      (part) => part === schema || 'minimum' in part === false || Object.keys(part).length === 1,
    );
    expect(printPlace(place)).toBe('api.yaml:2:3');
  });
});
