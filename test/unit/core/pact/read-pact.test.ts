/** Pact files of all versions are parsed to the same values, from a file or a folder, and each error names its line. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SpecError, UsageError } from '../../../../core/errors.ts';
import { isPathPrefix, matchesPath, parseBodyPath, pathWeight, printBodyPath, valuesAlong } from '../../../../core/pact/body-path.ts';
import type { Interaction, Pact } from '../../../../core/pact/pact.ts';
import { parsePact } from '../../../../core/pact/parse-pact.ts';
import { readPacts } from '../../../../core/pact/read-pacts.ts';

const things = { things: [{ id: 1 }] };
const ids = { combine: 'AND', matchers: [{ match: 'integer' }] };
const later = {
  description: 'a thing',
  providerStates: [{ name: 'a thing exists' }],
  request: { method: 'GET', path: '/things', query: { state: ['open,full'], q: ['a b'], tag: ['x', 'y'] } },
};

/** The same interaction as the three versions write it. */
const versions: Readonly<Record<string, object>> = {
  '2': {
    description: 'a thing',
    providerState: 'a thing exists',
    request: { method: 'get', path: '/things', query: 'state=open%2Cfull&q=a+b&tag=x&tag=y', headers: { 'X-Key': 'your-key' } },
    response: {
      status: 200,
      headers: { ETag: '"a"' },
      body: things,
      matchingRules: {
        '$.body.things': { min: 1 },
        '$.body.things[*].id': { match: 'integer' },
        '$.headers.ETag': { match: 'regex', regex: '^"' },
      },
    },
  },
  '3': {
    ...later,
    request: { ...later.request, headers: { 'X-Key': 'your-key' } },
    response: {
      status: 200,
      headers: { ETag: '"a"' },
      body: things,
      matchingRules: {
        body: { '$.things': { matchers: [{ match: 'type', min: 1 }] }, '$.things[*].id': ids },
        header: { ETag: { matchers: [{ match: 'regex', regex: '^"' }] } },
      },
    },
  },
  '4': {
    ...later,
    type: 'Synchronous/HTTP',
    pending: false,
    request: { ...later.request, headers: { 'x-key': ['your-key'] } },
    response: {
      status: 200,
      headers: { ETag: ['"a"'] },
      body: { content: things, contentType: 'application/json', encoded: false },
      matchingRules: {
        body: { '$.things': { combine: 'AND', matchers: [{ match: 'type', min: 1 }] }, '$.things[*].id': ids },
        header: { '$.ETag[0]': { combine: 'AND', matchers: [{ match: 'regex', regex: '^"' }] } },
      },
    },
  },
};

function read(...interactions: readonly object[]): Pact {
  return parsePact('a.json', JSON.stringify({ consumer: { name: 'c' }, provider: { name: 'p' }, interactions }, undefined, 2));
}

function only(interaction: object): Interaction {
  const [found] = read(interaction).interactions;
  if (found === undefined) throw new Error('there is no interaction');
  return found;
}

