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

  it('in the query stays there beside a body, which would become a query too', () => {
    const request = { method: 'POST', target: '/a?k=$KEY', headers: {}, body: '{}' };
    expect(printCurl('http://x', request, ['KEY'])).toBe(`curl -si -X POST --data-raw '{}' "http://x/a?k=$KEY"`);
  });
});
