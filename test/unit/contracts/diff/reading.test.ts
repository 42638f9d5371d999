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
    expect(changes).toMatchObject([{ operation: 'GET /me', location: 'response 200, name', operations: ['GET /me', 'GET /pages'] }]);
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

  it('of a schema that no validator can judge: a witness would be unconfirmed', async () => {
    // ajv calls a member of this name to compare objects.
    const of = (values: readonly string[]): JsonObject => bodyOf('request', { enum: values.map((value) => ({ valueOf: value })) });
    const { changes, notes } = await compareDocuments(of(['a', 'b']), of(['a']));
    expect(changes).toMatchObject([{ id: 'request-body/enum-value-removed', verdict: 'unwitnessed' }]);
    expect(notes).toEqual([expect.stringMatching(/^new\/api\.json:\d+:\d+: this schema validates nothing.*\(POST \/things\)\.$/)]);
  });
});

describe('an operation that refers to another component', () => {
  const of = (name: string): JsonObject =>
    bodyOf('response', reference(name), {
      components: { schemas: { Alert: objectOf(['alert', 'at']), Alerts: objectOf(['alerts', 'at']) } },
    });

  it('is told by its own place, since neither component changed', async () => {
    const { changes } = await compareDocuments(of('Alert'), of('Alerts'));
    expect(changes.map(({ text, component }) => [text, component])).toEqual([['`alert` is now `alerts`', undefined]]);
  });
});

it('takes no property for another one that merely has its type', async () => {
  const of = (name: string, description: string): JsonObject =>
    componentOf('Usage', { type: 'object', properties: { [name]: { type: 'string', description } } });
  expect(await textsOf(of('total', 'All units'), of('projected', 'Units to come'))).toEqual([
    '`Usage`: `total` was removed',
    '`Usage`: `projected` was added',
  ]);
});

describe('a choice that was added to a schema', () => {
  const status = (rest: JsonObject, half: 'request' | 'response'): JsonObject => componentOf('Status', { type: 'integer', ...rest }, half);
  const choice = {
    oneOf: [
      { title: 'open', const: 1 },
      { title: 'closed', const: 2 },
    ],
  };

  it('is told by the values that are left, at the component on both sides', async () => {
    const { changes } = await compareDocuments(status({}, 'request'), status(choice, 'request'));
    expect(changes).toMatchObject([{ level: 'breaking', text: '`Status` can now only be 1 or 2', component: 'schemas/Status' }]);
    const lines = [changes[0]?.before.place.line, changes[0]?.after.place.line];
    expect(lines).toEqual([30, 32]);
  });

  it.each([
    ['added', {}, choice, 'compatible', '`Status` can now only be 1 or 2'],
    ['removed', choice, {}, 'breaking', '`Status` is no longer limited to 1 and 2'],
    ['added beside a removed keyword', { maximum: 9 }, choice, 'compatible', '`Status` can now only be 1 or 2'],
  ] as const)('is judged by what responses gain: %s', async (_, old, next, level, text) => {
    const { changes } = await compareDocuments(status(old, 'response'), status(next, 'response'));
    expect(changes.find((change) => change.text === text)?.level).toBe(level);
  });

  it('and leaves a single value is not told as a maximum', async () => {
    const single = { oneOf: [{ const: 1 }] };
    expect(await textsOf(status({}, 'request'), status(single, 'request'))).toEqual(['`Status` can now only be 1']);
    expect(await textsOf(status(single, 'request'), status({}, 'request'))).toEqual(['`Status` is no longer limited to the value 1']);
  });

  it('of schemas is told by their number', async () => {
    const of = (rest: JsonObject): JsonObject => componentOf('Thing', objectOf(['a', 'b'], rest), 'request');
    const oneOf = ['a', 'b'].map((name) => ({ required: [name] }));
    expect(await textsOf(of({}), of({ oneOf }))).toEqual(['`Thing` now has to match exactly one of 2 schemas (oneOf)']);
  });
});

it('tells the texts of several members in the plural', async () => {
  const of = (rest: JsonObject): JsonObject =>
    componentOf('Thing', { type: 'object', properties: { a: { type: 'string', ...rest }, b: { type: 'number', ...rest } } });
  expect(await textsOf(of({}), of({ description: 'x' }))).toEqual(['`Thing`: the descriptions of `a` and `b` were added']);
});

it('says that a description was added, not that it changed', async () => {
  const of = (summary: JsonObject): JsonObject =>
    documentOf({ '/a': { get: { ...summary, responses: { '200': { description: 'ok' } } } } });
  expect(await textsOf(of({}), of({ summary: 'Lists them' }))).toEqual(['the summary was added']);
});

it('tells added values of an enum with those that went', async () => {
  const of = (values: readonly string[]): JsonObject => componentOf('Method', { type: 'string', enum: values }, 'request');
  expect(await textsOf(of(['GET', 'HEAD']), of(['get', 'HEAD']))).toEqual([
    'the value "GET" of `Method` was removed',
    '`Method` can now be "get", but no longer "GET"',
  ]);
});

it('a property that the request of one contract leaves out is compared as a whole', async () => {
  const of = (property: JsonObject): JsonObject => bodyOf('request', { type: 'object', properties: { owner: property } });
  const { changes } = await compareDocuments(of({ type: 'object', readOnly: true }), of({ type: 'string' }));
  expect(changes.map(({ level, text }) => `${level} ${text}`)).toEqual(['compatible `owner` is no longer readOnly']);
});

