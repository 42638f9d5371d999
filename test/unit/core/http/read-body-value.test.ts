/** Bodies are judged by their media type: text as text, forms by their fields; binary content and XML are not compared, with a reason. */

import { describe, expect, it } from 'vitest';
import { judgeRequestBody, type RequestBodyJudgement } from '../../../../core/http/check-request-body.ts';
import { judgeResponse } from '../../../../core/http/check-response.ts';
import { contractText, loadText } from '../../../helpers/contracts/contract-text.ts';

/** Judges a response body of a documented type: its violations, or the reason why it was not compared. */
async function respond(documented: string, schema: string, body: string, sent = documented): Promise<readonly string[] | string> {
  const contract = await loadText(
    contractText(
      `paths: { /x: { get: { responses: { '200': { description: a, content: { '${documented}': { schema: ${schema} } } } } } } }`,
    ),
  );
  const response = { status: 200, headers: { 'content-type': sent }, body };
  const { violations, notCompared } = judgeResponse(contract, { request: { method: 'GET', target: '/x', headers: {} }, response });
  return notCompared ?? violations.map(({ message }) => message);
}

/** Judges a request body of a documented media object. */
async function request(type: string, media: string, body: string, sent = type): Promise<RequestBodyJudgement> {
  const contract = await loadText(
    contractText(
      `paths: { /x: { post: { requestBody: { content: { '${type}': ${media} } }, responses: { '200': { description: a } } } } }`,
    ),
  );
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('no operation');
  return judgeRequestBody(operation, { method: 'POST', target: '/x', headers: { 'content-type': sent }, body });
}

describe('text', () => {
  const states = '{ type: string, enum: [open, shut] }';
  it.each([
    ['text/plain', states, 'open', []],
    ['text/plain', states, 'ajar', ['the body is "ajar", not one of "open", "shut"']],
    ['text/csv', '{ type: string, minLength: 3 }', 'a', ['the body is "a", but must not have fewer than 3 characters']],
    ['text/plain', '{ type: integer, maximum: 9 }', '7', []],
    ['text/plain', '{ type: integer, maximum: 9 }', '12', ['the body is 12, but must be <= 9']],
    ['text/html', '{}', '<p>', []],
  ])('%s %s: %s', async (type, schema, body, found) => expect(await respond(type, schema, body)).toEqual(found));

  it('is not compared with a schema of its rows', async () => {
    expect(await respond('text/csv', '{ type: array, items: { type: object } }', 'a,b')).toBe(
      'text/csv is text, and its schema describes array values',
    );
  });

  it('is judged by the schema of a range', async () => {
    expect(await respond('text/*', states, 'ajar', 'text/plain')).toHaveLength(1);
    expect(await respond('*/*', states, 'ajar', 'text/plain')).toHaveLength(1);
    expect(await respond('*/*', '{ type: object }', '[]', 'application/problem+json')).toHaveLength(1);
  });
});

describe('content that no schema reads', () => {
  it.each([
    ['image/png', '{ type: string, format: binary }', 'image/png is binary'],
    ['application/octet-stream', '{}', 'application/octet-stream is binary'],
    ['application/xml', '{ type: object, required: [a] }', 'application/xml is XML, and schemas describe its elements only indirectly'],
    ['application/atom+xml', '{ type: object }', 'application/atom+xml is XML, and schemas describe its elements only indirectly'],
  ])('%s', async (type, schema, reason) => {
    expect(await respond(type, schema, '�')).toBe(reason);
    expect(await request(type, `{ schema: ${schema} }`, '�')).toEqual({ notCompared: reason });
  });
});

