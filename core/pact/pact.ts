/** A pact as values: what one consumer relies on of one provider (the Pact specification, version 4; older versions are read as if they were). */

import type { Place } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';

/** A file that a consumer's tests wrote. */
export interface Pact {
  /** The path as it was named. */
  readonly file: string;
  readonly consumer: string;
  readonly provider: string;
  /** Only those of HTTP; what else stands in the file is told in `others`. */
  readonly interactions: readonly Interaction[];
  /** Messages and other kinds that have no HTTP exchange: their description and place. */
  readonly others: readonly { readonly description: string; readonly type: string; readonly place: Place }[];
  /** The whole file; its objects and arrays remember where they stand. */
  readonly value: JsonObject;
}

/** One request and what the consumer expects of its answer. */
export interface Interaction {
  readonly description: string;
  readonly states: readonly ProviderState[];
  /** Not yet expected to pass: a failure is told and fails nothing. */
  readonly isPending: boolean;
  readonly request: ExpectedRequest;
  readonly response: ExpectedResponse;
  /** JSON Pointer of the interaction in its file. */
  readonly pointer: string;
  readonly place: Place;
}

/** What must be true of the provider before the request is sent. */
export interface ProviderState {
  readonly name: string;
  readonly params: JsonObject;
}

/** The request of an interaction. Names of headers are in lower case. */
export interface ExpectedRequest {
  readonly method: string;
  readonly path: string;
  /** In the order of the file; a parameter that is repeated has several values. */
  readonly query: ReadonlyMap<string, readonly string[]>;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** What is sent; `undefined` when the request has no body. */
  readonly body: Json | undefined;
  readonly matching: MatchingRules;
  /** What the verifier fills in before it sends, by part of the request: `path`, `query`, `header`, `body`. */
  readonly generators: JsonObject;
}

/** The answer that the consumer expects. Names of headers are in lower case. */
export interface ExpectedResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** The example; `undefined` when nothing is expected of the body. Content that is not JSON is a text. */
  readonly body: Json | undefined;
  /** The media type of the example, as far as the file tells it. */
  readonly contentType: string | undefined;
  readonly matching: MatchingRules;
}

/** Which values match, apart from the example itself. */
export interface MatchingRules {
  readonly path: MatchingRule | undefined;
  /** By name of the parameter; `$.name[0]`, the path of one value, is known by its name. */
  readonly query: ReadonlyMap<string, MatchingRule>;
  /** By name of the header, in lower case. */
  readonly headers: ReadonlyMap<string, MatchingRule>;
  readonly status: MatchingRule | undefined;
  /** Each with its path, in the order of the file. */
  readonly body: readonly { readonly path: BodyPath; readonly rule: MatchingRule; readonly place: Place }[];
}

/** A path of a matching rule below `$`: names, indices and wildcards. */
export interface BodyPath {
  /** As it is written, such as `$.data.items[*].id`. */
  readonly text: string;
  readonly steps: readonly (string | number | '*')[];
}

/** Matchers that hold together, all or one of them. */
export interface MatchingRule {
  readonly combine: 'AND' | 'OR';
  readonly matchers: readonly Matcher[];
}

/** One matcher, as the file has it; `match` names it (`type`, `regex`, `integer`, `equality`, `include`, `null`, `date`, `eachValue` …). */
export interface Matcher {
  readonly match: string;
  readonly value: JsonObject;
}
