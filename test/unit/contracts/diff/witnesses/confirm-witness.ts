/** Confirmation of witnesses with ajv alone: one contract allows the value, the other refuses it. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../../../../../core/json.ts';
import { addFormats } from '../../../../../core/openapi/formats.ts';
import type { Change } from '../../../../../core/results/diff-result.ts';

/** True for each contract that allows the exchange of a witness. */
export interface Confirmation {
  readonly old: boolean;
  readonly new: boolean;
}

/** Validates the witness of a change under both contracts, given by their roots. */
export function confirmWitness(change: Change, old: JsonObject, next: JsonObject): Confirmation {
  const found = placeOfValue(change);
  return { old: isAllowed(old, found), new: isAllowed(next, found) };
}

/** The schema of a value in a contract, and the value. */
interface Spoken {
  readonly keys: readonly (string | number)[];
  readonly value: Json;
}

function placeOfValue({ witness, operation = '' }: Change): (root: JsonObject) => Spoken {
  const [method = '', path = ''] = operation.split(' ');
  const { request, response } = witness?.exchange ?? {};
  const base = ['paths', path, method.toLowerCase()];
  if (response?.body !== undefined) {
    const keys = ['responses', response.status, 'content', response.headers['content-type'] ?? '', 'schema'];
    return () => ({ keys: [...base, ...keys], value: response.body ?? null });
  }
  const [header] = Object.entries(response?.headers ?? {});
  if (response !== undefined && header !== undefined) return (root) => headerIn(root, [...base, 'responses', response.status], header);
  const [target = '', query = ''] = (request?.target ?? '').split('?');
  // The value comes first, and other required parameters follow.
  const pairs = query.split('&').map((pair) => pair.split('='));
  const [name = ''] = pairs[0] ?? [];
  const sent =
    name === '' ? [target.slice(target.lastIndexOf('/') + 1)] : pairs.flatMap(([each, text = '']) => (each === name ? text : []));
  return (root) => parameterIn(root, base, decodeURIComponent(name), sent);
}

function headerIn(root: JsonObject, base: readonly string[], [name, text]: readonly [string, string]): Spoken {
  const headers = valueAt(root, [...base, 'headers']) as JsonObject;
  const written = Object.keys(headers).find((each) => each.toLowerCase() === name) ?? name;
  const keys = [...base, 'headers', written, 'schema'];
  return { keys, value: read(valueAt(root, keys) as JsonObject, text.split(','), text) };
}

function parameterIn(root: JsonObject, base: readonly string[], name: string, sent: readonly string[]): Spoken {
  const list = (valueAt(root, [...base, 'parameters']) ?? []) as readonly Json[];
  const index = list.findIndex((_, each) => {
    const parameter = valueAt(root, [...base, 'parameters', each]) as JsonObject;
    return name === '' ? parameter['in'] === 'path' : parameter['name'] === name;
  });
  const parameter = valueAt(root, [...base, 'parameters', index]) as JsonObject;
  const isExploded = parameter['in'] === 'query' && parameter['explode'] !== false;
  const items = isExploded ? sent : sent.flatMap((each) => each.split(','));
  const keys = [...base, 'parameters', index, 'schema'];
  return { keys, value: read(valueAt(root, keys) as JsonObject, items.map(decodeURIComponent), decodeURIComponent(sent[0] ?? '')) };
}

/** Parses a text by its schema: numbers as numbers, lists by their items. */
function read(schema: JsonObject, items: readonly string[], text: string): Json {
  const types = [schema['type']].flat();
  if (types.includes('array')) return text === '' ? [] : items;
  return types.includes('integer') || types.includes('number') ? Number(text) : text;
}

/** The value under keys, through references. */
function valueAt(root: JsonObject, keys: readonly (string | number)[]): Json | undefined {
  return keys.reduce<Json | undefined>((value, key) => follow(root, (value as JsonObject | undefined)?.[key]), root);
}

function follow(root: JsonObject, value: Json | undefined): Json | undefined {
  const reference = (value as JsonObject | undefined)?.['$ref'];
  if (typeof reference !== 'string') return value;
  return valueAt(root, reference.slice(2).split('/'));
}

function isAllowed(root: JsonObject, spokenIn: (root: JsonObject) => Spoken): boolean {
  const { keys, value } = spokenIn(root);
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
  addFormats(ajv);
  ajv.addSchema(root, 'contract');
  // The schema is reached through references of OpenAPI, which ajv does not follow by itself.
  const schema = valueAt(root, keys) as JsonObject;
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/')) as JsonObject;
  return ajv.validate(absolute, value);
}
