/**
 * Positions (file, line, column) of parsed objects and arrays, kept by identity: a copy has none until it takes over that of its original. Strings have the
 * position of their member.
 */

import { bisect } from '../bisect.ts';
import { type SourceLocation, startOf } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import { getOrCompute } from '../memo.ts';

/** A parsed file: its name and the offsets of its lines. All values of the file share it. */
export interface SourceText {
  readonly file: string;
  readonly lineStarts: readonly number[];
  /** Set for the files of a document that begins with an overlay. */
  overlaid?: OverlaidFiles;
}

/** Files that became one value: the overlays, and the OpenAPI file below them. */
export interface OverlaidFiles {
  /** The name of that value. */
  readonly entry: string;
  /** The OpenAPI file. References of all overlaid files are relative to it. */
  readonly openApiFile: string;
  readonly files: readonly string[];
}

/** Offsets of members, and their keys in the order of the file; `undefined` keys for an array. */
interface Members {
  readonly keys: readonly string[] | undefined;
  readonly offsets: readonly number[];
  /** The file of each member, if they come from several files. */
  readonly sources?: readonly SourceText[];
}

/** Offsets of a value and its members. Lines are computed on demand, since most are never needed. */
interface SourceOrigin {
  readonly source: SourceText;
  readonly offset: number;
  readonly members: Members;
}

/** Positions by object or array. */
const origins = new WeakMap<object, SourceOrigin | SourceLocation>();

/** Finds the lines of a text. */
export function createSource(file: string, text: string): SourceText {
  const lineStarts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) lineStarts.push(end + 1);
  return { file, lineStarts };
}

/** Returns the line and the column of an offset. */
export function placeAt(source: SourceText, offset: number): SourceLocation {
  const { file, lineStarts } = source;
  const line = Math.max(
    1,
    bisect(lineStarts.length, (index) => (lineStarts[index] ?? 0) > offset),
  );
  return { file, line, column: Math.max(0, offset - (lineStarts[line - 1] ?? 0)) + 1 };
}

/** Sets the position of a parsed value and of its members. */
export function setOrigin(value: object, source: SourceText, offset: number, members: Members): void {
  origins.set(value, { source, offset, members });
}

/** Returns the position of a value or of its member; `undefined` for a value that was not parsed. */
export function placeOf(value: object, key?: string | number): SourceLocation | undefined {
  const origin = origins.get(value);
  if (origin === undefined || !('source' in origin)) return origin;
  const { source, offset } = memberOrigin(origin, key) ?? { source: origin.source, offset: origin.offset };
  return placeAt(source, offset);
}

/** Returns the position of a parsed value or of its member. A value that was not parsed gets a place without a file. */
export function placeOfParsed(holder: object, key?: string | number): SourceLocation {
  return placeOf(holder, key) ?? startOf('');
}

/** Marks the file of a parsed value as one of a document that begins with an overlay. */
export function setOverlaid(root: object, overlaid: OverlaidFiles): void {
  const origin = origins.get(root);
  if (origin !== undefined && 'source' in origin) origin.source.overlaid = overlaid;
}

/** Returns the overlaid files of the document of a member, if that document begins with an overlay. */
export function overlaidFilesOf(holder: object, key: string): OverlaidFiles | undefined {
  const origin = origins.get(holder);
  if (origin === undefined || !('source' in origin)) return undefined;
  return (memberOrigin(origin, key)?.source ?? origin.source).overlaid;
}

/** The source and the offset of a member; `undefined` if it is unknown or no key is given. */
function memberOrigin({ source, members }: SourceOrigin, key: string | number | undefined): MemberOrigin | undefined {
  const index = key === undefined ? -1 : indexOfMember(members, key);
  const offset = members.offsets[index];
  return offset === undefined ? undefined : { source: members.sources?.[index] ?? source, offset };
}

interface MemberOrigin {
  readonly source: SourceText;
  readonly offset: number;
}

