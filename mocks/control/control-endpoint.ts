/** A path of the control endpoint: which methods it answers, and how. */

import type { HttpHeaders } from '../../core/http/exchange.ts';
import type { IncomingBody } from '../server/request-body-reader.ts';
import type { Outlet } from './event-stream.ts';

/** A request to the control endpoint. */
export interface ControlRequest {
  readonly method: string;
  /** Path and query, still percent-encoded. */
  readonly target: string;
  readonly headers: HttpHeaders;
  /** The body as text; `'too-large'` when it was not read to its end. */
  readonly body: IncomingBody;
}

/** Parts of a request that an endpoint receives. */
export interface ControlCall {
  readonly query: URLSearchParams;
  readonly headers: HttpHeaders;
  readonly body: () => string;
  /** Value of the path's placeholder. */
  readonly segment: string;
}

/** An answer as JSON, or a stream that begins. */
export type ControlAnswer =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: object | undefined;
    }
  | { readonly kind: 'stream'; readonly begin: (outlet: Outlet) => void };

/** Handler of a method of an endpoint. It throws a `Refusal` or a `UsageError` for a request that it cannot follow. */
export type Act = (call: ControlCall) => ControlAnswer;

/** A path with its methods. */
export interface Endpoint {
  /** Below the root of the endpoint, such as `journal` or `journal/{number}`. */
  readonly path: string;
  readonly methods: Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', Act>>>;
}

/** Path of the control endpoint. */
export const controlPath = '/__mock/';

/** A request that is not followed, with the status that says so. */
export class Refusal extends Error {
  override readonly name = 'Refusal' as const;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** A plain answer. */
export function toJson(body: object): ControlAnswer {
  return { kind: 'json', status: 200, headers: {}, body };
}
