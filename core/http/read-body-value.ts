/** Reads a body by its documented media type to the value that its schema is about, or says why there is none. */

import { isArray, isTooDeep, type Json, maxNesting, readJson } from '../json.ts';
import type { BodySchema, Content } from '../openapi/operation.ts';
import { typesOf } from '../openapi/schema-facts.ts';
import { readField } from '../parameters/parse-parameter.ts';
import { decodeOrKeep, splitQuery } from '../parameters/query-string.ts';
import { readStrictly } from '../parameters/read-value.ts';
import { describeBrokenJson } from './describe-broken-json.ts';
import { documentedTypeOf, formatOf, isJsonType, mediaParameterOf, mediaTypeOf } from './media-type.ts';
import { type BodyPart, splitMultipart } from './multipart.ts';

/** What a body is to its schema. */
export type BodyReading =
  /** A value for the schema. */
  | { readonly kind: 'value'; readonly value: Json }
  /** The body is not of its media type. The problem is a clause after "the body". */
  | { readonly kind: 'broken'; readonly problem: string }
  /** The body cannot be compared with the schema, for a reason that is a clause of its own. */
  | { readonly kind: 'not-compared'; readonly reason: string };

/** Returns the documented content that applies to a `content-type` field; `undefined` if its type is not documented. */
export function mediaFor(content: Content, field: string): BodySchema | undefined {
  const type = documentedTypeOf([...content.keys()], field);
  return type === undefined ? undefined : content.get(type);
}

const [binaryReason, xmlReason] = ['is binary', 'is XML, and schemas describe its elements only indirectly'];

/** Reads a body by the content that applies to its `content-type` field. */
export function readBody(media: BodySchema, field: string, body: string): BodyReading {
  const readers: Readonly<Record<ReturnType<typeof formatOf>, () => BodyReading>> = {
    json: () => readJsonBody(body),
    text: () => readText(media, field, body),
    form: () => readForm(media, body),
    multipart: () => readMultipart(media, field, body),
    xml: () => ({ kind: 'not-compared', reason: `${mediaTypeOf(field)} ${xmlReason}` }),
    binary: () => ({ kind: 'not-compared', reason: field === '' ? 'its media type is unknown' : `${mediaTypeOf(field)} ${binaryReason}` }),
  };
  return readers[formatOf(field)]();
}

function readJsonBody(body: string): BodyReading {
  const value = readJson(body);
  if (value !== undefined) return { kind: 'value', value };
  if (isTooDeep(body)) return { kind: 'broken', problem: `of ${body.length} characters is nested deeper than ${maxNesting} levels` };
  return { kind: 'broken', problem: body === '' ? 'is empty, not JSON' : describeBrokenJson(body) };
}

/** Reads text as a string, or as the number or boolean that its schema asks for. A schema of objects or lists says nothing about a text. */
function readText({ keywords, kinds }: BodySchema, field: string, body: string): BodyReading {
  const types = typesOf(keywords);
  const isAboutText = types.length === 0 || types.some((type) => !['array', 'object', 'null'].includes(type));
  if (!isAboutText)
    return { kind: 'not-compared', reason: `${mediaTypeOf(field)} is text, and its schema describes ${types.join(' or ')} values` };
  return { kind: 'value', value: readStrictly(kinds, body) ?? body };
}

function readForm(media: BodySchema, body: string): BodyReading {
  const pairs = splitQuery(body);
  const fields = media.fields();
  const members = new Map<string, Json>();
  for (const [name, parameter] of fields) {
    const value = readField(parameter, pairs);
    if (value !== undefined) members.set(name, value);
  }
  const styled = [...fields.values()].filter(({ style }) => style.shape === 'members');
  for (const [name, text] of pairs) {
    if (fields.has(name) || styled.some(({ style }) => style.members.includes(name) || name.startsWith(`${style.name}[`))) continue;
    if (/\[[^\]]*\]$/.test(decodeOrKeep(name)))
      return { kind: 'not-compared', reason: `its field ${decodeOrKeep(name)} has brackets, which the contract does not describe` };
    members.set(decodeOrKeep(name), readStrictly(media.otherKinds, decodeOrKeep(text)) ?? decodeOrKeep(text));
  }
  return { kind: 'value', value: Object.fromEntries(members) };
}

function readMultipart(media: BodySchema, field: string, body: string): BodyReading {
  const parts = splitMultipart(body, mediaParameterOf(field, 'boundary') ?? '');
  if (parts === undefined) return { kind: 'broken', problem: 'is not divided by the boundary of its content type' };
  const fields = media.fields();
  const members = new Map<string, Json>();
  for (const name of new Set(parts.map((part) => part.name))) {
    const parameter = fields.get(name);
    const own = parts.filter((part) => part.name === name);
    const values = own.map(
      (part): Json =>
        readPart(part, parameter?.json === true) ?? readStrictly(parameter?.kinds ?? media.otherKinds, part.text) ?? part.text,
    );
    const [last = null] = values.slice(-1);
    members.set(name, parameter?.style.shape === 'list' && !isArray(last) ? values : last);
  }
  return { kind: 'value', value: Object.fromEntries(members) };
}

/** The value of a part that is JSON by its own header or by the contract. */
function readPart({ type, text }: BodyPart, isJson: boolean): Json | undefined {
  return isJsonType(type) || (type === '' && isJson) ? readJson(text) : undefined;
}
