/** Prepares responses: turns drafts, which are values, into all headers and bytes, compressed if the request accepts it. Decides no status. */

import { gzipSync } from 'node:zlib';
import { type HttpHeaders, type HttpRequest, type HttpResponse, headerOf } from '../../core/http/exchange.ts';
import { type Json, printJson } from '../../core/json.ts';
import type { Transmission } from '../chaos/chaos-decision.ts';
import type { JournalProblem, RequestContext } from './call.ts';
import { gzipTag } from './entity-tag.ts';
import type { ListedPage } from './listed-page.ts';
import { toHeaderText } from './prefer-header.ts';

/** A response before it is prepared, as the handlers make it. */
export interface DraftResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** A value, or its JSON in UTF-8; `undefined` for a response without a body. */
  readonly body: Json | Buffer | undefined;
  /** True if the contract does not allow `gzip` as content coding. */
  readonly isUncoded?: boolean | undefined;
  /** The page of a list in the body, if it is known. */
  readonly page?: ListedPage | undefined;
  /** Mistakes in the request. */
  readonly problems?: readonly JournalProblem[] | undefined;
  /** The violations of the contract in the response, as sentences. */
  readonly contractBreaks?: readonly string[] | undefined;
  /** True if the response contains a record that a client created. */
  readonly isOfClient?: boolean | undefined;
}

/** Headers by lower-case name, as Node takes them. */
type NodeHeaders = Record<string, string | string[]>;

/** A response with all headers and bytes, ready to be sent. */
export interface PreparedResponse {
  readonly status: number;
  readonly headers: NodeHeaders;
  /** The body without content coding; empty if none is sent. */
  readonly body: Buffer;
  /** The bytes to send; `undefined` for none, as with HEAD and 304. */
  readonly encoded: Buffer | undefined;
  /** The page of a list in the body, if it is known. */
  readonly page?: ListedPage | undefined;
  /** Absent if the request reached no API. */
  readonly context?: RequestContext | undefined;
  /** Delays and cuts of the transmission; absent without chaos. */
  readonly wire?: Transmission | undefined;
}

/** The parts of a prepared response that depend on the request, not on the draft. */
type RequestDetails = Pick<PreparedResponse, 'context' | 'wire'>;

const empty = Buffer.alloc(0);

/** Prepares the draft of a response to a request. */
export function prepare(request: HttpRequest, draft: DraftResponse, details: RequestDetails = {}): PreparedResponse {
  const isCompressed = draft.isUncoded !== true && acceptsGzip(request);
  return finish(request, draft.status, typedHeaders(draft), encode(draft.body), draft.page, { ...details, isCompressed });
}

/** Prepares a response from a middleware. Its headers and body stay as they are. */
export function prepareHttpResponse(
  request: HttpRequest,
  { status, headers, body }: HttpResponse,
  details: RequestDetails,
): PreparedResponse {
  return finish(request, status, toNodeHeaders(headers), Buffer.from(body), undefined, { ...details, isCompressed: acceptsGzip(request) });
}

/** Converts a draft for a middleware. */
export function draftToHttpResponse(draft: DraftResponse): HttpResponse {
  return { status: draft.status, headers: typedHeaders(draft), body: encode(draft.body).toString() };
}

/** Converts a prepared response for a listener. Its body is decoded only when the listener reads it. */
export function preparedToHttpResponse({ status, headers, body }: PreparedResponse): HttpResponse {
  return {
    status,
    headers,
    get body() {
      return body.toString();
    },
  };
}

/**
 * Headers with one header added or replaced. It is a loop for speed: each response needs several calls, and V8 takes a microsecond to add a member to an object
 * from a spread.
 */
export function withHeader<Value>(headers: Readonly<Record<string, Value>>, name: string, value: Value): Readonly<Record<string, Value>> {
  const all: Record<string, Value> = {};
  for (const earlierName of Object.keys(headers)) all[earlierName] = headers[earlierName] as Value;
  all[name] = value;
  return all;
}

/** Maximum length of a note, since clients limit their headers. */
const maxNote = 1000;

/** A response with a note for developers, behind earlier ones. */
export function withNote(draft: DraftResponse, note: string): DraftResponse {
  const notes = [draft.headers['mock-note'], note].filter((each) => each !== undefined && each !== '');
  const text = toHeaderText(notes.join('; '));
  return text === ''
    ? draft
    : { ...draft, headers: withHeader(draft.headers, 'mock-note', text.length <= maxNote ? text : `${text.slice(0, maxNote)}...`) };
}

function encode(body: DraftResponse['body']): Buffer {
  if (body === undefined) return empty;
  return Buffer.isBuffer(body) ? body : Buffer.from(printJson(body));
}

