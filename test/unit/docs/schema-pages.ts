/** Renders the pages of the reference that follow from the published JSON Schemas: the annotations, the configuration and the reports. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { repository } from '../../helpers/tree.ts';

/** A member of what a schema describes. */
interface Member {
  /** Names on the way to it; `NAME` stands for any name, `[]` for any element. */
  readonly path: readonly string[];
  readonly description: string;
}

/** Texts of contracts in which each word of the annotations is used, by their files. */
export const annotatedContracts: ReadonlyMap<string, string> = new Map(
  [
    'specs/business.openapi.yaml',
    'specs/wiki.openapi.yaml',
    'examples/own-api/bookshop.openapi.yaml',
    'test/fixtures/library.openapi.yaml',
    'test/fixtures/parcels.openapi.yaml',
  ].map((file) => {
    const text = readFileSync(join(repository, file), 'utf8');
    // No contract of the repository has an exclusive lower bound.
    return [
      file,
      file.includes('bookshop') ? text.replace('price_from: { from: /price }', 'price_from: { after: /price, as: number }') : text,
    ];
  }),
);

const longestExample = 90;

function readSchema(name: string): JsonObject {
  return JSON.parse(readFileSync(join(repository, 'specs', name), 'utf8')) as JsonObject;
}

/** Everything that a schema names, in its order; a schema within itself is not entered again. */
function listMembers(
  schema: Json | undefined,
  root: JsonObject,
  path: readonly string[] = [],
  above: readonly string[] = [],
): readonly Member[] {
  if (!isObject(schema)) return [];
  const inner = (each: Json | undefined, name?: string): readonly Member[] =>
    listMembers(each, root, name === undefined ? path : [...path, name], above);
  const reference = schema['$ref'];
  if (typeof reference === 'string' && above.includes(reference)) return [];
  const target = typeof reference === 'string' ? definitionOf(reference, root) : undefined;
  const found = [
    ...listMembers(target, root, path, [...above, String(reference)]),
    ...namedMembers(schema).flatMap(([name, each]) => [{ path: [...path, name], description: describe(each, root) }, ...inner(each, name)]),
    ...inner(schema['additionalProperties'], 'NAME'),
    ...inner(schema['items'], '[]'),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => asList(schema[keyword]).flatMap((each) => inner(each))),
    ...['then', 'else'].flatMap((keyword) => inner(schema[keyword])),
  ];
  return found.filter((member, index) => found.findIndex(({ path }) => path.join('.') === member.path.join('.')) === index);
}

/** The members that a schema names; `unspecified`, which may stand in place of any answer, is left out. */
function namedMembers(schema: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(asObject(schema['properties'])).flatMap(([name, each]) =>
    name === 'unspecified' || each === undefined ? [] : [[name, each] as const],
  );
}

function definitionOf(reference: string, root: JsonObject): Json | undefined {
  return asObject(root['$defs'])[reference.replace('#/$defs/', '')];
}