describe('an interaction', () => {
  it('may name its state as old Ruby tools do', () => {
    const { providerState: state, ...interaction } = versions['2'] as { readonly providerState: string };
    expect(only({ ...interaction, provider_state: state }).states).toEqual([{ name: 'a thing exists', params: {} }]);
  });

  it.each(Object.keys(versions))('of version %s says the same', (version) => {
    const { description, states, isPending, request, response, pointer, place } = only(versions[version] ?? {});
    expect({ description, states, isPending, pointer }).toEqual({
      description: 'a thing',
      states: [{ name: 'a thing exists', params: {} }],
      isPending: false,
      pointer: '/interactions/0',
    });
    expect(place).toEqual({ file: 'a.json', line: 9, column: 5 });
    expect({ ...request, query: [...request.query], headers: [...request.headers] }).toMatchObject({
      method: 'GET',
      path: '/things',
      query: [
        ['state', ['open,full']],
        ['q', ['a b']],
        ['tag', ['x', 'y']],
      ],
      headers: [['x-key', ['your-key']]],
      body: undefined,
    });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ things: [{ id: 1 }] });
    expect([...response.headers]).toEqual([['etag', ['"a"']]]);
    expect([...response.matching.headers.keys()]).toEqual(['etag']);
    expect(response.matching.body.map(({ path, rule }) => [path, rule.combine, rule.matchers.map(({ match }) => match)])).toEqual([
      [['things'], 'AND', ['type']],
      [['things', null, 'id'], 'AND', ['integer']],
    ]);
  });

  it.each([
    ['no rule', { status: 201, matchingRules: { status: {} } }, 201, undefined],
    ['a rule', { status: 0, matchingRules: { status: { matchers: [{ match: 'statusCode', status: 'error' }] } } }, 400, 'error'],
    ['a rule below $', { status: 0, matchingRules: { status: { $: { matchers: [{ match: 'statusCode', status: [418] }] } } } }, 418, [418]],
  ])('has a status with %s, as Pact writes it', (_, written, status, accepted) => {
    const { response } = only({ ...good, response: written });
    expect([response.status, response.matching.status?.matchers[0]?.value['status']]).toEqual([status, accepted]);
  });

  it('may have a query parameter without a value', () => {
    const { request } = only({ ...good, request: { path: '/', query: { flag: [null] } } });
    expect([...request.query]).toEqual([['flag', ['']]]);
  });

  it('has states with parameters, and generators as they are written', () => {
    const generators = { query: { id: { type: 'ProviderState', expression: 'id' } } };
    const given = {
      ...good,
      providerStates: [
        { name: 'a', params: { id: 5 } },
        { name: 'b', params: null },
      ],
      request: { path: '/', generators },
    };
    const { states, request } = only(given);
    expect(states.map(({ name, params }) => [name, params])).toEqual([
      ['a', { id: 5 }],
      ['b', {}],
    ]);
    expect(request.generators).toEqual(generators);
  });

  it.each([
    ['JSON in a text', { content: '{"a":1}', contentType: 'application/json', encoded: 'JSON' }, { a: 1 }],
    ['base64 of JSON', { content: 'eyJhIjoxfQ==', contentType: 'application/json; charset=utf-8', encoded: 'base64' }, { a: 1 }],
    ['base64 of a text', { content: 'aGk=', contentType: 'text/plain', encoded: 'base64' }, 'hi'],
    ['a text', { content: 'hi', contentType: 'text/plain', encoded: false }, 'hi'],
    ['a value that looks like one', { content: 'hi', encoded: false, more: 1 }, { content: 'hi', encoded: false, more: 1 }],
  ])('has a body that is %s', (_, body, expected) => {
    expect(only({ ...good, response: { body } }).response.body).toEqual(expected);
  });

  it('of another kind is reported and not read', () => {
    const pact = read({ type: 'Asynchronous/Messages', description: 'an event', contents: {} }, good);
    expect(pact.interactions.map(({ pointer }) => pointer)).toEqual(['/interactions/1']);
    expect(pact.others).toEqual([
      { description: 'an event', type: 'Asynchronous/Messages', place: { file: 'a.json', line: 9, column: 5 } },
    ]);
  });
});

const parties = { consumer: { name: 'c' }, provider: { name: 'p' } };
const good = { description: 'x', request: { path: '/' }, response: {} };
const answering = (response: object): readonly object[] => [{ ...good, response }];
const ruling = (rule: object): readonly object[] => answering({ matchingRules: { body: rule } });

