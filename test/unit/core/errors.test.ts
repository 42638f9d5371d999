/** Errors name the place of a mistake, and advice names the most similar known word. */

import { describe, expect, it } from 'vitest';
import { nearest } from '../../../core/did-you-mean.ts';
import { formatLocation, SpecError, UsageError } from '../../../core/errors.ts';

const place = { file: 'specs/notes.yaml', line: 12, column: 3 };

it('a mistake in a file begins with its place as editors link it, and keeps its place, name and cause', () => {
  const cause = new Error('deeper');
  const error = new SpecError(place, 'this is wrong', { cause });
  expect(error.message).toBe('specs/notes.yaml:12:3: this is wrong');
  expect([formatLocation(place), error.place, error.name, error.cause]).toEqual(['specs/notes.yaml:12:3', place, 'SpecError', cause]);
  expect(error).not.toBeInstanceOf(UsageError);
  expect(new UsageError('x').name).toBe('UsageError');
});

describe('the word that was meant', () => {
  const words = ['limit', 'cursor', 'updated_after', 'status'];

  it.each<readonly [string, readonly string[], string | undefined]>([
    ['limt', words, 'limit'],
    ['limits', words, 'limit'],
    ['LIMIT', words, 'limit'],
    ['lmiit', words, 'limit'],
    ['curser', words, 'cursor'],
    ['updated_affter', words, 'updated_after'],
    ['status', words, 'status'],
    ['stats', ['state', 'stats_', 'status'], 'state'],
    ['stats', ['staat', 'stat', 'statss'], 'stat'],
    ['status', ['statuses', 'statu'], 'statu'],
    ['channel', words, undefined],
    ['limit', [], undefined],
    ['x-parametr-ruels', ['x-parameter-rules'], 'x-parameter-rules'],
    ['abcd', ['abcx'], 'abcx'],
    ['kye', ['key', 'only'], 'key'],
    ['abcd', ['abxy'], undefined],
    ['limit', ['limxy'], 'limxy'],
    ['limit', ['lixyz'], undefined],
    ['abcdefghijkl', ['abcdefghixyz'], 'abcdefghixyz'],
    ['abcdefghijkl', ['abcdefghwxyz'], undefined],
  ])('for %s among %j is %s: the nearest, with more slips allowed in longer words', (word, among, meant) => {
    expect(nearest(word, among)).toBe(meant);
  });
});
