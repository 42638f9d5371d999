/** What the mock knows of a request: what it read at the door, and then its operation and its caller. Each part is read once. */

import type { InvalidClass } from '../../core/annotations/annotations.ts';
import type { HttpRequest } from '../../core/http/exchange.ts';
import type { Credential, Operation } from '../../core/openapi/operation.ts';
import type { Route } from '../../core/openapi/route-request.ts';
import type { RawPair } from '../../core/parameters/query-string.ts';
import type { ChaosDecision } from '../chaos/chaos-decision.ts';
import type { KeyHolder } from '../key-ring.ts';
import type { Preference } from './prefer-header.ts';
import type { ServedApi } from './served-api.ts';

/** The keys of a request. */
export interface RequestKeys {
  /** The key in the carrier of a credential; `undefined` if the request does not have the carrier. */
  readonly at: (credential: Credential) => string | undefined;
  /** Returns a text about the request without keys, such as an error message. */
  readonly hide: (text: string) => string;
}

/** A request as it was read at the door. */
export interface ReceivedRequest extends HttpRequest {
  /** The API with its path, or else with the most similar one. */
  readonly api: ServedApi;
  /** The path without that of a server. */
  readonly path: string;
  /** The query. */
  readonly pairs: readonly RawPair[];
  readonly route: Route;
  /** What is set aside of the operation that it calls, as sentences. */
  readonly setAside: readonly string[];
  readonly keys: RequestKeys;
  readonly preference: Preference;
  /** The instant of the data, in milliseconds since 1970-01-01T00:00:00Z; `undefined` if the header Mock-Clock has none. */
  readonly nowMs: number | undefined;
}

/** A request at an operation, with its caller and its chaos. */
export interface Call extends ReceivedRequest {
  readonly operation: Operation;
  /** The texts of the path parameters by name. */
  readonly segments: ReadonlyMap<string, string>;
  readonly nowMs: number;
  readonly identification: Identification;
  readonly chaos: ChaosDecision;
}

/** The holder of a key with the scopes that it lacks, or a stranger: a caller without a valid key. */
export type Identification =
  | {
      readonly kind: 'caller';
      readonly holder: KeyHolder;
      readonly lacking: readonly string[];
      /** True if the request has another key in another carrier. */
      readonly hasTwoKeys?: boolean;
    }
  | {
      readonly kind: 'stranger';
      readonly reason: string;
      readonly key: KeyProblem;
      /** The schemes that would help, for the header WWW-Authenticate. */
      readonly challenges?: string[];
    };

/** The problem with the key of a stranger. */
export type KeyProblem = 'missing' | 'unknown' | 'expired';

/** A mistake in a request. */
export interface JournalProblem {
  /** Names of the parameters concerned. */
  readonly parameters: readonly string[];
  /** The class of the mistake. */
  readonly class: InvalidClass;
  /** The mistake in one sentence. */
  readonly message: string;
}

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
  readonly problems: readonly JournalProblem[];
  /** The violations of the contract in the response, as sentences. */
  readonly contractBreaks?: readonly string[] | undefined;
  /** True if the response contains a record that a client created. */
  readonly isOfClient?: boolean | undefined;
  /** What was skipped of the operation that the request calls, as sentences. */
  readonly setAside?: readonly string[] | undefined;
  /** True if the response comes from the cache. */
  readonly isCached: boolean;
  /** Effects of the chaos, as sentences. */
  readonly chaos: readonly string[];
  /** Set if the client did not get the whole response: chaos cut it (`reset`, `truncated`), or the client did not wait for it (`abandoned`). */
  readonly cut?: 'reset' | 'truncated' | 'abandoned' | undefined;
}
