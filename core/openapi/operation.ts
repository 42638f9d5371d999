/**
 * Types of the operations of a contract, and the routing of a request to its operation. read-operations.ts builds operations from the file;
 * whoever gets a request, such as the mock and the verifier, routes it here.
 */

import type { Collection, Condition, InvalidAnswers, ParameterRule, Resource } from '../annotations/annotations.ts';
import type { SourceLocation } from '../errors.ts';
import { splitTarget } from '../http/exchange.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Parameter } from '../parameters/parameter.ts';
import { decodeOrKeep } from '../parameters/parameter-style.ts';
import type { ComparisonKindOf, Query } from '../query/query.ts';
import type { Document } from './document.ts';
import type { Schema } from './schema.ts';
import type { Validator } from './validator.ts';

/** One required key: a security scheme (OpenAPI 3.1 §4.8.27), the place of the key in a request, and its scopes. */
export interface Credential {
  /** The name of the scheme in `components/securitySchemes`. */
  readonly scheme: string;
  /** Place of the key: a header, a query parameter, a cookie, or the Authorization header after a word such as `Bearer`. */
  readonly carrier:
    | { readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
    | { readonly in: 'authorization'; readonly word: string };
  /** Scopes that the key must have. */
  readonly scopes: readonly string[];
}

/** A documented header of a response. */
export interface HeaderRule {
  /** The name of the header. */
  readonly name: string;
  /** True if every such response has the header. */
  readonly required: boolean;
  /** The schema and the style of its value. */
  readonly parameter: Parameter;
}

/** A documented response (OpenAPI 3.1 §4.8.17). */
export interface ResponseRule {
  /** The status as documented, such as `200`, `4XX` or `default`. */
  readonly status: string;
  /** Documented headers. */
  readonly headers: readonly HeaderRule[];
  /** Schemas by media type; empty if no body is documented. */
  readonly content: ReadonlyMap<string, { readonly schema: Schema; readonly validate: Validator }>;
  /** The values of the response's examples, by name. */
  readonly examples: ReadonlyMap<string, { readonly value: Json; readonly place: SourceLocation }>;
  /** Place of the response in its file. */
  readonly place: SourceLocation;
}

/** The documented body of a request (OpenAPI 3.1 §4.8.13). */
export interface RequestBodyRule {
  /** True if a request must have a body. */
  readonly required: boolean;
  /** Schemas by media type. */
  readonly content: ResponseRule['content'];
}

/** One operation (OpenAPI 3.1 §4.8.10): a method on a path, with its annotations. */
export interface Operation {
  /** The id of the operation (`operationId`). */
  readonly id: string;
  /** The method in capitals. */
  readonly method: string;
  /** The path template, such as `/things/{id}`. */
  readonly path: string;
  /** JSON Pointer of the operation in its file. */
  readonly pointer: string;
  /** The closed document of the operation, which resolves the references of its schemas. */
  readonly document: Document;
  /** The operation as JSON in the closed document, for the places of its members. */
  readonly value: JsonObject;
  /** The summary of the operation; empty if it has none. */
  readonly summary: string;
  /** Alternative sets of credentials; all credentials of one set are needed. Empty if no key is needed. */
  readonly security: readonly (readonly Credential[])[];
  /** Parameters of the path, the query, the headers and the cookies. */
  readonly parameters: readonly Parameter[];
  /** Rules about several parameters. */
  readonly rules: readonly ParameterRule[];
  /** Reactions to invalid requests, by the class of the mistake. */
  readonly invalid: InvalidAnswers;
  /** The documented request body; `undefined` if none is documented. Then any body is accepted. */
  readonly requestBody: RequestBodyRule | undefined;
  /** Documented responses by status, in the order of the file. */
  readonly responses: ReadonlyMap<string, ResponseRule>;
  /** The collection that the operation lists, with its evaluator and the comparison of its fields; `undefined` if it lists none. */
  readonly collection: (Collection & { readonly query: Query; readonly kindOf: ComparisonKindOf }) | undefined;
  /** The resource that the operation returns; `undefined` if it returns none. */
  readonly resource: Resource | undefined;
  /** Place of the operation in its file. */
  readonly place: SourceLocation;
}

/** Returns the documented response for a status: of the exact status, else of its range, else the default. */
export function responseFor(operation: Operation, status: number): ResponseRule | undefined {
  const { responses } = operation;
  return responses.get(String(status)) ?? responses.get(`${Math.floor(status / 100)}XX`) ?? responses.get('default');
}

/** Returns the HTTP status of a condition; for `invalid`, the documented one of 422 and 400. */
export function statusOf(operation: Operation, condition: Condition): number {
  const fixed = { unauthenticated: 401, throttled: 429, forbidden: 403, unavailable: 503, absent: 404, unchanged: 304 };
  if (condition !== 'invalid') return fixed[condition];
  return operation.responses.has('422') ? 422 : 400;
}

/** Result of routing a request. `segments` has the raw text of each path parameter; `parameters` is the number of path parameters. */
export type Route =
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      readonly segments: ReadonlyMap<string, string>;
      readonly parameters: number;
    }
  | { readonly kind: 'method-not-allowed'; readonly allowed: readonly string[]; readonly parameters: number }
  | { readonly kind: 'no-path' };

