/** A response is checked against its contract: status, headers, type and body. What RFC 9110 allows to a server is not a violation. */

import { beforeAll, describe, expect, it } from 'vitest';
import { formatLocation } from '../../../../core/errors.ts';
import { checkResponse, type ResponseViolation } from '../../../../core/http/check-response.ts';
import type { HttpResponse } from '../../../../core/http/exchange.ts';
import type { Contract } from '../../../../core/openapi/contract.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { contractText, loadText, positionOf } from '../../../helpers/contracts/contract-text.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';

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

/** Violations of a response. A JSON body has its content type. */
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

  it('reports each mistake with the line of the contract', () => {
    const found = violations('/thing', { headers: { 'content-type': 'application/json', 'x-ids': 'x' }, body: '{}' });
    expect(found.map(({ part, message, place }) => [part, message, formatLocation(place)])).toEqual([
      ['header', 'the header etag is missing', `api.yaml:${positionOf(text, '{ required: true, schema')}`],
      ['header', expect.stringContaining('x-ids: x'), `api.yaml:${positionOf(text, '{ schema: { type: array, items')}`],
      ['body', 'id is missing', `api.yaml:${positionOf(text, 'required: [id]')}`],
    ]);
  });
});

describe('a violation of a schema', () => {
  const order = `type: object
      properties:
        data:
          type: array
          items:
            type: object
            properties:
              status: { enum: [open, closed] }
              note: { type: [string, 'null'] }
              phone: { type: string, pattern: '^[+]', x-personal: true }
              owner: { type: object, x-personal: true, properties: { name: { type: string } } }
              pay: { oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Cash' }, { type: 'null' }] }`;
  const schemas = `components:
  schemas:
    Card: { type: object, required: [kind, digits, expires], properties: { kind: { const: card }, digits: { type: string }, expires: { type: string } } }
    Cash: { type: object, required: [kind, amount], properties: { kind: { const: cash }, amount: { type: integer } } }
    Order:
      ${order}
`;
  let orders: Contract;
  beforeAll(async () => {
    const content = "{ application/json: { schema: { $ref: '#/components/schemas/Order' } } }";
    orders = await loadText(
      contractText(`paths: { /orders: { get: { responses: { '200': { description: a, content: ${content} } } } } }\n${schemas}`),
    );
  });
  const messageFor = (record: object): readonly string[] =>
    violations('/orders', { body: JSON.stringify({ data: [{}, record] }) }, orders).map(({ message }) => message);

  it.each<readonly [object, string]>([
    [{ status: 'lost' }, 'data[1].status is "lost", not one of "open", "closed"'],
    [{ note: 5 }, 'data[1].note is 5, not string or null'],
    [{ note: {} }, 'data[1].note is an object, not string or null'],
    [{ status: 'x'.repeat(500) }, 'data[1].status is a string of 500 characters, not one of "open", "closed"'],
    [{ pay: 5 }, 'data[1].pay is 5, not object or null'],
    [{ pay: { kind: 'card', digits: '1' } }, 'data[1].pay.expires is missing, because kind is "card"'],
    [{ pay: { kind: 'cash', amount: 'much' } }, 'data[1].pay.amount is "much", not integer'],
  ])('shows the place, the requirement and the value once: %j', (record, message) => {
    expect(messageFor(record)).toEqual([message]);
  });

  it.each<readonly [object, string]>([
    [{ phone: '0301234567' }, 'data[1].phone is personal data of type string, but must match pattern "^[+]"'],
    [{ phone: 301_234_567 }, 'data[1].phone is personal data of type number, not string'],
    [{ owner: { name: 301_234_567 } }, 'data[1].owner.name is personal data of type number, not string'],
    [{ owner: 'Ada Lovelace' }, 'data[1].owner is personal data of type string, not object'],
  ])('does not show personal data: %j', (record, message) => {
    expect(messageFor(record)).toEqual([message]);
  });
});

describe('an answer to HEAD', () => {
  it.each<readonly [string, Given, readonly string[]]>([
    ['/thing', { headers: { ...etag, 'content-type': 'application/json' } }, []],
    ['/thing', { headers: {} }, []],
    ['/thing', { status: 404 }, []],
    ['/thing', { headers: etag, body: '{"id":1}' }, ['body']],
    ['/nowhere', { status: 404, body: error }, ['body']],
    ['/thing', { headers: { etag: 'a' } }, ['header etag']],
    ['/thing', { headers: { 'content-type': 'text/html' } }, ['content-type']],
  ])('has no body, may lack the headers that follow from one, and is judged by those it has: %s %j', (target, given, wrong) => {
    expect(parts(target, { method: 'HEAD', ...given })).toEqual(wrong);
  });
});

