/** Reads a contract file with all files that it refers to, and follows references between them. What their content means is not decided here. */

import path from 'node:path';
import { type SourceLocation, SpecError, startOf, UsageError } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { valueAt } from '../pointer.ts';
import { readTextFile } from '../read-text-file.ts';
import { type MemberMeaning, membersOf } from './document-members.ts';
import { parseJsonText } from './json-parser.ts';
import { type OverlaidFiles, overlaidFilesOf, placeOf, setOverlaid, viewOfTarget } from './source-positions.ts';
import { parseYaml } from './yaml.ts';

/** Reader of files: takes a path, returns the text. Tests and editors can pass their own. */
export type ReadText = (file: string) => Promise<string>;

/** A contract file and all files that it refers to, as plain values with known positions. */
export interface Document {
  /** Path of the entry file. */
  readonly file: string;
  /** The value of the entry file. */
  readonly root: JsonObject;
  /** The value of each file, by path. */
  readonly files: ReadonlyMap<string, JsonObject>;
  /** The text of each file that was read, by path, including those below an overlay. Empty for a document that was not read from files. */
  readonly texts: ReadonlyMap<string, string>;
  /** Returns the place of a value or, with a key, of that member. Only objects and arrays of this document have a place. */
  readonly place: (value: object, key?: string | number) => SourceLocation;
}

/**
 * Reads a contract file and the files that it refers to. All references are resolved once, so that broken ones are found even where nothing uses them.
 * `openRoot` reads the first file, and may apply overlays to it.
 * @throws {UsageError} if the file cannot be read.
 * @throws {SpecError} if a file is neither JSON nor YAML, uses a merge key, or has a broken reference.
 */
export async function loadDocument(name: string, read: ReadText = readTextFile, openRoot: OpenRoot = openPlainRoot): Promise<Document> {
  const entry = path.normalize(name);
  const texts = new Map<string, string>();
  const readOnce: ReadText = async (file) => {
    const text = await read(file);
    texts.set(file, text);
    return text;
  };
  const { root, overlaid } = await openRoot(entry, readOnce);
  const files = new Map<string, JsonObject>();
  const references: Reference[] = [];
  const add = (file: string, value: JsonObject): void => {
    files.set(file, value);
    references.push(...listReferences(file, value));
  };
  add(entry, root);
  // The list grows during the loop.
  for (const { holder, key, place } of references) {
    const { file } = splitReference(holder, key, place);
    if (files.has(file)) continue;
    const value = await loadContractFile(file, readOnce, place);
    if (overlaid !== undefined) setOverlaid(value, overlaid);
    add(file, value);
  }
  for (const { holder, key, place } of references) resolveReference(files, holder, key, place);
  return createDocument(entry, files, texts);
}

/** The first file of a document, and the files that it consists of if it is an overlay. */
interface OpenedRoot {
  readonly root: JsonObject;
  readonly overlaid?: OverlaidFiles;
}

/** Reads the first file of a document. */
export type OpenRoot = (file: string, read: ReadText) => Promise<OpenedRoot>;

const openPlainRoot: OpenRoot = async (file, read) => ({ root: await loadContractFile(file, read) });

/**
 * Reads one file of a contract. `place` is the reference that leads to it.
 * @throws {UsageError} if it cannot be read, or a SpecError at `place`.
 * @throws {SpecError} if it is neither JSON nor YAML, or not an object.
 */
export async function loadContractFile(file: string, read: ReadText, place?: SourceLocation): Promise<JsonObject> {
  return parseText(file, await readOrExplain(read, file, place));
}

/**
 * Reads another YAML or JSON file, such as a profile, into plain values with known positions. `description` names the kind of file with its article.
 * @throws {UsageError} if the file cannot be read.
 * @throws {SpecError} if it is neither JSON nor YAML, or not an object.
 */
export async function loadDataFile(name: string, description: string, read: ReadText = readTextFile): Promise<JsonObject> {
  const file = path.normalize(name);
  return parseText(file, await readOrExplain(read, file, undefined, `name ${description}`), description);
}

/** Creates a document of parsed values, such as edited copies (see `copyOrigin`). */
export function createDocument(file: string, files: ReadonlyMap<string, JsonObject>, texts: Document['texts'] = new Map()): Document {
  const root = files.get(file) ?? {};
  return { file, root, files, texts, place: (value, key) => placeOf(value, key) ?? startOf(file) };
}

