/** Every witness of ten pairs is its own: refused at the place of its finding, by a keyword of its edit. */

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../../core/json.ts';
import type { Change } from '../../../../../core/results/diff-result.ts';
import { bodyOf, compareDocuments, documentOf, parameterOf } from '../small-documents.ts';

const text = (rest: JsonObject = {}): JsonObject => ({ type: 'string', ...rest });
const object = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...rest });
const list = (items: Json): JsonObject => ({ type: 'array', items });
const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const kindOf = (kind: string, rest: JsonObject = {}): JsonObject => object({ kind: { const: kind }, ...rest }, { required: ['kind'] });
const withSchemas = (half: 'request' | 'response', schema: Json, schemas: JsonObject): JsonObject =>
  bodyOf(half, schema, { components: { schemas } });

/** Each edit of a pair: a part of its location, and the keywords that may refuse its witness. */
type Edits = Readonly<Record<string, readonly string[]>>;

const pairs: readonly (readonly [string, JsonObject, JsonObject, Edits])[] = [
  [
    'members of an object',
    bodyOf('request', object({ a: text(), b: { type: 'integer' }, c: { enum: ['x', 'y'] } })),
    bodyOf('request', object({ a: text({ maxLength: 3 }), b: { type: 'integer', minimum: 2 }, c: { enum: ['x'] } })),
    { a: ['maxLength'], b: ['minimum'], c: ['enum'] },
  ],
  [
    'required members and new ones',
    bodyOf('request', object({ a: text(), b: object({ c: text() }) })),
    bodyOf('request', object({ a: text(), b: object({ c: text() }, { required: ['c'] }), d: text() }, { required: ['d'] })),
    { b: ['required'], '': ['required'] },
  ],
  [
    'elements of lists',
    bodyOf('response', object({ rows: list(object({ size: { type: 'integer', maximum: 5 } })), tags: { ...list(text()), maxItems: 2 } })),
    bodyOf('response', object({ rows: list(object({ size: { type: 'integer', maximum: 9 } })), tags: list(text()) })),
    { size: ['maximum'], tags: ['maxItems'] },
  ],
  [
    'a union told apart by a constant',
    bodyOf('response', { oneOf: [kindOf('cat'), kindOf('dog', { age: { type: 'integer' } })] }),
    bodyOf('response', { oneOf: [kindOf('cat'), kindOf('dog', { age: { type: ['integer', 'null'] } })] }),
    { age: ['type'] },
  ],
  [
    'branches of components',
    withSchemas('response', { oneOf: [reference('Cat'), reference('Dog')] }, { Cat: kindOf('cat'), Dog: kindOf('dog') }),
    withSchemas(
      'response',
      { oneOf: [reference('Cat'), reference('Dog'), reference('Fox')] },
      { Cat: kindOf('cat', { name: text() }), Dog: kindOf('dog'), Fox: kindOf('fox') },
    ),
    { '': ['oneOf', 'const', 'enum'] },
  ],
  [
    'parts of an allOf',
    withSchemas('request', { allOf: [reference('Base'), object({ own: text() })] }, { Base: object({ id: text(), note: text() }) }),
    withSchemas(
      'request',
      { allOf: [reference('Base'), object({ own: text({ pattern: '^[a-f]+$' }) })] },
      { Base: object({ id: text({ minLength: 4 }), note: text() }, { required: ['note'] }) },
    ),
    { own: ['pattern'], id: ['minLength'], '': ['required'] },
  ],
  [
    'a map',
    bodyOf('response', object({ sizes: { type: 'object', additionalProperties: { type: 'integer' } } })),
    bodyOf('response', object({ sizes: { type: 'object', additionalProperties: { type: ['integer', 'string'] } } })),
    { sizes: ['type'] },
  ],
  [
    'a closed object',
    bodyOf('request', object({ a: text(), b: text() }, { additionalProperties: false })),
    bodyOf('request', object({ a: { type: ['string'], maxLength: 2 } }, { additionalProperties: false })),
    { a: ['maxLength'], '': ['additionalProperties'] },
  ],
  [
    'a parameter',
    parameterOf({ schema: text() }),
    parameterOf({ schema: text({ maxLength: 2, pattern: '^[a-z]*$' }) }),
    { p: ['maxLength', 'pattern'] },
  ],
  [
    'a recursive component in two operations',
    documentOf(
      { '/a': { post: bodyOperation(reference('Tree')) }, '/b': { post: bodyOperation(list(reference('Tree'))) } },
      { components: { schemas: { Tree: object({ size: { type: 'number' }, below: list(reference('Tree')) }) } } },
    ),
    documentOf(
      { '/a': { post: bodyOperation(reference('Tree')) }, '/b': { post: bodyOperation(list(reference('Tree'))) } },
      {
        components: {
          schemas: { Tree: object({ size: { type: 'number', multipleOf: 2 }, below: { ...list(reference('Tree')), minItems: 1 } }) },
        },
      },
    ),
    { size: ['multipleOf'], below: ['minItems'] },
  ],
];

function bodyOperation(schema: Json): JsonObject {
  return { requestBody: { required: true, content: { 'application/json': { schema } } }, responses: { '204': { description: 'ok' } } };
}

/** The name at the end of the path of a finding; empty for the body itself. */
const lastName = ({ location }: Change): string => /(?:^|[.,] ?|parameter )([a-z]+)(?:\[\]|\.\*)*$/.exec(location)?.[1] ?? '';

describe.each(pairs)('the witnesses of %s', (_, old, next, edits) => {
  it('are there, and none is borrowed', async () => {
    const { changes } = await compareDocuments(old, next);
    const breaking = changes.filter(({ level }) => level === 'breaking');
    expect(breaking.filter(({ witness }) => witness === undefined).map((each) => each.text)).toEqual([]);
    for (const change of breaking) {
      const name = /body$|response 200$/.test(change.location) ? '' : lastName(change);
      const { pointer = '', keyword } = change.witness ?? {};
      expect([change.text, edits[name]?.includes(keyword ?? '')]).toEqual([change.text, true]);
      if (!change.location.includes('parameter'))
        expect([change.text, name === '' || pointer.split('/').includes(name)]).toEqual([change.text, true]);
    }
    expect(breaking.length).toBeGreaterThanOrEqual(Object.keys(edits).length);
  });
});
