/** A file without annotations: nothing is reported of a right server, and each rule that needs no annotation reports the mistake that it is for. */

import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { VerifyOptions } from '../../../../contracts/verify/run-options.ts';
import { verify } from '../../../../contracts/verify/verify.ts';
import type { RunResult } from '../../../../core/results/run-result.ts';
import { loadText } from '../../../helpers/contracts/contract-text.ts';
import { serve } from '../servers.ts';

const file = `
openapi: 3.1.0
info: { title: Shops, version: '1' }
security: [{ key: [] }]
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
  schemas:
    shop: { type: object, required: [id, name, state], properties: { id: { type: integer }, name: { type: string }, state: { enum: [open, closed] }, clientSecret: { type: string } } }
    room: { type: object, required: [id, shopId], properties: { id: { type: integer }, shopId: { type: integer } } }
  parameters:
    shopId: { name: shopId, in: path, required: true, schema: { type: integer } }
paths:
  /shops:
    get:
      operationId: listShops
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 3 } }
        - { name: page, in: query, schema: { type: integer, minimum: 1 } }
        - { name: state, in: query, schema: { enum: [open, closed] } }
      responses:
        '200': { description: a, content: { application/json: { schema: { type: object, required: [data], properties: { data: { type: array, items: { $ref: '#/components/schemas/shop' } } } } } } }
        '401': { description: a }
  /shops/{shopId}:
    get:
      operationId: getShop
      parameters: [{ $ref: '#/components/parameters/shopId' }]
      responses:
        '200': { description: a, headers: { ETag: { schema: { type: string } } }, content: { application/json: { schema: { $ref: '#/components/schemas/shop' } } } }
        '304': { description: a }
        '404': { description: a }
  /shops/{shopId}/rooms:
    get:
      operationId: listRooms
      parameters: [{ $ref: '#/components/parameters/shopId' }]
      responses: { '200': { description: a, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/room' } } } } } }
`;

const shops = [1, 2, 3, 4, 5].map((id) => ({
  id,
  name: `Shop ${id}`,
  state: id % 2 === 0 ? 'open' : 'closed',
  clientSecret: `s3cr3t-${id}`,
}));
const rooms = [11, 12, 13].map((id, index) => ({ id, shopId: (index % 2) + 1 }));

interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request as the server reads it; `count` counts the requests. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly key: string | undefined;
  readonly tag: string | undefined;
  readonly count: number;
}

function answerRight({ path, query, key, tag }: Asked): Answer {
  if (key !== 'right-key-0123456789') return { status: 401 };
  const [, , shopId, below] = path.split('/');
  if (shopId === undefined) {
    const [limit, page] = [Number(query.get('limit') ?? 3), Number(query.get('page') ?? 1)];
    if (!(limit > 0 && page > 0)) return { status: 400 };
    const chosen = shops.filter(({ state }) => (query.get('state') ?? state) === state);
    return { body: { data: chosen.slice((page - 1) * limit, page * limit) } };
  }
  const shop = shops.find(({ id }) => String(id) === shopId);
  if (below !== undefined) return { body: rooms.filter((room) => room.shopId === shop?.id) };
  if (shop === undefined) return { status: 404 };
  const headers = { ETag: `"${shop.id}"` };
  return tag === headers.ETag ? { status: 304, headers } : { body: shop, headers };
}

type Change = (right: Answer, asked: Asked) => Answer;

async function judge(change: Change = (right) => right, options: Partial<VerifyOptions> = {}, text: string = file): Promise<RunResult> {
  let count = 0;
  const read = ({ method = '', url = '', headers }: IncomingMessage): Asked => {
    const { pathname, searchParams } = new URL(url, 'http://x');
    const [key, tag] = [headers['x-key'], headers['if-none-match']].map((each) => each?.toString());
    count += 1;
    return { method, path: pathname, query: searchParams, key, tag, count };
  };
  const server = await serve((request, response) => {
    const asked = read(request);
    const { status = 200, body, headers = {} } = change(answerRight(asked), asked);
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    response.writeHead(status, { ...type, ...headers }).end(body === undefined ? '' : JSON.stringify(body));
  });
  const keys = { full: { variable: 'KEY', value: 'right-key-0123456789' } };
  return verify({ contract: await loadText(text), target: server.url, keys, ...options }).result;
}

