/** An answer is judged by its contract in status, headers, type and body; what RFC 9110 lets a server do is no violation. */

import { beforeAll, describe, expect, it } from 'vitest';
import { type Contract, loadContract } from '../../../core/contract.ts';
import { printPlace } from '../../../core/errors.ts';
import type { HttpResponse } from '../../../core/exchange.ts';
import { checkResponse, documentedStatuses, type ResponseViolation } from '../../../core/response.ts';
import { contractFile } from '../../../core/shipped.ts';
import { contractText, loadText, positionOf } from '../../helpers/contract-text.ts';

const text = contractText(`x-api: { error: { schema: '#/components/schemas/Error', code: /code, message: /message } }
paths:
  /thing:
    get:
      operationId: getThing
      responses:
        '200':
          description: A thing.
          headers:
            ETag: { required: true, schema: { type: string, pattern: '^"' } }
            X-Ids: { schema: { type: array, items: { type: integer } } }
          content: { application/json: { schema: { type: object, required: [id] } } }
        '304': { description: Unchanged., headers: { ETag: { required: true, schema: { type: string } } } }
        '404': { description: Gone., content: { application/json; charset=utf-8: { schema: { $ref: '#/components/schemas/Error' } } } }
  /range: { get: { responses: { 2XX: { description: a, content: { application/json: { schema: { type: object } } } }, default: { description: b } } } }
  /table: { get: { responses: { '200': { description: a, content: { text/csv: { schema: { type: string } } } } } } }
  /many: { get: { responses: { '200': { description: a, content: { text/html: { schema: { type: string } }, application/*: { schema: { type: array } }, application/hal+json: { schema: { type: object } } } } } } }
  /image: { get: { responses: { '200': { description: a, content: { image/*: {} } } } } }
components:
  schemas:
    Error: { type: object, required: [code, message], properties: { code: { type: string }, message: { type: string } } }
`);

let contract: Contract;
beforeAll(async () => {
  contract = await loadText(text);
});

interface Given extends Partial<HttpResponse> {
  readonly method?: string;
}

/** What is wrong with an answer; without a body it has none, and a JSON body is said to be JSON. */
function violations(target: string, { method = 'GET', ...response }: Given, judge: Contract = contract): readonly ResponseViolation[] {
  const headers = response.body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = { status: 200, body: '', ...response, headers: { ...headers, ...response.headers } };
  return checkResponse(judge, { request: { method, target, headers: {} }, response: answer });
}

function parts(target: string, given: Given): readonly string[] {
  return violations(target, given).map(({ part, path }) => `${part} ${path}`.trim());
}

const etag = { etag: '"a"' };
const error = '{"code":"A","message":"b"}';

