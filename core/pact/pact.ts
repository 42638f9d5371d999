/** The content of a pact file (Pact specification, versions 2 to 4): what one consumer expects of one provider. */

import type { SourceLocation } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';

/** A pact file. */
export interface Pact {
  /** Path of the file. */
  readonly file: string;
  /** Name of the consumer. */
  readonly consumer: string;
  /** Name of the provider. */
  readonly provider: string;
  /** Major version of the Pact specification, 1 to 4; `undefined` if the file states none. */
  readonly version: number | undefined;
  /** The HTTP interactions. */
  readonly interactions: readonly Interaction[];
  /** Other interactions, such as messages. */
  readonly others: readonly { readonly description: string; readonly type: string; readonly place: SourceLocation }[];
  /** The parsed file; `placeOf` returns the positions of its objects and arrays. */
  readonly value: JsonObject;
}

/** A request and the expected response. */
export interface Interaction {
  /** The description, such as `a request for a thing`. */
  readonly description: string;
  /** Provider states that the interaction needs. */
  readonly states: readonly ProviderState[];
  /** A pending interaction may fail: failures are reported, but do not count. */
  readonly isPending: boolean;
  /** The request to send. */
  readonly request: ExpectedRequest;
  /** The expected response. */
  readonly response: ExpectedResponse;
  /** JSON Pointer in the file. */
  readonly pointer: string;
  /** Place of the interaction in its file. */
  readonly place: SourceLocation;
}

/** A state that the provider must be in before the request. */
export interface ProviderState {
  /** The name of the state. */
  readonly name: string;
  /** Parameters of the state; empty if it has none. */
  readonly params: JsonObject;
}

/** The request of an interaction. Header names are in lower case. */
export interface ExpectedRequest {
  /** The method in capitals. */
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** Query parameters in the order of the file; a repeated parameter has several values. */
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** Request headers by name. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** The body; `undefined` if the request has none. */
  readonly body: Json | undefined;
  /** Generators by part of the request: `path`, `query`, `header`, `body`. */
  readonly generators: JsonObject;
}

/** The expected response. Header names are in lower case. */
export interface ExpectedResponse {
  /** The expected status. */
  readonly status: number;
  /** Expected headers by name. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** The example of the body; `undefined` if no body is expected. A body that is not JSON is a string. */
  readonly body: Json | undefined;
  /** Media type of the example, if the file states it. */
  readonly contentType: string | undefined;
  /** Matching rules of the response. */
  readonly matching: MatchingRules;
}

/** Matching rules of a response, which a consumer relies on. Those of a request say what else it may send, and are not read. */
export interface MatchingRules {
  /** Rules by header name in lower case. */
  readonly headers: ReadonlyMap<string, MatchingRule>;
  /** The rule for the status, which stands for a class of them; `undefined` if the status is exact. */
  readonly status: MatchingRule | undefined;
  /** Rules for the body in the order of the file. */
  readonly body: readonly { readonly path: BodyPath; readonly rule: MatchingRule }[];
}

/** Names and indexes below `$` of a body; `null` is a wildcard: `['data', 'items', null, 'id']` for `$.data.items[*].id`. */
export type BodyPath = readonly (string | number | null)[];

/** Matchers of one path, combined by AND or OR. */
export interface MatchingRule {
  /** Combination of several matchers. */
  readonly combine: 'AND' | 'OR';
  /** Matchers in the order of the file. */
  readonly matchers: readonly Matcher[];
}

/** One matcher as written; `match` is its kind (`type`, `regex`, `integer`, `equality`, `include`, `null`, `date`, `eachValue` …). */
export interface Matcher {
  /** The kind of the matcher. */
  readonly match: string;
  /** The matcher with its parameters, as written. */
  readonly value: JsonObject;
}
