/** Converts one operation to the form that Prism reads, when a request first needs it. Says which parameters Prism cannot read. */

import type {
  HttpParamStyles,
  HttpSecurityScheme,
  IHttpEncoding,
  IHttpHeaderParam,
  IHttpOperation,
  IHttpOperationRequest,
  IHttpParam,
  IMediaTypeContent,
} from '@stoplight/types';
import { isJsonType, mediaTypeOf } from '../../../core/http/media-type.ts';
import { isObject, type Json, type JsonObject, objectOrEmpty } from '../../../core/json.ts';
import { type Document, follow } from '../../../core/openapi/document.ts';
import { withoutExtensions } from '../../../core/openapi/document-members.ts';
import type { BodySchema, Operation } from '../../../core/openapi/operation.ts';
import { type Schema, typesOf } from '../../../core/openapi/schema-facts.ts';
import type { Parameter } from '../../../core/parameters/parameter.ts';
import { inlineSchema } from './inline-schema.ts';
import { toPrismSecurity } from './security.ts';

/** A documented header of a response. */
export type PrismHeader = IHttpHeaderParam;

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
  const { document, id, method, path, value } = operation;
  const isOwn = (parameter: Parameter): boolean => !isReadByPrism(parameter);
  const prismOperation: PrismOperation = {
    id,
    method: method.toLowerCase(),
    path,
    responses: membersOf(document, withoutExtensions(value['responses'])).map(([status, response]) => ({
      id: status,
      // Prism expects capitals in a range such as 4XX (OpenAPI 3.1 §4.8.16).
      code: status === 'default' ? status : status.toUpperCase(),
      headers: membersOf(document, response['headers']).map(([name, header]) => toHeader(document, name, header)),
      contents: membersOf(document, follow(document, response['content'])).map(([type, media]) =>
        toContent(document, type, media, operation.responses.get(status)?.content.get(type.toLowerCase())),
      ),
    })),
    request: toRequest(operation, operation.parameters.filter(isReadByPrism)),
    security: toPrismSecurity(operation) as HttpSecurityScheme[][],
    deprecated: value['deprecated'] === true,
    origin: operation,
    ownParameters: new Set(operation.parameters.filter(isOwn).map(({ key }) => key)),
  };
  converted.set(operation, prismOperation);
  return prismOperation;
}

/**
 * True for a parameter that Prism reads as OpenAPI says. It does not read cookies and parameters described by `content`; it fails at an absent list in a
 * header; it takes all names for lower case, and an absent object for an empty one; it does not split at spaces; and it coerces a value for the first branch
 * of `oneOf`, and then for the second.
 */
function isReadByPrism({ in: place, json, schema, style }: Parameter): boolean {
  if (place === 'cookie' || json || !isObject(schema) || typesOf(schema).length > 1) return false;
  if (['oneOf', 'anyOf', 'not', 'if'].some((keyword) => schema[keyword] !== undefined)) return false;
  if (style.shape === 'one') return true;
  if (place !== 'query' || style.style === 'spaceDelimited') return false;
  return style.shape === 'list' || (schema['required'] === undefined && style.members.every((name) => name === name.toLowerCase()));
}

