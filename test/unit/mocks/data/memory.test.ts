/** Things that are made once, for as long as they are asked for. */

import { expect, it } from 'vitest';
import { remember } from '../../../../mocks/data/period.ts';

it('keeps the things that were asked for last', () => {
  const made: string[] = [];
  const make = remember((key) => {
    made.push(key);
    return key;
  }, 2);
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) expect(make(key)).toBe(key);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});
