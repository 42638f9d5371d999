/** Makes the documented headers of responses. Headers that frame the message are the server's own. */

import { isArray, isObject, type Json, printJson } from '../../../core/json.ts';
import type { HeaderRule } from '../../../core/openapi/operation.ts';
import { toHeaderText } from '../prefer-header.ts';
import { type SampleOptions, sampleValue } from './sample-value.ts';

/** Headers that the server sets, since a wrong one makes the response unreadable (RFC 9110 §6.4, RFC 9112 §6). */
const ownHeaders = new Set(
  'connection content-encoding content-length content-type date keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/** The values of documented headers, by lower-case name: their examples, or values of their schemas. */
export function printHeaders(headers: readonly HeaderRule[], options: SampleOptions): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const header of headers) {
    const { name } = header;
    const text = ownHeaders.has(name) ? undefined : textOf(header, options);
    if (text !== undefined && text !== '') values[name] = text;
  }
  return values;
}

function textOf({ name, parameter }: HeaderRule, options: SampleOptions): string | undefined {
  const { declared, examples, fallback, allowed, style, json } = parameter;
  const [value = sampleValue(declared, options).value] = examples;
  if (value === undefined || value === null) return undefined;
  const isTypical = examples.length === 0 && fallback === undefined && allowed.length === 0;
  return (isTypical ? typicalHeader(name, options) : undefined) ?? printValue(name, value, style.explode, json);
}

/** Values in the form that HTTP defines for these headers. */
function typicalHeader(name: string, { nowMs }: SampleOptions): string | undefined {
  if (name === 'etag') return '"1"';
  if (name === 'last-modified' || name === 'expires') return new Date(nowMs).toUTCString();
  return name === 'retry-after' ? '1' : undefined;
}

/** A value in the style `simple`, or as JSON. */
function printValue(name: string, value: Json, explode: boolean, isJson: boolean): string {
  if (name === 'link' && typeof value === 'string') return value.replaceAll(/[^\x20-\x7e]+/g, encodeURI);
  if (typeof value === 'string') return toHeaderText(/^(?:content-)?location$/.test(name) ? encodeURI(decodeSafely(value)) : value);
  if (isJson) return toHeaderText(printJson(value));
  if (isArray(value)) return toHeaderText(value.map(printMember).join(','));
  if (!isObject(value)) return toHeaderText(printMember(value));
  return toHeaderText(
    Object.entries(value)
      .map(([key, member]) => `${key}${explode ? '=' : ','}${printMember(member)}`)
      .join(','),
  );
}

function printMember(value: Json): string {
  return typeof value === 'string' ? value : printJson(value);
}

function decodeSafely(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
