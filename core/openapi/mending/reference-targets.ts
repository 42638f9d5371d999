/** Finds where references lead (by file and JSON Pointer, by `$id`, and by `$anchor`) while a document is loaded. Whether a value is there is not tested. */

import path from 'node:path';
import { type SourceLocation, SpecError } from '../../errors.ts';
import { isObject, type Json, type JsonObject } from '../../json.ts';
import { getOrCompute } from '../../memo.ts';
import { fromPointer, toPointer } from '../../pointer.ts';
import { type MemberMeaning, membersOf } from '../member-meanings.ts';
import { copyOrigin, overlaidFilesOf } from '../source-positions.ts';

/** A value of a document: its file, and a pointer in that file. */
export interface ReferenceTarget {
  readonly file: string;
  readonly pointer: string;
}

/** The identified schemas of several files. A file without identifiers costs one walk, and its references are plain pointers. */
export class ReferenceTargets {
  /** Files and schemas with an `$id`, by their absolute URI, or their path where nothing around them has a URI. */
  private readonly resources = new Map<string, ReferenceTarget>();
  /** Places of `$anchor` and `$dynamicAnchor`, by resource and name. */
  private readonly anchors = new Map<string, ReferenceTarget>();
  private readonly dynamicAnchors = new Map<string, Map<object, ReferenceTarget>>();
  /** The URI of the nearest `$id` around an object, if there is one. */
  private readonly bases = new WeakMap<object, string>();

  /** Finds the identifiers of a file. */
  add(file: string, root: JsonObject): void {
    this.index(root, 'keywords', { file, base: undefined, keys: undefined });
  }

  /**
   * Returns where a reference leads. Whether there is a value at that place is not tested.
   * @throws {SpecError} at `place` for a URL or an anchor that nothing has.
   */
  find(holder: JsonObject, key: string, place: SourceLocation): ReferenceTarget {
    const { target, resource, fragment } = this.locate(holder, key, place);
    const decoded = decodeReference(fragment, place);
    if (decoded === '' || decoded.startsWith('/')) return { file: target.file, pointer: `${target.pointer}${decoded}` };
    const anchor = this.anchors.get(`${resource}#${decoded}`);
    if (anchor !== undefined) return anchor;
    throw new SpecError(
      place,
      `${String(holder[key])} names an anchor that does not exist; write a JSON Pointer such as #/components/schemas/Name`,
    );
  }

  /** Returns the file that a reference leads to; `undefined` for a URL that nothing has. */
  fileOf(holder: JsonObject, key: string, place: SourceLocation): string | undefined {
    try {
      return this.locate(holder, key, place).target.file;
    } catch (error) {
      if (error instanceof SpecError) return undefined;
      throw error;
    }
  }

  /** The file or identified schema that a reference leads to, its name among the resources, and the fragment of the reference. */
  private locate(
    holder: JsonObject,
    key: string,
    place: SourceLocation,
  ): { readonly target: ReferenceTarget; readonly resource: string; readonly fragment: string } {
    const reference = String(holder[key]);
    const { name, fragment } = splitFragment(reference);
    const { baseFile, entryOf } = fileOfMember(holder, key, place);
    const isUrl = hasScheme(name);
    const file = name === '' || isUrl ? baseFile : path.normalize(path.join(path.dirname(baseFile), decodeReference(name, place)));
    const base = this.bases.get(holder);
    const uri = isUrl || base !== undefined ? resolveUri(name, base ?? baseFile) : file;
    const identified = this.resources.get(uri);
    if (identified !== undefined) return { target: identified, resource: uri, fragment };
    if (!isUrl) return { target: { file: entryOf(file), pointer: '' }, resource: entryOf(file), fragment };
    throw new SpecError(
      place,
      `${reference} is a URL, and contracts are read offline; save that file beside this one and refer to it by a relative path`,
    );
  }

  /** Returns the reference as a path and a pointer; `undefined` if it is one, or leads nowhere. */
  asPointer(holder: JsonObject, key: string, place: SourceLocation): string | undefined {
    if (this.resources.size === 0 && this.anchors.size === 0) return undefined;
    const { file, pointer } = this.find(holder, key, place);
    const { baseFile, entryOf } = fileOfMember(holder, key, place);
    const fileName = file === entryOf(baseFile) ? '' : encodeURI(path.relative(path.dirname(baseFile), file));
    return toReference(fileName, pointer);
  }

