/** Generated requests: what is sent, what it means, and how it is shown without its keys. */

import { toStringMethod } from 'fast-check';
import type { HttpRequest } from '../../core/exchange.ts';
import type { Json } from '../../core/json.ts';
import type { Credential } from '../../core/operation.ts';

/** A whole request, ready to be sent. In counterexamples it prints as one line, with `$SCHEME` in place of each key. */
export interface GeneratedRequest {
  /** In capitals. */
  readonly method: string;
  /** Path and query, exactly as they are sent. They are relative to the server's base address. */
  readonly target: string;
  /** Header fields under the names that they are sent by, in whichever case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body; `undefined` for none. Its media type stands in the header `Content-Type`. */
  readonly body: string | undefined;
  /** What the request means, by parameter (`key`). Parameters that it does not send are not here, whether they have a default or not. */
  readonly values: ReadonlyMap<string, Json>;
  /** What the body means. */
  readonly content: Json | undefined;
  /** The credentials whose keys it carries. */
  readonly credentials: readonly Credential[];
  /** Whether the operation asks for a key and the request has none, because no key is known. It is to be answered with 401. */
  readonly lacksKey: boolean;
}

/** What the contract does not know about a server, and the caller does. */
export interface RequestOptions {
  /**
   * Values that the server knows, by parameter (`key`): identities of records, page cursors, entity tags for `If-None-Match`. A parameter takes one of
   * them three times out of four, so that not every answer is 404. Parameters that the operation does not have are passed over.
   */
  readonly known?: Readonly<Record<string, readonly Json[]>>;
  /**
   * The key to send for a credential, in view of its scheme and its scopes; `undefined` when there is none. For HTTP Basic it is `name:password`, or
   * a name alone.
   */
  readonly keys?: (credential: Credential) => string | undefined;
}

/** The request as a server reads it: header names in lower case. */
export function received({ method, target, headers }: Pick<GeneratedRequest, 'method' | 'target' | 'headers'>): HttpRequest {
  return { method, target, headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])) };
}

/** Lets a request print as another one does: as the same without its keys. */
export function printingAs(request: GeneratedRequest, shown: () => GeneratedRequest): GeneratedRequest {
  // Not enumerable, so that two requests are equal when they are sent alike.
  return Object.defineProperty({ ...request }, toStringMethod, { value: () => print(shown()) });
}

function print({ method, target, headers, body }: GeneratedRequest): string {
  const fields = Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`);
  return [`${method} ${target}`, ...fields, ...(body === undefined ? [] : [` ${body}`])].join(' |');
}
