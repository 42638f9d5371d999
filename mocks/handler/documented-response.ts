/**
 * Chooses a documented response with Prism's helpers, and generates what no example gives: for requests with `Prefer`, operations without annotations, and
 * failures of APIs without an error format.
 */

import { hash } from 'node:crypto';
import type negotiator from '@stoplight/prism-http/dist/mocker/negotiator/NegotiatorHelpers.js';
import type { IHttpHeaderParam, IHttpOperation, IMediaTypeContent } from '@stoplight/types';
import * as E from 'fp-ts/lib/Either.js';
import type { HttpRequest } from '../../core/http/exchange.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { type Document, follow } from '../../core/openapi/document.ts';
import { type BodySchema, type Operation, responseFor } from '../../core/openapi/operation.ts';
import { markOfOtherDirection } from '../../core/openapi/schema-direction.ts';
import { certainSchemas, propertiesOf, type Schema } from '../../core/openapi/schema-facts.ts';
import { withoutValuesAt } from '../../core/pointer.ts';
import { type Preference, toHeaderText } from './prefer-header.ts';
import type { DraftResponse } from './prepare-response.ts';
import { silentLogger } from './prism-pipeline.ts';

/** The documented response for a preference. A text says why there is none. */
export async function chooseDocumentedResponse(
  operation: Operation,
  request: HttpRequest,
  preference: Preference,
): Promise<DraftResponse | string> {
  const { code, example, dynamic } = preference;
  const options = { dynamic, ...(code === undefined ? {} : { code }), ...(example === undefined ? {} : { exampleKey: example }) };
  const { negotiateOptionsForValidRequest } = await loadNegotiator();
  const logger = silentLogger as unknown as Parameters<ReturnType<typeof negotiateOptionsForValidRequest>>[0];
  // The header Accept is ignored, as RFC 9110 §12.5.1 allows: there is only one representation, and Prism would refuse it.
  const chosen = negotiateOptionsForValidRequest(toHttpOperation(operation), options)(logger);
  if (E.isLeft(chosen)) return explain(chosen.left);
  const { mediaType, bodyExample, schema, headers } = chosen.right;
  const status = Number(chosen.right.code);
  const exampleBody = bodyExample !== undefined && 'value' in bodyExample ? (bodyExample.value as Json | undefined) : undefined;
  const body =
    exampleBody ??
    (schema === undefined ? undefined : await generateBody(operation, status, { mediaType, schema: schema as Schema, request, dynamic }));
  return {
    status,
    headers: {
      ...(await generateHeaders(operation.document, headers)),
      ...(body === undefined || mediaType === undefined ? {} : { 'content-type': mediaType }),
      ...(operation.value['deprecated'] === true ? { deprecation: 'true' } : {}),
    },
    body,
  };
}

type Negotiator = (typeof negotiator)['default'];

/** Loads Prism's helpers at the first use, so that the start does not wait for them. */
async function loadNegotiator(): Promise<Negotiator> {
  const { default: exported } = await import('@stoplight/prism-http/dist/mocker/negotiator/NegotiatorHelpers.js');
  // The default import of a CommonJS module is its exports in Node, and its export `default` in vitest.
  return 'default' in exported ? exported.default : (exported as Negotiator);
}

/** The reason of an error of Prism. */
function explain(error: Error): string {
  return 'detail' in error && typeof error.detail === 'string' && error.detail !== '' ? error.detail : error.message;
}

/** Operations in Prism's form; each is converted once. */
const httpOperations = new WeakMap<Operation, IHttpOperation>();

/** Converts the parts of an operation that Prism's helpers read: its responses with their examples. */
function toHttpOperation(operation: Operation): IHttpOperation {
  const earlier = httpOperations.get(operation);
  if (earlier !== undefined) return earlier;
  const { document, id, method, path, value } = operation;
  const responses = membersOf(document, value['responses']).map(([status, response]) => ({
    id: status,
    // Prism expects capitals in a range such as 4XX (OpenAPI 3.1 §4.8.16).
    code: status === 'default' ? status : status.toUpperCase(),
    headers: membersOf(document, response['headers']).map(([name, header]) => toHeaderParam(document, name, header)),
    contents: membersOf(document, response['content']).map(([type, media]) =>
      toMediaType(document, type, media, operation.responses.get(status)?.content.get(type.toLowerCase())),
    ),
  }));
  const converted: IHttpOperation = { id, method: method.toLowerCase(), path, responses };
  httpOperations.set(operation, converted);
  return converted;
}

function toHeaderParam(document: Document, name: string, header: JsonObject): IHttpHeaderParam {
  const style = 'simple' as IHttpHeaderParam['style'];
  return { id: name, name, style, schema: asPrismSchema(header['schema']), examples: examplesOf(document, header) };
}

function toMediaType(document: Document, mediaType: string, media: JsonObject, body: BodySchema | undefined): IMediaTypeContent {
  const schema = media['schema'] === undefined ? undefined : body?.schema;
  return { id: mediaType, mediaType, schema: asPrismSchema(schema), examples: examplesOf(document, media, body) };
}

