/**
 * Stores the positions (file, line, column) of parsed objects and arrays, by their identity. The parsers of JSON and YAML set them; copies of a document
 * take them over with `copyOrigin`. Values without an identity, such as strings, have the position of their member.
 */

import { bisect } from '../bisect.ts';
import type { SourceLocation } from '../errors.ts';
import { getOrCompute } from '../memo.ts';

/** A parsed file: its name and the offsets of its lines. All values of the file share it. */
export interface SourceText {
  readonly file: string;
  readonly lineStarts: readonly number[];
}

/** Offsets of members, and their keys in the order of the file; `undefined` keys for an array. */
interface Members {
  readonly keys: readonly string[] | undefined;
  readonly offsets: readonly number[];
}

/** Offsets of a value and its members. Lines are computed on demand, since most are never needed. */
interface SourceOrigin {
  readonly source: SourceText;
  readonly at: number;
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
export function setOrigin(value: object, source: SourceText, at: number, members: Members): void {
  origins.set(value, { source, at, members });
}

/** Returns the position of a value or of its member; `undefined` for a value that was not parsed. */
export function placeOf(value: object, key?: string | number): SourceLocation | undefined {
  const origin = origins.get(value);
  if (origin === undefined || !('source' in origin)) return origin;
  return placeAt(origin.source, (key === undefined ? undefined : offsetOf(origin.members, key)) ?? origin.at);
}

/** Gives a copy the position of its original, and returns it. `renamed` has the original names of renamed members, by their new names. */
export function copyOrigin<T extends object>(original: object, copy: T, renamed?: ReadonlyMap<string, string>): T {
  const origin = origins.get(original);
  if (origin === undefined) return copy;
  const isPlain = renamed === undefined || renamed.size === 0 || !('source' in origin);
  origins.set(copy, isPlain ? origin : { ...origin, members: rename(origin.members, renamed) });
  return copy;
}

/** Gives a new value the position of the value that it replaces. */
export function setPlace(value: object, place: SourceLocation): void {
  origins.set(value, place);
}

/** Indexes of the keys of large objects. */
const tables = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

function offsetOf({ keys, offsets }: Members, key: string | number): number | undefined {
  if (keys === undefined) return offsets[Number(key)];
  if (keys.length < 100) return offsets[keys.indexOf(String(key))];
  // The first of two equal keys wins, so it is inserted last.
  const table = getOrCompute(tables, keys, () => new Map(keys.map((name, index) => [name, index] as const).toReversed()));
  return offsets[table.get(String(key)) ?? -1];
}

/** Adds renamed keys in front, so that they win over an original key of the same name. */
function rename({ keys = [], offsets }: Members, renamed: ReadonlyMap<string, string>): Members {
  const added = [...renamed].flatMap(([key, original]) => {
    const offset = offsets[keys.indexOf(original)];
    return offset === undefined ? [] : [{ key, offset }];
  });
  return { keys: [...added.map(({ key }) => key), ...keys], offsets: [...added.map(({ offset }) => offset), ...offsets] };
}