/** Returns the place of the value at a path of keys, or of its nearest parent with a known place. */
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
        `${current['$ref']} refers to itself; replace one reference of the circle by a value`,
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
  const target = resolveReference(document.files, holder, '$ref', document.place(holder, '$ref'));
  return viewOfTarget(holder, target);
}

function resolveReference(files: ReadonlyMap<string, JsonObject>, holder: JsonObject, key: string, place: SourceLocation): Json {
  const { file, pointer } = splitReference(holder, key, place);
  const target = valueAt(files.get(file), pointer);
  if (target !== undefined) return target;
  const message = `${String(holder[key])} leads nowhere: ${file} has nothing at ${pointer || 'its root'}; correct the reference or add its target`;
  throw new SpecError(place, message);
}

/**
 * Splits a reference, the text of a member, into the target file and a JSON Pointer. The file is relative to that of the member's place. Overlays and
 * the file below them have the name of the entry file.
 * @throws {SpecError} at `place` if the reference names an anchor or a URL.
 */
export function splitReference(holder: JsonObject, key: string, place: SourceLocation): { file: string; pointer: string } {
  const reference = String(holder[key]);
  const hash = reference.indexOf('#');
  const name = hash < 0 ? reference : reference.slice(0, hash);
  const fragment = hash < 0 ? '' : reference.slice(hash + 1);
  if (/^[a-z][a-z+.-]+:/i.test(name)) {
    throw new SpecError(
      place,
      `${reference} is a URL, and contracts are read offline; save that file beside this one and refer to it by a relative path`,
    );
  }
  if (fragment !== '' && !fragment.startsWith('/')) {
    throw new SpecError(place, `${reference} names an anchor; write a JSON Pointer such as #/components/schemas/Name`);
  }
  const overlaid = overlaidFilesOf(holder, key);
  const baseFile = overlaid?.files.includes(place.file) === true ? overlaid.openApiFile : place.file;
  const file = name === '' ? baseFile : path.normalize(path.join(path.dirname(baseFile), decodeReference(name, place)));
  return { file: overlaid?.files.includes(file) === true ? overlaid.entry : file, pointer: decodeReference(fragment, place) };
}

function decodeReference(text: string, place: SourceLocation): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new SpecError(place, `${text} has an invalid percent-encoding; write a plain % as %25`, { cause });
  }
}

async function readOrExplain(
  read: ReadText,
  name: string,
  referringPlace: SourceLocation | undefined,
  advice = nameContract,
): Promise<string> {
  try {
    return await read(name);
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    if (referringPlace !== undefined)
      throw new SpecError(referringPlace, `the referenced file ${name} cannot be read (${reason})`, { cause });
    throw new UsageError(`${name} cannot be read (${reason}); ${advice}`, { cause });
  }
}

const nameContract = 'name an OpenAPI file (3.0 or 3.1) in YAML or JSON';

/** Parses a text as JSON, which is a hundred times faster, or as YAML. Of the two, only YAML may begin without a brace. */
function parseText(file: string, text: string, description?: string): JsonObject {
  return /^\uFEFF?\s*\{/.test(text) ? parseJsonText(file, text, description) : parseYaml(file, text, description);
}

/** A reference: the member that states it, and its place. */
interface Reference {
  readonly holder: JsonObject;
  readonly key: string;
  readonly place: SourceLocation;
}

/** Lists all references of a file's value. */
function* listReferences(file: string, root: JsonObject): Generator<Reference> {
  const toReference = (holder: JsonObject, key: string): Reference => ({
    holder,
    key,
    place: placeOf(holder, key) ?? startOf(file),
  });
  for (const holder of listReferring(root)) yield toReference(holder, '$ref');
  // The error schema in `x-api` is a plain string, as in OpenAPI's `discriminator`.
  const api = root['x-api'];
  const error = isObject(api) ? api['error'] : undefined;
  if (isObject(error) && typeof error['schema'] === 'string') yield toReference(error, 'schema');
}

/** Lists every object with a `$ref`. Examples and other data have no references. */
function* listReferring(value: Json, meaning: MemberMeaning = 'keywords'): Generator<JsonObject> {
  for (const { key, member, meaning: memberMeaning } of membersOf(value, meaning)) {
    if (key === '$ref' && typeof member === 'string' && meaning !== 'names') yield value as JsonObject;
    // Extensions of other tools may contain anything. The choices of x-unspecified may refer to schemas.
    else if (memberMeaning !== 'extension' || meaning === 'extension' || key === 'x-unspecified')
      yield* listReferring(member, memberMeaning);
  }
}
