/** Unspecified points are never among the mistakes that a contract refuses. */

import { describe, expect, test } from 'vitest';
import type { Call } from '../../../../../contracts/verify/evidence/call.ts';
import { isLeftOpen, isPredictable, isStated } from '../../../../../contracts/verify/evidence/open-places.ts';
import { isRefused, refusedTexts } from '../../../../../contracts/verify/rules/examinations/invalid-parameter-texts.ts';
import type { InvalidClass } from '../../../../../core/annotations/annotations.ts';
import { questionsBelow } from '../../../../../core/annotations/open-questions.ts';
import { contractOf, listIn, operationIn } from '../../../../helpers/engine.ts';

const business = await contractOf('business');
const wiki = await contractOf('wiki');
const library = await contractOf('library');
const parcels = await contractOf('parcels');
const orders = listIn(business, 'listOrders');
const reservations = listIn(business, 'listReservations');
const entries = listIn(wiki, 'listEntries');

const classes: readonly InvalidClass[] = [
  'malformed',
  'out-of-range',
  'unknown-value',
  'broken-rule',
  'damaged-cursor',
  'sloppy',
  'undeclared',
];

describe('questions', () => {
  test.each([
    [business, ['malformed', 'out-of-range', 'unknown-value', 'broken-rule', 'damaged-cursor']],
    [wiki, ['broken-rule', 'damaged-cursor']],
    [library, classes],
  ] as const)('which kinds of mistake are answered as is stated: $name', (contract, stated) => {
    expect(classes.filter((each) => isStated(contract, each))).toEqual(stated);
  });

  test('are found at a place and below it, and not beside it', () => {
    expect(
      questionsBelow(business, '/x-invalid')
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['sloppy-values', 'undeclared-parameters']);
    expect(questionsBelow(business, '/x-inval')).toEqual([]);
    expect(questionsBelow(wiki, '/x-invalid/malformed').map(({ id }) => id)).toEqual(['bad-parameters']);
    expect(questionsBelow(business, '/x-invalid/malformed/deeper')).toEqual([]);
  });

  test('of an operation are its own', () => {
    expect([
      isLeftOpen(business, orders, 'x-collection/order'),
      isLeftOpen(business, operationIn(business, 'getOrder'), 'x-resource/at'),
    ]).toEqual([true, true]);
    expect([
      isLeftOpen(wiki, entries, 'x-collection/page/counts'),
      isLeftOpen(wiki, operationIn(wiki, 'getEntry'), 'x-resource/at'),
    ]).toEqual([true, false]);
    expect([
      isLeftOpen(library, operationIn(library, 'readBook'), 'x-resource/at'),
      isLeftOpen(library, listIn(library, 'findBooks'), 'x-collection/order'),
    ]).toEqual([true, false]);
  });

  test('make a filter unpredictable', () => {
    expect([...orders.collection.filters.keys()].every((name) => isPredictable(business, orders, name))).toBe(true);
    expect([isPredictable(wiki, entries, 'type'), isPredictable(wiki, entries, 'q')]).toEqual([true, false]);
  });
});

describe('mistakes', () => {
  const refused = (contract: typeof business, call: Call): boolean => isRefused(contract, call);

  test.each<[string, Call, boolean]>([
    ['a limit that is no number', { operation: orders, raw: ['limit=abc'] }, true],
    ['a limit that is too high', { operation: orders, values: { limit: 101 } }, true],
    ['an unknown status', { operation: orders, raw: ['status=eaten'] }, true],
    ['an impossible date', { operation: reservations, raw: ['date_from=2026-02-30'] }, true],
    ['an inverted range', { operation: reservations, values: { date_from: '2026-02-02', date_to: '2026-02-01' } }, true],
    ['both identities', { operation: operationIn(business, 'getOrder'), values: { id: 1, code: 'A' } }, true],
    ['no identity', { operation: operationIn(business, 'getReservation') }, true],
    ['a sloppy number', { operation: orders, raw: ['limit=007'] }, false],
    ['an unknown parameter', { operation: orders, raw: ['colour=red'] }, false],
    ['a moment without an offset', { operation: orders, raw: ['updated_after=2026-01-01T10:00:00'] }, false],
    ['nothing wrong', { operation: orders, values: { limit: 100, status: ['ready'] } }, false],
  ])('of the business API: %s', (_, call, expected) => expect(refused(business, call)).toBe(expected));

  test('of an API whose refusals are open: none', () => {
    for (const raw of ['limit=abc', 'page=0', 'type=fish', 'colour=red'])
      expect(refused(wiki, { operation: entries, raw: [raw] })).toBe(false);
  });

  test('answered by something else than a refusal are none', () => {
    const list = listIn(parcels, 'listParcels');
    expect(refused(parcels, { operation: list, raw: ['page=0'] })).toBe(false);
    expect(refused(parcels, { operation: list, raw: ['state=eaten'] })).toBe(false);
    expect(refused(parcels, { operation: list, raw: ['page=abc'] })).toBe(true);
    expect(refused(library, { operation: listIn(library, 'findBooks'), raw: ['size=11'] })).toBe(false);
  });

  test('in the path are seen, whether they are values or written by hand', () => {
    const operation = operationIn(library, 'readBook');
    expect(refused(library, { operation, values: { number: 7 } })).toBe(false);
    expect(refused(library, { operation, values: { number: 0 } })).toBe(true);
    expect(refused(library, { operation, segments: { number: 'seven' } })).toBe(true);
  });

  test('are attempts when they are of the kind that is asked for, each named by what is sent', () => {
    const texts = ['0', '101', '50', 'abc', '007', 'a&b=c'];
    const attempts = (mistake: InvalidClass): readonly string[] =>
      refusedTexts(business, orders, 'limit', [mistake], texts).map(({ what }) => what);
    expect([attempts('out-of-range'), attempts('malformed')]).toEqual([
      ['limit=0', 'limit=101'],
      ['limit=abc', 'limit=a&b=c'],
    ]);
    expect(refusedTexts(business, orders, 'limit', ['malformed'], ['a&b=c'])[0]?.call.raw).toEqual(['limit=a%26b%3Dc']);
    expect(refusedTexts(wiki, entries, 'limit', ['malformed'], texts)).toEqual([]);
  });
});
