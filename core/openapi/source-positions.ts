/** Positions of values in their files, by identity of the object or array. */

import type { SourceLocation } from '../errors.ts';

/** A file that was read: its name, and where each of its lines begins. One table serves every value of the file. */
export interface SourceText {
  readonly file: string;
  readonly lineStarts: readonly number[];
}

/** Positions of members: the keys of an object in the order of the file, or none for an array, and the offset of each. */
interface Members {
  readonly keys: readonly string[] | undefined;
  readonly offsets: readonly number[];
}

/** Positions of a value and its members. Lines are counted on demand, since most are never needed. */
interface Written {
  readonly source: SourceText;
  readonly at: number;
  readonly members: Members;
}

/** Remembers the origin of copies too, so that a resolved contract still knows the lines of its file. */
const origins = new WeakMap<object, Written | SourceLocation>();

/** Notes where the lines of a text begin. */
export function createSource(file: string, text: string): SourceText {
  const lineStarts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) lineStarts.push(end + 1);
  return { file, lineStarts };
}

/** The line and the column of an offset. */
export function placeAt(source: SourceText, offset: number): SourceLocation {
  let low = 0;
  for (let high = source.lineStarts.length; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if ((source.lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return { file: source.file, line: low + 1, column: Math.max(0, offset - (source.lineStarts[low] ?? 0)) + 1 };
}

/** Notes where a value stands that was read from a file, and where its members do. */
export function setOrigin(value: object, source: SourceText, at: number, members: Members): void {
  origins.set(value, { source, at, members });
}

/** Position of a value, or of its member; `undefined` for a value from no file. */
export function placeOf(value: object, key?: string | number): SourceLocation | undefined {
  const origin = origins.get(value);
  if (origin === undefined || !('source' in origin)) return origin;
  return placeAt(origin.source, (key === undefined ? undefined : offsetOf(origin.members, key)) ?? origin.at);
}

/** Lets a copy stand where its original stands. Members that have another name in the copy are told with the one that is written. */
export function copyOrigin(original: object, copy: object, renamed?: ReadonlyMap<string, string>): void {
  const origin = origins.get(original);
  if (origin === undefined) return;
  const isPlain = renamed === undefined || renamed.size === 0 || !('source' in origin);
  origins.set(copy, isPlain ? origin : { ...origin, members: rename(origin.members, renamed) });
}

/** Gives a value that stands in no file the place of the one that it replaces. */
export function setPlace(value: object, place: SourceLocation): void {
  origins.set(value, place);
}

/** Index of each key of an object with many members. */
const tables = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

function offsetOf({ keys, offsets }: Members, key: string | number): number | undefined {
  if (keys === undefined) return offsets[Number(key)];
  if (keys.length < 100) return offsets[keys.indexOf(String(key))];
  // Of two equal keys the first counts, so it is entered last.
  const table = tables.get(keys) ?? new Map(keys.map((name, index) => [name, index] as const).toReversed());
  tables.set(keys, table);
  return offsets[table.get(String(key)) ?? -1];
}

/** A new name comes before what is written under it, which then stands elsewhere in the copy. */
function rename({ keys = [], offsets }: Members, renamed: ReadonlyMap<string, string>): Members {
  const found = [...renamed].flatMap(([now, written]) => {
    const at = offsets[keys.indexOf(written)];
    return at === undefined ? [] : [{ now, at }];
  });
  return { keys: [...found.map(({ now }) => now), ...keys], offsets: [...found.map(({ at }) => at), ...offsets] };
}
