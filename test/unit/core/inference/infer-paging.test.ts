import { expect, test } from 'vitest';
import { inferContract } from '../../../../core/inference/infer-contract.ts';
import { loadText } from '../../../helpers/contracts/contract-text.ts';

async function pagingOf(parameters: string, members: string): Promise<unknown> {
  const contract = await loadText(`openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /orders:
    get:
      operationId: listOrders
      parameters: [${parameters}]
      responses:
        '200':
          description: Some.
          content: { application/json: { schema: { type: object, properties: { data: { type: array, items: { type: object, properties: { id: { type: integer } } } }, ${members} } } } }
`);
  const { paging } = inferContract(contract).collections[0]?.lists[0] ?? {};
  return [paging?.value.style, paging?.value.start, paging?.value.limit, (paging?.confidence ?? 0) >= 0.9];
}

const text = (name: string): string => `{ name: ${name}, in: query, schema: { type: string } }`;

test.each([
  [
    'a text is the number of a page where the response has one',
    [text('page'), text('display_size')],
    'page: { type: integer }',
    ['page', 'page', 'display_size', true],
  ],
  ['a text is a cursor where the response has none', [text('page')], 'total: { type: integer }', ['cursor', 'page', undefined, false]],
  [
    'before leads on where the response has a next cursor',
    [text('before'), text('limit')],
    'next_cursor: { type: string }',
    ['cursor', 'before', 'limit', true],
  ],
  [
    'brackets around the parameters, and a cursor named after one',
    [text("'page[after]'"), text("'page[size]'")],
    'meta: { type: object, properties: { after_cursor: { type: string }, has_more: { type: boolean } } }',
    ['cursor', 'page[after]', 'page[size]', true],
  ],
  [
    'before leads back beside another start',
    [text('before'), text('after')],
    'next_cursor: { type: string }',
    ['cursor', 'after', undefined, true],
  ],
] as const)('%s', async (_, parameters, members, paging) => {
  expect(await pagingOf(parameters.join(', '), members)).toEqual(paging);
});
