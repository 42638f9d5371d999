/** Requests as curl commands: how a key stands in them, in each of its places. */

import { describe, expect, it } from 'vitest';
import { printCurl } from '../../../../core/http/print-curl.ts';

const lineOf = (target: string, headers = {}) => printCurl('http://x', { method: 'GET', target, headers }, ['KEY']);

describe('a key', () => {
  it('is expanded by the shell, and nothing else is', () => {
    expect(lineOf('/a', { 'x-key': '$KEY', 'x-a': '$HOME' })).toBe(`curl -si -H "x-key: $KEY" -H 'x-a: $HOME' 'http://x/a'`);
  });

  it('in the query is encoded by curl, with the other parameters left in place', () => {
    expect(lineOf('/a&b?q=1?2&k=$KEY')).toBe(`curl -si -G --data-urlencode "k=$KEY" 'http://x/a&b?q=1?2'`);
  });

  it('as the password of Basic is encoded by curl', () => {
    expect(lineOf('/a', { authorization: 'Basic $KEY' })).toBe(`curl -si -u ":$KEY" 'http://x/a'`);
  });

  it('in the query is encoded by curl beside a body, too', () => {
    const request = { method: 'POST', target: '/a?k=$KEY&b=1', headers: {}, body: '{}' };
    expect(printCurl('http://x', request, ['KEY'])).toBe(`curl -si -X POST --data-raw '{}' --url-query "k=$KEY" 'http://x/a?b=1'`);
  });

  it.each([
    ['$KEYabc', '"x-a: $KEY""abc"'],
    ['$KEY_1', '"x-a: $KEY""_1"'],
    ['$KEY:h', '"x-a: $KEY"":h"'],
    ['$KEY$KEY2', '"x-a: $KEY$KEY""2"'],
    ['a!b $KEY!', `"x-a: a"'!'"b $KEY"'!'""`],
  ])('keeps its variable in %s, and the history of a shell stays out', (value, expected) => {
    expect(lineOf('/a', { 'x-a': value })).toBe(`curl -si -H ${expected} 'http://x/a'`);
  });
});

describe('a method', () => {
  it.each([
    ['GET', undefined, ''],
    ['GET', '{}', `-X GET --data-raw '{}' `],
    ['HEAD', undefined, '-I '],
    ['HEAD', '{}', `-X HEAD --data-raw '{}' `],
    ['DELETE', undefined, '-X DELETE '],
  ])('%s with the body %s is the one that curl sends', (method, body, options) => {
    const request = { method, target: '/a', headers: {}, ...(body === undefined ? {} : { body }) };
    expect(printCurl('http://x', request, [])).toBe(`curl -si ${options}'http://x/a'`);
  });
});
