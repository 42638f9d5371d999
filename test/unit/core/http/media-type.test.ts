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