describe('a documented answer', () => {
  it.each<readonly [string, Given]>([
    ['/thing', { headers: etag, body: '{"id":1}' }],
    ['/thing?x=1', { headers: { ...etag, 'content-type': 'application/json; charset=UTF-8' }, body: '{"id":1}' }],
    ['/thing', { headers: { ...etag, 'content-type': 'Application/JSON' }, body: '{"id":1,"more":2}' }],
    ['/thing', { headers: { ...etag, 'x-ids': ['1', '2'] }, body: '{"id":1}' }],
    ['/thing', { headers: { ...etag, 'x-ids': '1, 2' }, body: '{"id":1}' }],
    ['/thing', { status: 304, headers: etag }],
    ['/thing', { status: 404, body: error }],
    ['/range', { status: 201, body: '{}' }],
    ['/range', { status: 204 }],
    ['/range', { status: 418 }],
    ['/table', { headers: { 'content-type': 'text/csv' }, body: 'a,b' }],
    ['/many', { headers: { 'content-type': 'text/html' }, body: '<p>' }],
    ['/many', { headers: { 'content-type': 'application/json' }, body: '[]' }],
    ['/many', { headers: { 'content-type': 'application/hal+json' }, body: '{}' }],
    ['/image', { headers: { 'content-type': 'image/png' }, body: '\u0000' }],
  ])('to %s may be %j', (target, given) => {
    expect(violations(target, given)).toEqual([]);
  });

  it.each<readonly [string, Given, readonly string[]]>([
    ['/thing', { headers: etag, body: '{}' }, ['body']],
    ['/thing', { headers: etag, body: '{' }, ['body']],
    ['/thing', { headers: { ...etag, 'content-type': 'application/json' } }, ['body']],
    ['/thing', { headers: etag, body: 'null' }, ['body']],
    ['/thing', { body: '{"id":1}' }, ['header etag']],
    ['/thing', { headers: { etag: 'a' }, body: '{"id":1}' }, ['header etag']],
    ['/thing', { headers: { ...etag, 'x-ids': '1, x' }, body: '{"id":1}' }, ['header x-ids']],
    ['/thing', { headers: { ...etag, 'content-type': 'text/html' }, body: '<p>' }, ['content-type']],
    ['/thing', { headers: { ...etag, 'content-type': '' }, body: '{"id":1}' }, ['content-type']],
    ['/thing', { status: 304 }, ['header etag']],
    ['/thing', { status: 304, headers: etag, body: '{}' }, ['body']],
    ['/thing', { status: 404, body: '{"code":"A"}' }, ['body']],
    ['/range', { status: 204, body: '{}' }, ['body']],
    ['/range', { status: 418, body: '{}' }, ['body']],
    ['/table', { headers: { 'content-type': 'text/plain' }, body: 'a,b' }, ['content-type']],
    ['/many', { headers: { 'content-type': 'application/hal+json' }, body: '[]' }, ['body']],
    ['/many', { headers: { 'content-type': 'application/json' }, body: '{}' }, ['body']],
    ['/image', { headers: { 'content-type': 'imagery/png' }, body: '' }, ['content-type']],
  ])('to %s must not be %j', (target, given, wrong) => {
    expect(parts(target, given)).toEqual(wrong);
  });

  it('has each thing that is wrong with it told, with the line that says so', () => {
    const found = violations('/thing', { headers: { 'content-type': 'application/json', 'x-ids': 'x' }, body: '{}' });
    expect(found.map(({ part, message, place }) => [part, message, printPlace(place)])).toEqual([
      ['header', 'the header etag is missing', `api.yaml:${positionOf(text, '{ required: true, schema')}`],
      ['header', expect.stringContaining('x-ids: x'), `api.yaml:${positionOf(text, '{ schema: { type: array, items')}`],
      ['body', "the body must have required property 'id'", `api.yaml:${positionOf(text, 'required: [id]')}`],
    ]);
  });
});

describe('an answer to HEAD', () => {
  it.each<Given>([
    { headers: { ...etag, 'content-type': 'application/json' } },
    { headers: {} },
    { headers: { 'content-type': 'application/json' } },
    { status: 404 },
  ])('has no body, and may lack the headers that follow from one: %j', (given) => {
    expect(violations('/thing', { method: 'HEAD', ...given })).toEqual([]);
  });

  it('has no body, whatever its status', () => {
    expect(parts('/thing', { method: 'HEAD', headers: etag, body: '{"id":1}' })).toEqual(['body']);
    expect(parts('/nowhere', { method: 'HEAD', status: 404, body: error })).toEqual(['body']);
  });

  it('is judged by the headers that it has', () => {
    expect(parts('/thing', { method: 'HEAD', headers: { etag: 'a' } })).toEqual(['header etag']);
    expect(parts('/thing', { method: 'HEAD', headers: { 'content-type': 'text/html' } })).toEqual(['content-type']);
  });
});

