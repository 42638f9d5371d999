import { expect, it } from 'vitest';
import { lazy, memoize } from '../../../core/memo.ts';

it('computes each result once until the limit is reached', () => {
  const made: string[] = [];
  const make = memoize((key: string) => {
    made.push(key);
    return key === 'none' ? undefined : key;
  }, 2);
  for (const key of ['a', 'none', 'b', 'a', 'none', 'b', 'c', 'c', 'a']) expect(make(key)).toBe(key === 'none' ? undefined : key);
  expect(made).toEqual(['a', 'none', 'b', 'none', 'c', 'a']);
});

it('computes a lazy value on the first call only', () => {
  let calls = 0;
  const value = lazy(() => {
    calls += 1;
    return 'value';
  });
  expect([calls, value(), value(), calls]).toEqual([0, 'value', 'value', 1]);
});