function violated({ checks }: RunResult): readonly string[] {
  return [...new Set(checks.filter(({ verdict }) => verdict === 'violated').map(({ rule, operation }) => `${rule} ${operation}`))];
}

const isShop = ({ path }: Asked): boolean => /^\/shops\/[^/]+$/.test(path);
const isList = ({ path }: Asked): boolean => path === '/shops';

describe('of a right server', () => {
  it('nothing is reported, every operation is judged, and the rules hold', async () => {
    const result = await judge(undefined, { exchanges: true });
    expect([violated(result), result.exitCode, result.notes]).toEqual([[], 0, undefined]);
    expect(result.exchanges).toHaveLength(result.requests);
    expect(JSON.stringify(result.exchanges)).not.toContain('right-key-0123456789');
    expect(result.coverage?.map(({ notJudged, parameters }) => [notJudged, parameters.every(({ isSent }) => isSent)])).toEqual([
      [undefined, true],
      [undefined, true],
      [undefined, true],
    ]);
    const held = result.checks.filter(({ verdict }) => verdict === 'holds').map(({ rule, operation }) => `${rule} ${operation}`);
    expect(held).toEqual(
      expect.arrayContaining([
        'keys/missing listShops',
        'keys/unknown listRooms',
        'details/absent getShop',
        'conditional/unchanged getShop',
        'requests/malformed getShop',
        'requests/parameters listShops',
        'requests/parameters listRooms',
        'requests/head listShops',
        'requests/repeated getShop',
      ]),
    );
  });

  it('what the file leaves open is not demanded', async () => {
    const result = await judge((right, { method, key, path, query }) => {
      if (method === 'HEAD') return { status: 405 };
      if (key !== undefined && right.status === 401) return { status: 401 };
      if (path.endsWith('/rooms') && key === undefined) return { status: 403 };
      return query.get('state') === 'not-what-is-asked' ? { body: { data: [] } } : right;
    });
    expect(violated(result)).toEqual([]);
  });

  it('that is a mock of the file, which always shows the same, nothing is reported either', async () => {
    const result = await judge((right, asked) => {
      if (right.status === 401) return right;
      return { body: isList(asked) ? { data: shops.slice(0, 2) } : isShop(asked) ? shops[3] : rooms };
    });
    expect(violated(result)).toEqual([]);
  });
});

