/** Makes error responses in the format of the API, with a plain code where none is documented, and reads their messages. Decides no status. */

import { isJsonType } from '../../core/http/media-type.ts';
import { arrayOrEmpty, isObject, type Json, type JsonObject, readJson } from '../../core/json.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { type Operation, responseFor } from '../../core/openapi/operation.ts';
import { certainSchemas, constantsOf, type Schema, schemasAt } from '../../core/openapi/schema-facts.ts';
import { valueAt, withValueAt } from '../../core/pointer.ts';
import type { DraftResponse } from './prepare-response.ts';
import type { ServedApi } from './served-api.ts';

/** Content of an error response. */
export interface ErrorText {
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The preferred code, if the operation documents it. */
  readonly code?: string | undefined;
}

/** Makes an error response. Without an operation (unknown path, wrong method), its format is the error schema of the contract. */
export function createErrorResponse(api: ServedApi, operation: Operation | undefined, status: number, text: ErrorText): DraftResponse {
  const { contract } = api;
  const documented = operation === undefined ? undefined : jsonContentOf(operation, status);
  const type = documented === undefined || documented.type === 'application/json' ? {} : { 'content-type': documented.type };
  const challenges = status === 401 ? challenge(api, operation) : {};
  const headers = { ...type, ...text.headers, ...challenges };
  const { error } = contract;
  if (error === undefined)
    return {
      status,
      headers: { 'content-type': 'application/problem+json', ...text.headers, ...challenges },
      body: problemOf(status, text),
    };
  const isDocumented = operation !== undefined && text.code !== undefined && codesOf(contract, operation, status).includes(text.code);
  const code = (isDocumented ? text.code : documentedCode(contract, operation, status)) ?? plainCodes[status] ?? 'ERROR';
  const parts: readonly (readonly [string, Json])[] = [
    [error.code, code],
    [error.message, text.message],
    ...(error.request === undefined ? [] : [[error.request, api.nextRequestId()] as const]),
  ];
  const constants = [error.schema, documented?.schema ?? true].map((schema) => constantsOf(contract.closed, schema)).filter(isObject);
  const base: Json = Object.assign({}, ...constants);
  return { status, headers, body: parts.reduce((body, [pointer, value]) => withValueAt(body, pointer, value), base) };
}

/** A failure as RFC 9457 has it, for APIs without an error format. */
function problemOf(status: number, { message, code }: ErrorText): JsonObject {
  return { type: 'about:blank', title: titleOf(status), status, detail: message, ...(code === undefined ? {} : { code }) };
}

/** The code of a status in words, such as `Not found`. */
function titleOf(status: number): string {
  const words = (plainCodes[status] ?? 'ERROR').replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The JSON content that an operation documents for a status, such as `application/problem+json` (RFC 9457). */
function jsonContentOf(operation: Operation, status: number): { readonly type: string; readonly schema: Schema } | undefined {
  const contents = [...(responseFor(operation, status)?.content ?? [])];
  const json = contents.find(([type]) => isJsonType(type));
  return json === undefined ? undefined : { type: json[0], schema: json[1].schema };
}

/** Usual names of the member with the reason of a failure, the most common first (`detail` is from RFC 9457 §3.1). */
const reasonNames = ['message', 'detail', 'error_description', 'description', 'title', 'error'];

/** The body of a failure with a reason at the place that it has for one; a body without such a place stays. */
export function withReason(body: Json, reason: string): Json {
  const place = isObject(body) ? reasonPlace(body) : undefined;
  return place === undefined ? body : withValueAt(body, place, reason);
}

/** The message of an error response, in the error format of a contract or at a usual place. */
export function readErrorMessage(body: string, contract: Pick<Contract, 'error'> | undefined): string | undefined {
  const value = readJson(body);
  const places = [contract?.error?.message, isObject(value) ? reasonPlace(value) : undefined];
  return places.map((place) => (place === undefined ? undefined : valueAt(value, place))).find((message) => typeof message === 'string');
}

/** Pointer of the reason in the body of a failure. */
function reasonPlace(body: JsonObject): string | undefined {
  const places = ['', '/error', '/errors/0'].flatMap((above) => reasonNames.map((name) => `${above}/${name}`));
  return places.find((place) => typeof valueAt(body, place) === 'string');
}

/** Codes by status, for failures without a documented code. */
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

/** The code that the operation documents for a status, or else the only code that the operations of the API document for it. */
function documentedCode(contract: Contract, operation: Operation | undefined, status: number): string | undefined {
  if (operation !== undefined && responseFor(operation, status) !== undefined) return codesOf(contract, operation, status)[0];
  const codes = new Set(contract.operations.flatMap((each) => codesOf(contract, each, status).slice(0, 1)));
  return codes.size === 1 ? [...codes][0] : undefined;
}

/** The codes that an operation documents for a status. Constants come first: the answer to an open question adds one beside the list of allowed codes. */
export function codesOf(contract: Contract, operation: Operation, status: number): readonly string[] {
  const codes = getOrCompute(knownCodes, contract, () => new Map());
  return getOrCompute(codes, `${operation.id} ${status}`, () => readCodes(contract, operation, status));
}

/** A search in the schema of every operation costs ten times as much as the rest of an error response. */
const knownCodes = new WeakMap<Contract, Map<string, readonly string[]>>();

function readCodes({ error, closed }: Contract, operation: Operation, status: number): readonly string[] {
  const [media] = operation.responses.get(String(status))?.content.values() ?? [];
  if (media === undefined || error === undefined) return [];
  const schemas = schemasAt(closed, media.schema, error.code)
    .flatMap((schema) => certainSchemas(closed, schema))
    .filter(isObject);
  const values = [...schemas.map((schema) => schema['const']), ...schemas.flatMap((schema) => arrayOrEmpty(schema['enum']))];
  return values.filter((value) => typeof value === 'string');
}

/** The header WWW-Authenticate, which a 401 must have (RFC 9110 §15.5.2). It has the title of the API, without characters that a header cannot have. */
export function challenge(api: ServedApi, operation: Operation | undefined): Readonly<Record<string, string>> {
  const credentials = (operation === undefined ? api.contract.operations : [operation]).flatMap((each) => each.security.flat());
  const words = credentials.flatMap(({ carrier }) => (carrier.in === 'authorization' ? [carrier.word] : []));
  return { 'www-authenticate': `${words[0] ?? 'ApiKey'} realm="${api.contract.title.replaceAll(/[^\x20-\x7e]|["\\]/g, '')}"` };
}
