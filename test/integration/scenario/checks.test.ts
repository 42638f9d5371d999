/** Every assertion and every tagged form of the scenario language, shown one answer it accepts and one it must refuse. */
import { describe, expect, test } from 'vitest';
import { play, type WrittenAnswer } from '../../scenario/handwritten-server.ts';

interface Control {
  readonly name: string;
  /** Text after `expect:`, as a flow map. */
  readonly expects: string;
  readonly right: WrittenAnswer;
  readonly wrong: readonly WrittenAnswer[];
}

const body = (value: unknown): WrittenAnswer => ({ body: value });

const ANSWERS: readonly Control[] = [
  { name: 'status', expects: '{ status: 422 }', right: { status: 422 }, wrong: [{ status: 200 }, { status: 400 }] },
  { name: 'status family', expects: '{ status: 4xx }', right: { status: 404 }, wrong: [{ status: 500 }, { status: 200 }] },
  { name: 'status pattern', expects: '{ status: !one-of [401, 404] }', right: { status: 401 }, wrong: [{ status: 403 }] },
  {
    name: 'headers',
    expects: '{ headers: { ETag: \'"a"\' } }',
    right: { headers: { etag: '"a"' } },
    wrong: [{ headers: { etag: '"b"' } }, {}],
  },
  { name: 'header present', expects: '{ headers: { vary: !present } }', right: { headers: { vary: 'x' } }, wrong: [{}] },
  { name: 'header absent', expects: '{ headers: { vary: !absent } }', right: {}, wrong: [{ headers: { vary: 'x' } }] },
  { name: 'empty body', expects: '{ empty body: yes }', right: {}, wrong: [body('x'), body({})] },
  {
    name: 'record in any of its places',
    expects: '{ record: { id: 1 } }',
    right: body({ data: { order: { id: 1 } } }),
    wrong: [body({ data: { order: { id: 2 } } }), body({ data: { id: '1' } }), body({ data: {} })],
  },
  {
    name: 'each',
    expects: '{ each: { at: /data, has: { a: 1 } } }',
    right: body({ data: [{ a: 1 }, { a: 1, b: 2 }] }),
    wrong: [body({ data: [{ a: 1 }, { a: 2 }] }), body({ data: [] }), body({ data: { a: 1 } }), body({})],
  },
  {
    name: 'each that may be empty',
    expects: '{ each: { at: /data, has: { a: 1 }, may be empty: yes } }',
    right: body({ data: [] }),
    wrong: [body({ data: [{ a: 2 }] }), body({})],
  },
  {
    name: 'some',
    expects: '{ some: { has: { a: 1 } } }',
    right: body([{ a: 2 }, { a: 1 }]),
    wrong: [body([{ a: 2 }]), body([]), body({})],
  },
  { name: 'count', expects: '{ count: { is: 2 } }', right: body([1, 2]), wrong: [body([1]), body([1, 2, 3]), body('ab')] },
  { name: 'count pattern', expects: '{ count: { is: !at-most 2 } }', right: body([1]), wrong: [body([1, 2, 3])] },
  {
    name: 'sorted',
    expects: '{ sorted: { by: [{ field: /t, direction: descending }, { field: /id, direction: ascending }] } }',
    right: body([
      { t: '2026-01-01T12:00:00Z', id: 9 },
      { t: '2026-01-01T12:30:00+01:00', id: 1 },
      { t: '2026-01-01T11:30:00Z', id: 2 },
    ]),
    wrong: [
      [1, 1, 2, 1],
      [1, 2, 1, 1],
      [1, 1, undefined, 2],
      [1, 1],
    ].map(([t, id, next, other]) => body([{ t, id }, ...(other === undefined ? [] : [{ t: next, id: other }])])),
  },
  {
    name: 'sorted in either direction',
    expects: '{ sorted: { by: [{ field: /t, direction: either }] } }',
    right: body([{ t: 1 }, { t: 2 }, { t: 2 }]),
    wrong: [body([{ t: 1 }, { t: 3 }, { t: 2 }])],
  },
  {
    name: 'sorted with ties',
    expects: '{ sorted: { with ties: yes, by: [{ field: /t, direction: ascending }] } }',
    right: body([{ t: 1 }, { t: 1 }]),
    wrong: [body([{ t: 1 }, { t: 2 }])],
  },
];

