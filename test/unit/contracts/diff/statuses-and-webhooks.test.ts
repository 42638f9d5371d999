/** Changes of statuses and of security schemes, and what they mean where the server sends the request. */

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../core/json.ts';
import { compareDocuments, documentOf, operationOf, summaryOf } from './small-documents.ts';

const get: JsonObject = { responses: { '200': { description: 'ok' } } };

describe('what means the same in a security scheme', () => {
  const of = (requirement: readonly JsonObject[], securitySchemes: JsonObject): JsonObject =>
    operationOf({ security: requirement }, { components: { securitySchemes } });
  const key = (name: string): JsonObject => ({ type: 'apiKey', in: 'header', name });
  const scopes = { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://a.example', scopes: { r: '', w: '' } } } };

  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['the case of a header', of([{ k: [] }], { k: key('X-Key') }), of([{ k: [] }], { k: key('x-key') }), []],
    ['the name of the component', of([{ k: [] }], { k: key('X') }), of([{ l: [] }], { l: key('X') }), ['documentation component-renamed']],
    ['the order of scopes', of([{ o: ['r', 'w'] }], { o: scopes }), of([{ o: ['w', 'r'] }], { o: scopes }), []],
    ['a key that was optional', of([{}, { k: [] }], { k: key('X') }), of([{ k: [] }], { k: key('X') }), ['breaking security-tightened']],
  ])('%s', async (_, old, next, expected) => {
    expect(summaryOf(await compareDocuments(old, next))).toEqual(expected);
  });
});

describe('a status', () => {
  test.each([
    ['becomes a range', '200', '2XX', 'risky success-status-changed'],
    ['takes the place of a range', '2XX', '200', 'compatible success-status-changed'],
    ['of an error becomes a range', '404', '4XX', 'compatible error-status-changed'],
    ['of an error becomes the default', '404', 'default', 'compatible error-status-changed'],
    ['of an error is another one', '404', '410', 'risky error-status-changed'],
    ['is another one', '200', '201', 'breaking success-status-changed'],
  ])('%s', async (_, from, to, expected) => {
    const of = (status: string): JsonObject =>
      operationOf({ responses: { '302': { description: 'moved' }, [status]: { description: 'ok' } } });
    expect(summaryOf(await compareDocuments(of(from), of(to)))).toEqual([expected]);
  });

  test('of a range keeps its schema', async () => {
    const of = (status: string, type: string): JsonObject =>
      operationOf({ responses: { [status]: { description: 'ok', content: { 'application/json': { schema: { type } } } } } });
    expect(summaryOf(await compareDocuments(of('2XX', 'string'), of('200', 'integer')))).toEqual([
      'breaking type-changed',
      'compatible success-status-changed',
    ]);
  });
});

describe('webhooks and callbacks', () => {
  const schema = (least: number): JsonObject => ({ type: 'integer', minimum: least });
  const body = (value: JsonObject): JsonObject => ({ requestBody: { required: true, content: { 'application/json': { schema: value } } } });
  const hook = (least: number): JsonObject => documentOf({}, { webhooks: { summaryOf: { post: { ...get, ...body(schema(least)) } } } });
  const callback = (least: number): JsonObject =>
    operationOf({ callbacks: { done: { '{$request.query.url}': { post: { ...get, ...body(schema(least)) } } } } });

  test.each([
    ['a webhook that sends less', hook(1), hook(2), 'compatible minimum-increased'],
    ['a webhook that sends more', hook(2), hook(1), 'breaking minimum-decreased'],
    ['a callback that sends less', callback(1), callback(2), 'compatible minimum-increased'],
    ['a callback that sends more', callback(2), callback(1), 'breaking minimum-decreased'],
  ])('%s', async (_, old, next, expected) => {
    const comparison = await compareDocuments(old, next);
    expect(summaryOf(comparison)).toEqual([expected]);
    expect(comparison.changes[0]).toMatchObject({ direction: 'response' });
  });

  const signed = (required: boolean): JsonObject => ({ name: 'X-Sig', in: 'header', required, schema: { type: 'string' } });
  const replied = (headers: JsonObject): JsonObject => ({ responses: { '200': { description: 'ok', headers } } });
  const text = { 'text/plain': { schema: { type: 'string' } } };
  const json = { 'application/json': { schema: { type: 'integer' } } };

  test.each<[string, JsonObject, JsonObject, string]>([
    ['sends a header that it did not have', {}, { parameters: [signed(true)] }, 'compatible required-added'],
    ['always sends a header', { parameters: [signed(false)] }, { parameters: [signed(true)] }, 'compatible became-required'],
    ['may leave out a header', { parameters: [signed(true)] }, { parameters: [signed(false)] }, 'breaking became-optional'],
    ['no longer sends a required header', { parameters: [signed(true)] }, {}, 'breaking removed'],
    ['no longer sends a header', { parameters: [signed(false)] }, {}, 'risky removed'],
    [
      'always has a body',
      { requestBody: { content: text } },
      { requestBody: { required: true, content: text } },
      'compatible became-required',
    ],
    [
      'may have no body',
      { requestBody: { required: true, content: text } },
      { requestBody: { content: text } },
      'breaking became-optional',
    ],
    [
      'has another type',
      { requestBody: { content: text } },
      { requestBody: { content: { ...text, ...json } } },
      'breaking media-type-added',
    ],
    [
      'has one type less',
      { requestBody: { content: { ...text, ...json } } },
      { requestBody: { content: text } },
      'compatible media-type-removed',
    ],
    ['needs a header in the reply', replied({}), replied({ 'X-R': signed(true) }), 'breaking added'],
    ['needs no header in the reply', replied({ 'X-R': signed(true) }), replied({}), 'compatible required-removed'],
    [
      'takes another reply',
      get,
      { responses: { ...(get['responses'] as JsonObject), '202': { description: 'later' } } },
      'compatible success-status-added',
    ],
  ])('a webhook %s', async (_, old, next, expected) => {
    const sent = (operation: JsonObject): JsonObject => documentOf({}, { webhooks: { event: { post: { ...get, ...operation } } } });
    expect(summaryOf(await compareDocuments(sent(old), sent(next)))).toEqual([expected]);
  });

  test('a renamed path parameter renames no callback', async () => {
    const named = (parameter: string, callbacks: JsonObject): JsonObject => {
      const parameters = [{ name: parameter, in: 'path', required: true, schema: { type: 'string' } }];
      return documentOf({ [`/things/{${parameter}}`]: { get: { ...get, parameters, callbacks } } });
    };
    const callbacks = { done: { '{$request.query.url}': { post: { ...get, ...body(schema(1)) } } } };
    const renamed = async (each: JsonObject): Promise<readonly string[]> =>
      summaryOf(await compareDocuments(named('id', each), named('thing', each)));
    expect(await renamed(callbacks)).toEqual(await renamed({}));
  });

  test('a removed webhook is breaking', async () => {
    expect(summaryOf(await compareDocuments(hook(1), documentOf({})))).toEqual(['breaking removed']);
  });
});
