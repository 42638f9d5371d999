/** Requests and replies of both APIs, the errors that end a request early, and the bytes that go out. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { LiveData } from './live-data.ts';
import type { Setup } from './server-setup.ts';

/** An answer: a JSON value, a text of another kind, or nothing but its status. */
export interface OutgoingReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: { readonly type: string; readonly content: string };
  /** Set by a defect: a body for a status that has none. */
  readonly forbiddenBody?: string;
}

/** A request that fails with a status, a code and a message for people. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** The request as the parts of a server see it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly rawQuery: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The number of the request since the server started, from 1. */
  readonly moment: number;
}

/** A header's text; several lines of one header count as a list. */
export function header(request: ReceivedRequest, name: string): string | undefined {
  const value = request.headers[name];
  return value === undefined || typeof value === 'string' ? value : value.join(', ');
}

/** Writes the answer. */
export function send(setup: Setup, request: IncomingMessage, response: ServerResponse, reply: OutgoingReply): void {
  if (setup.choice('connection') === 'close') response.setHeader('connection', 'close');
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  response.statusCode = reply.status;
  if (reply.forbiddenBody !== undefined) {
    sendForbiddenBody(response, reply);
    return;
  }
  const text = bodyText(setup, reply);
  if (text === undefined) {
    response.end();
    return;
  }
  if (!response.hasHeader('content-type')) response.setHeader('content-type', reply.text?.type ?? setup.choice('content-type'));
  const bytes = Buffer.from(text, 'utf8');
  const zipped = setup.choice('gzip') === 'yes' && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (zipped) response.setHeader('content-encoding', 'gzip');
  if (setup.choice('gzip') === 'yes') response.setHeader('vary', 'accept-encoding');
  frame(setup, response, zipped ? gzipSync(bytes) : bytes);
}

/** In one piece whose length is said, or in two pieces whose length is not. */
function frame(setup: Setup, response: ServerResponse, bytes: Buffer): void {
  if (setup.choice('chunked') === 'no') {
    response.setHeader('content-length', bytes.length);
    response.end(bytes);
    return;
  }
  const middle = Math.floor(bytes.length / 2);
  response.write(bytes.subarray(0, middle));
  response.end(bytes.subarray(middle));
}

/** Node.js drops the body of a 304, so this defect writes to the socket itself and closes it. */
function sendForbiddenBody(response: ServerResponse, reply: OutgoingReply): void {
  const socket = response.socket;
  const body = Buffer.from(reply.forbiddenBody ?? '', 'utf8');
  const headers = Object.entries(reply.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${reply.status} Not Modified\r\n${headers.join('')}content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
  socket?.end(Buffer.concat([Buffer.from(head, 'utf8'), body]));
}

function bodyText(setup: Setup, reply: OutgoingReply): string | undefined {
  if (reply.text !== undefined) return reply.text.content;
  if (reply.json === undefined) return undefined;
  const value = setup.choice('extra-fields') === 'everywhere' ? decorated(reply.json) : reply.json;
  const style = setup.choice('json-text');
  const text = JSON.stringify(value, null, style === 'pretty' ? 2 : undefined);
  return style === 'escaped' ? text.replace(/[^ -~]/g, escaped).replaceAll('/', '\\/') : text;
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The value with fields that no document mentions in each of its objects. */
function decorated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decorated);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, decorated(member)] as const);
  return { alpha_note: null, ...Object.fromEntries(entries), x_preview: { level: 1, tags: ['beta'] } };
}

/** One of the two APIs, ready to answer. */
export interface Api {
  /** True for a path of this API. */
  readonly has: (path: string) => boolean;
  readonly answer: (request: ReceivedRequest) => OutgoingReply;
  readonly fail: (failure: ApiError, request: ReceivedRequest) => OutgoingReply;
  readonly data: LiveData;
  readonly keys: Readonly<Record<string, string>>;
  readonly hidden: () => readonly string[];
}
