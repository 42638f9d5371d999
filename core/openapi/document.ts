/** Reads a contract file with all files that it refers to, and follows references between them. What their content means is not decided here. */

import path from 'node:path';
import { type SourceLocation, SpecError, startOf, UsageError } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { valueAt } from '../pointer.ts';
import { readTextFile } from '../read-text-file.ts';
import { type MemberMeaning, membersOf } from './document-members.ts';
import { parseJsonText } from './json-parser.ts';
import { type ReferenceTarget, ReferenceTargets } from './mending/reference-targets.ts';
import type { Remark, SetAside } from './mending/set-aside.ts';
import { type OverlaidFiles, placeOf, setOverlaid, viewOfTarget } from './source-positions.ts';
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
  /** What was left out of the document when it was loaded. */
  readonly setAside: readonly SetAside[];
  /** What is read in one of several ways. */
  readonly remarks: readonly Remark[];
  /** Returns the place of a value or, with a key, of that member. Only objects and arrays of this document have a place. */
  readonly place: (value: object, key?: string | number) => SourceLocation;
}

/**
 * Reads a file and the files that it refers to. All references are resolved once, so that broken ones are found even where nothing uses them.
 * @throws {UsageError} if the file cannot be read.
 * @throws {SpecError} if a file is neither JSON nor YAML, uses a merge key, or has a broken reference.
 */
export async function loadDocument(name: string, read: ReadText = readTextFile): Promise<Document> {
  const { document, unread } = await loadFiles(name, read, openPlainRoot, true);
  for (const mistake of unread.values()) throw mistake;
  for (const [file, root] of document.files)
    for (const { holder, key, place } of listReferences(file, root)) resolveReference(document.files, holder, key, place);
  return document;
}

/** The files of a document, and the mistakes of the files that could not be read. */
export interface LoadedFiles {
  readonly document: Document;
  /** The mistake at the first reference to each file that cannot be read or is neither JSON nor YAML, by path. */
  readonly unread: ReadonlyMap<string, SpecError>;
}

/**
 * Reads a file and the files that it refers to, without testing where references lead in them. `openRoot` reads the first file, and may apply overlays to it.
 * A file of text, such as a description in Markdown, is only in `texts`.
 * @throws {UsageError} if the first file cannot be read.
 * @throws {SpecError} if the first file is neither JSON nor YAML.
 */
export async function loadFiles(name: string, read: ReadText, openRoot: OpenRoot, strict: boolean): Promise<LoadedFiles> {
  const entry = path.normalize(name);
  const texts = new Map<string, string>();
  const readOnce: ReadText = async (file) => {
    const text = await read(file);
    texts.set(file, text);
    return text;
  };
  const { root, overlaid } = await openRoot(entry, readOnce, strict);
  const files = new Map<string, JsonObject>();
  const unread = new Map<string, SpecError>();
  const targets = new ReferenceTargets();
  const references: Reference[] = [];
  const add = (file: string, value: JsonObject): void => {
    files.set(file, value);
    targets.add(file, value);
    references.push(...listReferences(file, value));
  };
  add(entry, root);
  // The list grows during the loop.
  for (const { holder, key, place } of references) {
    const file = targets.fileOf(holder, key, place);
    if (file === undefined || files.has(file) || texts.has(file) || unread.has(file)) continue;
    try {
      if (isTextFile(file)) await readOrExplain(readOnce, file, place);
      else {
        const value = await loadContractFile(file, readOnce, { place, strict });
        if (overlaid !== undefined) setOverlaid(value, overlaid);
        add(file, value);
      }
    } catch (error) {
      if (!(error instanceof SpecError)) throw error;
      unread.set(file, error);
    }
  }
  return { document: createDocument(entry, files, texts), unread };
}

/** True for a file whose text is the value, such as a description (`$ref: about.md`). */
export function isTextFile(file: string): boolean {
  return /\.(md|markdown|txt|html?)$/i.test(file);
}

/** The first file of a document, and the files that it consists of if it is an overlay. */
interface OpenedRoot {
  readonly root: JsonObject;
  readonly overlaid?: OverlaidFiles;
}

/** Reads the first file of a document. */
export type OpenRoot = (file: string, read: ReadText, strict: boolean) => Promise<OpenedRoot>;

const openPlainRoot: OpenRoot = async (file, read, strict) => ({ root: await loadContractFile(file, read, { strict }) });

/**
 * Reads one file of a contract. `place` is the reference that leads to it. A strict reading refuses YAML's merge keys.
 * @throws {UsageError} if it cannot be read, or a SpecError at `place`.
 * @throws {SpecError} if it is neither JSON nor YAML, or not an object.
 */
export async function loadContractFile(
  file: string,
  read: ReadText,
  { place, strict }: { readonly place?: SourceLocation; readonly strict: boolean },
): Promise<JsonObject> {
  return parseText(file, await readOrExplain(read, file, place), undefined, !strict);
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
  return { file, root, files, texts, setAside: [], remarks: [], place: (value, key) => placeOf(value, key) ?? startOf(file) };
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
 * @throws {SpecError} at `place` if the reference names an anchor or a URL: a loaded contract has neither.
 */
export function splitReference(holder: JsonObject, key: string, place: SourceLocation): ReferenceTarget {
  return plainTargets.find(holder, key, place);
}

/** Finds plain references, without the identifiers of schemas. */
const plainTargets = new ReferenceTargets();

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
function parseText(file: string, text: string, description?: string, hasMergeKeys?: boolean): JsonObject {
  return /^\uFEFF?\s*\{/.test(text) ? parseJsonText(file, text, description) : parseYaml(file, text, description, hasMergeKeys);
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
    // The value of a name is never a plain text, so a text called $ref is a reference there too.
    if (key === '$ref' && typeof member === 'string') yield value as JsonObject;
    // Extensions of other tools may contain anything. The choices of x-unspecified may refer to schemas.
    else if (memberMeaning !== 'extension' || meaning === 'extension' || key === 'x-unspecified')
      yield* listReferring(member, memberMeaning);
  }
}
