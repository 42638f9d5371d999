/** Shared components, recursive schemas, several files, OpenAPI 3.0; fingerprints, and the version advice. */

import { describe, expect, test } from 'vitest';
import { loadContractPair } from '../../../../contracts/diff/load-contract-pair.ts';
import type { Json, JsonObject } from '../../../../core/json.ts';
import { bodyOf, compareDocuments, compareFiles, documentOf, summaryOf } from './small-documents.ts';

const content = (schema: Json): JsonObject => ({ 'application/json': { schema } });
const ok = (schema: Json): JsonObject => ({ responses: { '200': { description: 'ok', content: content(schema) } } });
const thing = (maxLength: number, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { name: { type: 'string', maxLength }, ...more },
});
const reference = { $ref: '#/components/schemas/Thing' };

/** Two operations that return the same component, and one that receives it. */
function sharing(schema: Json): JsonObject {
  const post = { requestBody: { required: true, content: content(reference) }, responses: { '204': { description: 'ok' } } };
  return documentOf(
    { '/a': { get: ok(reference) }, '/b': { get: ok({ type: 'array', items: reference }), post } },
    { components: { schemas: { Thing: schema } } },
  );
}

test('a property that two parts of an allOf declare is reported at its first line', async () => {
  const part = { properties: { name: { type: 'string' } } };
  const old = bodyOf('response', { allOf: [part, part] });
  const { changes } = await compareDocuments(old, bodyOf('response', { type: 'object' }));
  const lines = JSON.stringify(old, null, 2).split('\n');
  const line = lines.findIndex((text) => text.includes('"name"')) + 1;
  const removed = changes.find(({ id }) => id.endsWith('/property-removed'));
  expect(removed?.before.place).toMatchObject({ file: 'old/api.json', line });
});

describe('a component that several operations share', () => {
  test('is reported once, with the operations that it breaks, and its use in the other direction beneath', async () => {
    const { changes } = await compareDocuments(sharing(thing(5)), sharing(thing(6)));
    expect(changes).toMatchObject([
      {
        level: 'breaking',
        direction: 'response',
        operations: ['GET /a', 'GET /b'],
        consequences: [{ level: 'compatible', operations: ['POST /b'] }],
      },
    ]);
    expect(changes[0]?.consequences).toHaveLength(1);
  });

  test('is reported at its own lines', async () => {
    const { changes } = await compareDocuments(sharing(thing(5)), sharing(thing(6)));
    const lines = JSON.stringify(sharing(thing(5)), null, 2).split('\n');
    const line = lines.findIndex((each) => each.includes('"maxLength"')) + 1;
    expect(new Set(changes.flatMap(({ before, after }) => [before.place.line, after.place.line]))).toEqual(new Set([line]));
  });
});