function toRequest({ document, value, requestBody }: Operation, parameters: readonly Parameter[]): IHttpOperationRequest {
  const inPlace = (place: Parameter['in']): IHttpParam[] =>
    parameters.filter((parameter) => parameter.in === place).map((parameter) => toParam(document, parameter));
  const contents = membersOf(document, objectOrEmpty(follow(document, value['requestBody']))['content']);
  return {
    path: inPlace('path') as IHttpOperationRequest['path'] & object,
    query: inPlace('query') as IHttpOperationRequest['query'] & object,
    headers: inPlace('header') as IHttpOperationRequest['headers'] & object,
    ...(requestBody === undefined
      ? {}
      : {
          body: {
            id: 'body',
            required: requestBody.required,
            contents: contents.map(([type, media]) =>
              toRequestContent(document, type, media, requestBody.content.get(type.toLowerCase())?.schema ?? true),
            ),
          },
        }),
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

/** The content of a request. Prism judges forms; JSON is judged by the one reading of the contract, so Prism sees no schema of it. */
function toRequestContent(document: Document, type: string, media: JsonObject, bodySchema: Schema): IMediaTypeContent {
  const content = { id: type, mediaType: mediaTypeOf(type) };
  if (!isForm(type)) return { ...content, encodings: [] };
  const schema = inlineSchema(document, bodySchema);
  if (!isObject(schema)) return { ...content, encodings: [] };
  const properties = objectOrEmpty(schema['properties']);
  const encoding = objectOrEmpty(media['encoding']);
  const encodings = Object.keys(properties).flatMap((property) => toEncoding(property, properties[property], encoding[property]));
  const formSchema = { ...schema, properties: withoutJsonMembers(properties, encoding), $schema: dialect };
  return { ...content, schema: asPrismSchema(formSchema), encodings };
}

/** Without it, Prism validates by draft 7. */
const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** True for the media types whose fields Prism separates. */
function isForm(type: string): boolean {
  return ['application/x-www-form-urlencoded', 'multipart/form-data'].includes(mediaTypeOf(type));
}

/** The style of a field; a list without one is sent as several fields (OpenAPI 3.1 §4.8.15), which Prism does not know. */
function toEncoding(property: string, schema: Json | undefined, value: Json | undefined): readonly IHttpEncoding[] {
  const { style, explode, allowReserved } = objectOrEmpty(value);
  const isList = isObject(schema) && typesOf(schema).includes('array');
  if (style === undefined && !isList) return [];
  return [
    {
      property,
      style: (style ?? 'form') as HttpParamStyles.Form,
      explode: typeof explode === 'boolean' ? explode : (style ?? 'form') === 'form',
      allowReserved: value === undefined || allowReserved === true,
    },
  ];
}

/** Fields that are objects are sent as JSON, which Prism takes for text. */
function withoutJsonMembers(properties: JsonObject, encoding: JsonObject): JsonObject {
  const entries = Object.entries(properties).map(([name, schema]) => {
    const isJson = isObject(schema) && (typesOf(schema).includes('object') || schema['properties'] !== undefined);
    return [name, isJson && objectOrEmpty(encoding[name])['style'] === undefined ? true : schema] as const;
  });
  return Object.fromEntries(entries);
}

function toHeader(document: Document, name: string, header: JsonObject): IHttpHeaderParam {
  const media = Object.values(objectOrEmpty(header['content']))[0];
  const holder = isObject(media) ? media : header;
  const encodings = isObject(media) ? { extensions: { 'x-content': true } } : {};
  return {
    id: name,
    name,
    style: 'simple' as IHttpHeaderParam['style'],
    explode: header['explode'] === true,
    schema: asPrismSchema(holder['schema'] ?? true),
    examples: [...examplesOf(document, header), ...(isObject(media) ? examplesOf(document, media) : [])],
    ...encodings,
  };
}

function toContent(document: Document, mediaType: string, media: JsonObject, body: BodySchema | undefined): IMediaTypeContent {
  const hasSchema = media['schema'] !== undefined || isJsonType(mediaType);
  return {
    id: mediaType,
    mediaType,
    encodings: [],
    examples: examplesOf(document, media),
    ...(hasSchema ? { schema: asPrismSchema(body?.schema ?? true) } : {}),
  };
}

/** A schema in the type of Prism, whose negotiation does not read it. */
function asPrismSchema(schema: Json): NonNullable<IMediaTypeContent['schema']> {
  return schema as NonNullable<IMediaTypeContent['schema']>;
}

/** The named examples, and the single example under Prism's name for it, `default`. */
function examplesOf(document: Document, holder: JsonObject): NonNullable<IMediaTypeContent['examples']> {
  const single = holder['example'];
  const named = membersOf(document, holder['examples']).flatMap(([key, { value }]) =>
    value === undefined ? [] : [{ id: key, key, value }],
  );
  return single === undefined ? named : [{ id: 'default', key: 'default', value: single }, ...named];
}

/** The members of an object that are objects, with references resolved. */
function membersOf(document: Document, value: Json | undefined): readonly (readonly [string, JsonObject])[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => {
    const member = follow(document, entry);
    return isObject(member) ? [[name, member] as const] : [];
  });
}