it('tells what is inside `not`, where everything means the opposite', async () => {
  const of = (values: readonly Json[]): JsonObject => bodyOf('response', { type: ['string', 'null'], not: { enum: values } });
  const { changes } = await compareDocuments(of([null, 'x']), of(['x']));
  expect(changes).toMatchObject([
    { level: 'breaking', text: 'inside `not`, the body of the response 200 can no longer be null', witness: { value: null } },
  ]);
});

it('a dropped `not` that excluded nothing else breaks nothing', async () => {
  const [old, next] = [{ type: ['string', 'null'], not: { type: 'null' } }, { type: 'string' }].map((schema) => bodyOf('response', schema));
  const { changes } = await compareDocuments(old ?? {}, next ?? {});
  expect(changes).toMatchObject([{ level: 'compatible', id: 'response-body/not-removed' }]);
});

it('what a reference loses by its new target is not told of the component that still has it', async () => {
  const of = (name: string, note: string): JsonObject =>
    bodyOf('request', reference(name), {
      components: {
        schemas: {
          Full: { ...objectOf(['a', 'b']), properties: { a: { type: 'string' }, b: { type: 'string', description: note } } },
          Less: objectOf(['a']),
        },
      },
    });
  expect((await textsOf(of('Full', 'Old.'), of('Less', 'New.'))).filter((text) => text.endsWith('removed'))).toEqual(['`b` was removed']);
});

it('what is added beside a reference is not at its old target', async () => {
  const of = (beside: JsonObject): JsonObject =>
    bodyOf('response', objectOf([], { properties: { id: { ...reference('Id'), ...beside } } }), {
      components: { schemas: { Id: { type: 'string' } } },
    });
  const { changes } = await compareDocuments(of({}), of({ description: 'The id.' }));
  expect(changes[0]?.after.place.line).toBe((changes[0]?.before.place.line ?? 0) + 2);
});

describe('a reason', () => {
  it('of a compatible finding names no danger', async () => {
    const closed = (names: readonly string[], half: 'request' | 'response'): JsonObject =>
      componentOf('Thing', objectOf(names, { additionalProperties: false }), half);
    const reasonOf = async (half: 'request' | 'response'): Promise<string | undefined> =>
      (await compareDocuments(closed(['a'], half), closed(['a', 'b'], half))).changes[0]?.reason;
    expect(await reasonOf('request')).toBe('This change alone rejects no request that was allowed before.');
    expect(await reasonOf('response')).toContain('a client of the old contract rejects a response that has it');
    const text = (rest: JsonObject): JsonObject => bodyOf('response', { type: 'object', properties: { a: { type: 'string', ...rest } } });
    const { changes } = await compareDocuments(text({ default: 'x' }), text({}));
    expect(changes[0]?.reason).toBe('By this change alone, clients receive nothing that the old contract did not allow.');
  });

  it('of a changed text promises nothing', async () => {
    const of = (description: string): JsonObject => bodyOf('request', { type: 'object', description });
    const { changes } = await compareDocuments(of('Any'), of('At most five'));
    expect(changes).toMatchObject([{ level: 'documentation', reason: 'No schema changed; read the text.' }]);
  });

  it('of a removed property of requests is about what clients send', async () => {
    const of = (names: readonly string[]): JsonObject => componentOf('Thing', objectOf(names, { required: names }), 'request');
    const { changes } = await compareDocuments(of(['a', 'b']), of(['a']));
    expect(changes).toMatchObject([{ level: 'risky', reason: 'Servers may ignore or reject what deployed clients still send.' }]);
  });
});

it('a property that is no longer declared has no witness of another edit', async () => {
  const of = (properties: JsonObject): JsonObject => bodyOf('request', { type: 'object', properties });
  const { changes } = await compareDocuments(
    of({ a: { type: 'string' }, b: { type: 'string' } }),
    of({ b: { type: 'string', minLength: 1 } }),
  );
  expect(changes.find(({ id }) => id.endsWith('property-removed'))?.witness).toBeUndefined();
});

it('members that became required are shown with the one list', async () => {
  const of = (required: readonly string[]): JsonObject => componentOf('Thing', objectOf(['a', 'b'], { required }));
  const { changes } = await compareDocuments(of(['a']), of(['a', 'b']));
  const both = await compareDocuments(of([]), of(['a', 'b']));
  expect(changes[0]?.after.value).toEqual(['a', 'b']);
  expect(both.changes).toMatchObject([{ members: ['a', 'b'], after: { value: ['a', 'b'] } }]);
});

it('a changed discriminator says which values it names now', async () => {
  const schemas = { Cat: objectOf(['c'], { required: ['c'] }), Dog: objectOf(['d'], { required: ['d'] }) };
  const of = (mapping: JsonObject): JsonObject =>
    bodyOf(
      'response',
      { oneOf: [reference('Cat'), reference('Dog')], discriminator: { propertyName: 'kind', mapping } },
      { components: { schemas } },
    );
  const [cat, dog] = ['#/components/schemas/Cat', '#/components/schemas/Dog'];
  expect(await textsOf(of({ x: cat, y: dog }), of({ x: dog, z: cat }))).toEqual([
    'the discriminator of the body of the response 200 now means another schema by "x", and no longer names "y", and now names "z" too',
  ]);
});
