/** The header Prefer (RFC 7240), and the documented answers for it. */

import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../core/json.ts';
import { splitQuery } from '../../../../core/parameters/query-string.ts';
import { makeDocumentedResponse } from '../../../../mocks/handler/make-documented-response.ts';
import { noPreference, type Preference, readPreference } from '../../../../mocks/handler/prefer-header.ts';
import type { DraftResponse } from '../../../../mocks/handler/prepare-response.ts';
import { chooseByPreference } from '../../../../mocks/handler/prism/engine.ts';
import { toPrismOperation } from '../../../../mocks/handler/prism/http-operation.ts';
import { serveText } from '../../../helpers/served.ts';

function read(prefer: string | readonly string[] | undefined): ReturnType<typeof readPreference> {
  return readPreference(prefer === undefined ? {} : { prefer }, []);
}

const nothing = { code: undefined, example: undefined, dynamic: undefined };

describe('Prefer', () => {
  it('may be absent, empty, or have unknown preferences only', () => {
    for (const field of [undefined, '', ',', 'respond-async', 'return=minimal; foo="some parameter"', 'wait=10, handling=lenient']) {
      expect(read(field)).toEqual({});
    }
  });

  it('asks for a status', () => {
    expect(read('code=404')).toEqual({ ...nothing, code: 404 });
  });

  it('asks for a named example, and for an example of a status', () => {
    expect(read('example=first-page')).toEqual({ ...nothing, example: 'first-page' });
    expect(read('code=503, example=ORDERS_NOT_READY')).toEqual({ ...nothing, code: 503, example: 'ORDERS_NOT_READY' });
  });

  it('asks for a generated body', () => {
    for (const field of ['dynamic=true', 'dynamic', 'dynamic="true"']) expect(read(field)).toEqual({ ...nothing, dynamic: true });
  });

  it('asks for an example with dynamic=false', () => {
    expect(read('dynamic=false')).toEqual({ ...nothing, dynamic: false });
  });

  it('may be in the query, as with Prism, where the header counts more', () => {
    const ask = (query: string, headers = {}): unknown => readPreference(headers, splitQuery(query));
    expect(ask('a=1&__code=404&__example=x&__dynamic=true')).toEqual({ code: 404, example: 'x', dynamic: true });
    expect(ask('__code=404', { prefer: 'code=500' })).toEqual({ ...nothing, code: 500 });
    expect(ask('__other=404')).toEqual({});
  });

  it('has names in any case, and optional spaces', () => {
    expect(read('Code = 404 ,\tEXAMPLE="x"')).toEqual({ ...nothing, code: 404, example: 'x' });
  });

  it('may have unknown preferences, too', () => {
    expect(read('respond-async, code=404; by=me, wait=3')).toEqual({ ...nothing, code: 404 });
  });

  it('may be sent in several lines', () => {
    expect(read(['respond-async', 'code=404'])).toEqual({ ...nothing, code: 404 });
  });

  it('uses the first of two equal preferences (RFC 7240 §2)', () => {
    expect(read('code=404, code=429')).toEqual({ ...nothing, code: 404 });
    expect(read(['example=a', 'example=b'])).toEqual({ ...nothing, example: 'a' });
  });

  it('may have commas, semicolons and equals signs in a quoted value', () => {
    expect(read('example="a, b; c=d", code=200')).toEqual({ ...nothing, code: 200, example: 'a, b; c=d' });
  });
});

const pets = await serveText(`
openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      operationId: listPets
      deprecated: true
      responses:
        '200':
          description: All.
          headers:
            X-Count: { schema: { type: integer, minimum: 2 } }
            X-Next: { schema: { type: string }, example: /pets?page=2 – more }
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } }
        4XX:
          description: Wrong.
          content:
            application/problem+json: { schema: {}, example: { title: Wrong }, examples: { gone: { value: { title: Gone } } } }
  /choice:
    get:
      operationId: getChoice
      responses:
        '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Choice' } } } }
        '204': { description: None. }
components:
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties:
        id: { type: integer, examples: [10] }
        name: { type: string, minLength: 2 }
        status: { type: string, enum: [available, sold], default: sold }
        secret: { type: string, writeOnly: true }
        parent: { $ref: '#/components/schemas/Pet' }
        tags: { type: array, items: { type: string, const: tame } }
    Choice: { type: object, minProperties: 1, maxProperties: 1, properties: { left: { type: integer }, right: { type: integer } } }
`);

async function answerOf(id: string, preference: Partial<Preference> = {}, target = '/pets'): Promise<DraftResponse | string> {
  const operation = pets.contract.operations.find((each) => each.id === id);
  if (operation === undefined) throw new Error(`the contract has no ${id}`);
  const chosen = chooseByPreference(toPrismOperation(operation), { ...noPreference, ...preference });
  if (typeof chosen === 'string') return chosen;
  const circumstances = { operation, method: 'GET', target, nowMs: Date.UTC(2026, 2, 29, 16) };
  const { status, headers, body } = await makeDocumentedResponse(circumstances, chosen, preference.dynamic === true);
  return { status, headers, body };
}

/** A pet without the member that only requests have. Its parents end after two. */
const pet = { id: 10, name: 'Ada Lovelace', status: 'sold', tags: ['tame'] };

describe('a documented answer', () => {
  it('without an example has all properties of the schema, with their examples', async () => {
    expect(await answerOf('listPets')).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json', deprecation: 'true', 'x-count': '2', 'x-next': '/pets?page=2   more' },
      body: [{ ...pet, parent: pet }],
    });
  });

  it('has only as many members as the schema allows', async () => {
    const answer = await answerOf('getChoice');
    expect(Object.keys((answer as { body: object }).body)).toHaveLength(1);
  });

  it('of a range has the requested status and example', async () => {
    const type = { 'content-type': 'application/problem+json' };
    expect(await answerOf('listPets', { code: 418 })).toMatchObject({ status: 418, headers: type, body: { title: 'Wrong' } });
    expect(await answerOf('listPets', { code: 410, example: 'gone' })).toMatchObject({ status: 410, body: { title: 'Gone' } });
  });

  it('without content has no body and no content type', async () => {
    expect(await answerOf('getChoice', { code: 204 })).toEqual({ status: 204, headers: {}, body: undefined });
  });

  it('takes the changes that its schema allows, and keeps its own members in place of the others', async () => {
    const operation = pets.contract.operations.find(({ id }) => id === 'listPets');
    if (operation === undefined) throw new Error('the contract has no listPets');
    const chosen = chooseByPreference(toPrismOperation(operation), noPreference);
    if (typeof chosen === 'string') throw new Error(chosen);
    const circumstances = { operation, method: 'GET', target: '/pets', nowMs: Date.UTC(2026, 2, 29, 16) };
    const { body } = await makeDocumentedResponse(circumstances, chosen, false, () => [{ ...pet, id: 7, name: 'x', tags: ['wild'] }]);
    expect(body).toEqual([{ ...pet, id: 7 }]);
  });

  it('is refused with a reason if it is not documented', async () => {
    expect(await answerOf('getChoice', { code: 500 })).toMatch('500');
  });

  it('may be generated, the same for equal requests, and different for others', async () => {
    const [first, again, other] = [
      await answerOf('listPets', { dynamic: true }, '/pets?a'),
      await answerOf('listPets', { dynamic: true }, '/pets?a'),
      await answerOf('listPets', { dynamic: true }, '/pets?b'),
    ];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    const validate = pets.contract.operations[0]?.responses.get('200')?.content.get('application/json')?.validate;
    for (const answer of [first, other]) expect(validate?.((answer as { readonly body: Json }).body)).toEqual([]);
  });
});
