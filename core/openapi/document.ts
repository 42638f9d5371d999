/** Reading contract files, and files that refer to files. The only door for files of contracts. */

import path from 'node:path';
import { type SourceLocation, SpecError, UsageError } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { valueAt } from '../pointer.ts';
import { readTextFile } from '../text-file.ts';
import { type Position, positionOf } from './document-positions.ts';
import { JsonSyntaxError, parseJsonText } from './json-text.ts';
import { placeOf } from './source-positions.ts';
import { parseYaml } from './yaml.ts';

/** Reader of files: takes a path, returns the text. Tests and editors can pass their own. */
export type ReadText = (file: string) => Promise<string>;

/** A contract file and every file that it refers to, as plain values that remember where they stand. */
export interface Document {
  /** The entry file, as it was named. */
  readonly file: string;
  /** The value of the entry file. */
  readonly root: JsonObject;
  /** The value of each file, by path. */
  readonly files: ReadonlyMap<string, JsonObject>;
  /** Returns the place of a value or, with a key, of that member. Only objects and arrays of this document have a place. */
  readonly place: (value: object, key?: string | number) => SourceLocation;
}

/**
 * Reads a contract file and the files that it refers to.
 * @throws {UsageError} when the file cannot be read.
 * @throws {SpecError} when a file is neither JSON nor YAML, uses a merge key, or refers to something that cannot be read.
 */
export async function loadDocument(name: string, read: ReadText = readTextFile): Promise<Document> {
  const file = path.normalize(name);
  const files = new Map<string, JsonObject>();
  const references: Reference[] = [];
  const waiting: { name: string; from: SourceLocation | undefined }[] = [{ name: file, from: undefined }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (files.has(next.name)) continue;
    const root = parseText(next.name, await readOrExplain(read, next.name, next.from));
    files.set(next.name, root);
    const found = [...listReferences(root), ...listNamedSchemas(root)];
    references.push(...found);
    for (const { value, place } of found) {
      const { file: target } = splitReference(next.name, value, place);
      if (!files.has(target)) waiting.push({ name: target, from: place });
    }
  }
  // A reference that nothing uses yet would be found out only by the one who starts to use it.
  for (const { value, place } of references) resolveReference(files, place, value);
  return createDocument(file, files);
}

/**
 * Reads a YAML or JSON file that is no contract, into plain values that remember where they stand. `what` is what it should be, with its article.
 * @throws {UsageError} when the file cannot be read.
 * @throws {SpecError} when it is neither JSON nor YAML, or holds no object.
 */
export async function loadData(name: string, what: string, read: ReadText = readTextFile): Promise<JsonObject> {
  const file = path.normalize(name);
  return parseText(file, await readOrExplain(read, file, undefined, `name ${what}`), what);
}

/** A document over values that are already read, such as a copy with answers filled in (see `copyOrigin`). */
export function createDocument(file: string, files: ReadonlyMap<string, JsonObject>): Document {
  const root = files.get(file) ?? {};
  return { file, root, files, place: (value, key) => placeOf(value, key) ?? { file, line: 1, column: 1 } };
}

/** The place of what stands at a path of keys below a value, as deep as lines are known. */
export function placeBelow(document: Document, value: Json | undefined, keys: readonly (string | number)[]): SourceLocation {
  let place = typeof value === 'object' && value !== null ? document.place(value) : document.place(document.root);
  let current = value;
  for (const key of keys) {
    if (typeof current !== 'object' || current === null) break;
    place = document.place(current, key);
    current = (current as JsonObject)[key];
  }
  return place;
}

/**
 * Follows `$ref` until there is none. Members beside a `$ref` are not merged: OpenAPI gives them meaning only in schemas.
 * @throws {SpecError} when a reference leads nowhere or in a circle.
 */
export function follow(document: Document, value: Json | undefined): Json | undefined {
  const seen = new Set<JsonObject>();
  let current = value;
  while (isObject(current) && typeof current['$ref'] === 'string') {
    if (seen.has(current))
      throw new SpecError(document.place(current, '$ref'), `${current['$ref']} refers to itself in a circle; one of them must be a value`);
    seen.add(current);
    current = referred(document, current);
  }
  return current;
}

/**
 * Target of an object's `$ref`, one step on; `undefined` without one.
 * @throws {SpecError} when it leads nowhere.
 */