/** Finds the operation of a request. HEAD is routed to GET (RFC 9110 §9.3.2). The path with the fewest parameters wins. */
export function routeTo(operations: readonly Operation[], method: string, target: string): Route {
  const { path } = splitTarget(target);
  const matches = operations.flatMap((operation) => {
    const segments = matchPath(operation.path, path);
    return segments === undefined ? [] : [{ operation, segments }];
  });
  const best = Math.min(...matches.map(({ segments }) => segments.size));
  const candidates = matches.filter(({ segments }) => segments.size === best);
  const methods = method === 'HEAD' ? ['HEAD', 'GET'] : [method];
  const found = methods.flatMap((candidate) => candidates.filter(({ operation }) => operation.method === candidate))[0];
  if (found !== undefined) return { kind: 'operation', ...found, parameters: best };
  if (candidates.length === 0) return { kind: 'no-path' };
  return { kind: 'method-not-allowed', allowed: candidates.map(({ operation }) => operation.method), parameters: best };
}

/** Lists the methods of the operations at the path of a request target; none if there is no such path. */
export function listMethods(operations: readonly Operation[], target: string): readonly string[] {
  // No operation has an empty method, so only the path decides.
  const route = routeTo(operations, '', target);
  return route.kind === 'method-not-allowed' ? route.allowed : [];
}

/** Returns the raw text of each template parameter; `undefined` if the path does not match the template. */
function matchPath(template: string, path: string): ReadonlyMap<string, string> | undefined {
  const patterns = template.split('/');
  // One part more than expected is enough to see that there are too many.
  const parts = path.split('/', patterns.length + 1);
  if (patterns.length !== parts.length) return undefined;
  const segments = new Map<string, string>();
  for (const [index, pattern] of patterns.entries()) {
    if (!matchSegment(pattern, parts[index] ?? '', segments)) return undefined;
  }
  return segments;
}

function matchSegment(pattern: string, part: string, segments: Map<string, string>): boolean {
  if (!pattern.includes('{')) return pattern === part || pattern === decodeOrKeep(part, false);
  const names = [...pattern.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  const source = pattern
    .split(/\{[^}]+\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('(.+?)');
  const match = new RegExp(`^${source}$`, 's').exec(part);
  if (match === null) return false;
  for (const [index, name] of names.entries()) segments.set(name, match[index + 1] ?? '');
  return true;
}

/** Returns the longest common prefix of all paths without parameters, such as `/api/v1`. */
export function commonPath(operations: readonly Operation[]): string {
  const [first = [], ...others] = operations.map(({ path }) => path.split('/').slice(0, -1));
  const end = first.findIndex((part, index) => part.includes('{') || others.some((other) => other[index] !== part));
  return (end < 0 ? first : first.slice(0, end)).join('/');
}
