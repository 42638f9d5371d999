/** `memoizeByKey`: values are made once, and the least recently used is dropped. */

import { expect, it } from 'vitest';
import { memoizeByKey } from '../../../../mocks/data/period.ts';

it('keeps the most recently used values', () => {
  const made: string[] = [];
  const make = memoizeByKey((key) => {
    made.push(key);
    return key;
  }, 2);
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) expect(make(key)).toBe(key);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});
