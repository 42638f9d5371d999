/** A run finds values for parameters where responses or the contract have them, and says of each operation what it judged or why not. */

import { describe, expect, it } from 'vitest';
import type { VerifyOptions } from '../../../../contracts/verify/run-options.ts';
import { verify } from '../../../../contracts/verify/verify.ts';
import type { RunResult } from '../../../../core/results/run-result.ts';
import { describeCoverage, describeEnd } from '../../../../reports/verify/verify-sentences.ts';
import { contractText, loadText } from '../../../helpers/contracts/contract-text.ts';
import { serve } from '../servers.ts';

const ok = "responses: { '200': { description: a, content: { application/json: {} } } }";
const inPath = (name: string, schema = '{ type: string }'): string => `{ name: ${name}, in: path, required: true, schema: ${schema} }`;

/** Paths with the operation and its parameters; a POST for a name that begins with `add`. */
function shop(paths: Readonly<Record<string, readonly [id: string, ...parameters: readonly string[]]>>): string {
  const lines = Object.entries(paths).map(([path, [id, ...parameters]]) => {
    const method = id.startsWith('add') ? 'post' : 'get';
    return `  "${path}": { ${method}: { operationId: ${id}, parameters: [${parameters.join(', ')}], ${ok} } }`;
  });
  return contractText(`paths:\n${lines.join('\n')}`);
}

interface Judged {
  readonly result: RunResult;
  readonly asked: ReadonlySet<string>;
}

/** Verifies a server that answers each path with a JSON text, and any other path with `{}`. */
async function judge(text: string, bodies: Readonly<Record<string, string>> = {}, options: Partial<VerifyOptions> = {}): Promise<Judged> {
  const asked = new Set<string>();
  const server = await serve(({ url = '' }, response) => {
    asked.add(url);
    response.writeHead(200, { 'content-type': 'application/json' }).end(bodies[url] ?? '{}');
  });
  const contract = await loadText(text);
  return { result: await verify({ contract, target: server.url, ...options }).result, asked };
}

describe('a value of a parameter', () => {
  it.each([
    ['by the name of its parameter', '/shops', '[{ "shopId": "s-1" }]'],
    ['as the id of a listed record', '/shops', '{ "data": { "items": [{ "id": "s-1" }] } }'],
    ['as a listed text', '/shops', '["s-1"]'],
  ])('comes from the list above it, %s', async (_, list, body) => {
    const { asked } = await judge(
      shop({
        '/shops': ['listShops'],
        '/shops/{shopId}/rooms': ['listRooms', inPath('shopId')],
        '/shops/{shopId}/rooms/{room}': ['getRoom', inPath('shopId'), inPath('room', '{ type: integer }')],
      }),
      {
        [list]: body,
        '/shops/s-1/rooms': '[{ "id": 7 }]',
      },
    );
    expect([...asked]).toEqual(expect.arrayContaining(['/shops/s-1/rooms', '/shops/s-1/rooms/7']));
  });

  it('comes from a search below the same path, from a list of another path, and from a link', async () => {
    const { asked } = await judge(
      shop({
        '/pet/{petId}': ['getPet', inPath('petId', '{ type: integer }')],
        '/pet/find': ['findPets'],
        '/owners': ['listOwners'],
        '/visits/of/{ownerId}': ['listVisits', inPath('ownerId')],
        '/files/{name}/text': ['getText', inPath('name')],
      }),
      { '/pet/find': '[{ "id": 4 }]', '/owners': '[{ "id": "o-9", "text": "/files/a%20b/text" }]' },
    );
    expect([...asked]).toEqual(expect.arrayContaining(['/pet/4', '/visits/of/o-9', '/files/a%20b/text']));
  });

  it('is given', async () => {
    const paths = shop({
      '/a/{x}': ['a', inPath('x')],
      '/b/{x}': ['b', inPath('x')],
      '/c': ['c', '{ name: day, in: query, required: true, schema: { type: string } }'],
    });
    const { asked } = await judge(paths, {}, { params: { x: 'one', 'b.x': 'two', day: 'today' } });
    expect([...asked]).toEqual(expect.arrayContaining(['/a/one', '/b/two', '/c?day=today']));
  });

  it('that nothing shows is not invented, and the operation is named', async () => {
    const { result, asked } = await judge(shop({ '/a/{owner}': ['a', inPath('owner')], '/b': ['b'], '/c': ['c'] }));
    expect(asked).toEqual(new Set(['/b', '/c']));
    expect(result.coverage?.find(({ operation }) => operation === 'a')).toMatchObject({
      notJudged: 'value',
      lacks: ['owner'],
      requests: 0,
    });
  });
});