/** Gives a copy the position of its original, and returns it. `renamed` has the original names of renamed members, by their new names. */
export function copyOrigin<T>(original: unknown, copy: T, renamed?: ReadonlyMap<string, string>): T {
  const origin = origins.get(original as object);
  if (typeof copy !== 'object' || copy === null) return copy;
  const view = targetViews.get(original as object);
  if (view !== undefined) targetViews.set(copy, view);
  if (origin === undefined) return copy;
  const hasSameKeys = renamed === undefined || renamed.size === 0 || !('source' in origin);
  origins.set(copy, hasSameKeys ? origin : { ...origin, members: withRenamedKeys(origin.members, renamed) });
  return copy;
}

/**
 * Gives a value the position of `original`, and each of its members the position of a member of another value. `origins` has the holder and the key of
 * each, in the order of the new members.
 */
export function combineOrigins<T extends object>(
  original: object,
  copy: T,
  memberOrigins: readonly (readonly [holder: object, key: string | number])[],
): T {
  const origin = origins.get(original);
  if (origin === undefined || !('source' in origin)) return copyOrigin(original, copy);
  const places = memberOrigins.map(([holder, key]) => {
    const holderOrigin = origins.get(holder);
    const isParsed = holderOrigin !== undefined && 'source' in holderOrigin;
    return (isParsed ? memberOrigin(holderOrigin, key) : undefined) ?? { source: origin.source, offset: origin.offset };
  });
  const keys = Array.isArray(copy) ? undefined : Object.keys(copy);
  const members = { keys, offsets: places.map(({ offset }) => offset), sources: places.map(({ source }) => source) };
  origins.set(copy, { ...origin, members });
  return copy;
}

/** Views of the targets of references, by the object with the reference. */
const targetViews = new WeakMap<object, (target: Json) => Json>();

/** Makes a copied reference lead to a view of its target, such as the target without some members. Copies of it lead there too. */
export function setTargetView(holder: object, view: (target: Json) => Json): void {
  targetViews.set(holder, view);
}

/** Returns what a reference leads to, by its target in the file. */
export function viewOfTarget(holder: object, target: Json): Json {
  return targetViews.get(holder)?.(target) ?? target;
}

/** Gives a new value the position of the value that it replaces. */
export function setPlace(value: object, place: SourceLocation): void {
  origins.set(value, place);
}

/** Indexes of the keys of large objects. */
const keyIndexes = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

function indexOfMember({ keys }: Members, key: string | number): number {
  if (keys === undefined) return Number(key);
  if (keys.length < 100) return keys.indexOf(String(key));
  // The first of two equal keys wins, so it is inserted last.
  const table = getOrCompute(keyIndexes, keys, () => new Map(keys.map((name, index) => [name, index] as const).toReversed()));
  return table.get(String(key)) ?? -1;
}

/** Adds renamed keys in front, so that they win over an original key of the same name. */
function withRenamedKeys({ keys = [], offsets, sources }: Members, renamed: ReadonlyMap<string, string>): Members {
  const addedKeys = [...renamed].map(([key, original]) => ({ key, index: keys.indexOf(original) })).filter(({ index }) => index >= 0);
  const withAddedValues = <T>(values: readonly T[]): readonly T[] => [
    ...addedKeys.flatMap(({ index }) => values.slice(index, index + 1)),
    ...values,
  ];
  return {
    keys: [...addedKeys.map(({ key }) => key), ...keys],
    offsets: withAddedValues(offsets),
    ...(sources === undefined ? {} : { sources: withAddedValues(sources) }),
  };
}

/** Returns the place of the value at a path of keys, or of its nearest parent with a known place; the start of `file` if there is none. */
export function placeBelow(file: string, value: Json | undefined, keys: readonly (string | number)[]): SourceLocation {
  const start = startOf(file);
  let place = typeof value === 'object' && value !== null ? (placeOf(value) ?? start) : start;
  let current = value;
  for (const key of keys) {
    if (typeof current !== 'object' || current === null) break;
    place = placeOf(current, key) ?? start;
    current = (current as JsonObject)[key];
  }
  return place;
}
