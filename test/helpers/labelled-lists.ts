/** List operations of public APIs with the answers of people who read them, and the excerpts that the inference needs: names and types only. */

import { readFileSync } from 'node:fs';
import type { Json, JsonObject } from '../../core/json.ts';
import { isArray, isObject } from '../../core/json.ts';
import { type Contract, contractOfDocument, openDocument } from '../../core/openapi/contract.ts';
import { readerOf } from './contracts/contract-text.ts';

/** What is true of an operation. */
export interface Label {
  /** False for a read of one record, which has arrays inside. */
  readonly list?: boolean;
  /** JSON Pointers of the array and, in a record, of its key. */
  readonly items?: string;
  readonly key?: string | null;
  /** Style, limit parameter and start parameter, such as `cursor limit after`. */
  readonly page?: string | null;
  /** By parameter, the operator and the field. */
  readonly filters?: Readonly<Record<string, string>>;
  /** By path parameter, the noun of the collection. */
  readonly parents?: readonly (string | null)[];
  /** By field, the noun of the collection. */
  readonly references?: Readonly<Record<string, string>>;
}

/** An operation of an excerpt. */
interface ExcerptOperation {
  readonly id: string;
  readonly path: string;
  readonly query?: readonly string[];
  readonly response: Json;
  readonly label?: Label;
}

/** The excerpt of one public file. */
export interface Excerpt {
  readonly source: string;
  readonly shapes: Readonly<Record<string, JsonObject>>;
  readonly operations: readonly ExcerptOperation[];
  /** Other collections: `l` has a list, `d` a read of one record, and `c` a creation. */
  readonly others: Readonly<Record<string, string>>;
}

/** The excerpts by the name of the API. */
export function readExcerpts(): Readonly<Record<string, Excerpt>> {
  return JSON.parse(readFileSync(new URL('../fixtures/labelled-lists.json', import.meta.url), 'utf8')) as Readonly<Record<string, Excerpt>>;
}

/** Writes an excerpt as an OpenAPI file, and loads it. */
export async function loadExcerpt(excerpt: Excerpt): Promise<Contract> {
  const paths: Record<string, Record<string, Json>> = {};
  const add = (path: string, method: string, operation: Json): void => {
    paths[path] = { ...paths[path], [method]: operation };
  };
  for (const { id, path, query = [], response, label: _label, ...extensions } of excerpt.operations)
    add(path, 'get', {
      operationId: id,
      ...extensions,
      parameters: [...pathParameters(path), ...query.map(toParameter)],
      responses: success(toSchema(response)),
    });
  for (const [path, kinds] of Object.entries(excerpt.others)) {
    const record: Json = { type: 'object', properties: { id: { type: 'string' } } };
    const parameters = pathParameters(path);
    if (kinds.includes('l') && paths[path]?.['get'] === undefined)
      add(path, 'get', { parameters, responses: success({ type: 'array', items: record }) });
    if (kinds.includes('c')) add(path, 'post', { parameters, responses: success(record) });
    if (kinds.includes('d'))
      add(`${path.replace(/\/$/, '')}/{otherId}`, 'get', {
        parameters: [...parameters, ...pathParameters('/{otherId}')],
        responses: success(record),
      });
  }
  const schemas = Object.fromEntries(Object.entries(excerpt.shapes).map(([name, shape]) => [`S${name}`, toSchema(shape)]));
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: excerpt.source, version: '1' }, paths, components: { schemas } });
  return await contractOfDocument(await openDocument('api.yaml', readerOf({ 'api.yaml': text })));
}

function success(schema: Json): Json {
  return { '200': { description: 'x', content: { 'application/json': { schema } } } };
}

function pathParameters(path: string): readonly Json[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

/** `limit i`, `status s(a|b)` or `ids [s]`. */
function toParameter(text: string): Json {
  const at = text.lastIndexOf(' ');
  const [name, type] = [text.slice(0, at), text.slice(at + 1)];
  const list = /^\[(.*)\]$/.exec(type)?.[1];
  if (list !== undefined) return { name, in: 'query', schema: { type: 'array', items: toSchema(list) } };
  return { name, in: 'query', ...(type === 'o' ? { style: 'deepObject', schema: { type: 'object' } } : { schema: toSchema(type) }) };
}

const types: Readonly<Record<string, string>> = { s: 'string', i: 'integer', n: 'number', b: 'boolean', o: 'object', a: 'array' };

/** An object or array of shapes; `s/date-time` and `s(a|b)` for scalars; `@1` for a shared shape; `{ '|s': … }` for a shape or a text. */
function toSchema(shape: Json): Json {
  if (isArray(shape)) return { type: 'array', items: toSchema(shape[0] ?? '?') };
  if (isObject(shape)) {
    if (shape['|s'] !== undefined) return { oneOf: [toSchema(shape['|s']), { type: 'string' }] };
    return { type: 'object', properties: Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, toSchema(member)])) };
  }
  const text = String(shape);
  if (text.startsWith('@')) return { $ref: `#/components/schemas/S${text.slice(1)}` };
  const [, kind = '?', format, listed] = /^(.)(?:\/([^(]+))?(?:\((.*)\))?$/.exec(text) ?? [];
  const type = types[kind];
  return {
    ...(type === undefined ? {} : { type }),
    ...(format === undefined ? {} : { format }),
    ...(listed === undefined ? {} : { enum: listed.split('|') }),
  };
}
