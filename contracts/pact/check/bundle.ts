/** A contract in one plain document, for tools that follow no reference into another file. */

import { type Document, follow, splitReference } from '../../../core/document.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { type Position, positionOf } from '../../../core/traverse.ts';

/** Where the other files are put. */
const shelf = 'x-files';

/** One document without references to other files. It shares nothing with the contract, so that it may be changed. */
export function bundle(document: Document): JsonObject {
  const others = [...document.files.keys()].filter((file) => file !== document.file);
  const numbers = new Map(others.map((file, index) => [file, `file${index}`]));
  const root = copy(document, numbers, withPathItems(document), 'keywords', document.file) as JsonObject;
  if (others.length === 0) return root;
  const files = others.map((file) => [numbers.get(file) ?? '', copy(document, numbers, document.files.get(file) ?? {}, 'keywords', file)]);
  return { ...root, [shelf]: Object.fromEntries(files) as JsonObject };
}

/** Such tools look for operations where paths are listed, and not behind a reference. */
function withPathItems(document: Document): JsonObject {
  const { paths } = document.root;
  if (!isObject(paths)) return document.root;
  const items = Object.entries(paths).map(([path, item]) => [path, follow(document, item) ?? {}] as const);
  return { ...document.root, paths: Object.fromEntries(items) };
}

function copy(document: Document, numbers: ReadonlyMap<string, string>, value: Json, position: Position, file: string): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return (value as readonly Json[]).map((each, index) => copy(document, numbers, each, positionOf(position, index, each), file));
  // What stands in another file than its holder is known by its place, since a path item may have been fetched from there.
  const from = document.place(value).file;
  const entries = Object.entries(value as JsonObject).map(([key, member]) => {
    const isReference = key === '$ref' && typeof member === 'string' && position === 'keywords';
    return [
      key,
      isReference
        ? rewrite(document, numbers, value, member, from)
        : copy(document, numbers, member, positionOf(position, key, member), from),
    ];
  });
  return Object.fromEntries(entries) as JsonObject;
}

function rewrite(document: Document, numbers: ReadonlyMap<string, string>, holder: object, reference: string, from: string): string {
  const { file, pointer } = splitReference(from, reference, document.place(holder, '$ref'));
  const number = numbers.get(file);
  return number === undefined ? `#${pointer}` : `#/${shelf}/${number}${pointer}`;
}