/** A body without the `writeOnly` members that an example of requests and responses shows. */
function withoutWriteOnly(body: BodySchema | undefined, value: Json): Json {
  return withoutValuesAt(value, body?.findMisdirected(value).map(({ path }) => path) ?? []);
}

/** A schema in the type of Prism, which does not read it. */
function asPrismSchema(schema: Json | undefined): NonNullable<IMediaTypeContent['schema']> {
  return (schema ?? true) as NonNullable<IMediaTypeContent['schema']>;
}

/** The named examples, and the single example under Prism's name for it, `default`. */
function examplesOf(document: Document, holder: JsonObject, body?: BodySchema): NonNullable<IMediaTypeContent['examples']> {
  const single = holder['example'];
  const toExample = (key: string, value: Json) => ({ id: key, key, value: withoutWriteOnly(body, value) });
  const named = membersOf(document, holder['examples']).flatMap(([key, { value }]) => (value === undefined ? [] : [toExample(key, value)]));
  return single === undefined ? named : [toExample('default', single), ...named];
}

/** The members of an object that are objects, with references resolved. */
function membersOf(document: Document, value: Json | undefined): readonly (readonly [string, JsonObject])[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => {
    const member = name.startsWith('x-') ? undefined : follow(document, entry);
    return isObject(member) ? [[name, member] as const] : [];
  });
}

/** A body to generate, since no example gives it. */
interface MissingBody {
  readonly mediaType: string | undefined;
  readonly schema: Schema;
  readonly request: HttpRequest;
  readonly dynamic: boolean;
}

/** Generates a body. It depends on the request only, so that it is the same in every process. */
async function generateBody(
  operation: Operation,
  status: number,
  { mediaType = '', schema, request, dynamic }: MissingBody,
): Promise<Json | undefined> {
  const { document } = operation;
  const { instanceOf, simplestInstance } = await import('../../generators/schema-arbitrary.ts');
  if (dynamic) return instanceOf(schema, { document }, hash('sha256', `${request.method} ${request.target}`, 'buffer').readInt32BE());
  const earlierBody = isObject(schema) ? fixedBodies.get(schema) : undefined;
  if (earlierBody !== undefined) return earlierBody;
  const rule = responseFor(operation, status)?.content.get(mediaType.toLowerCase());
  const illustration = illustrate(document, schema, simplestInstance, []);
  const isValid = illustration !== undefined && rule?.validate(illustration).length === 0;
  const body = isValid ? withoutWriteOnly(rule, illustration) : simplestInstance(schema, { document });
  if (isObject(schema) && body !== undefined) fixedBodies.set(schema, body);
  return body;
}

/** Bodies without `dynamic`, by schema. They are kept, since making one takes milliseconds. */
const fixedBodies = new WeakMap<JsonObject, Json>();

/** Values of the documented headers: their examples, or values of their schemas. */
async function generateHeaders(document: Document, headers: readonly IHttpHeaderParam[]): Promise<Readonly<Record<string, string>>> {
  const values: Record<string, string> = {};
  for (const { name, schema, examples = [] } of headers) {
    const [example] = examples;
    const value =
      example !== undefined && 'value' in example ? (example.value as Json) : await illustrateHeader(document, (schema ?? true) as Schema);
    if (value !== undefined) values[name.toLowerCase()] = toHeaderText(typeof value === 'string' ? value : JSON.stringify(value));
  }
  return values;
}

async function illustrateHeader(document: Document, schema: Schema): Promise<Json | undefined> {
  const { simplestInstance } = await import('../../generators/schema-arbitrary.ts');
  return illustrate(document, schema, simplestInstance, []);
}

type SimplestInstance = typeof import('../../generators/schema-arbitrary.ts').simplestInstance;

/**
 * A typical value of a schema: its example, or else an object with all of its properties, or else its simplest instance. Conditions across members are ignored,
 * so the value may be invalid. `undefined` for a schema that a response cannot show: `false`, `writeOnly`, or recursive.
 */
function illustrate(document: Document, schema: Schema, simplestInstance: SimplestInstance, path: readonly Schema[]): Json | undefined {
  const parts = certainSchemas(document, schema);
  const objects = parts.filter(isObject);
  if (parts.includes(false) || objects.some((part) => markOfOtherDirection(part) !== undefined || path.includes(part))) return undefined;
  const example = objects.map(exampleOf).find((value) => value !== undefined);
  if (example !== undefined) return example;
  const pathBelow = [...path, ...objects];
  const members = [...propertiesOf(objects)].flatMap(([name, schemas]) => {
    const value = illustrate(document, { allOf: schemas }, simplestInstance, pathBelow);
    return value === undefined ? [] : [[name, value] as const];
  });
  if (members.length > 0) return Object.fromEntries(members);
  const items = objects.find((part) => isObject(part['items']))?.['items'];
  if (items === undefined) return simplestInstance(schema, { document });
  const item = illustrate(document, items as Schema, simplestInstance, pathBelow);
  return item === undefined ? [] : [item];
}

/** The value that a schema itself names, the most specific first. */
function exampleOf({ const: constant, example, examples, default: fallback }: JsonObject): Json | undefined {
  return constant ?? example ?? (Array.isArray(examples) ? (examples as readonly Json[])[0] : undefined) ?? fallback;
}