/** The headers of a response, with the charset of its body. */
function typedHeaders({ headers, body }: DraftResponse): NodeHeaders {
  const fields = toNodeHeaders(headers);
  if (body !== undefined) fields['content-type'] = withCharset(headers['content-type'] ?? 'application/json');
  return fields;
}

/** A media type with the charset of texts; that of a file stays. Other parameters stay, such as `version=1`. */
function withCharset(type: string): string {
  if (type === 'application/json') return 'application/json; charset=utf-8';
  const [bare = '', ...parameters] = type.split(';').map((part) => part.trim());
  if (!/^text\/|[/+](?:json|xml|yaml|javascript)$|ndjson|jsonl/i.test(bare)) return type;
  return [bare, ...parameters.filter((parameter) => !/^charset=/i.test(parameter)), 'charset=utf-8'].join('; ');
}

/** Adds the content coding and its tag (RFC 9110 §8.4), Vary, the length, and the headers for cross-origin reads. */
function finish(
  request: HttpRequest,
  status: number,
  fields: NodeHeaders,
  body: Buffer,
  page: ListedPage | undefined,
  { context, wire, isCompressed }: RequestDetails & { readonly isCompressed: boolean },
): PreparedResponse {
  // Vary names all request headers that the response depends on (RFC 9110 §12.5.5, RFC 7240 §2).
  const vary = headerOf(fields, 'vary');
  fields['vary'] = vary === undefined ? 'Accept-Encoding, Prefer' : `${vary}, Accept-Encoding, Prefer`;
  const tag = headerOf(fields, 'etag');
  // A compressed body is another representation, with another tag.
  if (isCompressed && tag !== undefined) fields['etag'] = gzipTag(tag);
  if (isCompressed && body.length > 0) fields['content-encoding'] = 'gzip';
  addCrossOriginHeaders(fields, request.headers['origin']);
  if (status === 204 || status === 304) return { status, headers: fields, body: empty, encoded: undefined, page, context, wire };
  const encoded = isCompressed && body.length > 0 ? gzipSync(body) : body;
  fields['content-length'] = String(encoded.length);
  return request.method === 'HEAD'
    ? { status, headers: fields, body: empty, encoded: undefined, page: undefined, context, wire }
    : { status, headers: fields, body, encoded, page, context, wire };
}

/** Converts headers for Node. It is a loop for speed, since every response needs it. */
function toNodeHeaders(headers: HttpHeaders): NodeHeaders {
  const fields: NodeHeaders = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined) fields[name] = typeof value === 'string' ? value : [...value];
  }
  return fields;
}

/** True if Accept-Encoding allows gzip by its most specific entry (RFC 9110 §12.5.3); false without the header. */
export function acceptsGzip({ headers }: HttpRequest): boolean {
  const field = headerOf(headers, 'accept-encoding');
  if (field === undefined) return false;
  if (latestField?.field !== field) latestField = { field, isAccepted: allowsGzip(field) };
  return latestField.isAccepted;
}

/** The last header that was parsed: a client sends the same one with each request. */
let latestField: { readonly field: string; readonly isAccepted: boolean } | undefined;

function allowsGzip(field: string): boolean {
  const entries = field.split(',').map((entry) =>
    entry
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/),
  );
  const gzipEntry = entries.find(([coding]) => coding === 'gzip' || coding === 'x-gzip') ?? entries.find(([coding]) => coding === '*');
  const weight = gzipEntry
    ?.slice(1)
    .find((parameter) => parameter.startsWith('q='))
    ?.slice(2);
  return gzipEntry !== undefined && (weight === undefined || Number(weight) > 0);
}

/** Adds the headers for reads from any web page. With an origin, cookies and other credentials may be sent too. */
function addCrossOriginHeaders(fields: NodeHeaders, origin: HttpHeaders[string]): void {
  if (typeof origin !== 'string') {
    fields['access-control-allow-origin'] = '*';
    fields['access-control-expose-headers'] = exposedHeaders;
    return;
  }
  const documented = Object.keys(fields).filter(
    (name) => !name.startsWith('access-control-') && !exposedHeaders.toLowerCase().includes(name),
  );
  fields['access-control-allow-origin'] = origin;
  fields['access-control-allow-credentials'] = 'true';
  fields['access-control-expose-headers'] = [exposedHeaders, ...documented].join(', ');
  fields['vary'] = `${String(fields['vary'])}, Origin`;
}

const exposedHeaders = 'ETag, Retry-After, Allow, WWW-Authenticate, Preference-Applied, Mock-Note';