describe('an answer that no operation documents', () => {
  it.each<readonly [string, Given, readonly string[]]>([
    ['/thing', { status: 201, body: '{}' }, ['status']],
    ['/thing', { status: 418, body: error }, ['status']],
    ['/thing', { status: 502, body: error }, ['status']],
    ['/thing', { status: 302 }, ['status']],
    ['/nowhere', { status: 200, body: '{}' }, ['status']],
    ['/nowhere', { status: 301 }, ['status']],
    ['/thing', { method: 'POST', status: 200, body: '{}' }, ['status']],
    // Every failure may have the shape that the contract says, and no other.
    ['/nowhere', { status: 404, body: error }, []],
    ['/thing', { method: 'POST', status: 405, body: error }, []],
    ['/thing', { status: 500, body: error }, []],
    ['/nowhere', { status: 404, body: '{"code":"A"}' }, ['body']],
    ['/nowhere', { status: 404, headers: { 'content-type': 'text/html' }, body: '<p>' }, ['content-type']],
    ['/thing', { method: 'DELETE', status: 405, body: '{"code":"A"}' }, ['body']],
    ['/thing', { status: 500, body: '' }, ['body']],
    // Nobody says anything about OPTIONS.
    ['/thing', { method: 'OPTIONS', status: 204 }, []],
    ['/nowhere', { method: 'OPTIONS', status: 200 }, []],
  ])('to %s, %j, is wrong in %j', (target, given, wrong) => {
    expect(parts(target, given)).toEqual(wrong);
  });

  it('is reported with the statuses that are documented', () => {
    const [violation] = violations('/thing', { status: 418 });
    expect(violation?.message).toBe('the status is 418, not one of 200, 304, 404');
    expect(violation && formatLocation(violation.place)).toBe(`api.yaml:${positionOf(text, 'operationId: getThing')}`);
  });

  it('may be any failure in a contract that says nothing of failures', async () => {
    const silent = await loadText(contractText("paths: { /a: { get: { responses: { '200': { description: a } } } } }\n"));
    expect(violations('/nowhere', { status: 404, body: '<p>' }, silent)).toEqual([]);
    expect(violations('/a', { status: 404 }, silent).map(({ part }) => part)).toEqual(['status']);
  });
});

describe('an answer of the business API', () => {
  const path = '/api/integrations/v1/orders/index.php';
  let business: Contract;
  beforeAll(async () => {
    business = await openContract(contractFile('business'));
  });

  it.each<readonly [number, code: string, wrong: readonly string[], headers: Readonly<Record<string, string>>]>([
    [401, 'FORBIDDEN', ['body /error/code'], {}],
    [429, 'RATE_LIMITED', ['header retry-after'], {}],
    [429, 'RATE_LIMITED', [], { 'retry-after': '30' }],
    [429, 'RATE_LIMITED', [], { 'retry-after': 'Sat, 03 Oct 2026 14:10:30 GMT' }],
    [429, 'RATE_LIMITED', ['header retry-after'], { 'retry-after': 'soon' }],
    [503, 'BUSY', ['body /error/code'], {}],
  ])('with %s carries the codes and headers of its status: %s', (status, code, wrong, headers) => {
    const body = JSON.stringify({ ok: false, error: { code, message: 'm', request_id: 'r' } });
    expect(violations(path, { status, headers, body }, business).map(({ part, path: at }) => `${part} ${at}`.trim())).toEqual(wrong);
  });

  it('that may stand at three places is judged by the place that fits best', () => {
    const { status, customer } = { status: 'lost', customer: { id: 1, name: 'A' } };
    const body = JSON.stringify({ data: { order: { id: 1, code: 'a', channel: 'table', fulfillment_type: 'dine_in', status, customer } } });
    const target = '/api/integrations/v1/orders/view.php?id=1';
    const found = violations(target, { headers: etag, body }, business);
    expect(found.map(({ path }) => path)).toContain('/data/order/status');
    expect(found.filter(({ path }) => !path.startsWith('/data/order'))).toEqual([]);
  });

  it('to a list does not show what only the detail shows', () => {
    const items = JSON.stringify({ schema_version: 1, business: 1, data: { orders: [{ items: [] }], page: { has_more: false } } });
    const found = violations(path, { body: items }, business).filter((violation) => violation.path === '/data/orders/0/items');
    expect(found.map(({ message, place }) => [message, place.line > 1])).toEqual([
      ['data.orders[0].items is an array of 0 elements, but must not be there', true],
    ]);
  });
});
