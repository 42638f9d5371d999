/** What a mock knows of a request that it answered, beyond the exchange itself. */

import type { HttpRequest } from '../core/exchange.ts';
import type { RequestProblem } from '../core/request.ts';
import type { Message } from './answer.ts';
import type { Strangeness } from './caller.ts';
import type { Wire } from './weather.ts';

/** A request as the mock understood it. */
export interface Visit {
  /** The name of the contract whose API answered. */
  readonly contract: string;
  /** `undefined` when no operation was meant: an unknown path, a wrong method. */
  readonly operation: string | undefined;
  /** The role of the key, such as `full`; `anybody` where none is asked for, `stranger` where it is missing or wrong. */
  readonly role: string;
  /** What is wrong with the key of a stranger. */
  readonly stranger?: Strangeness | undefined;
  /** The instant that the answer shows, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly nowMs: number;
  /** What the request validator found. */
  readonly problems: readonly Pick<RequestProblem, 'parameters' | 'class' | 'message'>[];
  /** Whether the answer was given before and kept. */
  readonly isKept: boolean;
  /** What the weather did. */
  readonly trouble: readonly string[];
  /** How the weather cut the answer short: the client got none, or a part. */
  readonly cut?: NonNullable<Wire['cut']>;
}

/** What went over a socket: a request without keys, the message that answered it, and how long that took. */
export interface Served {
  readonly request: HttpRequest;
  readonly message: Message;
  readonly durationMs: number;
  /** What the mock knows of the request; `undefined` for what never came to an API. */
  readonly visit?: Visit | undefined;
}

/** An answer of a mock on its way to the socket. */
export interface Reply extends Message {
  readonly visit?: Visit | undefined;
  /** The same answer as it was given before: whatever was made from it need not be made again. */
  readonly kept?: Message | undefined;
  readonly wire?: Wire | undefined;
}
