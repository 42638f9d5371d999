/** Converts one operation to the form that Prism reads, when a request first needs it. Says which parameters Prism cannot read. */

import type {
  HttpParamStyles,
  HttpSecurityScheme,
  IHttpOperation,
  IHttpOperationRequest,
  IHttpParam,
  IMediaTypeContent,
} from '@stoplight/types';
import { isJsonType, mediaTypeOf } from '../../../core/http/media-type.ts';
import { isObject, type Json } from '../../../core/json.ts';
import type { Document } from '../../../core/openapi/document.ts';
import { type BodySchema, type Operation, singleExample } from '../../../core/openapi/operation.ts';
import { typesOf } from '../../../core/openapi/schema-facts.ts';
import type { Parameter } from '../../../core/parameters/parse-parameter.ts';
import { inlineSchema } from './inline-schema.ts';
import { toPrismSecurity } from './security.ts';

/** An operation as Prism reads it. */
export interface PrismOperation extends IHttpOperation {
  readonly origin: Operation;
  /** Keys of the parameters that Prism cannot read. */
  readonly ownParameters: ReadonlySet<string>;
}

const converted = new WeakMap<Operation, PrismOperation>();

/** An operation as Prism reads it; converted once. */
export function toPrismOperation(operation: Operation): PrismOperation {
  const earlier = converted.get(operation);
  if (earlier !== undefined) return earlier;
  const { id, method, path } = operation;
  const isOwn = (parameter: Parameter): boolean => !isReadByPrism(parameter);
  const prismOperation: PrismOperation = {
    id,
    method: method.toLowerCase(),
    path,
    responses: [...operation.responses.values()].map(({ status, content }) => ({
      id: status,
      code: status,
      headers: [],
      contents: [...content.values()].map(toContent),
    })),
    request: toRequest(operation, operation.parameters.filter(isReadByPrism)),
    security: toPrismSecurity(operation) as HttpSecurityScheme[][],
    deprecated: operation.deprecated,
    origin: operation,
    ownParameters: new Set(operation.parameters.filter(isOwn).map(({ key }) => key)),
  };
  converted.set(operation, prismOperation);
  return prismOperation;
}

/**
 * True for a parameter that Prism reads as OpenAPI says. It does not read cookies and parameters described by `content`; it fails at an absent list in a
 * header; it takes all names for lower case, and an absent object for an empty one; it does not split at spaces; and it coerces a value for the first branch
 * of `oneOf`, and then for the second; it compares the text with values that have no `type` beside them; it throws at a segment without the prefix of its
 * style; and it rounds integers beyond 2^53.
 */
function isReadByPrism({ in: place, json, schema, style }: Parameter): boolean {
  if (place === 'cookie' || json || !isObject(schema) || typesOf(schema).length > 1) return false;
  if (place === 'path' && style.style !== 'simple') return false;
  if (['oneOf', 'anyOf', 'not', 'if'].some((keyword) => schema[keyword] !== undefined)) return false;
  if (schema['type'] === undefined && ['enum', 'const'].some((keyword) => schema[keyword] !== undefined)) return false;
  if (
    schema['format'] === 'int64' ||
    Object.values(schema)
      .flat()
      .some((value) => typeof value === 'bigint')
  )
    return false;
  if (style.shape === 'one') return true;
  if (place !== 'query' || style.style === 'spaceDelimited') return false;
  return style.shape === 'list' || (schema['required'] === undefined && style.members.every((name) => name === name.toLowerCase()));
}

function toRequest({ document, requestBody }: Operation, parameters: readonly Parameter[]): IHttpOperationRequest {
  const inPlace = (place: Parameter['in']): IHttpParam[] =>
    parameters.filter((parameter) => parameter.in === place).map((parameter) => toParam(document, parameter));
  // Bodies are judged by the one reading of the contract, so Prism sees only their types.
  const contents = [...(requestBody?.content.values() ?? [])].map(({ type }) => ({
    id: type,
    mediaType: mediaTypeOf(type),
    encodings: [],
  }));
  return {
    path: inPlace('path') as IHttpOperationRequest['path'] & object,
    query: inPlace('query') as IHttpOperationRequest['query'] & object,
    headers: inPlace('header') as IHttpOperationRequest['headers'] & object,
    ...(requestBody === undefined ? {} : { body: { id: 'body', required: requestBody.required, contents } }),
  };
}

function toParam(document: Document, { name, required, deprecated, schema, style }: Parameter): IHttpParam {
  return {
    id: name,
    name,
    required,
    style: style.style as HttpParamStyles,
    explode: style.explode,
    deprecated,
    schema: asPrismSchema(inlineSchema(document, schema)),
    examples: [],
  };
}

/** The content of a response. Its single example comes first, under Prism's name for it. */
function toContent({ type, schema, examples }: BodySchema): IMediaTypeContent {
  const single = examples.get(singleExample);
  const named = [...examples].filter(([, each]) => each !== single).map(([name, { value }]) => ({ id: name, key: name, value }));
  return {
    id: type,
    mediaType: type,
    encodings: [],
    examples: single === undefined ? named : [{ id: 'default', key: 'default', value: single.value }, ...named],
    ...(schema !== true || isJsonType(type) ? { schema: asPrismSchema(schema) } : {}),
  };
}

/** A schema in the type of Prism, whose negotiation does not read it. */
function asPrismSchema(schema: Json): NonNullable<IMediaTypeContent['schema']> {
  return schema as NonNullable<IMediaTypeContent['schema']>;
}
