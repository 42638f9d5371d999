/**
 * The content of a contract's files as plain values, and the references between them. Only core reads it: a judge that read a member by itself would miss what
 * stands behind references, in other versions and in the other direction.
 */

import { type SourceLocation, SpecError, startOf } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { getOrCompute } from '../memo.ts';
import { fromPointer, valueAt } from '../pointer.ts';
import type { Document } from './document.ts';
import { type ReferenceTarget, ReferenceTargets } from './mending/reference-targets.ts';
import { placeOf, viewOfTarget } from './source-positions.ts';

/** A document with its content. */
export interface RawDocument extends Document {
  /** The value of the entry file. */
  readonly root: JsonObject;
  /** The value of each file, by path. */
  readonly files: ReadonlyMap<string, JsonObject>;
}

/** The content of a document. */
export function rawOf(document: Document): RawDocument {
  return document as RawDocument;
}

/** Creates a document of parsed values, such as edited copies (see `copyOrigin`). */
export function createDocument(file: string, files: ReadonlyMap<string, JsonObject>, texts: Document['texts'] = new Map()): RawDocument {
  const root = files.get(file) ?? {};
  return { file, root, files, texts, setAside: [], remarks: [], place: (value, key) => placeOf(value, key) ?? startOf(file) };
}

/**
 * Follows references until the value has no `$ref`. Members beside a `$ref` are ignored: they have a meaning only in schemas.
 * @throws {SpecError} if a reference leads nowhere or in a circle.
 */
export function follow(document: Document, value: Json | undefined): Json | undefined {
  const visited = new Set<JsonObject>();
  let current = value;
  while (isObject(current) && typeof current['$ref'] === 'string') {
    if (visited.has(current))
      throw new SpecError(
        document.place(current, '$ref'),
        `${current['$ref']} refers to itself; replace one reference in the cycle with a value`,
      );
    visited.add(current);
    current = followOnce(document, current);
  }
  return current;
}

/**
 * Returns the target of an object's `$ref`, which may be a reference itself; `undefined` without a `$ref`.
 * @throws {SpecError} if it leads nowhere.
 */
export function followOnce(document: Document, holder: JsonObject): Json | undefined {
  if (typeof holder['$ref'] !== 'string') return undefined;
  const { files } = rawOf(document);
  const targets = getOrCompute(targetsOfFiles, files, () => new WeakMap<JsonObject, Json>());
  return getOrCompute(targets, holder, () => viewOfTarget(holder, resolveReference(files, holder, '$ref', document.place(holder, '$ref'))));
}

/** The targets of the references that were followed, by the files of the document. */
const targetsOfFiles = new WeakMap<RawDocument['files'], WeakMap<JsonObject, Json>>();

export function resolveReference(files: ReadonlyMap<string, JsonObject>, holder: JsonObject, key: string, place: SourceLocation): Json {
  const { file, pointer } = splitReference(holder, key, place);
  const target = valueAt(files.get(file), pointer);
  if (target !== undefined) return target;
  const message = `${String(holder[key])} cannot be resolved: ${file} has nothing at ${pointer || 'its root'}; correct the reference or add its target`;
  throw new SpecError(place, message);
}

/**
 * Splits a reference, the text of a member, into the target file and a JSON Pointer. The file is relative to that of the member's place. Overlays and
 * the file below them have the name of the entry file.
 * @throws {SpecError} at `place` if the reference names an anchor or a URL: a loaded contract has neither.
 */
export function splitReference(holder: JsonObject, key: string, place: SourceLocation): ReferenceTarget {
  return plainTargets.find(holder, key, place);
}

/** Finds plain references, without the identifiers of schemas. */
const plainTargets = new ReferenceTargets();

/** The value at a pointer. References on the way are followed; one at the pointer itself is the value. */
export function valueBehind(document: Document, pointer: string): Json | undefined {
  return fromPointer(pointer).reduce<Json | undefined>((holder, key) => {
    const value = follow(document, holder);
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
  }, rawOf(document).root);
}