describe('fingerprints', () => {
  const prints = async (old: JsonObject, next: JsonObject): Promise<readonly string[]> =>
    (await compareDocuments(old, next)).changes.filter(({ text }) => text.includes('maxLength')).map(({ fingerprint }) => fingerprint);

  test('are sixteen hexadecimal digits, one for each change', async () => {
    const { changes } = await compareDocuments(sharing(thing(5)), sharing(thing(6, { size: { type: 'integer' } })));
    expect(changes.every(({ fingerprint }) => /^[0-9a-f]{16}$/.test(fingerprint))).toBe(true);
    expect(new Set(changes.map(({ fingerprint }) => fingerprint)).size).toBe(changes.length);
  });

  test('stay the same when lines move and when other changes are added', async () => {
    const before = await prints(sharing(thing(5)), sharing(thing(6)));
    const moved = (schema: Json): JsonObject => ({
      ...sharing(schema),
      info: { title: 'things', version: '1.0.0', description: 'more\nlines' },
    });
    expect(await prints(moved(thing(5)), moved(thing(6)))).toEqual(before);
    expect(await prints(sharing(thing(5)), sharing(thing(6, { size: { type: 'integer' } })))).toEqual(before);
  });

  test('name the component: the same edit in another one has another fingerprint', async () => {
    const twins = (format: JsonObject): JsonObject => {
      const at = (name: string): JsonObject => ok({ type: 'array', items: { $ref: `#/components/schemas/${name}` } });
      const record = { type: 'object', properties: { created: { type: 'string', ...format } } };
      return documentOf(
        { '/a': { get: at('A') }, '/a/old': { get: at('A') }, '/b': { get: at('B') }, '/b/old': { get: at('B') } },
        { components: { schemas: { A: record, B: record } } },
      );
    };
    const { changes } = await compareDocuments(twins({ format: 'date-time' }), twins({}));
    expect(changes.map(({ component }) => component)).toEqual(['schemas/A', 'schemas/B']);
    expect(new Set(changes.map(({ fingerprint }) => fingerprint)).size).toBe(2);
  });

  test('stay the same when the file is sorted, and when the component moves to another file', async () => {
    const before = await prints(sharing(thing(5)), sharing(thing(6)));
    const { paths, components, ...rest } = sharing(thing(6));
    const sorted = { components: components ?? {}, ...rest, paths: Object.fromEntries(Object.entries(paths ?? {}).toReversed()) };
    expect(await prints(sharing(thing(5)), sorted)).toEqual(before);
    const moved = JSON.parse(
      JSON.stringify({ ...rest, paths }).replaceAll('#/components/schemas/Thing', 'models/Thing.json'),
    ) as JsonObject;
    const { changes } = await compareFiles({ 'api.json': sharing(thing(5)) }, { 'api.json': moved, 'models/Thing.json': thing(6) });
    expect(changes.filter(({ text }) => text.includes('maxLength')).map(({ fingerprint }) => fingerprint)).toEqual(before);
  });

  test('depend on the operations, if each states the edit itself', async () => {
    const limit = { parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }] };
    const at = (...paths: readonly string[]): JsonObject =>
      documentOf(
        Object.fromEntries(['/a', '/b', '/c'].map((path) => [path, { get: { ...ok(true), ...(paths.includes(path) ? limit : {}) } }])),
      );
    const removedFrom = async (...paths: readonly string[]): Promise<string | undefined> =>
      (await compareDocuments(at('/a', '/b', '/c'), at(...paths))).changes[0]?.fingerprint;
    expect(await removedFrom('/c')).not.toBe(await removedFrom());
  });

  test('depend on the new value', async () => {
    expect(await prints(sharing(thing(5)), sharing(thing(6)))).not.toEqual(await prints(sharing(thing(5)), sharing(thing(7))));
  });
});

