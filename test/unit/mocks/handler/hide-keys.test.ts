/** Keys are hidden in requests and answers, wherever a client puts them. */

import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../core/http/exchange.ts';
import { createMock } from '../../../../mocks/handler/mock.ts';
import { preparedToHttpResponse } from '../../../../mocks/handler/prepare-response.ts';
import { fixture } from '../../../helpers/judged-mock.ts';
import { business } from '../../../helpers/request-targets.ts';
import { serveApi, serveText } from '../../../helpers/served.ts';

const library = await serveApi(fixture('library'));
const keyed = await serveApi('business');
const parcels = await serveApi(fixture('parcels'));
const basic = await serveText(`
openapi: 3.1.0
info: { title: Basic, version: '1' }
security: [{ login: [] }, { session: [] }]
paths:
  /private: { get: { operationId: readPrivate, responses: { '200': { description: Yes. } } } }
components:
  securitySchemes:
    login: { type: http, scheme: basic }
    session: { type: apiKey, in: cookie, name: session }
`);
const mock = createMock(
  [keyed, parcels, basic, library].map((api) => ({ api })),
  (error) => {
    throw error;
  },
);
const key = parcels.keys.byRole.get('full') ?? '';

/** A request as listeners hear of it, as text. */
function redactedText(request: Partial<HttpRequest>): string {
  return JSON.stringify(mock.redact(mock.receive({ method: 'GET', target: '/', headers: {}, ...request })));
}

describe('a request without keys', () => {
  it.each([
    [`/v2/parcels?access_key=${key}`, '/v2/parcels?access_key=$KEY'],
    [`/v2/parcels?page=1&access_key=${key}&state=waiting`, '/v2/parcels?page=1&access_key=$KEY&state=waiting'],
    [`/v2/parcels?access_key=${key.replaceAll('_', '%5F')}`, '/v2/parcels?access_key=$KEY'],
    [`/v2/parcels?page=${key}`, '/v2/parcels?page=$KEY'],
    [`/v2/parcels/${key}`, '/v2/parcels/$KEY'],
    [`/v2/parcels/${key.replaceAll('_', '%5f')}?page=${key.replaceAll('m', '%6D')}`, '/v2/parcels/$KEY?page=$KEY'],
    ['/v2/parcels?access_key=another-secret', '/v2/parcels?access_key=$KEY'],
    ['/v2/parcels?page=1', '/v2/parcels?page=1'],
    ['/books?find=ash+and%20salt', '/books?find=ash+and%20salt'],
    ['/books?find=100%', '/books?find=100%'],
    ['*', '*'],
  ])('with the target %s has %s', (target, expected) => {
    expect(mock.redact(mock.receive({ method: 'GET', target, headers: {} })).target).toBe(expected);
  });

  it.each(['ab/cd==efgh1234', 'ab?cd=ef?gh', 'abc', 'a+b%20c'])('is not the unknown key %s in the place of a key', (secret) => {
    expect(redactedText({ target: `/v2/parcels?access_key=${secret}&page=7` })).not.toContain(secret);
    expect(redactedText({ target: `/v2/parcels?access_key=${secret}&page=7` })).toContain('page=7');
    expect(redactedText({ headers: { 'x-service-api-key': secret } })).not.toContain(`"${secret}`);
    expect(redactedText({ headers: { authorization: `Bearer ${secret}` } })).not.toContain(`${secret}"`);
  });

  it('has no key in any header', () => {
    const headers = {
      'x-service-api-key': key,
      authorization: `Bearer ${key}`,
      cookie: `theme=dark; session=${key}`,
      referer: `http://x/?k=${key}`,
    };
    expect(redactedText({ headers })).not.toContain(key);
    expect(redactedText({ headers: { 'x-list': ['plain', `mine is ${key}`] } })).toContain('plain');
    expect(redactedText({ headers: { 'x-list': ['plain', `mine is ${key}`] } })).not.toContain(key);
  });

  it('has no key in base64', () => {
    const encoded = Buffer.from(`me:${key}`).toString('base64');
    expect(redactedText({ target: '/private', headers: { authorization: `Basic ${encoded}` } })).not.toContain(encoded.slice(0, -4));
  });

  it('keeps all other values', () => {
    const request = {
      method: 'GET',
      target: '/books?find=ash',
      headers: { accept: 'application/json', 'if-none-match': '"a"', host: 'localhost' },
    };
    expect(mock.redact(mock.receive(request))).toEqual(request);
  });
});

describe('an answer', () => {
  it('does not repeat a key from a wrong place', async () => {
    const full = keyed.keys.byRole.get('full') ?? '';
    for (const target of [`${business.orders}?limit=${full}`, `${business.orders}?status=${full}`, `${business.order}?id=${full}`]) {
      const response = preparedToHttpResponse(
        await mock.respond(mock.receive({ method: 'GET', target, headers: { 'x-service-api-key': full } })),
      );
      expect(response.status).toBe(422);
      expect(JSON.stringify(response)).not.toContain(full);
    }
    for (const target of [`/${full}`, `${business.orders}/${full}`, `/books/${full}`]) {
      expect(
        JSON.stringify(preparedToHttpResponse(await mock.respond(mock.receive({ method: 'GET', target, headers: {} })))),
      ).not.toContain(full);
    }
  });

  it('may repeat other invalid values', async () => {
    const { body } = await mock.respond(mock.receive({ method: 'GET', target: '/books/seven', headers: {} }));
    expect(body.toString()).toContain('seven');
  });
});
