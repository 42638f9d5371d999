/** Pagination, and the assertions about the gathered list, against right and wrong servers. */
import { describe, expect, test } from 'vitest';
import { play, type SeenRequest, type WrittenAnswer } from '../../scenario/handwritten-server.ts';

type Respond = (request: SeenRequest) => WrittenAnswer;

const query = ({ path }: SeenRequest): URLSearchParams => new URL(path, 'http://x').searchParams;

const items = (ids: readonly number[]): readonly object[] => ids.map((id) => ({ id, parity: id % 2 === 0 ? 'even' : 'odd' }));

/** A list of the given ids in pages of two, by cursor; the filter `parity` holds on every page. */
const byCursor =
  (ids: readonly number[], change: (data: { items: readonly object[]; page: object }) => unknown = (data) => data): Respond =>
  (request) => {
    const parameters = query(request);
    const parity = parameters.get('parity');
    const all = items(ids).filter((item) => parity === null || (item as { parity: string }).parity === parity);
    const start = Number(parameters.get('cursor') ?? 0);
    const more = start + 2 < all.length;
    return {
      body: {
        data: change({ items: all.slice(start, start + 2), page: { has_more: more, next_cursor: more ? String(start + 2) : null } }),
      },
    };
  };

/** The same in pages of two by number; what a page past the end answers is the caller's choice. */
const byNumber =
  (
    ids: readonly number[],
    { total = ids.length, past = { body: { data: [], meta: { total, limit: 2 } } } as WrittenAnswer } = {},
  ): Respond =>
  (request) => {
    const page = Number(query(request).get('page') ?? 1);
    const data = items(ids.slice((page - 1) * 2, page * 2));
    return data.length === 0 && page > 1 ? past : { body: { data, meta: { total, limit: 2 } } };
  };

const five = [1, 2, 3, 4, 5];
const paginateAll = '  - { paginate: /list, expect: { no repetition: yes, count: { is: 5 } } }';

describe('pagination gathers all items', () => {
  test.for([
    ['by cursor', byCursor(five)],
    ['by page number', byNumber(five)],
  ] as const)('%s', async ([, respond]) => {
    await expect(play(paginateAll, respond)).resolves.toBeUndefined();
  });

  test.for([
    ['nothing', {}],
    ['an error', { past: { status: 404, body: { ok: false } } }],
    ['the last page again', { past: { body: { data: items([3, 4]), meta: { total: 4, limit: 2 } } } }],
  ] as const)('and a page past the end may answer %s', async ([, options]) => {
    const steps = '  - { paginate: /list, expect: { no repetition: yes, count: { is: 4 } } }';
    await expect(play(steps, byNumber([1, 2, 3, 4], options))).resolves.toBeUndefined();
  });

  test('and keeps its filters on later pages', async () => {
    const steps = '  - { paginate: /list?parity=odd, expect: { count: { is: 3 }, each: { has: { parity: odd } } } }';
    await expect(play(steps, byCursor(five))).resolves.toBeUndefined();
    const forgetful: Respond = (request) => byCursor(five)({ ...request, path: request.path.replace(/parity=odd&(?=cursor)/, '') });
    await expect(play(steps, forgetful)).rejects.toThrow('/parity: expected "odd"');
  });

  test('and more items than total are found', async () => {
    const steps =
      '  - { get: /list, expect: { status: 200 }, save: { total: /meta/total } }\n  - { paginate: /list, expect: { count: { is: !saved total } } }';
    await expect(play(steps, byNumber([1, 2, 3, 4], { total: 2 }))).rejects.toThrow('number of items in body: expected 2');
    await expect(play(steps, byNumber([1, 2, 3, 4], { total: 6 }))).rejects.toThrow('number of items in body: expected 6');
  });
});

describe('pagination breaks off', () => {
  const broken: readonly (readonly [string, Respond, string])[] = [
    ['when a page is no 200', () => ({ status: 503, body: {} }), 'expected status 200, but came 503'],
    [
      'when a later page is no 200',
      (request) => (query(request).has('cursor') ? { status: 404 } : byCursor(five)(request)),
      'but came 404',
    ],
    ['when there is no list', () => ({ body: { data: {} } }), 'expected one list'],
    ['when has_more is no boolean', byCursor(five, ({ items: list }) => ({ list, page: {} })), 'at /data/page/has_more, but came nothing'],
    [
      'when there is more but no cursor',
      byCursor(five, ({ items: list }) => ({ list, page: { has_more: true } })),
      '/data/page/next_cursor',
    ],
    [
      'when a cursor comes twice',
      byCursor(five, ({ items: list }) => ({ list, page: { has_more: true, next_cursor: 'a' } })),
      'goes in circles',
    ],
    ['when meta says no total', () => ({ body: { data: [], meta: { limit: 2 } } }), 'expected numbers at /meta/total'],
  ];

  test.for(broken)('%s', async ([, respond, message]) => {
    await expect(play(paginateAll, respond)).rejects.toThrow(message);
  });

  test('when a page is longer than its limit', async () => {
    await expect(play('  - { paginate: /list?limit=1, expect: { no repetition: yes } }', byCursor(five))).rejects.toThrow(
      'at most 1 items, but came 2',
    );
  });
});

describe('the gathered list', () => {
  const lists: Readonly<Record<string, readonly number[]>> = { '/all': five, '/odd': [1, 3, 5], '/even': [4, 2] };
  const relate = (expects: string, gathered: readonly number[]): Promise<void> => {
    const known = Object.keys(lists).map(
      (path) => `  - { paginate: ${path}, expect: { no repetition: yes }, save: { ${path.slice(1)}: body } }\n`,
    );
    const respond: Respond = (request) => byCursor(lists[request.path.split('?')[0] ?? ''] ?? gathered)(request);
    return play(`${known.join('')}  - { paginate: /gathered, expect: ${expects} }`, respond);
  };
  const controls: readonly (readonly [string, readonly number[], ...(readonly (readonly number[])[])])[] = [
    ['{ no repetition: yes }', [3, 1, 2], [1, 2, 1]],
    ['{ same set as: all }', [5, 4, 3, 2, 1], [1, 2, 3, 4], [1, 2, 3, 4, 5, 6]],
    ['{ union of: [odd, even] }', five, [1, 3, 5], [1, 2, 3, 4, 5, 7]],
    ['{ selection of: { from: all, where: { parity: odd } } }', [5, 3, 1], [1, 3], [1, 2, 3, 5], []],
    ['{ selection of: { from: even, where: { parity: odd }, may be empty: yes } }', [], [1]],
  ];

  test.for(controls)('%s', async ([expects, right, ...wrong]) => {
    await expect(relate(expects, right)).resolves.toBeUndefined();
    for (const gathered of wrong) await expect(relate(expects, gathered)).rejects.toThrow(/expected .* but came/);
  });

  test('a selection of nothing proves nothing', async () => {
    await expect(relate('{ selection of: { from: even, where: { parity: odd } } }', [])).rejects.toThrow('expected at least one');
  });

  test('items that cannot be distinguished are an error', async () => {
    const nameless: Respond = () => ({ body: { data: { items: [{}], page: { has_more: false } } } });
    await expect(play(paginateAll, nameless)).rejects.toThrow('neither an "id" nor a "slug"');
  });
});
