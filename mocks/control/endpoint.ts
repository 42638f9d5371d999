/** What an endpoint below `/__mock/` is made of: its request, response, methods and error. */

import type { Writable } from 'node:stream';
import type { HttpHeaders } from '../../core/http/exchange.ts';
import { printJson } from '../../core/json.ts';
import type { IncomingBody } from '../server/read-request-body.ts';

/** A request to a path below `/__mock/`. */
export interface ControlRequest {
  readonly method: string;
  /** Path and query, still percent-encoded. */
  readonly target: string;
  readonly headers: HttpHeaders;
  /** The body as text, or the reason why it was not read. */
  readonly body: IncomingBody;
}

/** Parts of a request that the handler of a method receives. */
export interface ControlCall {
  readonly query: URLSearchParams;
  readonly headers: HttpHeaders;
  readonly body: string;
  /** Value of the path's placeholder; empty without one. */
  readonly segment: string;
}

/** A response. */
export interface ControlResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body, or a function that writes a stream of events after the head was sent. */
  readonly body: Buffer | ((outgoing: Writable) => void);
}

/**
 * Handler of one method of an endpoint.
 * @throws {ControlError} for an invalid request, with its status.
 * @throws {UsageError} for an invalid request; its status is 400.
 */
export type MethodHandler = (call: ControlCall) => ControlResponse;

/** A path with its methods. */
export interface Endpoint {
  /** Path below `/__mock/`, such as `journal` or `journal/{number}`. */
  readonly path: string;
  readonly methods: Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', MethodHandler>>>;
}

/** Root of all endpoints. */
export const controlPath = '/__mock/';

/** Refusal of a request, with the status and headers of its response. */
export class ControlError extends Error {
  override readonly name = 'ControlError' as const;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** Creates a response with a JSON body. */
export function toJsonResponse(body: object, status = 200, headers: Readonly<Record<string, string>> = {}): ControlResponse {
  const contentHeaders = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers: { ...headers, ...contentHeaders }, body: Buffer.from(`${printJson(body, 2)}\n`) };
}

/** Shortens a text for a message. */
export function clipText(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text === '' ? '""' : text;
}
