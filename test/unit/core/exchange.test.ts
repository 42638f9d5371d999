/** Headers are found whatever the case of their name, and a request target falls into its path and its query (RFC 9110, RFC 9112). */

import { describe, expect, it } from 'vitest';
import { headerOf, splitTarget } from '../../../core/exchange.ts';

describe('a header field', () => {
  const headers = { etag: '"a"', vary: ['Accept', 'Origin'], empty: '' };

  it('is found by its name in any case', () => {
    expect([headerOf(headers, 'ETag'), headerOf(headers, 'etag'), headerOf(headers, 'ETAG')]).toEqual(['"a"', '"a"', '"a"']);
  });

  it('that was sent more than once is one list', () => {
    expect(headerOf(headers, 'Vary')).toBe('Accept, Origin');
  });

  it('that is empty is not absent', () => {
    expect(headerOf(headers, 'Empty')).toBe('');
    expect(headerOf(headers, 'Age')).toBeUndefined();
  });
});

describe('a request target', () => {
  it.each([
    ['/a/b?c=d', '/a/b', 'c=d'],
    ['/a', '/a', ''],
    ['/a?', '/a', ''],
    ['/a?b?c', '/a', 'b?c'],
    ['/', '/', ''],
    ['', '/', ''],
    ['?a=1', '/', 'a=1'],
    ['/a%3Fb?c', '/a%3Fb', 'c'],
    ['http://127.0.0.1:4010/a/b?c', '/a/b', 'c'],
    ['https://example.org', '/', ''],
    ['https://example.org?c=d', '/', 'c=d'],
    ['/a?next=http://b.example/c', '/a', 'next=http://b.example/c'],
    ['/a?b#c', '/a', 'b'],
    ['/a#b?c', '/a', ''],
    ['//a/b', '//a/b', ''],
    ['*', '*', ''],
  ])('%s has the path %s and the query %s', (target, path, query) => {
    expect(splitTarget(target)).toEqual({ path, query });
  });
});