describe('a form', () => {
  const schema =
    '{ type: object, required: [name, age], additionalProperties: false, properties: { name: { type: string }, age: { type: integer, minimum: 0 }, tags: { type: array, items: { type: integer } }, place: { type: object, required: [city] } } }';
  const form = (body: string, encoding = '{}'): Promise<RequestBodyJudgement> =>
    request('application/x-www-form-urlencoded', `{ schema: ${schema}, encoding: ${encoding} }`, body);

  it.each([
    ['name=Ann&age=7', {}],
    ['name=4&age=7&tags=1&tags=2&place=%7B%22city%22%3A%22x%22%7D', {}],
    ['name=Ann', { problem: "The body must have required property 'age'." }],
    ['name=Ann&age=seven', { problem: 'The body at /age must be integer.' }],
    ['name=Ann&age=-1', { problem: 'The body at /age must be >= 0.' }],
    ['name=Ann&age=1&tags=1&tags=x', { problem: 'The body at /tags/1 must be integer.' }],
    ['name=Ann&age=1&place=%7B%7D', { problem: "The body at /place must have required property 'city'." }],
    ['name=Ann&age=1&colour=red', { problem: 'The body must not have colour; remove it or correct its name.' }],
    ['name=Ann&age=1&x%5By%5D=red', { notCompared: 'its field x[y] has brackets, which the contract does not describe' }],
  ])('%s', async (body, judgement) => expect(await form(body)).toEqual(judgement));

  it('has its fields in the documented encoding', async () => {
    expect(await form('name=Ann&age=1&tags=1,2', '{ tags: { style: form, explode: false } }')).toEqual({});
    expect(await form('name=Ann&age=1&place%5Bcity%5D=x', '{ place: { style: deepObject, explode: true } }')).toEqual({});
    expect(await form('name=Ann&age=1&place%5Bstreet%5D=x', '{ place: { style: deepObject, explode: true } }')).toHaveProperty('problem');
  });

  it.each([
    ['{ allOf: [{ type: object, properties: { n: { type: integer } } }, { properties: { z: { type: boolean } } }] }', 'n=1&z=true'],
    [
      '{ oneOf: [{ required: [n], properties: { n: { type: integer } } }, { required: [z], properties: { z: { type: boolean } } }] }',
      'z=true',
    ],
    ['{ allOf: [{ properties: { n: { type: integer } } }, { properties: { n: { minimum: 2 } } }] }', 'n=3'],
    ['{ additionalProperties: { type: integer } }', 'other=4'],
  ])('has the fields of every part of %s', async (parts, body) => {
    expect(await request('application/x-www-form-urlencoded', `{ schema: ${parts} }`, body)).toEqual({});
  });

  const multipart = (...parts: readonly string[]): string =>
    [...parts.map((part) => `--sep\r\ncontent-disposition: form-data; ${part}`), '--sep--\r\n'].join('\r\n');
  it.each([
    [
      [
        'name="name"\r\n\r\nAnn',
        'name=age\r\n\r\n7',
        'name="place"; filename=a.json\r\nContent-Type: application/json\r\n\r\n{"city":"x"}',
      ],
      {},
    ],
    [['name="name"\r\n\r\nAnn', 'name="age"\r\n\r\nx'], { problem: 'The body at /age must be integer.' }],
    [
      ['name="name"\r\n\r\nAnn', 'name="age"\r\n\r\n7', 'name="tags"\r\n\r\n1', 'name="tags"\r\n\r\nx'],
      { problem: 'The body at /tags/1 must be integer.' },
    ],
  ])('of several parts %j', async (parts, judgement) => {
    expect(
      await request('multipart/form-data', `{ schema: ${schema} }`, multipart(...parts), 'multipart/form-data; boundary="sep"'),
    ).toEqual(judgement);
  });

  it('must have the boundary of its content type', async () => {
    expect(
      await request('multipart/form-data', `{ schema: ${schema} }`, multipart(), 'multipart/form-data; boundary=other'),
    ).toHaveProperty('problem');
  });
});

it.each(['204', '205', '304'])('%s has no body, whatever the file documents', async (status) => {
  const contract = await loadText(
    contractText(
      `paths: { /x: { get: { responses: { '${status}': { description: a, content: { application/json: { schema: {} } } } } } } }`,
    ),
  );
  const judge = (body: string): readonly string[] =>
    judgeResponse(contract, {
      request: { method: 'GET', target: '/x', headers: {} },
      response: { status: Number(status), headers: {}, body },
    }).violations.map(({ message }) => message);
  expect(judge('')).toEqual([]);
  expect(judge('{}')).toHaveLength(1);
});