it.each<readonly [mistake: string, rule: string, change: Change]>([
  [
    'an absent record is another one',
    'details/absent getShop',
    (right, asked) => (isShop(asked) && right.status === 404 ? { body: shops[0] } : right),
  ],
  ['an absent record is empty', 'details/absent getShop', (right, asked) => (isShop(asked) && right.status === 404 ? { body: {} } : right)],
  [
    'an absent parent lists all',
    'details/absent listRooms',
    (right, { path }) => (path.endsWith('/rooms') && /4321/.test(path) ? { body: rooms.filter(({ shopId }) => shopId === 1) } : right),
  ],
  [
    'a listed record is rejected in a way that is not documented',
    'response/status getShop',
    (right, asked) => (isShop(asked) && right.status === undefined ? { status: 409 } : right),
  ],
  ['HEAD gets another status', 'requests/head listShops', (right, { method }) => (method === 'HEAD' ? { ...right, status: 204 } : right)],
  [
    'If-None-Match is ignored',
    'conditional/unchanged getShop',
    (right, asked) => (right.status === 304 ? answerRight({ ...asked, tag: undefined }) : right),
  ],
  [
    'the status alternates',
    'requests/repeated getShop',
    (right, asked) => (isShop(asked) && right.status === undefined && asked.count % 2 === 0 ? { status: 404 } : right),
  ],
  [
    'the order alternates',
    'requests/repeated listRooms',
    (right, { path, count }) =>
      path.endsWith('/1/rooms') && right.body !== undefined && count % 2 === 0
        ? { body: [...(right.body as unknown[])].toReversed() }
        : right,
  ],
  [
    'malformed identifiers fail',
    'requests/malformed getShop',
    (right, asked) => (asked.path.includes('not-what') ? { status: 500 } : right),
  ],
  [
    'a documented value fails',
    'response/no-server-error listShops',
    (right, { query }) => (query.get('state') === 'closed' ? { status: 500 } : right),
  ],
  [
    'another record is returned',
    'requests/identifier getShop',
    (right, asked) => (isShop(asked) && right.status === undefined ? { ...right, body: shops[Number(asked.path.at(-1)) % 5] } : right),
  ],
  [
    'a record of a later page lacks a member',
    'response/schema listShops',
    (right, asked) =>
      isList(asked) && right.body !== undefined
        ? {
            body: {
              data: (right.body as { data: object[] }).data.map((shop) => ({ ...shop, name: 'id' in shop && shop.id === 5 ? 5 : 'a' })),
            },
          }
        : right,
  ],
  [
    'a key is not asked for',
    'keys/missing listRooms',
    (right, asked) => (asked.key === undefined && asked.path.endsWith('/rooms') ? { body: rooms } : right),
  ],
  [
    'any key is accepted',
    'keys/unknown listShops',
    (right, asked) => (asked.key !== undefined ? answerRight({ ...asked, key: 'right-key-0123456789' }) : right),
  ],
  [
    'the limit is ignored',
    'requests/parameters listShops',
    (right, asked) => (asked.query.has('limit') ? answerRight({ ...asked, query: new URLSearchParams('limit=50') }) : right),
  ],
  [
    'the default of the limit is ignored',
    'requests/parameters listShops',
    (right, asked) => (isList(asked) && right.body !== undefined && asked.query.size === 0 ? { body: { data: shops } } : right),
  ],
  [
    'the page is ignored',
    'requests/parameters listShops',
    (right, asked) =>
      asked.query.has('page') && right.body !== undefined
        ? answerRight({ ...asked, query: new URLSearchParams(`limit=${asked.query.get('limit')}`) })
        : right,
  ],
  [
    'a filter is ignored',
    'requests/parameters listShops',
    (right, asked) =>
      asked.query.has('state') && right.body !== undefined ? answerRight({ ...asked, query: new URLSearchParams() }) : right,
  ],
  [
    'rooms of other shops are listed',
    'requests/parameters listRooms',
    (right, { path }) => (path.endsWith('/1/rooms') && right.body !== undefined ? { body: rooms } : right),
  ],
  [
    'a record has another content than in its list',
    'details/agree getShop',
    (right, asked) =>
      isShop(asked) && right.body !== undefined ? { ...right, body: { ...(right.body as object), state: 'closed' } } : right,
  ],
  [
    'a tag stays while the content changes',
    'conditional/changed getShop',
    (right, asked) =>
      isShop(asked) && right.body !== undefined ? { ...right, body: { ...(right.body as object), name: `Name ${asked.count}` } } : right,
  ],
])('%s: reported by %s', async (_, rule, change) => {
  const result = await judge(change);
  expect(violated(result)).toContain(rule);
  expect(result.exitCode).toBe(1);
});

/** The file as some are written: every parameter is a text, examples name what no server has, and what a filter compares lies deeper in the record. */
const textFile = file
  .replace(
    '{ name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 3 } }',
    '{ name: display_size, in: query, schema: { type: string } }',
  )
  .replace(
    '{ name: page, in: query, schema: { type: integer, minimum: 1 } }',
    '{ name: page, in: query, schema: { type: string } }\n        - { name: card_brand, in: query, schema: { type: string } }',
  )
  .replace('required: true, schema: { type: integer } }', 'required: true, example: 98765, schema: { type: integer } }')
  .replace(
    'properties: { data:',
    'properties: { page: { type: integer }, total: { type: integer }, links: { type: object, properties: { next_page: { type: object, properties: { href: { type: string } } } } }, data:',
  )
  .replace(
    'name: { type: string }, state',
    'name: { type: string }, card: { type: object, properties: { card_brand: { type: string } } }, state',
  );

