/** Failures in the API's own envelope: the documented code where the contract has one, and the error schema with a plain code elsewhere. */

import { isJsonType } from '../../core/http/check-response.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { type Operation, responseFor } from '../../core/openapi/operation.ts';
import { certainSchemas, type Schema, schemasAt } from '../../core/openapi/schema.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import { constantsOf } from './fit-schema.ts';
import type { Answer } from './mock-response.ts';
import type { ServedApi } from './served-api.ts';

/** Content of an error response. */
export interface FailureText {
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The code to give where the operation documents it among others. */
  readonly code?: string | undefined;
}

/** An error answer of an API. Without an operation (an unknown path, a wrong method), only the error schema decides. */
export function createFailure(api: ServedApi, operation: Operation | undefined, status: number, text: FailureText): Answer {
  const { contract } = api;
  const documented = operation === undefined ? undefined : jsonContentOf(operation, status);
  const type = documented === undefined || documented.type === 'application/json' ? {} : { 'content-type': documented.type };
  const headers = { ...type, ...text.headers, ...(status === 401 ? challenge(api, operation) : {}) };
  const code = askedCode(api, operation, status, text.code) ?? documentedCode(api, operation, status) ?? plainCodes[status] ?? 'ERROR';
  const { error } = contract;
  if (error === undefined) return { status, headers, body: { error: { code, message: text.message } } };
  const parts: readonly (readonly [string, Json])[] = [
    [error.code, code],
    [error.message, text.message],
    ...(error.request === undefined ? [] : [[error.request, api.nextRequestId()] as const]),
  ];
  const constants = [error.schema, documented?.schema ?? true].map((schema) => constantsOf(contract.closed, schema)).filter(isObject);
  const base: Json = Object.assign({}, ...constants);
  return { status, headers, body: parts.reduce((body, [pointer, value]) => withValueAt(body, pointer, value), base) };
}

/** The JSON content that an operation documents for a status, such as `application/problem+json` (RFC 9457). */
function jsonContentOf(operation: Operation, status: number): { readonly type: string; readonly schema: Schema } | undefined {
  const contents = [...(responseFor(operation, status)?.content ?? [])];
  const json = contents.find(([type]) => isJsonType(type));
  return json === undefined ? undefined : { type: json[0], schema: json[1].schema };
}

/** The members in which failures say what happened, the most common first (RFC 9457 §3.1 calls it `detail`). */
const reasonNames = ['message', 'detail', 'error_description', 'description', 'title', 'error'];

/** An example of a failure with the reason of this one, in the member that holds a reason. */
export function withReason(example: Answer['body'], answer: Answer['body']): Answer['body'] {
  if (!isObject(example) || !isObject(answer)) return example;
  const [from, to] = [reasonPlace(answer), reasonPlace(example)];
  const reason = from === undefined ? undefined : valueAt(answer, from);
  return to === undefined || reason === undefined ? example : withValueAt(example, to, reason);
}

function reasonPlace(body: JsonObject): string | undefined {
  const places = ['', '/error', '/errors/0'].flatMap((above) => reasonNames.map((name) => `${above}/${name}`));
  return places.find((place) => typeof valueAt(body, place) === 'string');
}

/** Codes for failures that the API's documents leave open. */
const plainCodes: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'REQUEST_TIMEOUT',
  413: 'CONTENT_TOO_LARGE',
  414: 'URI_TOO_LONG',
  429: 'TOO_MANY_REQUESTS',
  431: 'HEADERS_TOO_LARGE',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

/** The code that the operation documents for a status; outside operations, the one that all operations of the API agree on. */
function documentedCode(api: ServedApi, operation: Operation | undefined, status: number): string | undefined {
  if (operation !== undefined && responseFor(operation, status) !== undefined) return codeOf(api, operation, status);
  const codes = new Set(api.contract.operations.map((each) => codeOf(api, each, status)).filter((code) => code !== undefined));
  return codes.size === 1 ? [...codes][0] : undefined;
}

function askedCode(api: ServedApi, operation: Operation | undefined, status: number, code: string | undefined): string | undefined {
  if (code === undefined || operation === undefined) return undefined;
  return schemasOfCode(api, operation, status).some(({ enum: listed }) => Array.isArray(listed) && listed.includes(code))
    ? code
    : undefined;
}

function codeOf(api: ServedApi, operation: Operation, status: number): string | undefined {
  const schemas = schemasOfCode(api, operation, status);
  const stated = schemas.flatMap((schema) => [schema['const'], ...(Array.isArray(schema['enum']) ? schema['enum'] : [])]);
  // A closed question conjoins its answer, so a constant is more exact than the list that it chooses from.
  const constant = schemas.find((schema) => typeof schema['const'] === 'string')?.['const'];
  const code = constant ?? stated.find((value) => typeof value === 'string');
  return typeof code === 'string' ? code : undefined;
}

/** The schemas that hold for the code of a documented failure. */
function schemasOfCode({ contract }: ServedApi, operation: Operation, status: number): readonly JsonObject[] {
  const media = [...(operation.responses.get(String(status))?.content.values() ?? [])][0];
  if (media === undefined || contract.error === undefined) return [];
  return schemasAt(contract.closed, media.schema, contract.error.code)
    .flatMap((schema) => certainSchemas(contract.closed, schema))
    .filter(isObject);
}

/**
 * RFC 9110 §15.5.2: a 401 says how to authenticate. A header takes only plain characters, so others are left out of the title.
 */
export function challenge(api: ServedApi, operation: Operation | undefined): Readonly<Record<string, string>> {
  const credentials = (operation === undefined ? api.contract.operations : [operation]).flatMap((each) => each.security.flat());
  const words = credentials.flatMap(({ carrier }) => (carrier.in === 'authorization' ? [carrier.word] : []));
  return { 'www-authenticate': `${words[0] ?? 'ApiKey'} realm="${api.contract.title.replaceAll(/[^\x20-\x7e]|["\\]/g, '')}"` };
}