it('says on its first line what it judged, and what not', async () => {
  const { result, asked } = await judge(
    shop({
      '/a': ['a'],
      '/b': ['addB'],
      '/c': ['addC'],
      '/reset': ['reset'],
      '/d/{owner}': ['d', inPath('owner')],
      '/e/{owner}/{id}': ['e', inPath('owner'), inPath('id')],
    }),
    {},
    { require: '30%' },
  );
  expect(asked).toEqual(new Set(['/a']));
  expect(describeCoverage(result)).toBe(
    'checked 1 of 6 operations (2 write and were not called, 1 seems to change something and was not called, 2 lack a value for {owner}, {id})',
  );
  expect(result.exitCode).toBe(0);
});

it('ends with 4 when less than half of what may be sent was judged, unless less is required', async () => {
  const text = shop({ '/a': ['a'], '/d/{x}': ['d', inPath('x')], '/e/{y}': ['e', inPath('y')] });
  const { result } = await judge(text);
  expect(result.exitCode).toBe(4);
  expect(describeEnd(result)).toBe(
    'Too little evidence: no violation was found, but only 1 of the 3 operations that may be called were checked',
  );
  expect((await judge(text, {}, { require: '33%' })).result.exitCode).toBe(0);
  expect((await judge(text, {}, { require: '40%' })).result.exitCode).toBe(4);
});

it('sends a GET that seems to change something if it is chosen', async () => {
  const { result, asked } = await judge(shop({ '/a': ['a'], '/reset': ['reset'] }), {}, { send: ['reset'] });
  expect(asked).toEqual(new Set(['/a', '/reset']));
  expect(result.coverage?.map(({ notJudged }) => notJudged)).toEqual([undefined, undefined]);
});

it('judges public operations without a key', async () => {
  const secured = shop({ '/a': ['a'] }).replace(
    'paths:',
    `components: { securitySchemes: { k: { type: http, scheme: bearer } } }\npaths:\n  /mine: { get: { operationId: mine, security: [{ k: [] }], ${ok} } }`,
  );
  const { result, asked } = await judge(secured);
  expect(asked).toEqual(new Set(['/a']));
  expect(describeCoverage(result)).toBe('checked 1 of 2 operations (1 needs a key)');
});

it('leaves open which malformed queries a plain file refuses, and with which status', async () => {
  const text = shop({ '/a': ['a', '{ name: size, in: query, schema: { type: integer } }'] });
  const judgeRefusal = async (status: number, documented: string): Promise<readonly string[]> => {
    const server = await serve(({ url = '' }, response) => {
      response.writeHead(url === '/a' ? 200 : status, { 'content-type': 'application/json' }).end('{}');
    });
    const contract = await loadText(text.replace("responses: { '200'", `responses: { ${documented}'200'`));
    const { checks } = await verify({ contract, target: server.url }).result;
    return checks.filter(({ verdict }) => verdict === 'violated').map(({ rule }) => rule);
  };
  expect(await judgeRefusal(422, '')).toEqual([]);
  expect(await judgeRefusal(200, "'400': { description: b }, ")).toEqual([]);
  expect(await judgeRefusal(500, '')).toEqual(expect.arrayContaining(['requests/malformed']));
});