const brandOf = (id: number): string => ['Visa', "Dylan's", 'Maestro'][id % 3] ?? '';

function answerTexts(
  asked: Asked,
  change: { readonly overlap?: number; readonly anyBrand?: boolean; readonly total?: number } = {},
): Answer {
  const right = answerRight(asked);
  const all = shops.map((shop) => ({ ...shop, card: { card_brand: brandOf(shop.id) } }));
  if (isShop(asked) && right.body !== undefined) return { ...right, body: all.find(({ id }) => asked.path.endsWith(`/${id}`)) };
  if (!isList(asked) || right.status === 401) return right;
  const [size, page] = [Number(asked.query.get('display_size') ?? 4), Number(asked.query.get('page') ?? 1)];
  if (!(size > 0 && page > 0)) return { status: 400 };
  const [brand, state] = [asked.query.get('card_brand'), asked.query.get('state')];
  const chosen = all.filter(
    (shop) =>
      (change.anyBrand === true || (brand ?? shop.card.card_brand) === shop.card.card_brand) && (state ?? shop.state) === shop.state,
  );
  const from = Math.max(0, (page - 1) * size - (page > 1 ? (change.overlap ?? 0) : 0));
  const next = page * size < chosen.length ? { next_page: { href: `/shops?page=${page + 1}&display_size=${size}` } } : {};
  return { body: { page, total: change.total ?? chosen.length, links: next, data: chosen.slice(from, from + size) } };
}

describe('of a file with texts for parameters and examples that no server has', () => {
  it('nothing is reported of a right server, and listed records are read instead of the examples', async () => {
    const result = await judge((_, asked) => answerTexts(asked), {}, textFile);
    expect([violated(result), result.notes]).toEqual([[], undefined]);
    const held = result.checks.filter(({ verdict }) => verdict === 'holds').map(({ rule, operation }) => `${rule} ${operation}`);
    expect(held).toEqual(expect.arrayContaining(['details/agree getShop', 'requests/identifier getShop', 'response/schema listRooms']));
  });

  it.each<readonly [mistake: string, reported: string, change: Parameters<typeof answerTexts>[1]]>([
    ['a page that repeats the one before', 'requests/parameters listShops', { overlap: 1 }],
    ['a filter that is ignored', 'with card_brand=', { anyBrand: true }],
    ['a total of all records, whatever is selected', 'listShops with state=', { total: 5 }],
  ])('%s is reported or noted', async (_, reported, change) => {
    const result = await judge((__, asked) => answerTexts(asked, change), {}, textFile);
    expect([...violated(result), ...(result.notes ?? [])]).toContainEqual(expect.stringContaining(reported));
  });

  it('a note shows no key that a record repeats', async () => {
    const key = 'right-key-0123456789';
    const result = await judge(
      (_, asked) => {
        const { body, ...others } = answerTexts(asked, { anyBrand: asked.query.get('card_brand')?.startsWith('no-such') !== true });
        return {
          ...others,
          ...(body === undefined ? {} : { body: JSON.parse(JSON.stringify(body).replaceAll("Dylan's", key)) as unknown }),
        };
      },
      { skip: ['response/no-credential'] },
      textFile,
    );
    expect(result.notes?.join()).toContain('with card_brand=$KEY returns records with a different');
    expect(JSON.stringify(result)).not.toContain(key);
  });

  it('two parameters that fail together only are reported', async () => {
    const fails = ({ query }: Asked): boolean => query.has('card_brand') && query.has('state');
    const result = await judge((_, asked) => (fails(asked) ? { status: 500 } : answerTexts(asked)), {}, textFile);
    expect(violated(result)).toEqual(['response/no-server-error listShops']);
  });

  it('a value that the server fails to escape is reported', async () => {
    const result = await judge(
      (_, asked) => (asked.query.get('card_brand')?.includes("'") === true ? { status: 500 } : answerTexts(asked)),
      {},
      textFile,
    );
    expect(violated(result)).toEqual(['response/no-server-error listShops']);
  });
});

