/** Reading contract files: YAML with positions, and files that refer to files. The only door for YAML and for files of contracts. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, type Range } from 'yaml';
import { type Place, SpecError, UsageError } from './errors.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { valueAt } from './pointer.ts';

/** How text of a file comes in; an argument, so that tests and editors can bring their own. */
export type ReadText = (file: string) => Promise<string>;

/** A contract file and every file that it refers to, as plain values that remember where they stand. */
export interface Document {
  /** The entry file, as it was named. */
  readonly file: string;
  /** The value of the entry file. */
  readonly root: JsonObject;
  /** The value of each file, by path. */
  readonly files: ReadonlyMap<string, JsonObject>;
  /** Where a value stands; with a key, where that member stands. Only objects and arrays of this document have a place. */
  readonly place: (value: object, key?: string | number) => Place;
}

/** Where a value stands and where its members do. Kept beside the values, by identity. */
interface Origin {
  readonly file: string;
  readonly at: Place;
  readonly members: ReadonlyMap<string, Place>;
}

/** Remembers the origin of copies too, so that a resolved contract still knows the lines of its file. */
const origins = new WeakMap<object, Origin>();

/**
 * Reads a contract file and the files that it refers to.
 * @throws {UsageError} when the file cannot be read.
 * @throws {SpecError} when a file is not YAML, uses a merge key, or refers to something that cannot be read.
 */
export async function loadDocument(file: string, read: ReadText = (name) => readFile(name, 'utf8')): Promise<Document> {
  const files = new Map<string, JsonObject>();
  const waiting: { name: string; from: Place | undefined }[] = [{ name: file, from: undefined }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (files.has(next.name)) continue;
    const root = parseText(next.name, await readOrExplain(read, next.name, next.from));
    files.set(next.name, root);
    for (const reference of listReferences(root)) {
      const { file: target } = splitReference(next.name, reference.value, reference.place);
      if (!files.has(target)) waiting.push({ name: target, from: reference.place });
    }
  }
  return createDocument(file, files);
}

/** A document over values that are already read, such as a copy with answers filled in (see `copyOrigin`). */
export function createDocument(file: string, files: ReadonlyMap<string, JsonObject>): Document {
  const root = files.get(file) ?? {};
  return { file, root, files, place: (value, key) => placeOf(value, key) ?? { file, line: 1, column: 1 } };
}

/** Lets a copy stand where its original stands. */
export function copyOrigin(original: object, copy: object): void {
  const origin = origins.get(original);
  if (origin !== undefined) origins.set(copy, origin);
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
 * What the `$ref` of an object names, one step on; `undefined` when the object has none.
 * @throws {SpecError} when it leads nowhere.
 */
export function referred(document: Document, holder: JsonObject): Json | undefined {
  const reference = holder['$ref'];
  if (typeof reference !== 'string') return undefined;
  const { file, pointer } = referenceTarget(document, holder, reference);
  const found = valueAt(document.files.get(file), pointer);
  if (found !== undefined) return found;
  const message = `${reference} leads nowhere: ${file} has nothing at ${pointer || 'its root'}; correct the reference or add what it names`;
  throw new SpecError(document.place(holder, '$ref'), message);
}

/** The file and the pointer that a `$ref` names, relative to the file it stands in. */
function referenceTarget(document: Document, holder: JsonObject, reference: string): { readonly file: string; readonly pointer: string } {
  const place = document.place(holder, '$ref');
  return splitReference(origins.get(holder)?.file ?? document.file, reference, place);
}

function splitReference(from: string, reference: string, place: Place): { file: string; pointer: string } {
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
    file: name === '' ? from : path.normalize(path.join(path.dirname(from), decodeURIComponent(name))),
    pointer: decodeURIComponent(fragment),
  };
}

async function readOrExplain(read: ReadText, name: string, from: Place | undefined): Promise<string> {
  try {
    return await read(name);
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    if (from !== undefined) throw new SpecError(from, `the file ${name} that is referred to here cannot be read (${reason})`, { cause });
    throw new UsageError(`${name} cannot be read (${reason}); name an OpenAPI 3.1 file in YAML or JSON`, { cause });
  }
}

