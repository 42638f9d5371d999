/** Runs of a scenario: requests, values carried from step to step, and messages of failures. */
import { describe, expect, test } from 'vitest';
import { play, type SeenRequest } from '../../scenario/handwritten-server.ts';

const keys = { full: 'key-of-full', 'without:orders.read': 'key-without' };

const seenBy = async (steps: string, known: Parameters<typeof play>[2] = {}): Promise<readonly SeenRequest[]> => {
  const seen: SeenRequest[] = [];
  const answer = { value: 'a b/ü', tag: '"t"', at: '2026-03-01T00:30:00.250+01:00', number: 7, list: [{ id: 1 }, { id: 2 }] };
  await play(
    steps,
    (request) => {
      seen.push(request);
      return { headers: { etag: '"e"' }, body: answer };
    },
    known,
  );
  return seen;
};

const saving = '  - { get: /first, expect: { status: 200 }, save: { all: body, value: /value, tag: header etag } }\n';

describe('a request goes out as written', () => {
  test.for([
    ['{value}', 'a%20b%2F%C3%BC'],
    ['{value as written}', 'a b/ü'.replace(' ', '%20').replace('ü', '%C3%BC')],
    ['{all/value}', 'a%20b%2F%C3%BC'],
    ['{all/list/1/id}', '2'],
    ['{all/at in UTC}', '2026-02-28T23%3A30%3A00.250Z'],
    ['{all/tag as weak}', 'W%2F%22t%22'],
    ['{value in capitals}', 'A%20B%2F%C3%9C'],
    ['{value last word}', 'b%2F%C3%BC'],
    ['{value cut short}', 'a%20'],
    ['{value tampered with}', 'a%20A%2F%C3%BC'],
    ['%zz', '%zz'],
    ['città', 'citt%C3%A0'],
  ] as const)('the path %s', async ([template, sent]) => {
    const [, second] = await seenBy(`${saving}  - { get: '/x?q=${template}', expect: { status: 200 } }`);
    expect(second?.path).toBe(`/x?q=${sent}`);
  });

  test('methods', async () => {
    const paths = ['{ head: /a', '{ options: /a', '{ send: { method: DELETE, path: /a }', '{ paginate: /a'];
    const methods = [];
    for (const path of paths.slice(0, 3)) methods.push((await seenBy(`  - ${path}, expect: { status: 200 } }`))[0]?.method);
    expect(methods).toEqual(['HEAD', 'OPTIONS', 'DELETE']);
  });

  test('headers, and none besides', async () => {
    const [, second] = await seenBy(`${saving}  - { get: /x, headers: { If-None-Match: '{tag as weak}, "x"' }, expect: { status: 200 } }`);
    expect(second?.rawHeaders.filter((_, index) => index % 2 === 0)).toEqual(['If-None-Match', 'Host', 'Connection']);
    expect(second?.headers['if-none-match']).toBe('W/"e", "x"');
  });

  test('the key, by either carrier, or none', async () => {
    const step = (rest: string): string => `  - { get: /, ${rest}, expect: { status: 200 } }\n`;
    const seen = await seenBy(
      step('key: full') + step('key: full, carrier: header') + step('key: none') + step("key: 'without:orders.read'"),
      { keys },
    );
    expect(seen.map(({ headers }) => [headers.authorization, headers['x-service-api-key']])).toEqual([
      ['Bearer key-of-full', undefined],
      [undefined, 'key-of-full'],
      [undefined, undefined],
      ['Bearer key-without', undefined],
    ]);
  });
});