describe('of a file that documents refusals', () => {
  const text = file
    .replace("        '401': { description: a }\n", "        '400': { description: a }\n        '401': { description: a }\n")
    .replace("responses: { '200'", "responses: { '404': { description: a }, '200'")
    .replace('name: { type: string }, state', 'name: { type: string, description: A name of the form YYYY-MM-DD }, state')
    .replace(
      '- { name: limit, in',
      '- { name: name, in: query, required: true, example: Shop, schema: { type: string } }\n        - { name: limit, in',
    );
  const refuses: Change = (right, asked) => {
    const { path, query } = asked;
    const isBad = query.get('state')?.includes('-') === true || !query.has('name');
    if (isList(asked) && right.status === undefined && isBad) return { status: 400 };
    return path.endsWith('/rooms') && right.status === undefined && !/\/[1-5]\/rooms$/.test(path) ? { status: 404 } : right;
  };

  it.each<readonly [mistake: string, reported: readonly string[], change: Change]>([
    ['nothing', [], (right) => right],
    [
      'an undocumented status for a missing parameter',
      ['response/status listShops'],
      (right, asked) => (isList(asked) && right.status === 400 && !asked.query.has('name') ? { status: 422 } : right),
    ],
    [
      'an empty list below a parent that is not there',
      ['details/absent listRooms'],
      (right, { path }) => (path.endsWith('/rooms') && right.status === 404 ? { body: [] } : right),
    ],
    [
      'a value that is not listed, as a note',
      [expect.stringContaining('documents a refusal: state=not-what-is-asked at listShops') as string],
      (right, asked) => (right.status === 400 && asked.query.get('state')?.includes('-') === true ? { body: { data: [] } } : right),
    ],
    [
      'a date that is not written as its description says, as a note',
      [expect.stringContaining('getShop shows a date at name that is not written as YYYY-MM-DD') as string],
      (right, asked) =>
        isShop(asked) && right.status === undefined ? { ...right, body: { ...(right.body as object), name: '31/12/2026' } } : right,
    ],
  ])('it reports %s', async (_, reported, change) => {
    const result = await judge((right, asked) => change(refuses(right, asked), asked), { skip: ['details/agree'] }, text);
    expect([...violated(result), ...(result.notes ?? [])]).toEqual(reported);
  });
});

it('records that get lost between small pages, and not on a large one, are reported', async () => {
  const text = file.replace(
    '{ name: page, in: query, schema: { type: integer, minimum: 1 } }',
    '{ name: cursor, in: query, schema: { type: string } }',
  );
  const many = Array.from({ length: 45 }, (_, index) => ({ id: index + 1, name: `Shop ${Math.floor(index / 3)}`, state: 'open' }));
  const withCursor =
    (isLosing: boolean): Change =>
    (right, asked) => {
      if (!isList(asked) || right.body === undefined) return right;
      const after = asked.query.get('cursor');
      const isAfter = ({ id, name }: { readonly id: number; readonly name: string }): boolean =>
        after === null || (isLosing ? Number(name.slice(5)) > Number(after.split('.')[0]) : id > Number(after.split('.')[1]));
      const rest = asked.query.get('state') === 'closed' ? [] : many.filter(isAfter);
      const data = rest.slice(0, Number(asked.query.get('limit') ?? 3));
      const last = data.at(-1);
      const next = last === undefined || data.length === rest.length ? {} : { next: `${last.name.slice(5)}.${last.id}` };
      return { body: { data, ...next } };
    };
  const skip = ['details/agree'];
  expect(violated(await judge(withCursor(false), { skip }, text))).toEqual([]);
  expect(violated(await judge(withCursor(true), { skip }, text))).toEqual(['requests/parameters listShops']);
});

it.each([404, 405])('HEAD that gets %i at one operation, and works elsewhere, is reported', async (status) => {
  const result = await judge((right, asked) => (asked.method === 'HEAD' && isShop(asked) ? { status } : right));
  expect(violated(result)).toEqual(['requests/head getShop']);
});

