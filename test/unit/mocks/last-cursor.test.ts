/** What the last page says in place of a cursor, as far as the schema of the page decides it. */

import { describe, expect, it } from 'vitest';
import { loadContract, resolveContract } from '../../../core/contract.ts';
import { contractFile } from '../../../core/shipped.ts';
import { chooseLastCursor, type LastCursor } from '../../../mocks/last-cursor.ts';
import { openContract } from '../../helpers/judge.ts';

describe('the last cursor', () => {
  it.each(['null', 'absent', 'given'] as const)('of the business API is %s when the profile says so', async (answer) => {
    const contract = resolveContract(await openContract(contractFile('business')), { 'last-cursor': answer });
    expect(chosenBy(contract)).toBe(answer);
  });

  const pages: readonly (readonly [schema: string, expected: LastCursor])[] = [
    ['{ next: { type: [string, "null"] } }', 'null'],
    ['{ next: { type: "null" } }', 'null'],
    ['{ next: true }', 'null'],
    ['{ next: { type: string } }', 'given'],
    ['{ next: { type: string, minLength: 8 } }', 'given'],
    ['{ next: false }', 'absent'],
    ['{ next: { type: string } }, if: { properties: { more: { const: false } } }, then: { properties: { next: false } }', 'absent'],
    ['{ next: { oneOf: [{ type: string }, { type: "null" }] } }', 'null'],
  ];
  it.each(pages)('of a page with the properties %s is %s', async (properties, expected) => {
    expect(chosenBy(await contractWith(properties))).toBe(expected);
  });
});

function chosenBy(contract: Parameters<typeof chooseLastCursor>[0]): LastCursor {
  const [operation] = contract.operations.filter((each) => each.collection?.page.style === 'cursor');
  const page = operation?.collection?.page;
  const schema = operation?.responses.get('200')?.content.get('application/json')?.schema;
  if (page?.style !== 'cursor' || schema === undefined) throw new Error('the contract has no list with a cursor');
  return chooseLastCursor(contract, schema, page);
}

async function contractWith(properties: string): Promise<Awaited<ReturnType<typeof loadContract>>> {
  const text = `
openapi: 3.1.0
info: { title: Pages, version: '1' }
paths:
  /things:
    get:
      operationId: listThings
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: cursor, in: query, schema: { type: string } }
      x-collection:
        name: things
        items: /things
        key: /id
        order: [{ by: /id, direction: ascending }]
        page: { style: cursor, limit: limit, cursor: cursor, next: /page/next, more: /page/more, fixed: [], changed: refused }
        filters: {}
      responses:
        '200':
          description: Things.
          content:
            application/json:
              schema:
                properties:
                  things: { items: { properties: { id: { type: integer } } } }
                  page: { type: object, required: [more], properties: ${properties.replace('{', '{ more: { type: boolean },')} }
`;
  return await loadContract('things.yaml', async () => text);
}
