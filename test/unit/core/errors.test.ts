/** Errors point at the place of a mistake, and advice names the word that was most likely meant. */

import { describe, expect, it } from 'vitest';
import { nearest, printPlace, SpecError, UsageError } from '../../../core/errors.ts';

const place = { file: 'specs/notes.yaml', line: 12, column: 3 };

describe('a mistake in a file', () => {
  it('begins with its place as editors link it', () => {
    expect(printPlace(place)).toBe('specs/notes.yaml:12:3');
    expect(new SpecError(place, 'this is wrong').message).toBe('specs/notes.yaml:12:3: this is wrong');
  });

  it('keeps its place, its name and its cause', () => {
    const cause = new Error('deeper');
    const error = new SpecError(place, 'this is wrong', { cause });
    expect([error.place, error.name, error.cause]).toEqual([place, 'SpecError', cause]);
    expect(error).toBeInstanceOf(Error);
  });

  it('is no usage error', () => {
    expect(new SpecError(place, 'x')).not.toBeInstanceOf(UsageError);
    expect(new UsageError('x').name).toBe('UsageError');
  });
});

describe('the word that was meant', () => {
  const words = ['limit', 'cursor', 'updated_after', 'status'];

  it.each([
    ['limt', 'limit'],
    ['limits', 'limit'],
    ['LIMIT', 'limit'],
    ['lmiit', 'limit'],
    ['curser', 'cursor'],
    ['updated_affter', 'updated_after'],
    ['statu', 'status'],
    ['status', 'status'],
  ])('for %s is %s', (word, meant) => {
    expect(nearest(word, words)).toBe(meant);
  });

  it('is the nearest of several that are near', () => {
    expect(nearest('stats', ['state', 'stats_', 'status'])).toBe('state');
    expect(nearest('stats', ['staat', 'stat', 'statss'])).toBe('stat');
    expect(nearest('status', ['statuses', 'statu'])).toBe('statu');
  });

  it('is unknown when none is near', () => {
    expect(nearest('channel', words)).toBeUndefined();
    expect(nearest('limit', [])).toBeUndefined();
  });

  it('allows more slips in longer words', () => {
    expect(nearest('x-parametr-ruels', ['x-parameter-rules'])).toBe('x-parameter-rules');
    expect([nearest('abcd', ['abcx']), nearest('abcd', ['abxy'])]).toEqual(['abcx', undefined]);
    expect([nearest('limit', ['limxy']), nearest('limit', ['lixyz'])]).toEqual(['limxy', undefined]);
    expect([nearest('abcdefghijkl', ['abcdefghixyz']), nearest('abcdefghijkl', ['abcdefghwxyz'])]).toEqual(['abcdefghixyz', undefined]);
  });
});
