import { expect, it } from 'vitest';
import { lazy, memoize } from '../../../core/memo.ts';

it('computes each result once until the limit is reached', () => {
  const made: string[] = [];
  const make = memoize((key: string) => {
    made.push(key);
    return key === 'none' ? undefined : key;
  }, 2);
  for (const key of ['a', 'none', 'a', 'none', 'b', 'b', 'a', 'none']) expect(make(key)).toBe(key === 'none' ? undefined : key);
  expect(made).toEqual(['a', 'none', 'b', 'a', 'none']);
});

it.each(['value', undefined])('computes the lazy value %s on the first call only', (result) => {
  let calls = 0;
  const value = lazy(() => {
    calls += 1;
    return result;
  });
  expect([calls, value(), value(), calls]).toEqual([0, result, result, 1]);
});
