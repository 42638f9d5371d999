/** Exchanges that show a value where it breaks: in a body, in a parameter, in a header. */

import type { WitnessExchange } from '../../core/change.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { OperationPair } from './description.ts';
import type { Exposure } from './use.ts';

/** A request of the operation, its path parameters filled in. */
export function requestOf({ old }: OperationPair, filled: Readonly<Record<string, string>> = {}): NonNullable<WitnessExchange['request']> {
  const target = old.path.replaceAll(/\{([^}]*)\}/g, (_, name: string) => filled[name] ?? exampleOf(old.item, old.value, name));
  return { method: old.method, target, headers: {} };
}

/** A plausible text for a path parameter: the contract's own example, or one of its type. */
function exampleOf(item: JsonObject, operation: JsonObject, name: string): string {
  const lists = [item['parameters'], operation['parameters']].flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  const parameter = lists.find((each): each is JsonObject => isObject(each) && each['name'] === name && each['in'] === 'path');
  const schema: JsonObject = isObject(parameter?.['schema']) ? parameter['schema'] : {};
  const given =
    parameter?.['example'] ?? schema['example'] ?? schema['const'] ?? (Array.isArray(schema['enum']) ? schema['enum'][0] : undefined);
  if (given !== undefined) return encodeURIComponent(String(given));
  return schema['type'] === 'string' ? encodeURIComponent(name) : '1';
}

/** A value as a body: of the request, or of the answer with a status. Of what the server sends, requests and answers change places. */
export function exposeBody(pair: OperationPair, type: string, status: string | undefined): Exposure {
  return (body) =>
    status === undefined
      ? { request: { ...requestOf(pair), headers: { 'content-type': type }, body } }
      : { request: requestOf(pair), response: { status, headers: { 'content-type': type }, body } };
}

/** A value as a parameter of the request. */
export function exposeParameter(pair: OperationPair, parameter: { readonly in: string; readonly name: string }): Exposure {
  return (value) => {
    const text = write(value);
    const { in: place, name } = parameter;
    if (place === 'path') return { request: requestOf(pair, { [name]: encodeURIComponent(text) }) };
    const request = requestOf(pair);
    if (place === 'query')
      return { request: { ...request, target: `${request.target}?${encodeURIComponent(name)}=${encodeURIComponent(text)}` } };
    if (place === 'cookie') return { request: { ...request, headers: { cookie: `${name}=${text}` } } };
    return { request: { ...request, headers: { [name.toLowerCase()]: text } } };
  };
}

/** A value as a header of an answer. */
export function exposeHeader(pair: OperationPair, status: string, name: string): Exposure {
  return (value) => ({ request: requestOf(pair), response: { status, headers: { [name.toLowerCase()]: write(value) } } });
}

const scalar = { anyOf: [{ type: ['boolean', 'number'] }, { type: 'string', minLength: 1 }] };

/** The schema of what can be written as a text; see `isWritable`. */
export const writable: JsonObject = { anyOf: [...scalar.anyOf, { type: 'array', minItems: 1, items: scalar }] };

/** Whether a value can be written as a text that is read back as it was: no empty value, and no structure but a list. */
export function isWritable(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => !Array.isArray(item) && isWritable(item as Json));
  return value !== null && value !== '' && typeof value !== 'object';
}

/** A value as a text: lists by commas, as the customary styles of OpenAPI write them; what is deeper as JSON. */
export function write(value: Json): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) return value.map(String).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
