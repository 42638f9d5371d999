/** The documented media type that applies to a field. */

import { expect, it } from 'vitest';
import { documentedTypeOf } from '../../../../core/http/media-type.ts';

const types = ['*/*', 'application/*', 'application/json'];

it.each([
  ['application/json; charset=utf-8', 'application/json'],
  ['Application/JSON', 'application/json'],
  ['application/xml', 'application/*'],
  ['text/plain', '*/*'],
])('%s: the most specific documented type applies, in any order', (field, expected) => {
  expect([documentedTypeOf(types, field), documentedTypeOf(types.toReversed(), field)]).toEqual([expected, expected]);
});

it('finds no type for a field that none includes', () => {
  expect(documentedTypeOf(['application/json', 'text/*'], 'image/png')).toBeUndefined();
});

it.each([
  ['application/json; version=2', 'application/json;version=2'],
  ['application/json; Version="2"; charset=utf-8', 'application/json;version=2'],
  ['application/json', 'application/json'],
  ['application/json; version=3', 'application/json'],
])('%s: a parameter chooses the representation', (field, expected) => {
  const versions = ['application/json;version=2', 'application/json', 'application/*'];
  expect([documentedTypeOf(versions, field), documentedTypeOf(versions.toReversed(), field)]).toEqual([expected, expected]);
});

it('finds no type for another value of a documented parameter, except a charset', () => {
  expect(documentedTypeOf(['application/json;profile=long'], 'application/json;profile=short')).toBeUndefined();
  expect(documentedTypeOf(['application/json;profile=long'], 'application/json')).toBeDefined();
  expect(documentedTypeOf(['text/csv; charset=utf-8'], 'text/csv; charset=latin1')).toBeDefined();
});
