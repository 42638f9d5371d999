/** What the comparison of two documents works with: both sides, the schemas, and where differences are reported to. */

import type { HalfOfExchange, Side } from '../../core/change.ts';
import type { Document } from '../../core/document.ts';
import type { Place } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
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

/** What a draft says beyond what follows from its level. */
export type Sketch = Pick<Draft, 'id' | 'level' | 'before' | 'after' | 'subject' | 'text'> & Partial<Draft>;

/** Reports a difference at an operation; what follows from the level is filled in. */
export function reportAt(comparing: Comparing, operation: string | undefined, sketch: Sketch): void {
  const direction: HalfOfExchange | undefined = sketch.direction;
  comparing.report({ operation, direction, location: '', find: undefined, ...consequences(sketch.level, direction), ...sketch });
}

/** One side of a difference in a member of an object. */
export function member(comparing: Comparing, holder: JsonObject, key: string): Side {
  return { value: holder[key], place: comparing.document.place(holder, key) };
}

/** A side where nothing stands, at the place around it. */
export function nothing(place: Place): Side {
  return { value: undefined, place };
}

/** A side that is a value with its place. */
export function something(comparing: Comparing, value: Json, holder: object, key?: string): Side {
  return { value, place: comparing.document.place(holder, key) };
}

/** Whether two values are the same, as they are written. */
export function isSame(left: Json | undefined, right: Json | undefined): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
