/** Required members of an envelope: their values, and that answers with them match the schema. */

import { describe, expect, it, test } from 'vitest';
import type { Json } from '../../../../core/json.ts';
import { resolveContract } from '../../../../core/openapi/contract.ts';
import { fillAround, findEnvelopeMembers, frameOf, joinList } from '../../../../mocks/handler/envelope.ts';
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
  return (await findEnvelopeMembers(resolveContract(await loadText(file(envelope.replaceAll(/\s+/g, ' '), more))))).get('listThings') ?? [];
}

const data =
  'data: { type: object, required: [things, total], properties: { total: { type: integer }, things: { type: array, items: { type: object, properties: { id: { type: integer } } } } } }';

test('members that the mock fills, and optional members, get no value', async () => {
  const schema = `{ type: object, required: [data, kind], properties: { ${data}, kind: { const: list }, url: { type: string } } }`;
  expect(await siblingsOf(schema)).toEqual([]);
});

test('a required member is null if the schema allows it, or else the value of the example', async () => {
  const schema = `{ type: object, required: [data, url, next], properties: { ${data}, url: { type: string }, next: { type: [string, 'null'] } } }`;
  expect(await siblingsOf(schema, 'example: { url: /things, next: /things?offset=2, data: { things: [] } }')).toEqual([
    ['/url', '/things'],
    ['/next', null],
  ]);
});

test('without an example, a required member is the simplest instance, also beside the list', async () => {
  const schema = `{ type: object, required: [data, links], properties: {
    data: { type: object, required: [things, version], properties: { things: { type: array, items: { properties: { id: true } } }, version: { type: string, pattern: '^v[1-9]$' }, total: { type: integer } } },
    links: { type: object, required: [self], properties: { self: { type: string, format: uri-reference, minLength: 1 } } } } }`;
  const siblings = new Map(await siblingsOf(schema));
  expect([...siblings.keys()]).toEqual(['/data/version', '/links']);
  expect(siblings.get('/data/version')).toMatch(/^v[1-9]$/);
  expect(siblings.get('/links')).toMatchObject({ self: expect.stringMatching(/./) });
});

test('a required member without a valid value is omitted', async () => {
  expect(await siblingsOf(`{ type: object, required: [data, no], properties: { ${data}, no: false } }`)).toEqual([]);
});

describe('a frame', () => {
  const constants = { ok: true, data: { kind: 'list' } };

  it('has the first gap between two texts, and the values of the other gaps in them', () => {
    const frame = frameOf(constants, ['/data/things', '/data/page/more', '/count']);
    const [before, after] = fillAround(frame, ['false', '"1"']);
    expect(`${before}[2]${after}`).toBe('{"ok":true,"data":{"kind":"list","things":[2],"page":{"more":false}},"count":"1"}');
    const [early, late] = fillAround(frameOf({ rest: [], data: {} }, ['/last', '/data/first']), ['{}']);
    expect(`${early}null${late}`).toBe('{"rest":[],"data":{"first":{}},"last":null}');
  });

  it('may consist of a gap only', () => {
    expect(fillAround(frameOf({}, ['']), [])).toEqual(['', '']);
  });

  it.each([0, 1, 2, 5])('joins a list of %d printed elements', (count) => {
    const elements = Array.from({ length: count }, (_, index) => ({ index, name: 'è' }));
    const [before, after] = fillAround(frameOf(constants, ['/data/things']), []);
    const printed = elements.map((element) => Buffer.from(JSON.stringify(element)));
    expect(joinList(before, printed, after).toString()).toBe(JSON.stringify({ ok: true, data: { kind: 'list', things: elements } }));
  });
});
