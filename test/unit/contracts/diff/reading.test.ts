/** What a reviewer reads: one finding for each cause, named by its component, ranked by what clients lose. */

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../core/json.ts';
import type { Change } from '../../../../core/results/diff-result.ts';
import { bodyOf, compareDocuments, documentOf } from './small-documents.ts';

const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const componentOf = (name: string, schema: Json, half: 'request' | 'response' = 'response'): JsonObject =>
  bodyOf(half, reference(name), { components: { schemas: { [name]: schema } } });
const objectOf = (names: readonly string[], rest: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  ...rest,
});
const textsOf = async (old: JsonObject, next: JsonObject): Promise<readonly string[]> =>
  (await compareDocuments(old, next)).changes.map(({ text }) => text);

describe('an edit of a component', () => {
  it('is told by the name of the component, and by its place in it', async () => {
    const details = (required: readonly string[]): JsonObject => objectOf(['result', 'version', 'note'], { required });
    expect(
      await textsOf(
        componentOf('three_d_secure_details', details(['result', 'version'])),
        componentOf('three_d_secure_details', details([])),
      ),
    ).toEqual(['`three_d_secure_details`: `result` and `version` are no longer required']);
  });

  it('is shown where its path is shortest', async () => {
    const of = (maxLength: number): JsonObject => {
      const ok = (schema: Json): JsonObject => ({
        responses: { '200': { description: 'ok', content: { 'application/json': { schema } } } },
      });
      const deep = {
        type: 'object',
        properties: { page: { type: 'array', items: { type: 'object', properties: { owner: reference('User') } } } },
      };
      return documentOf(
        { '/pages': { get: ok(deep) }, '/me': { get: ok(reference('User')) } },
        { components: { schemas: { User: { type: 'object', properties: { name: { type: 'string', maxLength } } } } } },
      );
    };
    const { changes } = await compareDocuments(of(5), of(6));
    expect(changes).toMatchObject([{ operation: 'GET /me', location: 'response 200, name', operations: ['GET /pages', 'GET /me'] }]);
  });
});

describe('edits that read the same but for a name', () => {
  const names = Array.from({ length: 32 }, (_, index) => `name${index}`);

  it('are one finding: removed properties of an object', async () => {
    const { changes } = await compareDocuments(componentOf('Thing', objectOf(['id', ...names])), componentOf('Thing', objectOf(['id'])));
    expect(changes).toMatchObject([
      { text: '`Thing`: `name0`, `name1`, `name2`, `name3` and 28 more were removed', members: names, operations: ['POST /things'] },
    ]);
    expect(Object.keys(changes[0]?.before.value ?? {})).toEqual(names);
  });

  it('are one finding: values of a palette that are branches of oneOf', async () => {
    const palette = (colours: readonly string[]): JsonObject => ({
      type: 'string',
      oneOf: colours.map((each) => ({ const: each, title: each })),
    });
    const { changes } = await compareDocuments(
      componentOf('Palette', palette(names.slice(0, 12)), 'request'),
      componentOf('Palette', palette([]) && palette(['name0']), 'request'),
    );
    expect(changes).toMatchObject([{ level: 'breaking', verdict: 'witnessed', members: names.slice(1, 12).map((each) => `"${each}"`) }]);
  });

  it('are one finding: one setting in many operations', async () => {
    const of = (status: JsonObject): JsonObject =>
      documentOf(
        Object.fromEntries(
          names.map((name, index) => [`/${name}`, { get: { responses: { '200': { description: `ok ${index}` }, ...status } } }]),
        ),
      );
    const { changes } = await compareDocuments(of({}), of({ '429': { description: 'slow down' } }));
    expect(changes).toHaveLength(1);
    expect(changes[0]?.operations).toHaveLength(32);
  });

  it('stay apart in different components, so that each is accepted by itself', async () => {
    const of = (format: JsonObject): JsonObject =>
      bodyOf(
        'response',
        { type: 'object', properties: { a: reference('A'), b: reference('B') } },
        {
          components: {
            schemas: Object.fromEntries(
              ['A', 'B'].map((name) => [name, { type: 'object', properties: { at: { type: 'string', ...format } } }]),
            ),
          },
        },
      );
    const { changes } = await compareDocuments(of({ format: 'date-time' }), of({}));
    expect(new Set(changes.map(({ fingerprint }) => fingerprint)).size).toBe(2);
  });
});

it('ranks within a level: removed before added, required before optional, used by many before used by one', async () => {
  const of = (part: JsonObject, shared: JsonObject): JsonObject => {
    const ok = { responses: { '200': { description: 'ok', content: { 'application/json': { schema: reference('Shared') } } } } };
    const content = { 'application/json': { schema: part } };
    return documentOf(
      {
        '/a': { get: ok },
        '/b': { get: ok, post: { requestBody: { required: true, content }, responses: { '204': { description: 'ok' } } } },
      },
      { components: { schemas: { Shared: shared } } },
    );
  };
  const closed = { additionalProperties: false };
  const { changes } = await compareDocuments(
    of(
      { ...objectOf(['kept'], closed), properties: { gone: { type: 'integer' }, kept: { type: 'string' } } },
      objectOf(['x'], { required: ['x'] }),
    ),
    of(objectOf(['added', 'also', 'kept'], { ...closed, required: ['added'] }), objectOf(['x'])),
  );
  const breaking = changes.filter(({ level }) => level === 'breaking').map(({ id }: Change) => id.split('/')[1]);
  expect(breaking).toEqual(['property-removed', 'property-became-optional', 'required-property-added']);
});

it('does not report a renamed component as a removed and an added branch', async () => {
  const of = (name: string): JsonObject =>
    bodyOf(
      'response',
      { oneOf: [reference(name), reference('Other')] },
      {
        components: {
          schemas: { [name]: objectOf(['a'], { required: ['a'] }), Other: objectOf(['b'], { required: ['b'] }) },
        },
      },
    );
  expect(await textsOf(of('Old'), of('New'))).toEqual(['the component `Old` is now `New`']);
});

describe('what cannot be compared is said', () => {
  it('of a schema that only one side can read', async () => {
    const { changes, notCompared } = await compareDocuments(bodyOf('request', { oneOf: [] }), bodyOf('request', { type: 'object' }));
    expect(changes.length + notCompared.length).toBeGreaterThan(0);
    expect(notCompared).toMatchObject([{ side: 'old', operations: ['POST /things'] }]);
  });
});
