/** Operations as values, read once when a contract is loaded, and the simplest questions about them. */

import type { Collection, Condition, InvalidAnswers, ParameterRule, Resource } from '../annotations/annotations.ts';
import type { SourceLocation } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Parameter } from '../parameters/parse-parameter.ts';
import type { ValueKind } from '../parameters/read-value.ts';
import type { ComparisonKindOf, Query } from '../query/query.ts';
import type { Document } from './document.ts';
import type { Schema } from './schema-facts.ts';
import type { Validator } from './validator.ts';

/** One required key: a security scheme (OpenAPI 3.1 §4.8.27), the place of the key in a request, and its scopes. */
export interface Credential {
  /** The name of the scheme in `components/securitySchemes`. */
  readonly scheme: string;
  /** Place of the key: a header, a query parameter, a cookie, or the Authorization header after a word such as `Bearer`. */
  readonly carrier:
    | { readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
    | { readonly in: 'authorization'; readonly word: string };
  /** True for a token of OAuth 2.0 or OpenID Connect. */
  readonly isToken: boolean;
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

/**
 * The documented content of one media type (OpenAPI 3.1 §4.8.14). Its schema applies in its direction: `readOnly` members are not part of requests, nor
 * `writeOnly` ones of responses.
 */
export interface BodySchema {
  /** The media type or range as written. */
  readonly type: string;
  /** The examples of the content, by name; a single one is called `example`. */
  readonly examples: ResponseRule['examples'];
  /** The schema. Its references are those of the closed document. */
  readonly schema: Schema;
  /** Validates a value by the schema; in a request, it stops at the first violation. */
  readonly validate: Validator;
  /** Finds members of the other direction, which should not be there. They are no violations. */
  readonly findMisdirected: Validator;
  /** The keywords of the schema, with those of its branches. */
  readonly keywords: JsonObject;
  /** The types of a text that is the whole content. */
  readonly kinds: readonly ValueKind[];
  /** The fields of a form by name: the properties of the schema, with their `encoding`. */
  readonly fields: () => ReadonlyMap<string, Parameter>;
  /** The types of the text of any other field of a form. */
  readonly otherKinds: readonly ValueKind[];
}

/** The name of a single example (`example`). */
export const singleExample = 'example';

/** Documented content by media type or range, in lower case. */
export type Content = ReadonlyMap<string, BodySchema>;

/** A documented response (OpenAPI 3.1 §4.8.17). */
export interface ResponseRule {
  /** The status as documented, such as `200`, `4XX` or `default`. */
  readonly status: string;
  /** Documented headers. */
  readonly headers: readonly HeaderRule[];
  /** Content by media type; empty if no body is documented, and for the statuses without one: 204, 205 and 304. */
  readonly content: Content;
  /** The values of the response's examples, by name. */
  readonly examples: ReadonlyMap<string, { readonly value: Json; readonly place: SourceLocation }>;
  /** Place of the response in its file. */
  readonly place: SourceLocation;
}

/** The documented body of a request (OpenAPI 3.1 §4.8.13). */
export interface RequestBodyRule {
  /** True if a request must have a body. */
  readonly required: boolean;
  /** Content by media type. */
  readonly content: Content;
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
  /** The summary of the operation; empty if it has none. */
  readonly summary: string;
  /** The description of the operation; empty if it has none. */
  readonly description: string;
  /** True if the operation is deprecated. */
  readonly deprecated: boolean;
  /** URLs of the servers of the operation, of its path and of the file, the nearest first, with the default values of their variables. */
  readonly servers: readonly string[];
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

/** True if an operation documents a status itself or its range; `default` names none. */
export function documentsStatus({ responses }: Operation, status: number): boolean {
  return responses.has(String(status)) || responses.has(`${Math.floor(status / 100)}XX`);
}

/** True for a documented response to failed requests: of 4XX or 5XX, or the default beside a documented success or redirect. */
export function describesFailure({ responses }: Operation, { status }: ResponseRule): boolean {
  if (status !== 'default') return /^[45]/.test(status);
  return [...responses.keys()].some((each) => /^[23]/.test(each));
}

/** Returns the HTTP status of a condition; for `invalid`, the documented one of 422 and 400. */
export function statusOf(operation: Operation, condition: Condition): number {
  const statuses = { unauthenticated: 401, throttled: 429, forbidden: 403, unavailable: 503, absent: 404, unchanged: 304 };
  if (condition !== 'invalid') return statuses[condition];
  return operation.responses.has('422') ? 422 : 400;
}

/** True if an operation documents a response for a condition. */
export function documentsCondition(operation: Operation, condition: Condition): boolean {
  return responseFor(operation, statusOf(operation, condition)) !== undefined;
}

/** Returns the schema of the first successful JSON response; without one, that of the first successful response. */
export function schemaOfSuccess(responses: Operation['responses']): Schema | undefined {
  const successResponses = [...responses.values()].filter((response) => response.status.startsWith('2'));
  const contents = successResponses.flatMap((response) => [...response.content]);
  const json = contents.find(([type]) => /^application\/(json|[^;]*\+json)\b/.test(type));
  return (json ?? contents[0])?.[1].schema;
}

/** Returns true if an operation always requires a key. */
export function needsKey(operation: Operation): boolean {
  return operation.security.length > 0 && operation.security.every((alternative) => alternative.length > 0);
}

/** Returns true for an operation without annotations of what it returns. */
export function isPlain({ collection, resource }: Operation): boolean {
  return collection === undefined && resource === undefined;
}

/** Returns true if an operation documents 304. A plain one may leave out that it takes `If-None-Match`. */
export function isConditional(operation: Operation): boolean {
  const takesTag = operation.parameters.some((each) => each.in === 'header' && each.name.toLowerCase() === 'if-none-match');
  return operation.responses.has('304') && (takesTag || isPlain(operation));
}
