/** References to parts, anchors, inner resources and remote documents, in static and dynamic scope. */

import { describe, expect, it } from 'vitest';
import { rawOf } from '../../../core/openapi/raw-document.ts';
import type { Schema } from '../../../core/openapi/schema-facts.ts';
import { isValid } from '../../../generators/constraints/validate-instance.ts';
import { invalidExampleFor } from '../../../generators/invalid/invalid-arbitrary.ts';
import { openSchema, type SchemaSources } from '../../../generators/schema/located-schema.ts';
import { arbitraryFor } from '../../../generators/schema-arbitrary.ts';
import { documentOf } from '../../helpers/contracts/contract-text.ts';
import type { SchemaJudge } from '../../helpers/schema-judge.ts';
import { draw } from './drawing.ts';
import { problemsOfInstances } from './instance-properties.ts';
import { problemsOfInvalidExamples } from './invalid-example-properties.ts';

const drawing = { seed: 5, count: 60 };
const text: Schema = { type: 'string', minLength: 2 };

const rows: readonly (readonly [title: string, schema: Schema, sources: SchemaSources, valid: string])[] = [
  ['a pointer', { $ref: '#/$defs/a', $defs: { a: text } }, {}, 'string'],
  ['a pointer with escapes', { $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': text } }, {}, 'string'],
  ['an anchor', { $ref: '#here', $defs: { a: { $anchor: 'here', ...text } } }, {}, 'string'],
  ['a reference beside other keywords', { $ref: '#/$defs/a', maxLength: 3, $defs: { a: text } }, {}, 'string'],
  ['a reference to a reference', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: text } }, {}, 'string'],
  [
    'a part of the schema that is no definition',
    { properties: { a: text }, type: 'object', additionalProperties: { $ref: '#/properties/a' } },
    {},
    'object',
  ],
  ['a resource inside', { $id: 'https://a.example/root', $ref: 'inner', $defs: { a: { $id: 'inner', ...text } } }, {}, 'string'],
  ['a uniform resource name', { $ref: 'urn:example:text', $defs: { a: { $id: 'urn:example:text', ...text } } }, {}, 'string'],
  ['a remote document', { $ref: 'https://a.example/text' }, { remotes: { 'https://a.example/text': text } }, 'string'],
  [
    'a part of a remote document that refers to another',
    { type: 'array', items: { $ref: 'https://a.example/one#/$defs/a' } },
    { remotes: { 'https://a.example/one': { $defs: { a: { $ref: 'two' } } }, 'https://a.example/two': text } },
    'array',
  ],
  [
    'a dynamic anchor',
    {
      $id: 'https://a.example/strings',
      $ref: 'list',
      $defs: {
        element: { $dynamicAnchor: 'element', ...text },
        list: { $id: 'list', type: 'array', items: { $dynamicRef: '#element' }, $defs: { any: { $dynamicAnchor: 'element' } } },
      },
    },
    {},
    'array',
  ],
];

describe('a reference', () => {
  it.each(rows)('to %s', (_title, schema, sources, type) => {
    const location = openSchema(schema, sources);
    const judge: SchemaJudge = (instance) => (isValid(location, instance) ? [] : [{ path: '', keyword: 'unknown' }]);
    expect(problemsOfInstances(() => arbitraryFor(schema, sources), judge, drawing)).toEqual([]);
    expect(problemsOfInvalidExamples(() => invalidExampleFor(schema, sources), judge, drawing)).toEqual([]);
    // The instances show the target of the reference: strings that are long enough.
    const values = draw(arbitraryFor(schema, sources), drawing);
    const texts = values.flatMap((value) => (typeof value === 'string' ? [value] : Object.values(value ?? {})));
    expect(values.every((value) => (Array.isArray(value) ? 'array' : typeof value) === type)).toBe(true);
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.every((each) => typeof each === 'string' && [...each].length >= 2)).toBe(true);
  });

  it('of a contract file leads through its files', async () => {
    const document = await documentOf(
      "openapi: 3.1.0\ncomponents: { schemas: { A: { type: array, minItems: 1, items: { $ref: 'other.yaml#/B' } } } }\n",
      { 'other.yaml': "B: { type: object, required: [c], properties: { c: { $ref: '#/C' } } }\nC: { const: found }\n" },
    );
    const schema = (rawOf(document).root['components'] as { readonly schemas: Readonly<Record<string, Schema>> }).schemas['A'] ?? false;
    expect(draw(arbitraryFor(schema, { document }), { seed: 1, count: 1 }).flat()[0]).toMatchObject({ c: 'found' });
    const invalidExamples = draw(invalidExampleFor(schema, { document }), { seed: 1, count: 100 });
    expect(new Set(invalidExamples.map(({ path, keyword }) => `${path.replace(/\d+/, 'n')} ${keyword}`))).toEqual(
      new Set([' type', ' minItems', '/n type', '/n required', '/n/c const']),
    );
  });
});