describe('for each', () => {
  test('repeats a step with every value', async () => {
    const seen = await seenBy(
      `${saving}  - { for each: { one: !saved all/list }, get: '/{one/id}', expect: { status: 200 } }
  - { for each: { n: [0, x] }, get: '/{n}', expect: { status: 200 } }
  - { for each: { slug: !saved hidden-slugs }, get: '/{slug}', expect: { status: 200 } }`,
      { hiddenRecords: ['h'] },
    );
    expect(seen.map(({ path }) => path)).toEqual(['/first', '/1', '/2', '/0', '/x', '/h']);
  });

  test('needs at least one value', async () => {
    await expect(seenBy("  - { for each: { slug: !saved hidden-slugs }, get: '/{slug}', expect: { status: 200 } }")).rejects.toThrow(
      '"for each slug" needs at least one value',
    );
  });
});

describe('a failure', () => {
  test('names title, file, line, step and request, and sets expected beside actual', async () => {
    const steps = `${saving}  - for each: { n: [5] }\n    get: /x?limit={n}\n    expect: { status: 200, body: { error: { code: INVALID } } }`;
    await expect(
      play(steps, ({ path }) => ({
        headers: { etag: '"e"' },
        status: path === '/first' ? 200 : 500,
        body: { value: '', error: { code: 'X' } },
      })),
    ).rejects.toThrow(
      `A play\nplay.yaml:5, step 2 (GET /x?limit=5, key: none, for n = "5")\n  status: expected 200, but came 500\n  /error/code: expected "INVALID", but came "X"`,
    );
  });

  test('lists the first eight differences and counts the rest', async () => {
    const body = Array.from({ length: 11 }, () => ({ a: 2 }));
    await expect(play('  - { get: /, expect: { each: { has: { a: 1 } } } }', () => ({ body }))).rejects.toThrow(
      /\/7\/a: .*\n {2}and 3 more$/,
    );
  });

  test('shows no key, in no spelling, and nobody by name', async () => {
    const secret = { full: 'key+of/full' };
    const texts = [secret.full, encodeURIComponent(secret.full), Buffer.from(secret.full).toString('base64')];
    const body = { text: texts.join(' '), customer: { name: 'Anna', phone: '1', email: 'a@b' }, name: 'Berta' };
    const failure = play('  - { get: /, key: full, expect: { body: { text: x, customer: x, name: y } } }', () => ({ body }), {
      keys: secret,
    });
    await expect(failure).rejects.toThrow(/‹key full› ‹key full› ‹key full›[\s\S]*‹personal›/);
    const message = await failure.catch((error: unknown) => String(error));
    for (const text of [...texts, 'Anna', 'a@b', 'Berta']) expect(message).not.toContain(text);
  });

  test.for([
    [
      'a role without a key',
      '  - { get: /, key: other, expect: { status: 200 } }',
      'there is no key for the role "other"; there are keys for: full, without:orders.read',
    ],
    ['a name that nothing is saved under', "  - { get: '/{nobody}', expect: { status: 200 } }", 'nothing is saved under the name "nobody"'],
    [
      'a saved value that is not there',
      `${saving}  - { get: '/{all/missing}', expect: { status: 200 } }`,
      'the saved value "all/missing" does not exist',
    ],
    ['a value that fits in no path', `${saving}  - { get: '/{all}', expect: { status: 200 } }`, 'neither a text nor a number'],
    ['a value that is no instant', `${saving}  - { get: '/{value in UTC}', expect: { status: 200 } }`, 'is no date-time with an offset'],
    ['nothing to save', '  - { get: /, expect: { status: 200 }, save: { id: /nothing } }', 'there is nothing to save at /nothing'],
    ['a set that is no list', `${saving}  - { paginate: /, expect: { same set as: value } }`, 'expected one list in /data'],
  ] as const)('says so about %s', async ([, steps, message]) => {
    await expect(seenBy(steps, { keys })).rejects.toThrow(message);
  });

  test('keeps the cause of a broken connection', async () => {
    const failure = play('  - { get: /, expect: { status: 200 } }', () => ({}), { baseUrl: 'http://127.0.0.1:1' });
    await expect(failure).rejects.toMatchObject({ name: 'StepFailure', cause: { code: 'ECONNREFUSED' } });
  });
});