it('records that get lost between small pages are noted', async () => {
  const text = file.replace('properties: { data:', 'properties: { total: { type: integer }, data:');
  const many = Array.from({ length: 40 }, (_, index) => ({ id: index + 1, name: `Shop ${index + 1}`, state: 'open' }));
  const result = await judge(
    (right, asked) => {
      if (right.status !== undefined || !isList(asked)) return right;
      const [limit, page] = [Number(asked.query.get('limit') ?? 3), Number(asked.query.get('page') ?? 1)];
      const chosen = asked.query.get('state') === 'closed' ? [] : many;
      const from = (page - 1) * limit + (page > 1 ? 1 : 0);
      return { body: { total: chosen.length, data: chosen.slice(from, from + limit) } };
    },
    {},
    text,
  );
  expect(result.notes).toContainEqual(expect.stringContaining('listShops returns total=40, but all its pages together have 39 records'));
});

it('a record far down in a list that differs from its single read is reported', async () => {
  const many = Array.from({ length: 40 }, (_, index) => ({ id: index + 1, name: `Shop ${index + 1}`, state: 'open' }));
  const result = await judge((right, asked) => {
    if (right.status === 401) return right;
    if (isList(asked))
      return { body: { data: asked.query.get('state') === 'closed' ? [] : many.slice(0, Number(asked.query.get('limit') ?? 50)) } };
    const shop = many.find(({ id }) => asked.path === `/shops/${id}`);
    if (!isShop(asked)) return right;
    return shop === undefined ? { status: 404 } : { body: { ...shop, state: shop.id > 25 ? 'closed' : 'open' } };
  });
  expect(violated(result)).toContain('details/agree getShop');
});

it('a member that no schema declares is noted, and fails with --strict-members', async () => {
  const withMember: Change = (right, asked) =>
    isShop(asked) && right.body !== undefined ? { ...right, body: { ...(right.body as object), margin: 3 } } : right;
  const noted = await judge(withMember);
  expect([noted.exitCode, noted.notes]).toEqual([0, [expect.stringContaining('margin in getShop')]]);
  expect(violated(await judge(withMember, { strictMembers: true }))).toEqual(['response/undeclared getShop']);
});

it('a total that counts other records, and a tag of all records, are noted', async () => {
  const text = file.replace('properties: { data:', 'properties: { total: { type: integer }, data:');
  const withTotal =
    (more: number): Change =>
    (right, asked) => {
      if (isShop(asked) && right.body !== undefined && more > 0) return { ...right, headers: { ETag: '"1"' } };
      if (!isList(asked) || right.body === undefined) return right;
      const total = shops.filter(({ state }) => (asked.query.get('state') ?? state) === state).length + more;
      return { body: { ...(right.body as object), total } };
    };
  const [right, wrong] = [await judge(withTotal(0), {}, text), await judge(withTotal(1), {}, text)];
  expect(right.notes).toBeUndefined();
  expect(wrong.notes).toEqual([
    'listShops returns total=6, but all its pages together have 5 records: if this member is meant to be their total, it is wrong',
    expect.stringContaining('different responses of getShop have the same ETag "1"'),
  ]);
});

it('a list that shortens texts, and records that change beside the run, are not reported', async () => {
  const long = (text: string): string => `${text}, with a long name that its list shortens`;
  const result = await judge((right, asked) => {
    if (isShop(asked) && right.body !== undefined) {
      const shop = right.body as { name: string };
      return { body: { ...shop, name: long(shop.name) }, headers: { ETag: `"${asked.count}"` } };
    }
    if (!isList(asked) || right.body === undefined) return right;
    const { data } = right.body as { data: readonly { name: string; state: string }[] };
    const state = asked.count % 40 < 20 || asked.query.has('state') ? undefined : 'open';
    return { body: { data: data.map((shop) => ({ ...shop, name: `${long(shop.name).slice(0, 12)}…`, state: state ?? shop.state })) } };
  });
  expect(violated(result).filter((each) => each.startsWith('details/'))).toEqual([]);
});

it('content that differs after the run is noted', async () => {
  let isSold = false;
  const result = await judge((right, asked) => {
    isSold ||= asked.path.includes('not-what-is-asked');
    return isSold && isShop(asked) && right.body !== undefined ? { ...right, body: { ...(right.body as object), name: 'Sold' } } : right;
  });
  expect(result.notes).toEqual([expect.stringContaining('getShop (/name)')]);
});

