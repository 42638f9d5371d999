/** Provider states of all known forms are parsed; a written condition is parsed back to the same condition. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nounsOf, parseProviderState, type StateCondition, toProviderState } from '../../../../core/pact/state-condition.ts';
import { fillExpression, scalarFields } from '../../../../core/pact/state-generators.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';

const business = await openContract(contractFile('business'));
const wiki = await openContract(contractFile('wiki'));

/** The expression that stands for a value of the state. */
const given = (name: string): string => `\${${name}}`;

const record = (where: Readonly<Record<string, string | number | null>> = {}): StateCondition => ({
  kind: 'record',
  collection: 'orders',
  where,
});
const records = (more: number, limit?: number, collection = 'orders', where = {}): StateCondition => ({
  kind: 'records',
  collection,
  where,
  more,
  limit,
});

describe('a provider state', () => {
  it.each<readonly [string, Record<string, never> | object, StateCondition | undefined]>([
    ['an order exists', {}, record()],
    ['An  order exists.', {}, record()],
    ['orders exist', {}, record()],
    ['an order with status ready exists', {}, record({ '/status': 'ready' })],
    ['an order with status ready and channel web exists', {}, record({ '/channel': 'web', '/status': 'ready' })],
    ['an order with customer.name "Salt and Pepper" exists', {}, record({ '/customer/name': 'Salt and Pepper' })],
    ['an order exists', { where: { status: 'ready', '/service/table': null } }, record({ '/service/table': null, '/status': 'ready' })],
    ['an order with status ready exists', { where: { status: 'pending' } }, record({ '/status': 'pending' })],
    ['more than 3 orders exist', {}, records(3)],
    ['more than 1 order exist', { count: 5, limit: 2 }, records(5, 2)],
    ['more than 2 reservations with status pending exist', {}, records(2, undefined, 'reservations', { '/status': 'pending' })],
    ['no order has id 999999999', {}, { kind: 'no-record', collection: 'orders', field: '/id', value: 999_999_999 }],
    ['no order has id 5', { code: 'x', id: 7 }, { kind: 'no-record', collection: 'orders', field: '/id', value: 7 }],
    ['no order has this code', {}, { kind: 'no-record', collection: 'orders', field: '/code', value: undefined }],
    ['a menu exists', {}, { kind: 'resource', resource: 'menu' }],
    ['the menu is published', {}, { kind: 'resource', resource: 'menu' }],
    ['no menu exists', {}, { kind: 'no-resource', resource: 'menu' }],
    ['the key is missing', {}, { kind: 'key', key: 'missing' }],
    ['the key is unknown', {}, { kind: 'key', key: 'unknown' }],
    ['the key has expired', {}, { kind: 'key', key: 'expired' }],
    ['the key lacks the scope orders.read', {}, { kind: 'no-scope', scope: 'orders.read' }],
    ['the service allows no more requests', {}, { kind: 'throttled' }],
    ['the service is not ready', { code: 'ORDERS_NOT_READY' }, { kind: 'unavailable', code: 'ORDERS_NOT_READY' }],
    ['a dragon exists', {}, undefined],
    ['an order with status exists', {}, undefined],
    ['the key lacks the scope dragons', {}, undefined],
    ['no order exists', {}, undefined],
    ['more than 3 menus exist', {}, undefined],
    ['somebody is logged in', {}, undefined],
  ])('%s %j', (name, params, expected) => {
    expect(parseProviderState(business, { name, params: params as Record<string, never> })).toEqual(expected);
  });

  it('names collections of any contract, in both numbers', () => {
    expect(parseProviderState(wiki, { name: 'an entry with type creature exists', params: {} })).toEqual({
      kind: 'record',
      collection: 'entries',
      where: { '/type': 'creature' },
    });
    const nouns = { entries: 'entry', boxes: 'box', classes: 'class', things: 'thing', menu: 'menu', series: 'sery' };
    for (const [noun, singular] of Object.entries(nouns)) expect(nounsOf(noun).singular).toBe(singular);
  });

  it('is read again as the fact that it says', () => {
    const collection = fc.constantFrom('orders', 'reservations');
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    const pointer = fc
      .array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 })
      .map((keys) => `/${keys.map((key) => key.replaceAll(/[~/]/g, '')).join('/')}`);
    const where = fc
      .uniqueArray(fc.tuple(pointer, value), { selector: ([key]) => key, maxLength: 3 })
      .map((pairs) => Object.fromEntries(pairs.toSorted(([left], [right]) => (left < right ? -1 : 1))));
    const limit = fc.option(fc.nat(), { nil: undefined });
    const field = fc.constantFrom('/id', '/code', '/customer/id');
    const missing = fc.oneof(fc.string(), fc.integer(), fc.constant(undefined));
    const kind = <Kind extends StateCondition['kind']>(...kinds: readonly Kind[]): fc.Arbitrary<Kind> => fc.constantFrom(...kinds);
    const facts: fc.Arbitrary<StateCondition> = fc.oneof(
      fc.record({ kind: kind('record'), collection, where }),
      fc.record({ kind: kind('records'), collection, where, more: fc.nat(), limit }),
      fc.record({ kind: kind('no-record'), collection, field, value: missing }),
      fc.record({ kind: kind('resource', 'no-resource'), resource: fc.constant('menu') }),
      fc.record({ kind: kind('key'), key: fc.constantFrom('missing' as const, 'unknown' as const, 'expired' as const) }),
      fc.record({ kind: kind('unavailable'), code: fc.option(fc.string(), { nil: undefined }) }),
    );
    fc.assert(
      fc.property(facts, (fact) => {
        expect(parseProviderState(business, toProviderState(fact))).toEqual(fact);
      }),
      { seed: 7, numRuns: 100, examples: [[record({ '/customer/first name': 'x' })], [record({ '/a': '5', '/b': null, '/c': 'true' })]] },
    );
  });
});

describe('what a fact gives', () => {
  it('is every scalar field, by its path, and by its last name where that is the only one', () => {
    const fields = scalarFields({ id: 1, name: null, owner: { id: 2, phone: 'p' }, list: [1], deep: { er: { flag: true } } });
    const expected = { phone: 'p', flag: true, id: 1, 'owner.id': 2, 'owner.phone': 'p', 'deep.er.flag': true };
    expect([...fields]).toEqual(Object.entries(expected));
  });

  it('fills expressions, and tells what nothing fills', () => {
    const values = new Map<string, string | number>(Object.entries({ slug: 'a b', id: 3 }));
    expect(fillExpression(`/x/${given('slug')}?${given('id')}`, values, encodeURIComponent)).toEqual({ text: '/x/a%20b?3', missing: [] });
    expect(fillExpression(given('nothing'), values)).toEqual({ text: given('nothing'), missing: ['nothing'] });
  });
});