describe('recursive schemas', () => {
  const tree = (least: number): JsonObject => ({
    components: {
      schemas: {
        Tree: {
          type: 'object',
          properties: { size: { type: 'integer', minimum: least }, below: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
        },
      },
    },
  });
  const of = (least: number): JsonObject => bodyOf('request', { $ref: '#/components/schemas/Tree' }, tree(least));

  test('are compared once, with the smallest value as the witness', async () => {
    const { changes } = await compareDocuments(of(1), of(2));
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({
      level: 'breaking',
      verdict: 'witnessed',
      witness: { exchange: { request: { body: { size: 1 } } } },
    });
    expect(summaryOf(await compareDocuments(of(1), of(1)))).toEqual([]);
  });
});

describe('schemas in other files', () => {
  const entry = bodyOf('response', { $ref: 'schemas/thing.json' });

  test('are compared, and reported with their file', async () => {
    const { changes } = await compareFiles(
      { 'api.json': entry, 'schemas/thing.json': thing(5) },
      { 'api.json': entry, 'schemas/thing.json': thing(6) },
    );
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({
      level: 'breaking',
      before: { place: { file: 'old/schemas/thing.json' } },
      after: { place: { file: 'new/schemas/thing.json' } },
    });
  });

  test('may move into the document without a change', async () => {
    const moved = bodyOf('response', reference, { components: { schemas: { Thing: thing(5) } } });
    expect(summaryOf(await compareFiles({ 'api.json': entry, 'schemas/thing.json': thing(5) }, { 'api.json': moved }))).toEqual([]);
  });
});

test('the same API in OpenAPI 3.0 and in 3.1 has no change that breaks or is risky', async () => {
  const modern = bodyOf('response', {
    type: 'object',
    properties: {
      name: { type: ['string', 'null'] },
      size: { type: 'integer', exclusiveMinimum: 0 },
      state: { type: ['string', 'null'], enum: ['a', null] },
    },
  });
  const former = {
    ...bodyOf('response', {
      type: 'object',
      properties: {
        name: { type: 'string', nullable: true },
        size: { type: 'integer', minimum: 0, exclusiveMinimum: true },
        state: { type: 'string', nullable: true, enum: ['a', null] },
      },
    }),
    openapi: '3.0.3',
  };
  const components = { components: { schemas: { Thing: thing(5) } } };
  for (const sides of [[former, modern] as const, [modern, former] as const]) {
    const { count } = await compareDocuments({ ...sides[0], ...components }, { ...sides[1], ...components });
    expect(count).toMatchObject({ breaking: 0, risky: 0 });
  }
});

describe('the version', () => {
  const versioned = (version: string, schema: Json): JsonObject => ({ ...bodyOf('response', schema), info: { title: 'things', version } });
  const [old, wider, narrower] = [
    { type: 'integer', maximum: 5 },
    { type: 'integer', maximum: 6 },
    { type: 'integer', maximum: 4 },
  ];

  test.each([
    ['1.2.3', '1.2.4', wider, { suggested: 'major', taken: 'patch', isEnough: false }],
    ['1.2.3', '2.0.0', wider, { suggested: 'major', taken: 'major', isEnough: true }],
    ['1.2.3', '1.3.0', narrower, { suggested: 'minor', taken: 'minor', isEnough: true }],
    ['1.2.3', '1.2.3', narrower, { suggested: 'minor', taken: 'none', isEnough: false }],
    ['1.2.3', '1.2.4', { ...old, description: 'words' }, { suggested: 'patch', taken: 'patch', isEnough: true }],
    ['1.2.3', '1.2.3', old, { suggested: 'none', taken: 'none', isEnough: true }],
    ['1.2.3', '1.1.9', wider, { suggested: 'major', taken: 'none', isEnough: false }],
    ['0.2.3', '0.3.0', wider, { suggested: 'minor', taken: 'minor', isEnough: true }],
    ['v1', 'v2', wider, { suggested: 'major', taken: 'major', isEnough: true }],
    ['1.2.3', '2.0.0-rc.1', wider, { suggested: 'major', next: '2.0.0', taken: 'major', isEnough: true }],
    ['2.0.0-rc.1', '2.0.0-rc.2', wider, { suggested: 'pre-release', next: '2.0.0-rc.2', taken: 'pre-release', isEnough: true }],
    ['2.0.0-rc.9', '2.0.0-rc.10', wider, { suggested: 'pre-release', next: '2.0.0-rc.10', taken: 'pre-release', isEnough: true }],
    ['2.0.0-rc.2', '2.0.0-rc.2', wider, { suggested: 'pre-release', next: '2.0.0-rc.3', taken: 'none', isEnough: false }],
    ['2.0.0-beta', '2.0.0', wider, { suggested: 'pre-release', next: '2.0.0-beta.1', taken: 'pre-release', isEnough: true }],
    ['2.0.0', '2.0.0-beta', wider, { suggested: 'major', next: '3.0.0', taken: 'none', isEnough: false }],
    ['2.0.0-alpha', '2.0.0-beta', wider, { suggested: 'pre-release', taken: 'pre-release', isEnough: true }],
    ['1.2.3', '1.3.0', narrower, { suggested: 'minor', next: '1.3.0', taken: 'minor', isEnough: true }],
    ['v1', 'v1.1', narrower, { suggested: 'minor', next: 'v1.1', taken: 'minor', isEnough: true }],
    ['spring', 'autumn', wider, { suggested: 'major', taken: undefined, isEnough: false }],
  ])('from %s to %s', async (from, to, schema, expected) => {
    const { version } = await compareDocuments(versioned(from, old), versioned(to, schema));
    expect(version).toMatchObject({ from, to, ...expected });
  });
});

describe('files that cannot be compared', () => {
  test.each([
    ['an older specification', { swagger: '2.0' }, 'swagger: 2.0 is not supported'],
    ['no OpenAPI', { info: {} }, 'this is not an OpenAPI document'],
    ['a version that is not read', { openapi: '4.0.0', info: {} }, '4.0.0'],
  ])('%s', async (_, root, words) => {
    await expect(compareDocuments(root as JsonObject, documentOf({}))).rejects.toThrow(words);
  });

  test('a new file with a mistake, only strictly', async () => {
    const text = (schema: JsonObject): string => JSON.stringify(bodyOf('response', schema));
    const read = async (file: string): Promise<string> => text(file === 'old.json' ? { type: 'string' } : { type: 'string', pattern: '(' });
    await expect(loadContractPair('new.json', 'old.json', read, { strict: true })).resolves.toBeDefined();
    await expect(loadContractPair('old.json', 'new.json', read)).resolves.toBeDefined();
    await expect(loadContractPair('old.json', 'new.json', read, { strict: true })).rejects.toThrow('pattern: "(" is invalid');
  });
});