/** The description of a schema, or else that of the schema to which it refers. */
function describe(schema: Json | undefined, root: JsonObject): string {
  if (!isObject(schema)) return '';
  const { description, $ref: reference } = schema;
  if (typeof description === 'string') return description;
  return typeof reference === 'string' ? describe(definitionOf(reference, root), root) : '';
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** All values at a path below some values. */
function valuesAt(values: readonly Json[], [name, ...rest]: readonly string[]): readonly Json[] {
  if (name === undefined) return values;
  const next = values.flatMap((value) => {
    if (name === '[]') return asList(value);
    if (name === 'NAME') return Object.values(asObject(value)).filter((each) => each !== undefined);
    const member = asObject(value)[name];
    return member === undefined ? [] : [member];
  });
  return valuesAt(next, rest);
}

/** Values of an annotation, wherever a document has it. */
function findAnnotation(value: Json, name: string): readonly Json[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [...(key === name ? [member] : []), ...findAnnotation(member, name)]);
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const nameOf = (path: readonly string[]): string => path.join('.').replaceAll('.[]', '[]');

/** The page of the annotations: each word, its meaning, and its shortest use in a contract. Throws when a word is used nowhere. */
export function renderAnnotations(): string {
  const root = readSchema('annotations.schema.json');
  const documents = [...annotatedContracts.values()].map((text) => parse(text) as Json);
  const words = Object.keys(asObject(root['$defs'])).filter((name) => name.startsWith('x-'));
  const sections = words.flatMap((word) => {
    const schema = definitionOf(word, root);
    const uses = documents.flatMap((document) => findAnnotation(document, word));
    const rows = [{ path: [], description: describe(schema, root) }, ...listMembers(schema, root, [], [`#/$defs/${word}`])].map(
      ({ path, description }) => {
        const [example] = valuesAt(uses, path)
          .map((value) => stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim())
          .toSorted((left, right) => left.length - right.length);
        if (example === undefined) throw new Error(`no contract uses ${nameOf([word, ...path])}`);
        const shown = example.length > longestExample ? `${example.slice(0, longestExample)}…` : example;
        return { name: nameOf(path), description, shown };
      },
    );
    const [own, ...members] = rows;
    const table = members.map(({ name, description, shown }) => `| \`${name}\` | ${cell(description)} | \`${cell(shown)}\` |`);
    return [
      `## ${word}`,
      '',
      own?.description ?? '',
      '',
      ...(table.length === 0
        ? ['```yaml', `${word}: ${own?.shown ?? ''}`, '```', '']
        : ['| member | meaning | example |', '|---|---|---|', ...table, '']),
    ];
  });
  return [
    '# Annotations',
    '',
    'Generated from `specs/annotations.schema.json` by `npm run docs`. Every example comes from a contract in this repository that tests load.',
    '',
    'An annotation is an extension of OpenAPI that states a rule of the API. `x-api`, `x-invalid` and `x-unspecified` belong at the root; the others belong in an',
    'operation or a schema. An [overlay](../how-to/overlays.md) can hold all of them. `{ unspecified: ID }` in place of a value marks an open question: `verify`',
    'observes what the server does, and never reports a violation. A mistake in an annotation is reported with its file, line and column. With this line, editors',
    'complete annotations:',
    '',
    '```yaml',
    '# yaml-language-server: $schema=node_modules/touchstone/specs/annotations.schema.json',
    '```',
    '',
    '[Bring your own API](../tutorials/your-own-api.md) introduces them one by one.',
    '',
    ...sections,
  ].join('\n');
}

export function renderConfiguration(): string {
  const root = readSchema('config.schema.json');
  const described = listMembers(root, root).filter(({ description }) => description !== '');
  const defaults = new Set(described.filter(({ path }) => path[0] === 'defaults').map(({ path }) => path.slice(1).join('.')));
  const members = described.filter(({ path }) => path[0] !== 'targets' || !defaults.has(path.slice(2).join('.')));
  return [
    '# Configuration',
    '',
    'Generated from `specs/config.schema.json` by `npm run docs`. To start from a file with comments, run `npx touchstone init`. `NAME` stands for any name.',
    '',
    String(root['description']),
    '',
    'A target, `targets.NAME`, may have every member of `defaults`.',
    '',
    '| member | meaning |',
    '|---|---|',
    ...members.map(({ path, description }) => `| \`${nameOf(path)}\` | ${cell(description)} |`),
    '',
  ].join('\n');
}

export function renderJsonFiles(names: readonly string[]): string {
  return [
    '# JSON files',
    '',
    'Generated from the schemas by `npm run docs`. The schemas are in the package, in `specs/`. Each describes every member, and editors use it for completion.',
    '',
    '| schema | describes |',
    '|---|---|',
    ...names.map((name) => {
      const { title, description } = readSchema(name);
      return `| [${name}](../../specs/${name}) | ${cell(String(description ?? title).replace(/\. .*/s, '.'))} |`;
    }),
    '',
  ].join('\n');
}
