/** The bodies of a pact: plain values in older versions, content with its media type and its coding in the fourth. */

import { type Place, SpecError } from './errors.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { placeOf } from './origin.ts';

/**
 * The body of a request or a response; `undefined` when the file says nothing of it. Content that is not JSON is a text.
 * @throws {SpecError} when it is coded in a way that is not known.
 */
export function readBody(value: JsonObject): Json | undefined {
  const { body } = value;
  if (!isWrapped(body)) return body;
  const { content } = body;
  const { encoded = false } = body;
  if (content === undefined || encoded === false) return content;
  if (typeof content !== 'string') throw new SpecError(placeIn(body, 'content'), 'content that is encoded must be a text');
  return decode(content, String(encoded), body);
}

/** The media type of a body: as the body itself tells it, or the header. */
export function readMediaType(value: JsonObject, headers: ReadonlyMap<string, readonly string[]>): string | undefined {
  const { body } = value;
  const told = isWrapped(body) ? body['contentType'] : undefined;
  const type = typeof told === 'string' ? told : headers.get('content-type')?.[0];
  return type?.split(';')[0]?.trim().toLowerCase();
}

/** A body of the fourth version; a plain value that happens to have these members has others beside them. */
function isWrapped(body: Json | undefined): body is JsonObject {
  const known = ['content', 'contentType', 'encoded', 'contentTypeHint'];
  return (
    isObject(body) &&
    Object.hasOwn(body, 'content') &&
    (Object.hasOwn(body, 'contentType') || Object.hasOwn(body, 'encoded')) &&
    Object.keys(body).every((key) => known.includes(key))
  );
}

function decode(content: string, coding: string, body: JsonObject): Json {
  if (coding.toLowerCase() === 'json') return parse(content, body);
  if (coding.toLowerCase() !== 'base64' && coding !== 'true')
    throw new SpecError(placeIn(body, 'encoded'), `encoded: ${coding} is unknown; content is plain (false), "base64" or "JSON"`);
  const text = Buffer.from(content, 'base64').toString('utf8');
  const type = body['contentType'];
  return typeof type === 'string' && /[/+]json\b/i.test(type) ? parse(text, body) : text;
}

function parse(text: string, body: JsonObject): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new SpecError(placeIn(body, 'content'), 'the content is told to be JSON, and it is not', { cause });
  }
}

function placeIn(holder: object, key: string): Place {
  return placeOf(holder, key) ?? { file: '', line: 1, column: 1 };
}
