/** Reads and changes requests and responses for mutants, at each request and always on copies. */

import { type HttpRequest, type HttpResponse, headerOf, splitTarget } from '../../core/http/exchange.ts';
import { keyIn, writeKey } from '../../core/http/key-of-request.ts';
import { isObject, type Json, parseJson, printJson } from '../../core/json.ts';
import type { Credential, Operation } from '../../core/openapi/operation.ts';
import { routeTo } from '../../core/openapi/route-request.ts';
import { decodeOrKeep, splitQuery } from '../../core/parameters/query-string.ts';
import { createErrorResponse } from '../handler/error-response.ts';
import { draftToHttpResponse } from '../handler/prepare-response.ts';
import type { ServedApi } from '../handler/served-api.ts';

/** Returns the operation of a request. */
export function operationOf(api: ServedApi, request: HttpRequest): Operation | undefined {
  const route = routeTo(api.contract.operations, request.method, request.target);
  return route.kind === 'operation' ? route.operation : undefined;
}

/** Returns the decoded value of a query parameter, the first of several. */
export function queryValue(request: HttpRequest, name: string): string | undefined {
  const pair = splitQuery(splitTarget(request.target).query).find(([key]) => key === name);
  return pair === undefined ? undefined : decodeOrKeep(pair[1]);
}

/** Removes a query parameter from a request. */
export function withoutQuery(request: HttpRequest, name: string): HttpRequest {
  return withPairs(request, (pairs) => pairs.filter((pair) => nameOf(pair) !== name));
}

/** Sets or replaces a query parameter of a request. */
export function withQueryValue(request: HttpRequest, name: string, value: string): HttpRequest {
  return withPairs(request, (pairs) => [
    ...pairs.filter((pair) => nameOf(pair) !== name),
    `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  ]);
}

function withPairs(request: HttpRequest, change: (pairs: readonly string[]) => readonly string[]): HttpRequest {
  const { path, query } = splitTarget(request.target);
  const pairs = change(query === '' ? [] : query.split('&'));
  return { ...request, target: pairs.length === 0 ? path : `${path}?${pairs.join('&')}` };
}

function nameOf(pair: string): string {
  return decodeOrKeep(pair.split('=', 1)[0] ?? '');
}

/** Returns the value that identifies a record in a request: a query parameter or a path segment. */
export function identifierOf(api: ServedApi, request: HttpRequest, name: string): string | undefined {
  const route = routeTo(api.contract.operations, request.method, request.target);
  const segment = route.kind === 'operation' ? route.segments.get(name) : undefined;
  return segment === undefined ? queryValue(request, name) : decodeOrKeep(segment, false);
}

/** Replaces the value that identifies a record in a request. */
export function withIdentifier(api: ServedApi, request: HttpRequest, name: string, value: string): HttpRequest {
  const operation = operationOf(api, request);
  if (!operation?.path.includes(`{${name}}`)) return withQueryValue(request, name, value);
  const { path, query } = splitTarget(request.target);
  const templateSegments = operation.path.split('/');
  const segments = path.split('/').map((segment, index) => (templateSegments[index] === `{${name}}` ? encodeURIComponent(value) : segment));
  return { ...request, target: segments.join('/') + (query === '' ? '' : `?${query}`) };
}

/** Sets or removes a header of a request or a response. */
export function withHeader<Message extends HttpRequest | HttpResponse>(message: Message, name: string, value: string | undefined): Message {
  const { [name]: _, ...otherHeaders } = message.headers;
  return { ...message, headers: value === undefined ? otherHeaders : { ...message.headers, [name]: value } };
}

/** Returns the key of a request, from any documented place. */
export function keyOf(api: ServedApi, request: HttpRequest): string | undefined {
  const credentials = api.contract.operations.flatMap((operation) => operation.security.flat());
  return credentials.map((credential) => keyIn(request, credential)).find((key) => key !== undefined && key !== '');
}

/** Replaces the keys of a request by that of a role, in all carriers that the first alternative of its operation requires. */
export function withKeyOf(api: ServedApi, request: HttpRequest, role: string): HttpRequest {
  const alternatives = operationOf(api, request)?.security ?? [];
  const required = alternatives.find((alternative) => alternative.length > 0) ?? [];
  const key = api.keys.byRole.get(role) ?? '';
  return required.reduce((changed, credential) => withKey(changed, credential, key), alternatives.flat().reduce(withoutKey, request));
}

function withKey(request: HttpRequest, credential: Credential, key: string): HttpRequest {
  const { headers, query } = writeKey(credential, key);
  const { cookie, ...otherHeaders } = headers;
  const changed = withPairs({ ...request, headers: { ...request.headers, ...otherHeaders } }, (pairs) => [...pairs, ...query]);
  return cookie === undefined ? changed : withCookies(changed, (cookies) => [...cookies, cookie]);
}

function withoutKey(request: HttpRequest, { carrier }: Credential): HttpRequest {
  if (carrier.in === 'query') return withoutQuery(request, carrier.name);
  if (carrier.in === 'cookie') return withCookies(request, (cookies) => cookies.filter((each) => each.split('=', 1)[0] !== carrier.name));
  return withHeader(request, carrier.in === 'header' ? carrier.name.toLowerCase() : carrier.in, undefined);
}

function withCookies(request: HttpRequest, change: (cookies: readonly string[]) => readonly string[]): HttpRequest {
  const cookies = (headerOf(request.headers, 'cookie') ?? '').split(/;\s*/).filter((each) => each !== '');
  return withHeader(request, 'cookie', change(cookies).join('; ') || undefined);
}

/** Returns the JSON value of a body; `undefined` without one. */
export function bodyOf(response: HttpResponse): Json | undefined {
  const isJson = (headerOf(response.headers, 'content-type') ?? '').includes('json');
  return isJson && response.body !== '' ? parseJson(response.body) : undefined;
}

/** Replaces the JSON body of a response. */
export function withBody(response: HttpResponse, body: Json): HttpResponse {
  return { ...response, body: printJson(body) };
}

/** Changes the JSON body of a response, if it is an object. */
export function mapBody(response: HttpResponse, change: (body: Json) => Json): HttpResponse {
  const body = bodyOf(response);
  return isObject(body) ? withBody(response, change(body)) : response;
}

/** Creates an error response in the API's error envelope. */
export function errorResponse(api: ServedApi, request: HttpRequest, status: number, message: string): HttpResponse {
  return draftToHttpResponse(createErrorResponse(api, operationOf(api, request), status, { message }));
}
