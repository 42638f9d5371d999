/** A request finds its operation by path and method, and an answer its documentation by status. */

import { beforeAll, describe, expect, it } from 'vitest';
import type { Contract } from '../../../core/contract.ts';
import { responseFor, routeTo, statusOf } from '../../../core/operation.ts';
import { contractText, loadText } from '../../helpers/contract-text.ts';

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

describe('a request', () => {
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
  ])('%s %s leads to %s', (method, target, expected) => {
    expect(route(method, target)).toBe(expected);
  });

  it('prefers a literal path to a template, whatever stands first in the file', () => {
    expect(route('GET', '/things/mine')).toBe('getMine {}');
    expect(route('DELETE', '/things/mine')).toBe('not allowed, but GET');
  });

  it('by HEAD is one by GET, unless HEAD has an operation of its own', () => {
    expect(route('HEAD', '/things')).toBe('listThings {}');
    expect(route('HEAD', '/things/5')).toBe('headThing {"id":"5"}');
  });

  it('by another method is told which are allowed', () => {
    expect(route('PUT', '/things')).toBe('not allowed, but GET,POST');
    expect(route('get', '/things')).toBe('not allowed, but GET,POST');
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

  it('is documented by its status, else by its range, else by default', async () => {
    const [first, second] = (await loadText(documented)).operations;
    if (first === undefined || second === undefined) throw new Error('two operations were written');
    expect([200, 404, 400, 499, 500, 304].map((status) => responseFor(first, status)?.status)).toEqual([
      '200',
      '404',
      '4XX',
      '4XX',
      'default',
      'default',
    ]);
    expect(responseFor(second, 404)).toBeUndefined();
  });

  it('shows a condition by its status, and an invalid request by the one that is documented', async () => {
    const [, withBadRequest, withUnprocessable] = (await loadText(documented)).operations;
    if (withBadRequest === undefined || withUnprocessable === undefined) throw new Error('three operations were written');
    const conditions = ['unauthenticated', 'throttled', 'forbidden', 'unavailable', 'absent', 'unchanged'] as const;
    expect(conditions.map((condition) => statusOf(withBadRequest, condition))).toEqual([401, 429, 403, 503, 404, 304]);
    expect([statusOf(withBadRequest, 'invalid'), statusOf(withUnprocessable, 'invalid')]).toEqual([400, 422]);
  });
});
