/** A request target is split into path and query (RFC 9112) and routed to its operation; a status finds its documented response. */

import { beforeAll, describe, expect, it } from 'vitest';
import { headerOf, splitTarget } from '../../../../core/http/exchange.ts';
import type { Contract } from '../../../../core/openapi/contract.ts';
import { type Operation, responseFor, statusOf } from '../../../../core/openapi/operation.ts';
import { routeTo } from '../../../../core/openapi/route-request.ts';
import { contractText, loadText } from '../../../helpers/contracts/contract-text.ts';

it('a header field is found in any case, is one list when it was sent twice, and is not absent when it is empty', () => {
  const headers = { etag: '"a"', vary: ['Accept', 'Origin'], empty: '' };
  const found = ['ETag', 'etag', 'ETAG', 'Vary', 'Empty', 'Age'].map((name) => headerOf(headers, name));
  expect(found).toEqual(['"a"', '"a"', '"a"', 'Accept, Origin', '', undefined]);
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

const operation = (id: string, ...names: readonly string[]): string => {
  const parameters = names.map((name) => `{ name: ${name}, in: path, required: true, schema: { type: string } }`);
  return `{ operationId: ${id}, parameters: [${parameters.join(', ')}], responses: {} }`;
};
const thing = (id: string): string => operation(id, 'id');
const text = contractText(`paths:
  /things: { get: ${operation('listThings')}, post: ${operation('addThing')} }
  /things/{id}: { get: ${thing('getThing')}, delete: ${thing('dropThing')}, head: ${thing('headThing')} }
  /things/mine: { get: ${operation('getMine')} }
  /things/{id}/parts/{part}: { get: ${operation('getPart', 'id', 'part')} }
  /files/{name}.{ending}: { get: ${operation('getFile', 'name', 'ending')} }
  /a.php: { get: ${operation('getPhp')} }
  /é: { get: ${operation('getAccent')} }
  /c d: { get: ${operation('getSpace')} }
`);

let contract: Contract;
beforeAll(async () => {
  contract = await loadText(text);
});

function route(method: string, target: string): string {
  const found = routeTo(contract.operations, method, target);
  if (found.kind === 'no-path') return 'no path';
  if (found.kind === 'method-not-allowed') return `not allowed, but ${found.allowed.join()}`;
  return `${found.operation.id} ${JSON.stringify(Object.fromEntries(found.segments))}`;
}

describe('the route of a request', () => {
  it.each([
    ['GET', '/things', 'listThings {}'],
    ['GET', '/things?limit=1', 'listThings {}'],
    ['GET', 'http://127.0.0.1:4010/things?limit=1', 'listThings {}'],
    ['POST', '/things', 'addThing {}'],
    ['GET', '/things/5', 'getThing {"id":"5"}'],
    ['DELETE', '/things/5', 'dropThing {"id":"5"}'],
    ['GET', '/things/a%2Fb', 'getThing {"id":"a%2Fb"}'],
    ['GET', '/things/%zz', 'getThing {"id":"%zz"}'],
    ['GET', '/things/5/parts/6', 'getPart {"id":"5","part":"6"}'],
    ['GET', '/files/a.tar.gz', 'getFile {"name":"a","ending":"tar.gz"}'],
    ['GET', '/%C3%A9', 'getAccent {}'],
    ['GET', '/%74hings', 'listThings {}'],
    ['GET', '/c%20d', 'getSpace {}'],
    ['GET', '/c+d', 'no path'],
    ['GET', '/things/mine', 'getMine {}'],
    ['DELETE', '/things/mine', 'not allowed, but GET'],
    ['HEAD', '/things', 'listThings {}'],
    ['HEAD', '/things/5', 'headThing {"id":"5"}'],
    ['PUT', '/things', 'not allowed, but GET,POST'],
    ['get', '/things', 'not allowed, but GET,POST'],
  ])('%s %s leads to %s', (method, target, expected) => {
    expect(route(method, target)).toBe(expected);
  });

  it.each(['/', '/thing', '/things/', '/things/5/', '/things//parts/6', '/THINGS', '/aXphp', '/files/a', '/things/5/parts', '//things'])(
    'to %s has no path',
    (target) => {
      expect(route('GET', target)).toBe('no path');
    },
  );
});

describe('an answer', () => {
  const documented = contractText(`paths:
  /a: { get: { responses: { '200': { description: a }, 4XX: { description: b }, '404': { description: c }, default: { description: d } } } }
  /b: { get: { responses: { '200': { description: a }, '400': { description: b } } } }
  /c: { get: { responses: { '200': { description: a }, '422': { description: b } } } }
`);

  it('is documented by its status, else by its range, else by default; an invalid request has the status that is documented', async () => {
    const operations = (await loadText(documented)).operations;
    const [first, withBadRequest, withUnprocessable] = operations as [Operation, Operation, Operation];
    const statuses = [200, 404, 400, 499, 500, 304].map((status) => responseFor(first, status)?.status);
    expect(statuses).toEqual(['200', '404', '4XX', '4XX', 'default', 'default']);
    expect(responseFor(withBadRequest, 404)).toBeUndefined();
    const conditions = ['unauthenticated', 'throttled', 'forbidden', 'unavailable', 'absent', 'unchanged'] as const;
    expect(conditions.map((condition) => statusOf(withBadRequest, condition))).toEqual([401, 429, 403, 503, 404, 304]);
    expect([statusOf(withBadRequest, 'invalid'), statusOf(withUnprocessable, 'invalid')]).toEqual([400, 422]);
  });
});
