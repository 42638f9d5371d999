/** Pact files of every version read into the same values, and each mistake is told with its line. */

import { describe, expect, it } from 'vitest';
import { SpecError } from '../../../core/errors.ts';
import type { Interaction, Pact } from '../../../core/pact.ts';
import { readPact } from '../../../core/read-pact.ts';

/** The same interaction as the three versions write it. */
const versions: Readonly<Record<string, object>> = {
  '2': {
    description: 'a thing',
    providerState: 'a thing exists',
    request: { method: 'get', path: '/things', query: 'state=open%2Cfull&q=a+b&tag=x&tag=y', headers: { 'X-Key': 'your-key' } },
    response: {
      status: 200,
      headers: { ETag: '"a"' },
      body: { things: [{ id: 1 }] },
      matchingRules: {
        '$.body.things': { min: 1 },
        '$.body.things[*].id': { match: 'integer' },
        '$.headers.ETag': { match: 'regex', regex: '^"' },
      },
    },
  },
  '3': {
    description: 'a thing',
    providerStates: [{ name: 'a thing exists' }],
    request: {
      method: 'GET',
      path: '/things',
      query: { state: ['open,full'], q: ['a b'], tag: ['x', 'y'] },
      headers: { 'X-Key': 'your-key' },
    },
    response: {
      status: 200,
      headers: { ETag: '"a"' },
      body: { things: [{ id: 1 }] },
      matchingRules: {
        body: {
          '$.things': { matchers: [{ match: 'type', min: 1 }] },
          '$.things[*].id': { combine: 'AND', matchers: [{ match: 'integer' }] },
        },
        header: { ETag: { matchers: [{ match: 'regex', regex: '^"' }] } },
      },
    },
  },
  '4': {
    type: 'Synchronous/HTTP',
    description: 'a thing',
    providerStates: [{ name: 'a thing exists' }],
    pending: false,
    request: {
      method: 'GET',
      path: '/things',
      query: { state: ['open,full'], q: ['a b'], tag: ['x', 'y'] },
      headers: { 'x-key': ['your-key'] },
    },
    response: {
      status: 200,
      headers: { ETag: ['"a"'] },
      body: { content: { things: [{ id: 1 }] }, contentType: 'application/json', encoded: false },
      matchingRules: {
        body: {
          '$.things': { combine: 'AND', matchers: [{ match: 'type', min: 1 }] },
          '$.things[*].id': { combine: 'AND', matchers: [{ match: 'integer' }] },
        },
        header: { '$.ETag[0]': { combine: 'AND', matchers: [{ match: 'regex', regex: '^"' }] } },
      },
    },
  },
};

function read(...interactions: readonly object[]): Pact {
  return readPact('a.json', JSON.stringify({ consumer: { name: 'c' }, provider: { name: 'p' }, interactions }, undefined, 2));
}

function only(interaction: object): Interaction {
  const [found] = read(interaction).interactions;
  if (found === undefined) throw new Error('there is no interaction');
  return found;
}

describe('an interaction', () => {
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
    expect(
      response.matching.body.map(({ path, rule }) => [path.text, path.steps, rule.combine, rule.matchers.map(({ match }) => match)]),
    ).toEqual([
      ['$.things', ['things'], 'AND', ['type']],
      ['$.things[*].id', ['things', '*', 'id'], 'AND', ['integer']],
    ]);
  });

  it('has states with parameters, and generators as they are written', () => {
    const generators = { query: { id: { type: 'ProviderState', expression: 'id' } } };
    const { states, request } = only({
      description: 'x',
      providerStates: [
        { name: 'a', params: { id: 5 } },
        { name: 'b', params: null },
      ],
      request: { path: '/', generators },
      response: {},
    });
    expect(states).toEqual([
      { name: 'a', params: { id: 5 } },
      { name: 'b', params: {} },
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
    expect(only({ description: 'x', request: { path: '/' }, response: { body } }).response.body).toEqual(expected);
  });

  it('of another kind is told and not read', () => {
    const pact = read(
      { type: 'Asynchronous/Messages', description: 'an event', contents: {} },
      { description: 'x', request: {}, response: {} },
    );
    expect(pact.interactions.map(({ pointer }) => pointer)).toEqual(['/interactions/1']);
    expect(pact.others).toEqual([
      { description: 'an event', type: 'Asynchronous/Messages', place: { file: 'a.json', line: 9, column: 5 } },
    ]);
  });
});

