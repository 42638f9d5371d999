/** Responses of the mock, in two types: an answer is a value; a prepared response is what the socket, the cache and the journal share. */

import { gzipSync } from 'node:zlib';
import { type HttpHeaders, type HttpRequest, type HttpResponse, headerOf } from '../../core/http/exchange.ts';
import type { Json } from '../../core/json.ts';
import type { Transmission } from '../chaos/chaos-decision.ts';
import { gzipTag } from './entity-tag.ts';
import type { RequestContext } from './request-context.ts';

/** An answer of the mock. */
export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** A value, or its JSON in UTF-8; `undefined` for an answer without a body. */
  readonly body: Json | Buffer | undefined;
  /** The cursor that the body gives, where that is known without parsing it. */
  readonly next?: string | undefined;
}

/** A response with every header and every byte, ready for the socket. */
export interface PreparedResponse {
  readonly status: number;
  /** By lower-case name, as Node takes them. */
  readonly headers: Record<string, string | string[]>;
  /** The body before any content coding; empty where none is sent. */
  readonly body: Buffer;
  /** The bytes to send; `undefined` for none, as with HEAD and 304. */
  readonly encoded: Buffer | undefined;
  readonly next?: string | undefined;
  /** Absent for what never came to an API. */
  readonly context?: RequestContext | undefined;
  /** The chaos on its way; absent where it just goes out. */
  readonly wire?: Transmission | undefined;
}

/** A request without keys, the response that went out, and how long that took. */
export interface Served {
  readonly request: HttpRequest;
  readonly response: PreparedResponse;
  readonly durationMs: number;
}

/** The parts of a prepared response that the request brings, and not the answer. */
type RequestDetails = Pick<PreparedResponse, 'context' | 'wire'>;

const empty = Buffer.alloc(0);

/** Prepares an answer for the client that asked. */
export function prepare(request: HttpRequest, answer: Answer, details: RequestDetails = {}): PreparedResponse {
  return finish(request, answer.status, describe(answer), encode(answer.body), answer.next, details);
}

/** Prepares a response that a middleware returned: its headers and its text stay as they are. */
export function prepareText(request: HttpRequest, { status, headers, body }: HttpResponse, details: RequestDetails): PreparedResponse {
  return finish(request, status, headers, Buffer.from(body), undefined, details);
}

/** An answer as middlewares see it. */
export function toHttpResponse(answer: Answer): HttpResponse {
  return { status: answer.status, headers: describe(answer), body: encode(answer.body).toString() };
}

/** A prepared response as listeners see it. Its text is made when somebody reads it: most listeners never do. */
export function toText({ status, headers, body }: PreparedResponse): HttpResponse {
  return {
    status,
    headers,
    get body() {
      return body.toString();
    },
  };
}

/**
 * Headers with one more, or with another value for one of them. Each answer is given several, hence the loop: V8 takes a microsecond to add a member to
 * an object that was made by a spread.
 */
export function withHeader<Value>(headers: Readonly<Record<string, Value>>, name: string, value: Value): Readonly<Record<string, Value>> {
  const all: Record<string, Value> = {};
  for (const known of Object.keys(headers)) all[known] = headers[known] as Value;
  all[name] = value;
  return all;
}

function encode(body: Answer['body']): Buffer {
  if (body === undefined) return empty;
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}

/** A body is JSON in UTF-8, of the type that its headers name. */
function describe({ headers, body }: Answer): HttpHeaders {
  if (body === undefined) return headers;
  const type = headers['content-type']?.split(';')[0] ?? 'application/json';
  return withHeader(headers, 'content-type', `${type}; charset=utf-8`);
}

/** Adds what depends on the request: content coding and its tag (RFC 9110 §8.4), Vary, the length, and the headers that open the API to web pages. */
function finish(
  request: HttpRequest,
  status: number,
  headers: HttpHeaders,
  body: Buffer,
  next: string | undefined,
  { context, wire }: RequestDetails,
): PreparedResponse {
  const fields = toNodeHeaders(headers);
  // Caches must know everything but the target that a response depends on (RFC 9110 §12.5.5, RFC 7240 §2).
  const own = headerOf(headers, 'vary');
  fields['vary'] = own === undefined ? 'Accept-Encoding, Prefer' : `${own}, Accept-Encoding, Prefer`;
  const isCompressed = acceptsGzip(request);
  const tag = headerOf(headers, 'etag');
  // Compressed bytes are another representation, so their tag differs.
  if (isCompressed && tag !== undefined) fields['etag'] = gzipTag(tag);
  if (isCompressed && body.length > 0) fields['content-encoding'] = 'gzip';
  Object.assign(fields, crossOriginHeaders);
  if (status === 204 || status === 304) return { status, headers: fields, body: empty, encoded: undefined, next, context, wire };
  const encoded = isCompressed && body.length > 0 ? gzipSync(body) : body;
  fields['content-length'] = String(encoded.length);
  return request.method === 'HEAD'
    ? { status, headers: fields, body: empty, encoded: undefined, next: undefined, context, wire }
    : { status, headers: fields, body, encoded, next, context, wire };
}

/** Header fields as Node takes them. It is done for every answer, hence by a loop. */
function toNodeHeaders(headers: HttpHeaders): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined) fields[name] = typeof value === 'string' ? value : [...value];
  }
  return fields;
}

/** True when gzip is acceptable by the most specific entry of Accept-Encoding (RFC 9110 §12.5.3); false without the field. */
export function acceptsGzip({ headers }: HttpRequest): boolean {
  const field = headerOf(headers, 'accept-encoding');
  if (field === undefined) return false;
  // Clients send the same field with each request.
  if (latest?.field !== field) latest = { field, isAccepted: namesGzip(field) };
  return latest.isAccepted;
}

let latest: { readonly field: string; readonly isAccepted: boolean } | undefined;

function namesGzip(field: string): boolean {
  const entries = field.split(',').map((entry) =>
    entry
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/),
  );
  const entry = entries.find(([coding]) => coding === 'gzip' || coding === 'x-gzip') ?? entries.find(([coding]) => coding === '*');
  const weight = entry
    ?.slice(1)
    .find((parameter) => parameter.startsWith('q='))
    ?.slice(2);
  return entry !== undefined && (weight === undefined || Number(weight) > 0);
}

/** Headers that let a page of any origin read an answer. Keys travel in headers, so no credentials are involved. */
export const crossOriginHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, Allow, WWW-Authenticate, Preference-Applied, Mock-Note',
};

/** The answer to OPTIONS at a path that is there: a preflight is granted what it asks for, and any other OPTIONS is told the methods. */
export function answerOptions(request: HttpRequest, allowed: readonly string[]): Answer {
  const methods = allowed.join(', ');
  const asked = headerOf(request.headers, 'access-control-request-headers');
  const preflight = {
    'access-control-allow-methods': methods,
    'access-control-max-age': '600',
    ...(asked === undefined ? {} : { 'access-control-allow-headers': asked }),
    vary: 'Access-Control-Request-Headers',
  };
  return { status: 204, headers: { allow: methods, ...preflight }, body: undefined };
}