const mistakes: readonly (readonly [title: string, value: unknown, expected: RegExp])[] = [
  ['no consumer', { provider: { name: 'p' }, interactions: [] }, /^a\.json:1:1: a pact must name its consumer/],
  ['a provider without a name', { ...parties, provider: {}, interactions: [] }, /^a\.json:5:3: a pact must name its provider/],
  ['no interactions', parties, /a pact must have interactions/],
  ['interactions that are no list', { ...parties, interactions: {} }, /^a\.json:8:3: interactions must be an array/],
  ['an interaction that is none', [5], /an interaction must be an object/],
  ['no description', [{ request: {}, response: {} }], /an interaction must have a description/],
  ['no request', [{ description: 'x', response: {} }], /the request of an interaction must be an object/],
  ['a status that is none', answering({ status: '200' }), /the status "200" is invalid/],
  ['a path that is no text', [{ ...good, request: { path: 5 } }], /the path of a request must be a string/],
  ['a header that is an object', [{ ...good, request: { headers: { A: {} } } }], /the value of A must be a string or an array of strings/],
  ['states that are no list', [{ ...good, providerStates: 5 }], /providerStates must be an array/],
  ['a state without a name', [{ ...good, providerStates: [{}] }], /a provider state must have a name/],
  ['params that are a list', [{ ...good, providerStates: [{ name: 'a', params: [] }] }], /params of a provider state must be an object/],
  ['a rule with a wrong path', ruling({ '$.a[': { matchers: [] } }), /\$\.a\[ is not a path of a matching rule/],
  ['a rule about nothing', answering({ matchingRules: { '$.tail.x': { match: 'type' } } }), /the rule \$\.tail\.x applies to no part/],
  ['a matcher without a kind', ruling({ $: { matchers: [{}] } }), /a matcher must be an object with its kind/],
  ['a combination that is none', ruling({ $: { combine: 'XOR', matchers: [] } }), /combine: "XOR" is unknown/],
  [
    'a coding that is none',
    answering({ body: { content: 'x', contentType: 'text/plain', encoded: 'rot13' } }),
    /encoded: rot13 is unknown/,
  ],
];

describe('a mistake', () => {
  it.each(mistakes)('is reported with its line: %s', (_, value, expected) => {
    const pact = Array.isArray(value) ? { ...parties, interactions: value } : value;
    const attempt = (): Pact => parsePact('a.json', JSON.stringify(pact, undefined, 2));
    expect(attempt).toThrow(SpecError);
    expect(attempt).toThrow(expected);
    expect(attempt).toThrow(/^a\.json:\d+:\d+: /);
  });

  it.each([
    ['a list', '[]', /^a\.json:1:1: a pact must be a JSON object/],
    ['half a file', '{"consumer": {', /^a\.json:1:\d+: this is not valid JSON/],
  ])('reports %s', (_, text, expected) => {
    expect(() => parsePact('a.json', text)).toThrow(expected);
  });
});

const folders = mkdtempSync(join(tmpdir(), 'touchstone-pacts-'));
afterAll(() => rmSync(folders, { recursive: true }));

const pactOf = (consumer: string, interactions: readonly object[] = [good]): string =>
  JSON.stringify({ ...parties, consumer: { name: consumer }, interactions });

function folder(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(folders, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

describe('a folder of pacts', () => {
  it('gives its pacts by name, and tells what is none', async () => {
    const path = folder('mixed', {
      'b.json': pactOf('b'),
      'a.json': pactOf('a'),
      'list.json': '[1]',
      'package.json': '{"name": "x"}',
      'empty.json': pactOf('empty', []),
      'events.json': '{"consumer": {"name": "e"}, "provider": {"name": "p"}, "messages": [{"description": "an event"}]}',
      'notes.txt': 'not even JSON',
    });
    const { pacts, skipped } = await readPacts([path]);
    expect(pacts.map(({ consumer }) => consumer)).toEqual(['a', 'b']);
    expect(skipped.map(({ file, reason }) => [file.slice(path.length + 1), reason])).toEqual([
      ['empty.json', 'it has no interactions'],
      ['events.json', 'it has only messages and no HTTP interaction'],
      ['list.json', 'it is not a pact: consumer, provider and interactions are missing'],
      ['package.json', 'it is not a pact: consumer, provider and interactions are missing'],
    ]);
  });

  it.each([
    ['nothing', {}, /contains no \*\.json file/],
    ['no interaction', { 'a.json': pactOf('a', []) }, /contains no HTTP interaction \(a\.json: it has no interactions\)/],
  ])('that holds %s is refused', async (title, files, expected) => {
    const attempt = readPacts([folder(title, files)]);
    await expect(attempt).rejects.toThrow(expected);
    await expect(attempt).rejects.toBeInstanceOf(UsageError);
  });

  it.each([
    ['half a pact', '{"consumer": '],
    ['no JSON', 'hello'],
  ])('with a damaged file is refused: %s', async (title, text) => {
    const attempt = readPacts([folder(title, { 'a.json': pactOf('a'), 'damaged.json': text })]);
    await expect(attempt).rejects.toThrow(/damaged\.json:1:\d+: this (?:file )?is not valid JSON/);
    await expect(attempt).rejects.toBeInstanceOf(SpecError);
  });
});

describe('a file of pacts that is named', () => {
  it('must be a pact', async () => {
    const path = join(folder('named', { 'package.json': '{"name": "x"}' }), 'package.json');
    await expect(readPacts([path])).rejects.toThrow(/package\.json:1:1: a pact must have interactions/);
  });

  it('must be there', async () => {
    await expect(readPacts([join(folders, 'gone.json')])).rejects.toThrow(/gone\.json cannot be read \(ENOENT\); name a folder of pacts/);
  });
});

const path = (text: string): NonNullable<ReturnType<typeof parseBodyPath>> => parseBodyPath(text) ?? ['(none)'];

describe('a path of a matching rule', () => {
  it.each([
    ['$', []],
    ['$.a.b', ['a', 'b']],
    ['$.a[0].b', ['a', 0, 'b']],
    ['$.a[*].b', ['a', null, 'b']],
    ['$.a.*', ['a', null]],
    ["$.a['*']", ['a', '*']],
    ['$["*"].b', ['*', 'b']],
    ["$['a.b']['c d']", ['a.b', 'c d']],
    ['$["a"]', ['a']],
    ["$['it\\'s']", ["it's"]],
    ['$.changed-at', ['changed-at']],
    ['a.b', ['a', 'b']],
  ])('%s is read', (text, steps) => {
    expect(parseBodyPath(text)).toEqual(steps);
  });

  it.each(['$.', '$.a[', '$.a]', '$..a', '$.a[b]', "$['a"])('%s is none', (text) => {
    expect(parseBodyPath(text)).toBeUndefined();
  });

  it.each([[[]], [['a', 0, 'b']], [['a.b', "it's"]], [['*', 'b']]])('of the keys %j is printed as it is read', (keys) => {
    expect(parseBodyPath(printBodyPath(keys))).toEqual(keys);
  });

  it('leads to places, and begins at those above them', () => {
    expect(matchesPath(path('$.a[*].b'), ['a', 3, 'b'])).toBe(true);
    expect(matchesPath(path('$.a[*]'), ['a', 3, 'b'])).toBe(false);
    expect(isPathPrefix(path('$.a[*]'), ['a', 3, 'b'])).toBe(true);
    expect(isPathPrefix(path('$.b'), ['a', 3, 'b'])).toBe(false);
    expect(matchesPath(path('$.a.*'), ['a', 'b'])).toBe(true);
    expect(matchesPath(path("$.a['*']"), ['a', '*'])).toBe(true);
    expect(matchesPath(path("$.a['*']"), ['a', 'b'])).toBe(false);
    expect(isPathPrefix(path('$.a[*].b.c'), ['a', 3, 'b'])).toBe(false);
  });

  it('tells a property named * from a wildcard', () => {
    const body = { '*': 1, other: 2 };
    expect(valuesAlong(body, path("$['*']"))).toEqual([1]);
    expect(valuesAlong(body, path('$.*'))).toEqual([1, 2]);
  });

  it('weighs more the longer and the more exact it is', () => {
    const ordered = ['$.*', '$.a', '$.a[*].b', '$.a[0].b'];
    const weights = ordered.map((text) => pathWeight(path(text)));
    expect(weights.toSorted((left, right) => left - right)).toEqual(weights);
    expect(new Set(weights).size).toBe(ordered.length);
  });
});
