/** References into schemas whose keywords have other names in draft 2020-12. */

import type { Reading } from './dialect-walk.ts';
import { type Document, splitReference } from './document.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { fromPointer, toPointer } from './pointer.ts';

/** The `$ref` of a schema, as it must be written when all schemas are in draft 2020-12: the same, unless it leads through a keyword that was renamed. */
export function rewriteReference(
  document: Document,
  schemas: ReadonlyMap<JsonObject, Reading>,
  holder: JsonObject,
  reference: string,
): string {
  if (!movable.test(reference)) return reference;
  const place = document.place(holder, '$ref');
  const { file, pointer } = splitReference(place.file, reference, place);
  const keys = fromPointer(pointer);
  let value: Json | undefined = document.files.get(file);
  const moved = keys.map((key) => {
    const now = isObject(value) ? renamed(value, schemas.get(value), key) : key;
    value = typeof value === 'object' && value !== null ? (value as JsonObject)[key] : undefined;
    return now;
  });
  if (moved.every((key, index) => key === keys[index])) return reference;
  const fragment = toPointer(moved).split('/').map(encodeURIComponent).join('/');
  return `${reference.slice(0, reference.indexOf('#'))}#${fragment}`;
}

/** Most references lead to whole schemas, and only these keywords are renamed. */
const movable = /\/(items|additionalItems|dependencies)(\/|$)/;

function renamed(schema: JsonObject, reading: Reading | undefined, key: string): string {
  if (reading?.dialect.hasDependencies === true && key === 'dependencies') return 'dependentSchemas';
  if (reading?.dialect.hasItemLists !== true || !Array.isArray(schema['items'])) return key;
  return key === 'items' ? 'prefixItems' : key === 'additionalItems' ? 'items' : key;
}
