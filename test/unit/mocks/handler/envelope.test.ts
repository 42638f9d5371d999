/** The members that an answer must have beside its records: what their values are, and that answers keep their schema with them. */

import { describe, expect, it, test } from 'vitest';
import type { Json } from '../../../../core/json.ts';
import { resolveContract } from '../../../../core/openapi/contract.ts';
import { fillAround, findSiblings, frameOf, joinList } from '../../../../mocks/handler/envelope.ts';
import { loadText } from '../../../helpers/contracts/contract-text.ts';

const file = (envelope: string, more = ''): string => `
openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    get:
      operationId: listThings
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: offset, in: query, schema: { type: integer } }
      x-collection:
        { name: things, items: /data/things, key: /id, order: [{ by: /id, direction: ascending }], filters: {}, page: { style: offset, limit: limit, offset: offset, total: /data/total } }
      responses:
        '200':
          description: things
          content:
            application/json:
              ${more}
              schema: ${envelope}
`;

async function siblingsOf(envelope: string, more?: string): Promise<readonly (readonly [string, Json])[]> {
  return (await findSiblings(resolveContract(await loadText(file(envelope.replaceAll(/\s+/g, ' '), more))))).get('listThings') ?? [];
}

const data =
  'data: { type: object, required: [things, total], properties: { total: { type: integer }, things: { type: array, items: { type: object, properties: { id: { type: integer } } } } } }';

test('what the mock gives, and what is not required, has no other value', async () => {
  const schema = `{ type: object, required: [data, kind], properties: { ${data}, kind: { const: list }, url: { type: string } } }`;
  expect(await siblingsOf(schema)).toEqual([]);
});

test('a required member is null where it may be, and else what the example shows', async () => {
  const schema = `{ type: object, required: [data, url, next], properties: { ${data}, url: { type: string }, next: { type: [string, 'null'] } } }`;
  expect(await siblingsOf(schema, 'example: { url: /things, next: /things?offset=2, data: { things: [] } }')).toEqual([
    ['/url', '/things'],
    ['/next', null],
  ]);
});

test('without an example it is the simplest value of its schema, also beside the list at its own level', async () => {
  const schema = `{ type: object, required: [data, links], properties: {
    data: { type: object, required: [things, version], properties: { things: { type: array, items: { properties: { id: true } } }, version: { type: string, pattern: '^v[1-9]$' }, total: { type: integer } } },
    links: { type: object, required: [self], properties: { self: { type: string, format: uri-reference, minLength: 1 } } } } }`;
  const siblings = new Map(await siblingsOf(schema));
  expect([...siblings.keys()]).toEqual(['/data/version', '/links']);
  expect(siblings.get('/data/version')).toMatch(/^v[1-9]$/);
  expect(siblings.get('/links')).toMatchObject({ self: expect.stringMatching(/./) });
});

test('a member that nothing can be is left out', async () => {
  expect(await siblingsOf(`{ type: object, required: [data, no], properties: { ${data}, no: false } }`)).toEqual([]);
});

describe('a frame', () => {
  const constants = { ok: true, data: { kind: 'list' } };

  it('has its first place between two texts, and the values of the others in them, wherever those stand', () => {
    const frame = frameOf(constants, ['/data/things', '/data/page/more', '/count']);
    const [before, after] = fillAround(frame, ['false', '"1"']);
    expect(`${before}[2]${after}`).toBe('{"ok":true,"data":{"kind":"list","things":[2],"page":{"more":false}},"count":"1"}');
    const [early, late] = fillAround(frameOf({ rest: [], data: {} }, ['/last', '/data/first']), ['{}']);
    expect(`${early}null${late}`).toBe('{"rest":[],"data":{"first":{}},"last":null}');
  });

  it('may be nothing but its place', () => {
    expect(fillAround(frameOf({}, ['']), [])).toEqual(['', '']);
  });

  it.each([0, 1, 2, 5])('takes a list of %d elements that are bytes already', (count) => {
    const elements = Array.from({ length: count }, (_, index) => ({ index, name: 'è' }));
    const [before, after] = fillAround(frameOf(constants, ['/data/things']), []);
    const printed = elements.map((element) => Buffer.from(JSON.stringify(element)));
    expect(joinList(before, printed, after).toString()).toBe(JSON.stringify({ ok: true, data: { kind: 'list', things: elements } }));
  });
});