describe('an answer that no operation documents', () => {
  it.each<readonly [string, Given]>([
    ['/thing', { status: 201, body: '{}' }],
    ['/thing', { status: 418, body: error }],
    ['/thing', { status: 502, body: error }],
    ['/thing', { status: 302 }],
    ['/nowhere', { status: 200, body: '{}' }],
    ['/nowhere', { status: 301 }],
    ['/thing', { method: 'POST', status: 200, body: '{}' }],
  ])('to %s is a violation of its status: %j', (target, given) => {
    expect(parts(target, given)).toEqual(['status']);
  });

  it('is told with the statuses that are documented', () => {
    const [violation] = violations('/thing', { status: 418 });
    expect(violation?.message).toBe('the status 418 is not documented; documented are 200, 304, 404');
    expect(violation && printPlace(violation.place)).toBe(`api.yaml:${positionOf(text, 'operationId: getThing')}`);
    expect(contract.operations[0] && documentedStatuses(contract.operations[0])).toEqual(['200', '304', '404']);
  });

  it.each<readonly [string, Given]>([
    ['/nowhere', { status: 404, body: error }],
    ['/thing', { method: 'POST', status: 405, body: error }],
    ['/thing', { status: 500, body: error }],
  ])('to %s may be a failure in the shape of every failure: %j', (target, given) => {
    expect(violations(target, given)).toEqual([]);
  });

  it.each<readonly [string, Given, readonly string[]]>([
    ['/nowhere', { status: 404, body: '{"code":"A"}' }, ['body']],
    ['/nowhere', { status: 404, headers: { 'content-type': 'text/html' }, body: '<p>' }, ['content-type', 'body']],
    ['/thing', { method: 'DELETE', status: 405, body: '{"code":"A"}' }, ['body']],
    ['/thing', { status: 500, body: '' }, ['body']],
  ])('to %s is judged by the shape of every failure: %j', (target, given, wrong) => {
    expect(parts(target, given)).toEqual(wrong);
  });

  it('may be any failure in a contract that says nothing of failures', async () => {
    const silent = await loadText(contractText("paths: { /a: { get: { responses: { '200': { description: a } } } } }\n"));
    expect(violations('/nowhere', { status: 404, body: '<p>' }, silent)).toEqual([]);
    expect(violations('/a', { status: 404 }, silent).map(({ part }) => part)).toEqual(['status']);
  });

  it('to OPTIONS is nobody’s business', () => {
    expect(violations('/thing', { method: 'OPTIONS', status: 204 })).toEqual([]);
    expect(violations('/nowhere', { method: 'OPTIONS', status: 200 })).toEqual([]);
  });
});

describe('an answer of the business API', () => {
  const path = '/api/integrations/v1/orders/index.php';
  let business: Contract;
  beforeAll(async () => {
    business = await loadContract(contractFile('business'));
  });
  const failure = (code: string, more: object = { request_id: 'r' }): string =>
    JSON.stringify({ ok: false, error: { code, message: 'm', ...more } });
  const wrong = (given: Given, target: string = path): readonly string[] =>
    violations(target, given, business).map(({ part, path: at }) => `${part} ${at}`.trim());

  it('carries the code of its status and the identifier of the request', () => {
    expect(wrong({ status: 401, body: failure('UNAUTHORIZED') })).toEqual([]);
    expect(wrong({ status: 401, body: failure('FORBIDDEN') })).toEqual(['body /error/code']);
    expect(wrong({ status: 422, body: failure('INVALID_QUERY', {}) })).toEqual(['body /error']);
  });

  it('says after how long a limited caller may come again', () => {
    expect(wrong({ status: 429, body: failure('RATE_LIMITED') })).toEqual(['header retry-after']);
    for (const after of ['30', 'Sat, 03 Oct 2026 14:10:30 GMT']) {
      expect(
        wrong({ status: 429, headers: { 'content-type': 'application/json', 'retry-after': after }, body: failure('RATE_LIMITED') }),
      ).toEqual([]);
    }
    expect(
      wrong({ status: 429, headers: { 'content-type': 'application/json', 'retry-after': 'soon' }, body: failure('RATE_LIMITED') }),
    ).toEqual(['header retry-after']);
  });

  it('may be unavailable by either code, and by no other', () => {
    expect(wrong({ status: 503, body: failure('ORDERS_NOT_READY') })).toEqual([]);
    expect(wrong({ status: 503, body: failure('API_NOT_READY') })).toEqual([]);
    expect(wrong({ status: 503, body: failure('BUSY') })).toEqual(['body /error/code']);
  });

  it('has a failure of any code outside every operation', () => {
    expect(wrong({ status: 404, body: failure('NO_SUCH_PATH') }, '/api/integrations/v2/orders')).toEqual([]);
    expect(wrong({ status: 405, method: 'POST', body: failure('METHOD_NOT_ALLOWED') })).toEqual([]);
  });

  it('to a list does not show what only the detail shows', () => {
    const items = JSON.stringify({ schema_version: 1, business: 1, data: { orders: [{ items: [] }], page: { has_more: false } } });
    const found = violations(path, { body: items }, business).filter((violation) => violation.path === '/data/orders/0/items');
    expect(found.map(({ message, place }) => [message, place.line > 1])).toEqual([['/data/orders/0/items must not be there', true]]);
  });
});