const good = { description: 'x', request: { path: '/' }, response: {} };
const mistakes: readonly (readonly [title: string, value: unknown, expected: RegExp])[] = [
  ['no consumer', { provider: { name: 'p' }, interactions: [] }, /^a\.json:1:1: a pact names its consumer/],
  ['a provider without a name', { consumer: { name: 'c' }, provider: {}, interactions: [] }, /^a\.json:5:3: a pact names its provider/],
  ['no interactions', { consumer: { name: 'c' }, provider: { name: 'p' } }, /a pact lists its interactions, and this file has none/],
  [
    'interactions that are no list',
    { consumer: { name: 'c' }, provider: { name: 'p' }, interactions: {} },
    /^a\.json:8:3: interactions must be a list/,
  ],
  ['an interaction that is none', [5], /an interaction must be an object/],
  ['no description', [{ request: {}, response: {} }], /an interaction has a description/],
  ['no request', [{ description: 'x', response: {} }], /the request of an interaction must be an object/],
  ['a status that is none', [{ ...good, response: { status: '200' } }], /the status "200" is none/],
  ['a path that is no text', [{ ...good, request: { path: 5 } }], /the path of a request must be a text/],
  ['a header that is an object', [{ ...good, request: { headers: { A: {} } } }], /the value of A must be a text or a list of texts/],
  ['states that are no list', [{ ...good, providerStates: 5 }], /providerStates must be a list/],
  ['a state without a name', [{ ...good, providerStates: [{}] }], /a provider state has a name/],
  ['params that are a list', [{ ...good, providerStates: [{ name: 'a', params: [] }] }], /params of a provider state must be an object/],
  [
    'a rule with a wrong path',
    [{ ...good, response: { matchingRules: { body: { '$.a[': { matchers: [] } } } } }],
    /\$\.a\[ is no path of a matching rule/,
  ],
  [
    'a rule about nothing',
    [{ ...good, response: { matchingRules: { '$.tail.x': { match: 'type' } } } }],
    /the rule \$\.tail\.x is about no part/,
  ],
  [
    'a matcher without a kind',
    [{ ...good, response: { matchingRules: { body: { $: { matchers: [{}] } } } } }],
    /a matcher is an object that names its kind/,
  ],
  [
    'a combination that is none',
    [{ ...good, response: { matchingRules: { body: { $: { combine: 'XOR', matchers: [] } } } } }],
    /combine: "XOR" is unknown/,
  ],
  [
    'a coding that is none',
    [{ ...good, response: { body: { content: 'x', contentType: 'text/plain', encoded: 'rot13' } } }],
    /encoded: rot13 is unknown/,
  ],
];

describe('a mistake', () => {
  it.each(mistakes)('is told with its line: %s', (_, value, expected) => {
    const pact = Array.isArray(value) ? { consumer: { name: 'c' }, provider: { name: 'p' }, interactions: value } : value;
    const attempt = (): Pact => readPact('a.json', JSON.stringify(pact, undefined, 2));
    expect(attempt).toThrow(SpecError);
    expect(attempt).toThrow(expected);
    expect(attempt).toThrow(/^a\.json:\d+:\d+: /);
  });

  it.each([
    ['a list', '[]', /^a\.json:1:1: a pact is a JSON object/],
    ['half a file', '{"consumer": {', /^a\.json:1:\d+: this is not valid JSON/],
  ])('is told of %s', (_, text, expected) => {
    expect(() => readPact('a.json', text)).toThrow(expected);
  });
});