  /** True if several schemas have a dynamic anchor of one name, so that what `$dynamicRef` means depends on the schemas around it. */
  get areDynamic(): boolean {
    return [...this.dynamicAnchors.values()].some(({ size }) => size > 1);
  }

  /** A reference to a schema with a dynamic anchor; `undefined` if the schema is none of the files. */
  toAnchored(schema: JsonObject): JsonObject | undefined {
    const target = this.dynamicAnchors.get(String(schema['$dynamicAnchor']))?.get(schema);
    return target === undefined ? undefined : copyOrigin(schema, { $ref: toReference('', target.pointer) });
  }

  private index(value: Json, meaning: MemberMeaning, { file, base, keys }: IndexedPlace): void {
    if (typeof value !== 'object' || value === null) return;
    const schema = meaning === 'keywords' && isObject(value) ? value : undefined;
    const uri = schema === undefined ? base : (uriOf(schema, base ?? file, keys === undefined) ?? base);
    if (uri !== undefined && uri !== base) this.resources.set(uri, { file, pointer: toPointer(listKeys(keys)) });
    if (schema !== undefined) this.indexAnchors(schema, () => ({ file, pointer: toPointer(listKeys(keys)) }), uri ?? file);
    if (uri !== undefined) this.bases.set(value, uri);
    const indexed = membersOf(value, meaning).filter((each) => each.meaning === 'keywords' || each.meaning === 'names');
    for (const { key, member, meaning: memberMeaning } of indexed)
      this.index(member, memberMeaning, { file, base: uri, keys: { parent: keys, key } });
  }

  private indexAnchors(schema: JsonObject, targetOf: () => ReferenceTarget, resource: string): void {
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = schema[keyword];
      if (typeof name !== 'string') continue;
      const target = targetOf();
      this.anchors.set(`${resource}#${name}`, target);
      if (keyword === '$anchor') continue;
      getOrCompute(this.dynamicAnchors, name, () => new Map<object, ReferenceTarget>()).set(schema, target);
    }
  }
}

function toReference(file: string, pointer: string): string {
  return `${file}#${toPointer(fromPointer(pointer)).split('/').map(encodeURIComponent).join('/')}`;
}

interface IndexedPlace {
  readonly file: string;
  readonly base: string | undefined;
  readonly keys: KeyPath | undefined;
}

/** The keys that lead to a value, from its end: most are never listed. */
interface KeyPath {
  readonly parent: KeyPath | undefined;
  readonly key: string | number;
}

function listKeys(last: KeyPath | undefined): readonly (string | number)[] {
  const keys: (string | number)[] = [];
  for (let current = last; current !== undefined; current = current.parent) keys.unshift(current.key);
  return keys;
}

/** The file that the references of a member are relative to, and the name of a file in the document. Overlays and the file below them have one name. */
function fileOfMember(
  holder: JsonObject,
  key: string,
  place: SourceLocation,
): { readonly baseFile: string; readonly entryOf: (file: string) => string } {
  const overlaid = overlaidFilesOf(holder, key);
  return {
    baseFile: overlaid?.files.includes(place.file) === true ? overlaid.openApiFile : place.file,
    entryOf: (file) => (overlaid?.files.includes(file) === true ? overlaid.entry : file),
  };
}

/** The URI that a schema, or with `$self` a file, gives itself. */
function uriOf({ $id: id, $self: self }: JsonObject, base: string, isRoot: boolean): string | undefined {
  const own = id ?? (isRoot ? self : undefined);
  return typeof own === 'string' && !own.startsWith('#') ? resolveUri(splitFragment(own).name, base) : undefined;
}

function splitFragment(reference: string): { readonly name: string; readonly fragment: string } {
  const hash = reference.indexOf('#');
  return hash < 0 ? { name: reference, fragment: '' } : { name: reference.slice(0, hash), fragment: reference.slice(hash + 1) };
}

function hasScheme(name: string): boolean {
  return /^[a-z][a-z+.-]+:/i.test(name);
}

function resolveUri(name: string, base: string): string {
  if (hasScheme(name)) return name;
  if (name === '') return base;
  return hasScheme(base) && URL.canParse(name, base) ? new URL(name, base).href : path.normalize(path.join(path.dirname(base), name));
}

function decodeReference(text: string, place: SourceLocation): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new SpecError(place, `${text} has an invalid percent-encoding; write a plain % as %25`, { cause });
  }
}
