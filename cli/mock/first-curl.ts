/** Makes the command to try first, which a mock shows when it starts: a request that its contract accepts. Sends nothing. */

import { isJsonType } from '../../core/http/media-type.ts';
import { isArray, isObject, type Json, printJson } from '../../core/json.ts';
import type { Credential, Operation } from '../../core/openapi/operation.ts';
import { type Parameter, printParameter } from '../../core/parameters/parse-parameter.ts';
import { sampleValue } from '../../mocks/handler/values/sample-value.ts';
import type { RunningMock } from '../../mocks/start-mock.ts';

/** Returns a curl command that reads the first list, or else the operation that needs the least. */
export function firstCurl(mock: RunningMock): string {
  const operation = simplestOperation(mock.contracts.flatMap((contract) => contract.operations));
  if (operation === undefined) return `curl -s ${mock.url}/`;
  const key = mock.keys['full'] ?? 'KEY';
  const keyParts = (operation.security[0] ?? []).map((credential) => showKey(credential, key));
  const required = operation.parameters.filter((parameter) => parameter.required);
  const limit = operation.collection?.page.limit;
  const query = [
    ...keyParts.flatMap((each) => each.query ?? []),
    ...required
      .filter((parameter) => parameter.in === 'query' && parameter.name !== limit)
      .map((parameter) => printed(operation, parameter)),
    ...(limit === undefined ? [] : [`${limit}=2`]),
  ].join('&');
  const headers = required.filter((parameter) => parameter.in === 'header');
  const options = [
    ...(operation.method === 'GET' ? [] : [`-X ${operation.method}`]),
    ...keyParts.flatMap((each) => each.option ?? []),
    ...headers.map((parameter) => `-H ${quote(`${parameter.name}: ${printed(operation, parameter)}`)}`),
    ...bodyOptions(operation),
  ].map((option) => `${option} `);
  const path = required
    .filter((parameter) => parameter.in === 'path')
    .reduce((filled, parameter) => filled.replace(`{${parameter.name}}`, printed(operation, parameter)), operation.path);
  return `curl -s ${options.join('')}${quote(`${mock.url}${path}${query === '' ? '' : `?${query}`}`)}`;
}

/** The first list, or else the operation with the fewest required parts, reads first. */
function simplestOperation(operations: readonly Operation[]): Operation | undefined {
  const needs = ({ method, parameters, requestBody }: Operation): number =>
    parameters.filter((parameter) => parameter.required).length + (method === 'GET' ? 0 : 100) + (requestBody?.required === true ? 50 : 0);
  return operations.find((each) => each.collection !== undefined) ?? operations.toSorted((left, right) => needs(left) - needs(right))[0];
}

function printed(operation: Operation, parameter: Parameter): string {
  const [example] = parameter.examples;
  const value = example ?? parameter.fallback ?? sampleOf(operation, parameter.schema);
  return printParameter(parameter, value ?? 'string');
}

function sampleOf({ document }: Operation, schema: Parameter['schema']): Json | undefined {
  return sampleValue(schema, { document, nowMs: Date.UTC(2026, 2, 29) }).value;
}

/** The body of an operation that needs one: JSON if it accepts that, else a form or a text. */
function bodyOptions(operation: Operation): readonly string[] {
  const { requestBody } = operation;
  if (requestBody === undefined || !requestBody.required) return [];
  const contents = [...requestBody.content];
  const [type, content] = contents.find(([each]) => isJsonType(each)) ?? contents[0] ?? [];
  if (type === undefined || content === undefined) return [];
  const value = sampleOf(operation, content.schema);
  if (isJsonType(type)) return [`-H 'Content-Type: ${type}'`, `-d ${quote(printJson(value ?? null))}`];
  const fields = isObject(value) ? Object.entries(value).flatMap(([name, each]) => fieldsOf(name, each)) : [];
  if (type === 'multipart/form-data') return fields.map((field) => `-F ${quote(field)}`);
  if (type === 'application/x-www-form-urlencoded') return fields.map((field) => `--data-urlencode ${quote(field)}`);
  return [`-H 'Content-Type: ${type}'`, `--data-raw ${quote(typeof value === 'string' ? value : 'string')}`];
}

/** The fields of a member of a form: one for each element of a list. */
function fieldsOf(name: string, value: Json): readonly string[] {
  const values = isArray(value) ? value : [value];
  return values.map((each) => `${name}=${typeof each === 'string' ? each : printJson(each)}`);
}

/** Shows a key in words, and as an option of curl or a part of the query. */
export function showKey(
  { carrier }: Credential,
  key: string,
): { readonly text: string; readonly option?: string; readonly query?: string } {
  if (carrier.in === 'query') return { text: `?${carrier.name}=${key}`, query: `${carrier.name}=${key}` };
  if (carrier.in === 'cookie') return { text: `Cookie: ${carrier.name}=${key}`, option: `-b '${carrier.name}=${key}'` };
  if (carrier.in !== 'authorization') return { text: `${carrier.name}: ${key}`, option: `-H '${carrier.name}: ${key}'` };
  if (carrier.word === 'Basic') return { text: `Authorization: Basic, with ${key} as the password`, option: `-u ':${key}'` };
  const credentials = carrier.word === 'Digest' ? `username="mock", response="${key}"` : key;
  return { text: `Authorization: ${carrier.word} ${credentials}`, option: `-H 'Authorization: ${carrier.word} ${credentials}'` };
}

/** Quotes a text for the shell, in which a single quote ends a quotation. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
