/** Chains of schemas, for one value and for values inside one another: long ones are read, and endless ones are set aside with a line, in whatever order the file has them. */

import { expect, it } from 'vitest';
import { loadContract } from '../../../../core/openapi/contract.ts';

type Link = (next: string | undefined) => object;

const reference = (next: string): object => ({ $ref: `#/components/schemas/${next}` });
const links: Readonly<Record<string, Link>> = {
  references: (next) => (next === undefined ? { type: 'integer' } : reference(next)),
  'parts of allOf': (next) => (next === undefined ? { type: 'integer' } : { allOf: [reference(next)] }),
  'alternatives of anyOf': (next) => (next === undefined ? { type: 'integer' } : { anyOf: [reference(next), { type: 'boolean' }] }),
};

/** What is set aside of a file whose operation uses a chain, and how its schema and that of another operation judge a text. */
async function read(link: Link, length: number, { isRing = false, isReversed = false } = {}): Promise<readonly [string, number, number]> {
  const names = Array.from({ length }, (_, index) => `S${index}`);
  const schemas = names.map((name, index) => [name, link(names[index + 1] ?? (isRing ? 'S0' : undefined))] as const);
  const get = (schema: object): object => ({
    get: { responses: { 200: { description: '', content: { 'application/json': { schema } } } } },
  });
  const file = {
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    paths: { '/a': get(reference('S0')), '/b': get({ type: 'integer' }) },
    components: { schemas: Object.fromEntries(isReversed ? schemas.toReversed() : schemas) },
  };
  const { operations, setAside } = await loadContract('a.json', async () => JSON.stringify(file, undefined, 1));
  const [a = -1, b = -1] = operations.map(({ responses }) => responses.get('200')?.content.get('application/json')?.validate('x').length);
  return [setAside.map(({ message, place }) => `${place.line > 1} ${message}`).join('\n'), a, b];
}

it.each(Object.entries(links))('of 140 %s are read', async (_, link) => {
  expect(await read(link, 140)).toEqual(['', 1, 1]);
});

it.each(
  Object.entries(links).flatMap(
    ([kind, link]) =>
      [
        [`1,000 ${kind}`, link, {}],
        [`1,000 ${kind}, the last one first`, link, { isReversed: true }],
        [`1,000 ${kind} in a ring`, link, { isRing: true }],
      ] as const,
  ),
)('of %s are set aside', async (_, link, options) => {
  const [message, a, b] = await read(link, 1000, options);
  expect(message).toMatch(/^true .*(?:chain of (?:more than|references)|leads back|refers to itself)/);
  expect([a, b]).toEqual([0, 1]);
});

const inside: Readonly<Record<string, Link>> = {
  properties: (next) =>
    next === undefined ? { type: 'integer' } : { type: 'object', required: ['a'], properties: { a: reference(next) } },
  items: (next) => (next === undefined ? { type: 'integer' } : { type: 'array', items: reference(next) }),
  'maps of lists': (next) => ({ additionalProperties: { items: { allOf: [next === undefined ? { type: 'integer' } : reference(next)] } } }),
  'files of many levels': (next) =>
    Array.from({ length: 100 }).reduce<object>((inner) => ({ items: inner }), next === undefined ? {} : reference(next)),
};

it.each(Object.entries(inside))('of 200 schemas inside one another by %s are read', async (kind, link) => {
  const [message, , b] = await read(link, kind.startsWith('files') ? 8 : 200);
  expect([message, b]).toEqual(['', 1]);
});

it.each(Object.entries(inside).map(([kind, link]) => [kind, link, kind === 'properties'] as const))(
  'of 3,000 schemas inside one another by %s are set aside',
  async (kind, link, isRing) => {
    const [message] = await read(link, kind.startsWith('files') ? 40 : 3000, { isRing, isReversed: true });
    expect(message).toMatch(/^true #\/components\/schemas\/S\d+ continues more than 1000 schemas and references inside one another/);
  },
);
