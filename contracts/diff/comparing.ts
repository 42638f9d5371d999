/** The comparison of two documents: what it works with, and the parts of operations at which differences are reported. */

import type { HalfOfExchange, Side } from '../../core/change.ts';
import type { Document } from '../../core/document.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Described } from './description.ts';
import { consequences, type Draft } from './draft.ts';
import type { SchemaPairs } from './schema-pairs.ts';
import type { Search } from './search.ts';
import type { Wholes } from './wholes.ts';

/** The comparison of two documents. */
export interface Comparing {
  /** Holds the files of both sides, so that every value leads to its place and every reference to what it names. */
  readonly document: Document;
  readonly oldRoot: JsonObject;
  readonly newRoot: JsonObject;
  readonly pairs: SchemaPairs;
  readonly search: Search;
  readonly wholes: Wholes;
  /** Today, as `2026-12-31`: announced ends are compared with it. */
  readonly today: string;
  readonly report: (draft: Draft) => void;
  /** Lets others have their turn, and tells whether to go on comparing. */
  readonly goOn: () => Promise<boolean>;
}

/** Where differences are reported: an operation, or a part of its exchange. */
export interface Part {
  readonly comparing: Comparing;
  /** The operation by its new name; `undefined` for what belongs to none. */
  readonly operation: string | undefined;
  readonly direction?: HalfOfExchange | undefined;
  readonly location?: string;
}

/** An operation in both documents, or a part of its exchange. */
export interface OperationPair extends Part {
  readonly operation: string;
  readonly old: Described;
  readonly new: Described;
}

/** A part of an operation's exchange. Of what the server sends, requests and answers change places. */
export function partOf(
  pair: OperationPair,
  half: HalfOfExchange,
  location: string,
): OperationPair & { readonly direction: HalfOfExchange; readonly location: string } {
  const other = half === 'request' ? 'response' : 'request';
  return { ...pair, direction: pair.old.isSentByServer ? other : half, location };
}

/** What is said of a difference beyond its part and what follows from its level. */
export type Sketch = Pick<Draft, 'id' | 'level' | 'before' | 'after' | 'subject' | 'text'> & Partial<Draft>;

/** Reports a difference. */
export function report({ comparing, operation, direction, location = '' }: Part, sketch: Sketch): void {
  comparing.report({ operation, direction, location, find: undefined, ...consequences(sketch.level, direction), ...sketch });
}

/** Two objects that stand for the same thing in both documents. */
export interface Sides {
  readonly old: JsonObject;
  readonly new: JsonObject;
}

/** Reports a difference in a member that both objects may have. */
export function reportMember(
  part: Part,
  sides: Sides,
  key: string,
  sketch: Omit<Sketch, 'before' | 'after' | 'subject'> & Partial<Draft>,
): void {
  const sideOf = (holder: JsonObject): Side => ({ value: holder[key], place: part.comparing.document.place(holder, key) });
  report(part, { before: sideOf(sides.old), after: sideOf(sides.new), subject: key, ...sketch });
}

/** Reports each of some members that changed, by what is to be said of it. */
export function reportMembers(
  part: Part,
  sides: Sides,
  keys: Iterable<string>,
  sketchOf: (key: string) => Omit<Sketch, 'before' | 'after' | 'subject' | 'text'> & Partial<Draft>,
): void {
  for (const key of keys)
    if (!isSame(sides.old[key], sides.new[key])) reportMember(part, sides, key, { text: `${key} changed`, ...sketchOf(key) });
}

/** What stands under each key in both documents: in the order of the old one, then what is new. */
export function* alongside<T>(
  old: ReadonlyMap<string, T>,
  next: ReadonlyMap<string, T>,
): Generator<readonly [key: string, old: T, next: T | undefined] | readonly [key: string, old: undefined, next: T]> {
  for (const [key, value] of old) yield [key, value, next.get(key)];
  for (const [key, value] of next) if (!old.has(key)) yield [key, undefined, value];
}

/** A value as one side of a difference; where there is none, its place is that of what stands around it. */
export function sideOf({ document }: Comparing, value: JsonObject | undefined, around: JsonObject): Side {
  return { value, place: document.place(value ?? around) };
}

/** The same for a member: its place is where it is named, which may be a reference. */
export function memberOf({ document }: Comparing, value: Json | undefined, holder: JsonObject, key: string): Side {
  return { value, place: value === undefined ? document.place(holder) : document.place(holder, key) };
}

/** Whether two values are the same, as they are written. */
export function isSame(left: Json | undefined, right: Json | undefined): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