function parseText(file: string, text: string): JsonObject {
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): Place => ({
    file,
    line: Math.max(1, lines.linePos(offset).line),
    column: Math.max(1, lines.linePos(offset).col),
  });
  const [error] = parsed.errors;
  if (error !== undefined) throw new SpecError(at(error.pos[0]), `this is not valid YAML: ${error.message}`);
  const value = new Builder(file, at).build(parsed.contents);
  if (!isObject(value)) throw new SpecError({ file, line: 1, column: 1 }, 'an OpenAPI document is an object, and this file holds none');
  return value;
}

/** Turns YAML nodes into plain values and notes where each stands. */
class Builder {
  private readonly file: string;
  private readonly at: (offset: number) => Place;
  private readonly anchors = new Map<string, Json>();

  constructor(file: string, at: (offset: number) => Place) {
    this.file = file;
    this.at = at;
  }

  build(node: unknown): Json {
    if (isAlias(node)) return this.anchors.get(node.source) ?? this.refuse(node, `the alias *${node.source} has no anchor above it`);
    const value = this.buildPlain(node);
    const anchor = (node as { anchor?: string } | null)?.anchor;
    if (anchor !== undefined) this.anchors.set(anchor, value);
    return value;
  }

  private buildPlain(node: unknown): Json {
    if (isMap<Node, Node | null>(node)) return this.buildMap(node.items, node.range);
    if (isSeq<Node>(node)) return this.buildSeq(node.items, node.range);
    if (!isScalar(node) || node.value === undefined) return null;
    const value = node.value;
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    return this.refuse(node as Node, `${String(value)} has no place in JSON; write a string, a finite number, true, false or null`);
  }

  private buildMap(pairs: readonly Pair<Node, Node | null>[], range: Range | null | undefined): JsonObject {
    const members = new Map<string, Place>();
    const object: Record<string, Json> = {};
    for (const { key, value } of pairs) {
      const name = isScalar(key) ? String(key.value) : this.refuse(key, 'a key is a string');
      if (name === '<<') this.refuse(key, 'a YAML merge key (<<) is dropped silently by some readers; write the members out or use $ref');
      members.set(name, this.at(key.range?.[0] ?? 0));
      Object.defineProperty(object, name, { value: this.build(value), enumerable: true, configurable: true, writable: true });
    }
    origins.set(object, { file: this.file, at: this.at(range?.[0] ?? 0), members });
    return object;
  }

  private buildSeq(nodes: readonly Node[], range: Range | null | undefined): readonly Json[] {
    const array = nodes.map((node) => this.build(node));
    const members = new Map(nodes.map((node, index) => [String(index), this.at(node.range?.[0] ?? 0)]));
    origins.set(array, { file: this.file, at: this.at(range?.[0] ?? 0), members });
    return array;
  }

  private refuse(node: Node, message: string): never {
    throw new SpecError(this.at(node.range?.[0] ?? 0), message);
  }
}

function placeOf(value: object, key?: string | number): Place | undefined {
  const origin = origins.get(value);
  return key === undefined ? origin?.at : (origin?.members.get(String(key)) ?? origin?.at);
}

/** Every `$ref` of a value, but for those inside examples and other literal data, which only look like references. */
function* listReferences(value: Json, keysAreNames = false): Generator<{ readonly value: string; readonly place: Place }> {
  if (Array.isArray(value)) for (const member of value as readonly Json[]) yield* listReferences(member);
  if (!isObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    if (keysAreNames) yield* listReferences(member);
    else if (key === '$ref' && typeof member === 'string')
      yield { value: member, place: placeOf(value, key) ?? { file: '', line: 1, column: 1 } };
    else if (!literalKeys.has(key) && !(key === 'examples' && Array.isArray(member))) yield* listReferences(member, nameMaps.has(key));
  }
}

/** Keys whose value is data, whatever it looks like. */
const literalKeys: ReadonlySet<string> = new Set(['example', 'const', 'enum', 'default', 'value']);

/** Keys whose members are named by the author, so that a property may be called `value` or `default`. */
const nameMaps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
  'paths',
  'webhooks',
  'examples',
  'responses',
  'headers',
  'schemas',
  'parameters',
  'requestBodies',
  'securitySchemes',
  'links',
  'callbacks',
  'pathItems',
  'content',
]);
