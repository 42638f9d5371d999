/** `/openapi.json`: the served contracts as plain OpenAPI documents, and what they say about the bodies of the mock. */

import { afterAll, describe, expect, it } from 'vitest';
import { isObject, type Json } from '../../../../core/json.ts';
import { loadContract } from '../../../../core/openapi/contract.ts';
import type { Document } from '../../../../core/openapi/document.ts';
import { responseFor } from '../../../../core/openapi/operation.ts';
import { certainSchemas, type Schema, schemasAt } from '../../../../core/openapi/schema-facts.ts';
import { toPointer } from '../../../../core/pointer.ts';
import { startJudgedMock } from '../../../helpers/judged-mock.ts';
import { ask } from '../../../helpers/plain-client.ts';
import { withKey } from '../../../helpers/request-targets.ts';

const mock = await startJudgedMock({});
const single = await startJudgedMock({ contracts: ['wiki'], profile: 'other' });
const closed = await startJudgedMock({ contracts: ['wiki'], control: false });
afterAll(async () => {
  for (const each of [mock, single, closed]) await each.close();
});

describe('GET /openapi.json', () => {
  it('is the only contract, with the URL of the mock', async () => {
    const reply = await ask(single, '/openapi.json');
    expect([reply.status, reply.at('/openapi'), reply.at('/info/title')]).toEqual([200, '3.1.0', 'Public Wiki API']);
    expect(reply.at('/servers')).toEqual([{ url: single.url }]);
    expect((await ask(single, '/__mock/openapi')).text).toBe(reply.text);
  });

  it.each(['business', 'wiki'])('is the contract %s by name', async (name) => {
    const reply = await ask(mock, `/openapi.json?contract=${name}`);
    const contract = mock.contracts.find((each) => each.name === name);
    expect(reply.at('/info/title')).toBe(contract?.title);
  });

  it.each([
    ['/openapi.json', 'several contracts; ask for /openapi.json?contract=business, /openapi.json?contract=wiki.'],
    ['/openapi.json?contract=wikki', 'no contract wikki; ask for /openapi.json?contract=wiki.'],
  ])('at %s says which contracts there are', async (path, message) => {
    const reply = await ask(mock, path);
    expect([reply.status, reply.at('/error/message')]).toEqual([404, expect.stringContaining(message)]);
  });

  it.each([
    ['?contrat=wiki', 'The OpenAPI document has no parameter contrat; did you mean contract?'],
    ['?contract=wiki&contract=business', 'contract was given more than once; give it once.'],
  ])('is refused for %s', async (query, message) => {
    const reply = await ask(mock, `/openapi.json${query}`);
    expect([reply.status, reply.at('/error/message')]).toEqual([400, message]);
  });

  it('belongs to the API without the control endpoint', async () => {
    expect((await ask(closed, '/openapi.json')).at('/error/code')).toBe('NOT_FOUND');
  });
});

/** Members of a body without a type in the schema, as pointers. */
function listUntyped(document: Document, schema: Schema, body: Json, path: readonly string[] = []): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, member]) => {
    const at = [...path, key];
    const schemas = schemasAt(document, schema, toPointer(at))
      .flatMap((each) => certainSchemas(document, each))
      .filter(isObject);
    const isTyped = schemas.some((each) => 'type' in each || 'enum' in each || 'const' in each);
    return [...(isTyped ? [] : [toPointer(at)]), ...listUntyped(document, schema, member as Json, at)];
  });
}

it.each([
  ['business', '/api/integrations/v1/whoami.php'],
  ['business', '/api/integrations/v1/menus/manifest.php'],
  ['business', '/api/integrations/v1/menus/current.php'],
  ['business', '/api/integrations/v1/orders/index.php?limit=20'],
  ['business', '/api/integrations/v1/reservations/index.php?limit=20'],
  ['wiki', '/api/v1/wiki'],
])('the document of %s gives every member of %s a type, and accepts its body', async (name, target) => {
  const text = (await ask(mock, `/openapi.json?contract=${name}`)).text;
  const contract = await loadContract('api.json', async () => text);
  const operation = contract.operations.find(({ path }) => path === target.split('?')[0]);
  const media = operation === undefined ? undefined : responseFor(operation, 200)?.content.get('application/json');
  const reply = await ask(mock, target, withKey(mock.keys['full']));
  const body = JSON.parse(reply.text) as Json;
  expect(media?.validate(body)).toEqual([]);
  expect(listUntyped(contract.closed, media?.schema ?? false, body)).toEqual([]);
});
