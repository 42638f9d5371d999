/** What the mock answers: as a value, and as the bytes that it becomes. */

import type { HttpHeaders, HttpResponse } from '../core/exchange.ts';
import { type Body, encodeBody, JsonBytes } from './json-bytes.ts';
import type { Lease } from './lease.ts';

/** An answer of the mock. */
export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` for an answer without a body. */
  readonly body: Body | undefined;
}

/** An answer whose body is bytes, before any content coding. */
export interface Message {
  readonly status: number;
  readonly headers: HttpHeaders;
  /** Empty for an answer without a body. */
  readonly bytes: Buffer;
  /** The cursor that the body gives, where that is known without looking. */
  readonly next?: string | undefined;
  /** Who uses the bytes, where their memory is used again. Whoever gets a message that has one gets it held, and lets it go when done. */
  readonly lease?: Lease | undefined;
}

const nothing = Buffer.alloc(0);

/** The answer as it goes to the client. A body is JSON in UTF-8, of the type that its headers name. */
export function toMessage({ status, headers, body }: Answer): Message {
  if (body === undefined) return { status, headers, bytes: nothing };
  const type = headers['content-type']?.split(';')[0] ?? 'application/json';
  const ready = body instanceof JsonBytes ? body : undefined;
  const described = withHeader(headers, 'content-type', `${type}; charset=utf-8`);
  return { status, headers: described, bytes: encodeBody(body), next: ready?.next, lease: ready?.lease };
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

/** A message as others see it: its body is a text, which is made when somebody looks at it, however late that is. */
export function asResponse(message: Message): HttpResponse {
  message.lease?.hold();
  return new TextResponse(message);
}

class TextResponse implements HttpResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  declare readonly body: string;
  readonly #bytes: Buffer;

  constructor({ status, headers, bytes }: Message) {
    this.status = status;
    this.headers = headers;
    this.#bytes = bytes;
    // A property of its own, so that whoever copies the response copies the text as well.
    Object.defineProperty(this, 'body', TextResponse.#body);
  }

  static readonly #body: PropertyDescriptor & ThisType<TextResponse> = {
    enumerable: true,
    get() {
      return this.#bytes.toString();
    },
  };
}
