/**
 * Builds example exchanges for witnesses: a request or response of an operation that carries a given value. `compare-content.ts`, `compare-parameters.ts` and
 * `compare-responses.ts` choose a builder for each schema that they compare. `schema-witness-search.ts` calls the builder with each value found, and writes
 * values as text. `compare-operations.ts` and `compare-parameters.ts` also build requests that only the new contract refuses, when a witness is searched. Keys
 * and further parameters are left to `complete-request.ts`.
 */

import type { SourceLocation } from '../../../core/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { WitnessExchange } from '../../../core/results/diff-result.ts';
import type { DocumentedOperation } from '../list-documented-operations.ts';
import type { SearchOutcome } from './search-outcome.ts';

/** Builds an exchange that carries a value. */
export type ExchangeBuilder = (value: Json) => WitnessExchange;

/** A request of the operation, with its path parameters filled in. */
function requestOf(
  { parameters, method, path }: DocumentedOperation,
  filled: Readonly<Record<string, string>> = {},
): NonNullable<WitnessExchange['request']> {
  const target = path.replaceAll(/\{([^}]*)\}/g, (_, name: string) => filled[name] ?? exampleOf(parameters, name));
  return { method, target, headers: {} };
}

/** A plausible value for a path parameter: the contract's example, or one of the right type. */
function exampleOf(parameters: DocumentedOperation['parameters'], name: string): string {
  const parameter = [...parameters.values()].find((each) => each.name === name && each.in === 'path')?.value;
  const schema: JsonObject = isObject(parameter?.['schema']) ? parameter['schema'] : {};
  const example =
    parameter?.['example'] ?? schema['example'] ?? schema['const'] ?? (Array.isArray(schema['enum']) ? schema['enum'][0] : undefined);
  if (example !== undefined) return encodeURIComponent(String(example));
  return schema['type'] === 'string' ? encodeURIComponent(name) : '1';
}

/** Witness without a value: a request that the new contract refuses since the operation is gone or a parameter became required. */
export function requestRefusedByNew(
  operation: DocumentedOperation,
  keyword: string,
  message: string,
  place: SourceLocation,
): SearchOutcome {
  const exchange = { request: requestOf(operation) };
  return { verdict: 'witnessed', witness: { exchange, pointer: '', value: undefined, refusedBy: 'new', keyword, message, place } };
}

/** Exchange with a value as the request body, or as the response body of a status. */
export function exchangeWithBody(operation: DocumentedOperation, type: string, status: string | undefined): ExchangeBuilder {
  return (body) =>
    status === undefined
      ? { request: { ...requestOf(operation), headers: { 'content-type': type }, body } }
      : { request: requestOf(operation), response: { status, headers: { 'content-type': type }, body } };
}

/** Exchange with a value as a request parameter. */
export function exchangeWithParameter(
  operation: DocumentedOperation,
  parameter: { readonly in: string; readonly name: string },
): ExchangeBuilder {
  return (value) => {
    const text = writeAsText(value);
    const { in: place, name } = parameter;
    if (place === 'path') return { request: requestOf(operation, { [name]: encodeURIComponent(text) }) };
    const request = requestOf(operation);
    if (place === 'query')
      return { request: { ...request, target: `${request.target}?${encodeURIComponent(name)}=${encodeURIComponent(text)}` } };
    if (place === 'cookie') return { request: { ...request, headers: { cookie: `${name}=${text}` } } };
    return { request: { ...request, headers: { [name.toLowerCase()]: text } } };
  };
}

/** Exchange with a value as a response header. */
export function exchangeWithHeader(operation: DocumentedOperation, status: string, name: string): ExchangeBuilder {
  return (value) => ({ request: requestOf(operation), response: { status, headers: { [name.toLowerCase()]: writeAsText(value) } } });
}

const scalar = { anyOf: [{ type: ['boolean', 'number'] }, { type: 'string', minLength: 1 }] };

/** Schema of values with an unambiguous text form: no empty values, and arrays of scalars only. */
export const writableAsText: JsonObject = { anyOf: [...scalar.anyOf, { type: 'array', minItems: 1, items: scalar }] };

/** Text form of a value: lists separated by commas, as in the default styles of OpenAPI; other structures as JSON. */
export function writeAsText(value: Json): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) return value.map(String).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