export function referred(document: Document, holder: JsonObject): Json | undefined {
  const reference = holder['$ref'];
  if (typeof reference !== 'string') return undefined;
  const place = document.place(holder, '$ref');
  return resolveReference(document.files, place, reference);
}

function resolveReference(files: ReadonlyMap<string, JsonObject>, place: SourceLocation, reference: string): Json {
  const { file, pointer } = splitReference(place.file, reference, place);
  const found = valueAt(files.get(file), pointer);
  if (found !== undefined) return found;
  const message = `${reference} leads nowhere: ${file} has nothing at ${pointer || 'its root'}; correct the reference or add what it names`;
  throw new SpecError(place, message);
}

/**
 * The file and the JSON Pointer that a reference names, from the file that it stands in.
 * @throws {SpecError} at the place of the reference when it names an anchor or something outside the file system.
 */
export function splitReference(from: string, reference: string, place: SourceLocation): { file: string; pointer: string } {
  const hash = reference.indexOf('#');
  const name = hash < 0 ? reference : reference.slice(0, hash);
  const fragment = hash < 0 ? '' : reference.slice(hash + 1);
  if (/^[a-z][a-z+.-]+:/i.test(name)) {
    throw new SpecError(
      place,
      `${reference} is outside the file system, and contracts are read offline; save that file beside this one and refer to it by a relative path`,
    );
  }
  if (fragment !== '' && !fragment.startsWith('/')) {
    throw new SpecError(place, `${reference} names an anchor; write a JSON Pointer such as #/components/schemas/Name`);
  }
  return {
    file: name === '' ? from : path.normalize(path.join(path.dirname(from), decode(name, place))),
    pointer: decode(fragment, place),
  };
}

function decode(text: string, place: SourceLocation): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new SpecError(place, `${text} is not well percent-encoded; write a plain % as %25`, { cause });
  }
}

async function readOrExplain(read: ReadText, name: string, from: SourceLocation | undefined, advice = nameContract): Promise<string> {
  try {
    return await read(name);
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    if (from !== undefined) throw new SpecError(from, `the file ${name} that is referred to here cannot be read (${reason})`, { cause });
    throw new UsageError(`${name} cannot be read (${reason}); ${advice}`, { cause });
  }
}

const nameContract = 'name an OpenAPI file (3.0 or 3.1) in YAML or JSON';

/** JSON is YAML too, but its own reader is a hundred times as fast; what only begins like JSON may be a flow mapping of YAML. */
function parseText(file: string, text: string, what?: string): JsonObject {
  if (!/^\uFEFF?\s*\{/.test(text)) return parseYaml(file, text, what);
  try {
    return parseJsonText(file, text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return parseFlowMapping(file, text, error);
  }
}

/** A `.json` file is parsed as JSON, so that its errors are those of JSON. */
function parseFlowMapping(file: string, text: string, asJson: JsonSyntaxError): JsonObject {
  try {
    return parseYaml(file, text);
  } catch (asYaml) {
    throw asYaml instanceof SpecError && /\.json$/i.test(file) ? asJson : asYaml;
  }
}

/** Every `$ref` of a value, but for those inside examples and other data, which only look like references. */
function* listReferences(value: Json, position: Position = 'keywords'): Generator<Reference> {
  if (typeof value !== 'object' || value === null || position === 'data') return;
  const entries = Array.isArray(value) ? [...(value as readonly Json[]).entries()] : Object.entries(value as JsonObject);
  for (const [key, member] of entries) {
    if (key === '$ref' && typeof member === 'string' && position !== 'names')
      yield { value: member, place: placeOf(value, key) ?? nowhere };
    // Other tools put into their extensions what they like; ours may refer to schemas.
    else if (key !== 'x-unspecified' && positionOf(position, key, member) === 'extension' && position === 'keywords') continue;
    else yield* listReferences(member, positionOf(position, key, member));
  }
}

interface Reference {
  readonly value: string;
  readonly place: SourceLocation;
}

/** The place of values that no file holds; what comes out of a file always has one. */
const nowhere: SourceLocation = { file: '', line: 1, column: 1 };

/** `x-api` names the schema of errors by a plain string, as OpenAPI does in `discriminator`. */
function listNamedSchemas(root: JsonObject): readonly Reference[] {
  const api = root['x-api'];
  const error = isObject(api) ? api['error'] : undefined;
  if (!isObject(error) || typeof error['schema'] !== 'string') return [];
  return [{ value: error['schema'], place: placeOf(error, 'schema') ?? nowhere }];
}
