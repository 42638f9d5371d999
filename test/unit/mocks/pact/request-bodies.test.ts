/** Recorded pacts have the bodies of requests, without secrets. */

import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../core/json.ts';
import { type RecordingMock, recordText } from '../../../helpers/recording-mock.ts';

const shop = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things:
    post:
      operationId: addThing
      security: [{ key: [] }]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties:
                name: { type: string, minLength: 2 }
                count: { type: integer }
                owner: { type: object, properties: { phone: { type: string, x-personal: true } } }
          application/x-www-form-urlencoded:
            schema: { type: object, properties: { name: { type: string }, pin: { type: string, writeOnly: true } } }
          application/octet-stream: {}
      responses:
        '201': { description: Added., content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: integer } } } } } }
        '422': { description: Refused. }
  /logins:
    post:
      operationId: logIn
      requestBody:
        content: { application/json: { schema: { type: object, properties: { user: { type: string }, password: { type: string, minLength: 8 }, born: { type: string, format: date, x-personal: true } } } } }
      responses: { '200': { description: Welcome. } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
`;

async function post(mock: RecordingMock, target: string, body: string | undefined, type = 'application/json'): Promise<void> {
  const key = mock.api.keys.byRole.get('full') ?? '';
  const headers = { 'x-key': key, 'content-type': type, 'content-length': String(body?.length ?? 5) };
  await mock.send({ method: 'POST', target, headers, ...(body === undefined ? {} : { body }) });
}

function requestsOf(mock: RecordingMock): readonly (readonly [string, JsonObject])[] {
  const { interactions } = JSON.parse(mock.text()) as { readonly interactions: readonly JsonObject[] };
  return interactions.map(({ description, request }) => [String(description), request as JsonObject]);
}

it('has a body as sent, which another one of the same types may replace', async () => {
  const mock = await recordText(shop);
  await post(mock, '/things', '{"name":"Glass","count":9007199254740993}');
  await post(mock, '/things', '{"name":"Ice","count":1}', 'application/json; charset=utf-8');
  await post(mock, '/things', '{"name":"Cup"}');
  const requests = requestsOf(mock);
  expect(requests.map(([description]) => description)).toEqual([
    'a request to addThing, with name',
    'a request to addThing, with count and name',
  ]);
  expect(requests[1]?.[1]).toMatchObject({
    headers: { 'Content-Type': ['application/json'] },
    body: { content: { name: 'Ice', count: 1 }, contentType: 'application/json', encoded: false },
    matchingRules: { body: { $: { combine: 'AND', matchers: [{ match: 'type' }] } } },
  });
});

it('has the body that the mock refused', async () => {
  const mock = await recordText(shop);
  await post(mock, '/things', '{"name":"G"}');
  expect(mock.pact().interactions.map(({ description, response, request }) => [description, response.status, request.body])).toEqual([
    ['a request to addThing, with name, which is refused', 422, { name: 'G' }],
  ]);
});

it('hides keys, passwords and personal data', async () => {
  const mock = await recordText(shop);
  const key = mock.api.keys.byRole.get('full') ?? '';
  const escaped = key.replace(/./, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
  await post(mock, '/things', `{"name":"${key}","owner":{"phone":"Tel. 555"},"note":"${escaped}"}`);
  await post(mock, '/things', `name=${encodeURIComponent(key)}&pin=Ab12`, 'application/x-www-form-urlencoded');
  await post(mock, '/logins', '{"user":"ada","password":"Secr\\n3t!!"}');
  expect(requestsOf(mock).map(([, request]) => (request['body'] as JsonObject)['content'])).toEqual([
    { name: '$KEY', note: '$KEY', owner: { phone: 'Xxx. 000' } },
    'name=$KEY&pin=Xx00',
    { user: 'ada', password: 'Xxxx\n0x!!' },
  ]);
});

it('leaves out what no pact can show', async () => {
  const mock = await recordText(shop);
  await post(mock, '/things', undefined, 'application/octet-stream');
  await post(mock, '/things', '{');
  await post(mock, '/logins', '{"born":"1815-12-10"}');
  expect(mock.leftOut().map(({ reason }) => reason)).toEqual([
    'its request body is not valid JSON',
    'its request body is only valid with its secrets and personal data',
    'its request body is binary, too large, or no longer in the journal',
  ]);
});