const VALUES: readonly (readonly [pattern: string, right: unknown, ...wrong: readonly unknown[]])[] = [
  ['text', 'text', 'texts', 1, null, undefined],
  ['1', 1, '1', 2, undefined],
  ['true', true, false, 'true'],
  ['null', null, undefined, 0, 'null'],
  ['{ b: { c: 1 } }', { b: { c: 1, d: 2 }, e: 3 }, { b: {} }, { b: 1 }, [], undefined],
  ['[1, { b: 2 }]', [1, { b: 2, c: 3 }], [1], [1, { b: 3 }], [{ b: 2 }, 1], [1, { b: 2 }, 3], {}],
  ['[]', [], [1], {}, undefined],
  ['!any string', '', 1, null, undefined],
  ['!any non-empty string', 'x', '', 1],
  ['!any integer', 5, 5.5, '5', null],
  ['!any number', 5.5, '5.5', undefined],
  ['!any boolean', false, 0, 'false'],
  ['!any object', {}, [], null],
  ['!any array', [], {}, 'a'],
  ['!any instant', '2026-01-02T03:04:05.678+01:00', '2026-01-02T03:04:05', '2026-01-02', '2026-13-02T03:04:05Z', 1],
  ['!any date', '2024-02-29', '2026-02-29', '2026-1-2', '2026-01-02T00:00:00Z'],
  ['!any time', '23:59', '24:00', '7:00', '07:00:00'],
  ['!any timestamp', '2026-01-02 03:04:05', '2026-01-02T03:04:05', '2026-02-30 03:04:05', '2026-01-02 25:00:00'],
  ['!any string or null', null, undefined, 1],
  ['!any string or absent', undefined, null, 1],
  ['!absent', undefined, null, ''],
  ['!present', null, undefined],
  ['!one-of [a, 2, !any boolean]', true, 'b', '2', 3],
  ["!like '/^a+$/i'", 'AA', 'ab', 1, undefined],
  ['!at-least 5', 5, 4.9, '6', undefined],
  ['!at-most 5', 5, 5.1, undefined],
  ["!at-least '2026-03-01'", '2026-03-01', '2026-02-28', 20260301],
  ["!at-least '2026-03-01T12:00:00+01:00'", '2026-03-01T11:00:00Z', '2026-03-01T11:59:59+01:00'],
  ['!not 5', 6, 5, undefined],
];

const RELATIONS: readonly (readonly [pattern: string, first: unknown, right: unknown, ...wrong: readonly unknown[]])[] = [
  ['!saved first', { a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, { a: 1 }, { a: 1, b: [2, 1] }, { a: 1, b: [1, 2], c: 3 }, undefined],
  ['!saved first/a', { a: 1 }, 1, 2, undefined],
  ['!includes first', { a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }, { a: {} }, { a: 1 }, undefined],
  ['!includes first', { a: [{ b: 1 }] }, { a: [{ b: 1 }], c: 2 }, { a: [{ b: 1, c: 2 }] }, { a: [] }, { a: { 0: { b: 1 } } }],
  ['!not saved first', 'x', 'y', 'x', undefined],
  ['!at-least saved first', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00', '2026-01-01T00:59:59+01:00', 7],
  ['!at-most saved first', 5, 5, 6],
];

describe('an assertion accepts what is right and refuses what is wrong', () => {
  test.for(ANSWERS)('$name', async ({ expects, right, wrong }) => {
    const steps = `  - { get: /, expect: ${expects} }`;
    await expect(play(steps, () => right)).resolves.toBeUndefined();
    for (const answer of wrong) await expect(play(steps, () => answer)).rejects.toThrow(/expected .* but came/);
  });

  test.for(VALUES)('%s', async ([pattern, right, ...wrong]) => {
    const steps = `  - { get: /, expect: { body: { value: ${pattern} } } }`;
    await expect(play(steps, () => body({ value: right }))).resolves.toBeUndefined();
    for (const value of wrong) await expect(play(steps, () => body({ value }))).rejects.toThrow(/\/value\S*: expected .* but came/);
  });

  test.for(RELATIONS)('%s', async ([pattern, first, right, ...wrong]) => {
    const steps = `  - { get: /first, expect: { status: 200 }, save: { first: /value } }\n  - { get: /second, expect: { body: { value: ${pattern} } } }`;
    const answering = (value: unknown) => play(steps, ({ path }) => body({ value: path === '/first' ? first : value }));
    await expect(answering(right)).resolves.toBeUndefined();
    for (const value of wrong) await expect(answering(value)).rejects.toThrow(/step 2[\s\S]*\/value\S*: expected .* but came/);
  });

  test.for([
    { data: { order: { id: 1 } } },
    { data: { reservation: { id: 1 } } },
    { data: { id: 1 } },
    { data: { slug: 'a', id: 1 } },
    { id: 1, data: {} },
  ])('a record is found in %j', async (value) => {
    await expect(play('  - { get: /, expect: { record: { id: 1 } } }', () => body(value))).resolves.toBeUndefined();
  });
});

describe('an answer that repeats the key', () => {
  const keys = { full: 'secret+key/4711' };
  const step = '  - { get: /, key: full, expect: { echoes no key: yes } }';
  const spellings: readonly WrittenAnswer[] = [
    body('your key is secret+key/4711'),
    body(encodeURIComponent(keys.full)),
    body(Buffer.from(keys.full).toString('base64')),
    { headers: { 'x-key': keys.full } },
  ];

  test.for(spellings)('%j is refused', async (answer) => {
    await expect(play(step, () => answer, { keys })).rejects.toThrow('expected no trace of the key');
  });

  test('any other answer is accepted, and a step that sends no key is an error', async () => {
    await expect(play(step, () => body('hello'), { keys })).resolves.toBeUndefined();
    await expect(play('  - { get: /, expect: { echoes no key: yes } }', () => ({}))).rejects.toThrow('needs a step that sends a key');
  });

  test('a key that the scenario wrote itself counts too', async () => {
    const own = '  - { get: /, headers: { Authorization: Bearer wrong-4711 }, expect: { echoes no key: yes } }';
    await expect(play(own, () => body('no such key: wrong-4711'))).rejects.toThrow('expected no trace of the key');
  });
});
