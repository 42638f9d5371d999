/** Patterns for names. Requests send some (`Mock-Chaos`), so they must not be slow. */

import { describe, expect, it } from 'vitest';
import { matchesPattern } from '../../../core/name-pattern.ts';

describe('a pattern', () => {
  it.each([
    ['listBooks', 'listBooks', true],
    ['listBooks', 'listBook', false],
    ['listBooks', 'listbooks', false],
    ['*', '', true],
    ['*', 'anything', true],
    ['list*', 'listBooks', true],
    ['list*', 'readList', false],
    ['*Books', 'listBooks', true],
    ['*o*s', 'listBooks', true],
    ['*o*o*', 'listBooks', true],
    ['*o*o*o*', 'listBooks', false],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['a*b*b', 'ab', false],
    ['a*b*b', 'abb', true],
    ['without:*', 'without:read', true],
    ['.*', 'listBooks', false],
    ['', 'x', false],
  ])('%s for the name %s: %s', (pattern, name, expected) => {
    expect(matchesPattern(pattern, name)).toBe(expected);
  });

  it('with many stars takes linear time', () => {
    expect(matchesPattern('*a'.repeat(30_000), `${'a'.repeat(200)}b`)).toBe(false);
  });
});