it('a key that works in one documented place only is reported', async () => {
  const text = file
    .replace('security: [{ key: [] }]', 'security: [{ key: [] }, { query: [] }]')
    .replace('securitySchemes:', 'securitySchemes:\n    query: { type: apiKey, in: query, name: k }');
  const result = await judge((right) => right, {}, text);
  expect(violated(result)).toContain('keys/carriers listShops');
});

it('a HEAD without a required header is reported', async () => {
  const text = file.replace('ETag: { schema', 'ETag: { required: true, schema');
  expect(violated(await judge((right) => right, {}, text))).toEqual([]);
  const result = await judge((right, { method }) => (method === 'HEAD' ? { ...right, headers: {} } : right), {}, text);
  expect(violated(result)).toEqual(['requests/head getShop']);
});

it('a request without one of several keys is reported', async () => {
  const text = file
    .replace('security: [{ key: [] }]', 'security: [{ key: [], app: [] }]')
    .replace('securitySchemes:', 'securitySchemes:\n    app: { type: apiKey, in: query, name: app }');
  const asks: Change = (right, { query }) => (query.has('app') ? right : { status: 401 });
  expect(violated(await judge(asks, {}, text))).toEqual([]);
  const result = await judge((right) => right, {}, text);
  expect(violated(result)).toContain('keys/missing listShops');
  expect(result.checks.find(({ rule, verdict }) => rule === 'keys/missing' && verdict === 'violated')?.diagnosis).toContain(
    'the key of app',
  );
});

it('a page that its cursor repeats is reported', async () => {
  const text = file.replace(
    '{ name: page, in: query, schema: { type: integer, minimum: 1 } }',
    '{ name: cursor, in: query, schema: { type: string } }',
  );
  const withCursor =
    (isIgnored: boolean): Change =>
    (right, asked) => {
      if (!isList(asked) || right.body === undefined) return right;
      const start = isIgnored ? 0 : Number(asked.query.get('cursor') ?? 0);
      const limit = Number(asked.query.get('limit') ?? 3);
      const chosen = shops.filter(({ state }) => (asked.query.get('state') ?? state) === state);
      return { body: { data: chosen.slice(start, start + limit), next: `/shops?cursor=${start + limit}` } };
    };
  expect(violated(await judge(withCursor(false), {}, text))).toEqual([]);
  expect(violated(await judge(withCursor(true), {}, text))).toEqual(['requests/parameters listShops']);
});

it('a response that repeats a wrong example of the file is told as a mistake of the file', async () => {
  const example = { id: 1, name: 7, state: 'open' };
  const text = file.replace(
    "schema: { $ref: '#/components/schemas/shop' } } } }\n        '304'",
    `example: ${JSON.stringify(example)}, schema: { $ref: '#/components/schemas/shop' } } } }\n        '304'`,
  );
  const result = await judge((right, asked) => (isShop(asked) && right.body !== undefined ? { ...right, body: example } : right), {}, text);
  expect([violated(result), result.notes]).toEqual([
    [],
    [expect.stringMatching(/repeat the example at .*:\d+.* which breaks its own schema/)],
  ]);
  const other = await judge(
    (right, asked) => (isShop(asked) && right.body !== undefined ? { ...right, body: { ...example, name: 8 } } : right),
    {},
    text,
  );
  expect(violated(other)).toEqual(['response/schema getShop']);
  const listed = await judge(
    (right, asked) => {
      if (isShop(asked) && right.status === undefined) return { ...right, body: { id: Number(asked.path.at(-1)), name: 7, state: 'open' } };
      return right;
    },
    { skip: ['details/agree'] },
    file.replace(
      "items: { $ref: '#/components/schemas/shop' } } } } } } }",
      `items: { $ref: '#/components/schemas/shop' } } } }, example: ${JSON.stringify({ data: [example] })} } } }`,
    ),
  );
  expect([violated(listed), listed.notes]).toEqual([[], [expect.stringContaining('repeat the example at')]]);
});
