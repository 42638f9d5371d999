/** Reads a contract file with all files that it refers to. What their content means is not decided here. */

import path from 'node:path';
import { type SourceLocation, SpecError, startOf, UsageError } from '../../errors.ts';
import { isObject, type Json, type JsonObject } from '../../json.ts';
import { readTextFile } from '../../read-text-file.ts';
import type { ReadText } from '../document.ts';
import { type MemberMeaning, membersOf } from '../member-meanings.ts';
import { ReferenceTargets } from '../mending/reference-targets.ts';
import { createDocument, type RawDocument, resolveReference } from '../raw-document.ts';
import { type OverlaidFiles, placeOf, setOverlaid } from '../source-positions.ts';
import { parseJsonText } from './json-parser.ts';
import { parseYaml } from './yaml.ts';

/**
 * Reads a file and the files that it refers to. All references are resolved once, so that broken ones are found even where nothing uses them.
 * @throws {UsageError} if the file cannot be read.
 * @throws {SpecError} if a file is neither JSON nor YAML, uses a merge key, or has a broken reference.
 */
export async function loadDocument(name: string, read: ReadText = readTextFile): Promise<RawDocument> {
  const { document, unread } = await loadFiles(name, read, openPlainRoot, true);
  for (const mistake of unread.values()) throw mistake;
  for (const [file, root] of document.files)
    for (const { holder, key, place } of listReferences(file, root)) resolveReference(document.files, holder, key, place);
  return document;
}

/** The files of a document, and the mistakes of the files that could not be read. */
export interface LoadedFiles {
  readonly document: RawDocument;
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
  const { root, overlaid, others } = await openRoot(entry, readOnce, strict);
  const seen = new Set([entry, ...(overlaid?.files ?? [])]);
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
    if (file === undefined || seen.has(file)) continue;
    seen.add(file);
    try {
      if (isTextFile(file)) await readOrExplain(readOnce, file, place);
      else {
        const value = others?.get(file) ?? (await loadContractFile(file, readOnce, { place, strict }));
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
  /** Files that its references lead to, as overlays changed them, by path. */
  readonly others?: ReadonlyMap<string, JsonObject>;
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
  // A comment in JSON is refused where it stands; YAML would take it for a text.
  return /^\uFEFF?\s*(?:\{|\/[/*])/.test(text) ? parseJsonText(file, text, description) : parseYaml(file, text, description, hasMergeKeys);
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
