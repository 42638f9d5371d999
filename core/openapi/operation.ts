/** Operations of a contract, and which of them a request is for. */

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

/** One way of showing who asks: a security scheme (OpenAPI 3.1 §4.8.27) and the roles that it must carry. */
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

/** A header that an answer documents. */
export interface HeaderRule {
  /** The name of the header. */
  readonly name: string;
  /** True if every such response has the header. */
  readonly required: boolean;
  /** The schema and the style of its value. */
  readonly parameter: Parameter;
}

/** A documented answer (OpenAPI 3.1 §4.8.17). */
export interface ResponseRule {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  /** Documented headers. */
  readonly headers: readonly HeaderRule[];
  /** By media type; empty when the answer has no body. */
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
  /** By media type. */
  readonly content: ResponseRule['content'];
}

/** One operation (OpenAPI 3.1 §4.8.10): a method on a path, with the rules that its extensions state. */
export interface Operation {
  /** The id of the operation (`operationId`). */
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  /** The path template, such as `/things/{id}`. */
  readonly path: string;
  /** JSON Pointer of the operation in its file. */
  readonly pointer: string;
  /** The closed file that it stands in, which the references of its schemas lead through. */
  readonly document: Document;
  /** The operation as it stands in the closed file, for those who tell of its lines. */
  readonly value: JsonObject;
  /** The summary of the operation; empty if it has none. */
  readonly summary: string;
  /** Alternatives, each a set of credentials that are all needed; empty when no key is needed. */
  readonly security: readonly (readonly Credential[])[];
  /** Parameters of the path, the query, the headers and the cookies. */
  readonly parameters: readonly Parameter[];
  /** Rules about several parameters. */
  readonly rules: readonly ParameterRule[];
  /** Answers to invalid requests, by the class of the mistake. */
  readonly invalid: InvalidAnswers;
  /** Absent when no body is documented, which says nothing of one that is sent. */
  readonly requestBody: RequestBodyRule | undefined;
  /** By status, in the order of the file. */
  readonly responses: ReadonlyMap<string, ResponseRule>;
  /** The collection that the operation lists, with its evaluator and the comparison of its fields; `undefined` if it lists none. */
  readonly collection: (Collection & { readonly query: Query; readonly kindOf: ComparisonKindOf }) | undefined;
  /** The resource that the operation returns; `undefined` if it returns none. */
  readonly resource: Resource | undefined;
  /** Place of the operation in its file. */
  readonly place: SourceLocation;
}

/** The documented answer for a status: exact, then its range, then the default. */
export function responseFor(operation: Operation, status: number): ResponseRule | undefined {
  const { responses } = operation;
  return responses.get(String(status)) ?? responses.get(`${Math.floor(status / 100)}XX`) ?? responses.get('default');
}

/** The HTTP status that shows a condition; for `invalid`, the one that the operation documents. */
export function statusOf(operation: Operation, condition: Condition): number {
  const fixed = { unauthenticated: 401, throttled: 429, forbidden: 403, unavailable: 503, absent: 404, unchanged: 304 };
  if (condition !== 'invalid') return fixed[condition];
  return operation.responses.has('422') ? 422 : 400;
}

/** Operation of a request; `parameters` counts those of the path template. */
export type Route =
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      readonly segments: ReadonlyMap<string, string>;
      readonly parameters: number;
    }
  | { readonly kind: 'method-not-allowed'; readonly allowed: readonly string[]; readonly parameters: number }
  | { readonly kind: 'no-path' };

/** Finds the operation of a request. HEAD is answered by GET (RFC 9110 §9.3.2). A literal path wins over a template. */
export function routeTo(operations: readonly Operation[], method: string, target: string): Route {
  const { path } = splitTarget(target);
  const matches = operations.flatMap((operation) => {
    const segments = matchPath(operation.path, path);
    return segments === undefined ? [] : [{ operation, segments }];
  });
  const best = Math.min(...matches.map(({ segments }) => segments.size));
  const candidates = matches.filter(({ segments }) => segments.size === best);
  const wanted = method === 'HEAD' ? ['HEAD', 'GET'] : [method];
  const found = wanted.flatMap((each) => candidates.filter(({ operation }) => operation.method === each))[0];
  if (found !== undefined) return { kind: 'operation', ...found, parameters: best };
  if (candidates.length === 0) return { kind: 'no-path' };
  return { kind: 'method-not-allowed', allowed: candidates.map(({ operation }) => operation.method), parameters: best };
}

/** The methods that operations have at the path of a request target; none when the path is not there. */
export function listMethods(operations: readonly Operation[], target: string): readonly string[] {
  // No operation has a method of this name, so the answer is about the path alone.
  const route = routeTo(operations, '', target);
  return route.kind === 'method-not-allowed' ? route.allowed : [];
}

/** The raw text of each template parameter when a path matches a template; `undefined` when it does not. */
function matchPath(template: string, path: string): ReadonlyMap<string, string> | undefined {
  const wanted = template.split('/');
  // One more than wanted is enough to tell that there are too many.
  const given = path.split('/', wanted.length + 1);
  if (wanted.length !== given.length) return undefined;
  const segments = new Map<string, string>();
  for (const [index, pattern] of wanted.entries()) {
    if (!matchSegment(pattern, given[index] ?? '', segments)) return undefined;
  }
  return segments;
}

function matchSegment(pattern: string, given: string, segments: Map<string, string>): boolean {
  if (!pattern.includes('{')) return pattern === given || pattern === decodeOrKeep(given, false);
  const names = [...pattern.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  const source = pattern
    .split(/\{[^}]+\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('(.+?)');
  const match = new RegExp(`^${source}$`, 's').exec(given);
  if (match === null) return false;
  for (const [index, name] of names.entries()) segments.set(name, match[index + 1] ?? '');
  return true;
}

/** The longest path that all operations begin with, as far as it has no parameters: `/api/v1`. */
export function commonPath(operations: readonly Operation[]): string {
  const [first = [], ...others] = operations.map(({ path }) => path.split('/').slice(0, -1));
  const end = first.findIndex((part, index) => part.includes('{') || others.some((other) => other[index] !== part));
  return (end < 0 ? first : first.slice(0, end)).join('/');
}
