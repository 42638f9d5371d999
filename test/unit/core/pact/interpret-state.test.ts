/** Foreign provider states: a meaning of the configuration wins, plain wordings are guessed, and each state is listed once. */

import { describe, expect, it } from 'vitest';
import { interpretState, listUnrecognisedStates, type StateMeaning } from '../../../../core/pact/interpret-state.ts';
import type { Interaction } from '../../../../core/pact/pact.ts';
import type { StateCondition } from '../../../../core/pact/state-condition.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';

const business = await openContract(contractFile('business'));
const wiki = await openContract(contractFile('wiki'));
const guessing = { meanings: {}, canGuess: true };

const absent = (field: string, value: string | number): StateCondition => ({ kind: 'no-record', collection: 'orders', field, value });
const present = (where: Readonly<Record<string, string | number>>): StateCondition => ({ kind: 'record', collection: 'orders', where });

describe('the guess of a foreign state', () => {
  it.each<readonly [string, StateCondition | undefined]>([
    ['order 999999 does not exist', absent('/id', 999999)],
    ['An order with id 999999 does not exist.', absent('/id', 999999)],
    ["the order #7 doesn't exist", absent('/id', 7)],
    ['the order with code X-1 does not exist', absent('/code', 'X-1')],
    ['there is no order with id 5', absent('/id', 5)],
    ['no order with id 5 exists', absent('/id', 5)],
    ['order 42 exists', present({ '/id': 42 })],
    ['there is an order with status ready', present({ '/status': 'ready' })],
    ['there are orders', present({})],
    ['there are more than 3 orders', { kind: 'records', collection: 'orders', where: {}, more: 3, limit: undefined }],
    ['the menu does not exist', { kind: 'no-resource', resource: 'menu' }],
    ['there is a menu', { kind: 'resource', resource: 'menu' }],
    ['no api key', { kind: 'key', key: 'missing' }],
    ['the API key is not valid', { kind: 'key', key: 'unknown' }],
    ['the rate limit is exceeded', { kind: 'throttled' }],
    ['the service is down', { kind: 'unavailable', code: undefined }],
    ['dragon 5 does not exist', undefined],
    ['orders do not exist', undefined],
    ['the happy order exists', undefined],
    ['somebody is logged in', undefined],
  ])('%s', (name, expected) => {
    expect(interpretState(business, { name, params: {} }, guessing)).toEqual(expected);
    expect(interpretState(business, { name, params: {} }, { ...guessing, canGuess: false })).toBeUndefined();
  });

  it('takes the identity of the collection, and the type of a value from the parameters', () => {
    const [{ key = '' } = {}] = wiki.collections.filter(({ name }) => name === 'entries');
    const condition = interpretState(wiki, { name: 'entry dragon-2 does not exist', params: {} }, guessing);
    expect(condition).toEqual({ kind: 'no-record', collection: 'entries', field: key, value: 'dragon-2' });
    expect(interpretState(business, { name: 'order 5 does not exist', params: { id: 5 } }, guessing)).toEqual(absent('/id', 5));
  });
});

describe('the meaning of a foreign state', () => {
  const read = (meaning: StateMeaning, name = 'the moon is full'): StateCondition | undefined =>
    interpretState(business, { name, params: {} }, { meanings: { 'The moon  is full.': meaning }, canGuess: false });

  it.each<readonly [StateMeaning, StateCondition]>([
    [{ absent: 'orders', id: 999_999 }, absent('/id', 999_999)],
    [{ exists: 'order', status: 'ready', 'service.table': 4 }, present({ '/status': 'ready', '/service/table': 4 })],
    [{ exists: 'menu' }, { kind: 'resource', resource: 'menu' }],
    [{ absent: 'menu' }, { kind: 'no-resource', resource: 'menu' }],
    ['the key has expired', { kind: 'key', key: 'expired' }],
  ])('%j', (meaning, expected) => {
    expect(read(meaning)).toEqual(expected);
  });

  it('wins over a known form', () => {
    const meanings = { 'an order exists': { absent: 'menu' } };
    const condition = interpretState(business, { name: 'an order exists', params: {} }, { meanings, canGuess: true });
    expect(condition).toEqual({ kind: 'no-resource', resource: 'menu' });
  });

  it.each<StateMeaning>(['dragons fly', { absent: 'dragons', id: 1 }, { absent: 'orders' }, { absent: 'orders', id: 1, code: 'x' }])(
    'is refused if the contract does not know it: %j',
    (meaning) => {
      const uses = [{ contract: business, interaction: needing('the moon is full') }];
      const list = (): unknown => listUnrecognisedStates(uses, { meanings: { 'the moon is full': meaning }, canGuess: true });
      expect(list).toThrow(/^the state "the moon is full" has the meaning .*, which \S+ does not know; .*nouns orders, /);
    },
  );
});

function needing(...names: readonly string[]): Interaction {
  const matching = { headers: new Map(), body: [], status: undefined };
  return {
    description: 'a request',
    states: names.map((name) => ({ name, params: {} })),
    isPending: false,
    request: { method: 'GET', path: '/', query: new Map(), headers: new Map(), body: undefined, generators: {} },
    response: { status: 200, headers: new Map(), body: undefined, contentType: undefined, matching },
    pointer: '/interactions/0',
    place: { file: 'pact.json', line: names.length, column: 1 },
  };
}

it('lists each guessed or unknown state once', () => {
  const named = ['order 5 does not exist', 'the moon is full', 'an order exists', 'it rains'];
  const uses = [needing(...named), needing('the moon is full')].map((interaction) => ({ contract: business, interaction }));
  const meanings = { 'it rains': { exists: 'menu' } };
  const place = { file: 'pact.json', line: 4, column: 1 };
  expect(listUnrecognisedStates(uses, { meanings, canGuess: true })).toEqual([
    { name: 'order 5 does not exist', guess: 'no order has id 5', interactions: 1, place },
    { name: 'the moon is full', guess: undefined, interactions: 2, place },
  ]);
  expect(listUnrecognisedStates(uses, { meanings, canGuess: false })).toEqual([]);
});
