import type { RequestProblem } from '../../core/parameters/read-request.ts';
import type { KeyProblem } from './caller.ts';

/** Operation, key, instant and problems of a request. */
export interface RequestContext {
  /** The name of the contract whose API responded. */
  readonly contract: string;
  /** Id of the operation; `undefined` for an unknown path or a wrong method. */
  readonly operation: string | undefined;
  /** The role of the key, such as `full`; `anybody` if the operation needs no key, `stranger` for a missing or wrong key. */
  readonly role: string;
  /** The problem with the key of a stranger. */
  readonly stranger?: KeyProblem | undefined;
  /** True if the request has two different keys, in two carriers. */
  readonly hasTwoKeys?: boolean | undefined;
  /** The `readOnly` members in the body, as paths; `undefined` if no body could have any. */
  readonly readOnlyMembers?: readonly string[] | undefined;
  /** The instant of the data in the response, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly nowMs: number;
  /** Mistakes in the request. */
  readonly problems: readonly Pick<RequestProblem, 'parameters' | 'class' | 'message'>[];
  /** What the response breaks of its own contract, as sentences. */
  readonly contractBreaks?: readonly string[] | undefined;
  /** What is set aside of the operation that the request calls, as sentences. */
  readonly setAside?: readonly string[] | undefined;
  /** True if the response comes from the cache. */
  readonly isCached: boolean;
  /** Effects of the chaos, as sentences. */
  readonly chaos: readonly string[];
  /** Set if chaos cut the response: the client got nothing (`reset`) or a part (`truncated`). */
  readonly cut?: 'reset' | 'truncated' | undefined;
}
