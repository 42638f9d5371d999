/** What other tools and the links of OpenAPI state about collections. */

import { expect, test } from 'vitest';
import type { InferredCollection } from '../../../../core/inference/guess.ts';
import { inferContract } from '../../../../core/inference/infer-contract.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';

const text = `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /orders:
    get:
      operationId: listOrders
      parameters: [{ name: go_on, in: query, schema: { type: string, x-stainless-pagination-property: { purpose: next_cursor_param } } }]
      responses:
        '200':
          description: Some.
          content:
            application/json:
              schema:
                type: object
                properties:
                  list: { type: array, items: { $ref: '#/components/schemas/Order' }, x-stainless-pagination-property: { purpose: items } }
                  resume: { type: string, x-stainless-pagination-property: { purpose: next_cursor_field } }
                  notes: { type: array, items: { type: object, properties: { text: { type: string } } } }
    post:
      operationId: addOrder
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
      responses:
        '201':
          description: Made.
          content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
          links: { Read: { $ref: '#/components/links/Read' } }
  /orders/{nr}:
    get:
      operationId: readOrder
      parameters: [{ name: nr, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: One.
          content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
          links: { Buyer: { operationId: readPerson, parameters: { path.login: $response.body#/buyer } } }
  /people:
    get:
      operationId: listPeople
      responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Person' } } } } } }
  /people/{login}:
    get:
      operationId: readPerson
      parameters: [{ name: login, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Person' } } } } }
components:
  links: { Read: { operationId: readOrder, parameters: { nr: $response.body#/reference } } }
  schemas:
    Order: { type: object, properties: { reference: { type: string }, number: { type: integer }, buyer: { type: string } } }
    Person: { type: object, properties: { login: { type: string }, city: { type: string } } }
`;

const collection = async (name: string): Promise<InferredCollection | undefined> =>
  inferContract(await openContract('shop.yaml', text)).collections.find((each) => each.name === name);

test('marks of Stainless name the array, the cursor and its parameter', async () => {
  const [list] = (await collection('orders'))?.lists ?? [];
  expect(list?.items).toMatchObject({ value: '/list', reason: { by: 'vendor-extension' } });
  expect(list?.paging).toMatchObject({ value: { style: 'cursor', start: 'go_on', members: { next: '/resume' } }, confidence: 0.97 });
});

test('a link to the read of one record names the key', async () => {
  expect((await collection('orders'))?.key).toEqual({ value: '/reference', confidence: 0.98, reason: { by: 'link', name: 'Read' } });
});

test('a link to the read of another collection names a reference', async () => {
  expect((await collection('orders'))?.references).toEqual([
    { field: '/buyer', target: { value: 'people', confidence: 0.97, reason: { by: 'link', name: 'Buyer' } } },
  ]);
});
