/** Prints values in their media type: JSON as JSON, text as text, and for files the smallest one of the type. */

import { isJsonType, mediaTypeOf } from '../../../core/http/media-type.ts';
import { isArray, isObject, type Json, type JsonObject, printJson } from '../../../core/json.ts';
import type { Document } from '../../../core/openapi/document.ts';
import { certainSchemas, type Schema } from '../../../core/openapi/schema-facts.ts';
import { prismSerialize } from '../prism/load-prism.ts';
import { toXml } from './to-xml.ts';

/** A value to print, with its schema. */
interface Printable {
  readonly document: Document;
  readonly schema: Schema;
  readonly value: Json | undefined;
  /** True if the document states the value. */
  readonly isExample: boolean;
}

/** The body of a response as a value for JSON, else as bytes; `undefined` for none. */
export function printBody(mediaType: string, printable: Printable): Json | Buffer | undefined {
  const { document, schema, value, isExample } = printable;
  const type = mediaTypeOf(mediaType);
  if (isJsonType(type)) return value;
  const file = isExample ? undefined : smallestFile(type);
  if (file !== undefined) return Buffer.from(file, 'base64');
  if (value === undefined) return undefined;
  if (typeof value === 'string') return Buffer.from(value);
  return Buffer.from(printComplex(type, document, schema, value));
}

/** Prints a value that is no text. */
function printComplex(type: string, document: Document, schema: Schema, value: Json): string {
  if (/[/+]xml$/.test(type))
    return hasXmlNames(document, schema) ? toXml(document, schema, value) : String(prismSerialize()(value, 'application/xml'));
  const rows = isArray(value) ? value : [value];
  if (type.endsWith('json-seq')) return rows.map((row) => `\u001e${printJson(row)}\n`).join('');
  if (/ndjson|jsonl|json-lines|jsonstream/.test(type)) return rows.map((row) => `${printJson(row)}\n`).join('');
  if (type === 'text/event-stream') return rows.map(printEvent).join('');
  if (type === 'text/csv') return printTable(rows);
  if (type === 'application/x-www-form-urlencoded' && isObject(value))
    return new URLSearchParams(fieldsOf(value).map(([name, each]): [string, string] => [name, printCell(each)])).toString();
  if (type.startsWith('multipart/')) return printParts(isObject(value) ? fieldsOf(value) : rows.map((row) => ['', row]));
  return printJson(value);
}

/** The fields of a form: those of an array repeat its name, as the style `form` has it. */
function fieldsOf(value: JsonObject): readonly (readonly [name: string, value: Json])[] {
  return Object.entries(value).flatMap(([name, each]) =>
    isArray(each) ? each.map((element) => [name, element] as const) : [[name, each]],
  );
}

const boundary = 'touchstone-part';

/** The media type of a body that is made, with the boundary of its parts (RFC 2046 §5.1.1). */
export function typeOfBody(mediaType: string): string {
  return mediaTypeOf(mediaType).startsWith('multipart/') && !/;\s*boundary=/i.test(mediaType)
    ? `${mediaType}; boundary=${boundary}`
    : mediaType;
}

/** Parts with the names of their fields (RFC 7578 §4.2). */
function printParts(fields: readonly (readonly [name: string, value: Json])[]): string {
  const parts = fields.map(([name, value]) => {
    const disposition = name === '' ? '' : `Content-Disposition: form-data; name="${name.replaceAll(/["\r\n]/g, encodeURIComponent)}"\r\n`;
    const type = isObject(value) || isArray(value) ? 'application/json' : 'text/plain; charset=utf-8';
    return `--${boundary}\r\n${disposition}Content-Type: ${type}\r\n\r\n${printCell(value)}\r\n`;
  });
  return `${parts.join('')}--${boundary}--\r\n`;
}

function hasXmlNames(document: Document, schema: Schema): boolean {
  const parts = certainSchemas(document, schema).filter(isObject);
  return parts.some(
    (part) =>
      printJson([part['xml'], part['properties'], part['items']]).includes('"xml"') ||
      part['xml'] !== undefined ||
      part['items'] !== undefined,
  );
}

/** An event of a stream (HTML §9.2.5): its known fields, or else the whole value as data. */
function printEvent(row: Json): string {
  if (!isObject(row) || row['data'] === undefined) return `data: ${printCell(row)}\n\n`;
  const fields = ['id', 'event', 'retry', 'data'].filter((name) => row[name] !== undefined);
  return `${fields.map((name) => `${name}: ${printCell(row[name] ?? '')}\n`).join('')}\n`;
}

/** A table with a header (RFC 4180). */
function printTable(rows: readonly Json[]): string {
  const names = [...new Set(rows.filter(isObject).flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => (isObject(row) ? names.map((name) => row[name] ?? '') : isArray(row) ? row : [row]));
  const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = names.length === 0 ? cells : [names, ...cells];
  return lines.map((line) => `${line.map((cell) => quote(printCell(cell))).join(',')}\r\n`).join('');
}

function printCell(value: Json): string {
  return typeof value === 'string' ? value : printJson(value);
}

/** The smallest file of a media type, in Base64; `undefined` for text. */
function smallestFile(type: string): string | undefined {
  return smallestFiles[type] ?? (/^(?:audio|video|font|image)\//.test(type) && !type.endsWith('xml') ? '' : undefined);
}

const smallestFiles: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'image/gif': 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'image/jpeg':
    '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  'image/svg+xml': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>').toString('base64'),
  'application/pdf': Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  ).toString('base64'),
  'application/zip': 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==',
  'application/gzip': 'H4sIAAAAAAACAwMAAAAAAAAAAAA=',
};
