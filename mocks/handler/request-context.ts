/** The context of a request: how the mock understood it, beyond the exchange itself. The journal, listeners and recorded pacts read it. */

import type { RequestProblem } from '../../core/parameters/read-request.ts';
import type { KeyProblem } from './caller.ts';

/** A request as the mock understood it. */
export interface RequestContext {
  /** The name of the contract whose API answered. */
  readonly contract: string;
  /** `undefined` when no operation was meant: an unknown path, a wrong method. */
  readonly operation: string | undefined;
  /** The role of the key, such as `full`; `anybody` where none is asked for, `stranger` where it is missing or wrong. */
  readonly role: string;
  /** The problem with the key of a stranger. */
  readonly stranger?: KeyProblem | undefined;
  /** The instant that the answer shows, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly nowMs: number;
  /** Mistakes in the request. */
  readonly problems: readonly Pick<RequestProblem, 'parameters' | 'class' | 'message'>[];
  /** True if the answer comes from the cache. */
  readonly isCached: boolean;
  /** The chaos that the request met, in words. */
  readonly chaos: readonly string[];
  /** The chaos that cut the answer short: the client got none, or a part. */
  readonly cut?: 'reset' | 'truncated' | undefined;
}
