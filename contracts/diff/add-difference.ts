/**
 * Adds differences to the context of a comparison, with the default reason of their level. The comparisons of roots, operations and their parts call it
 * for each difference, and `compare-schemas.ts` for each edit of a schema. The caller decides the level of a difference. Annotations build their differences in
 * `compare-annotation-keyword.ts`.
 */

import type { Json, JsonObject } from '../../core/json.ts';
import { isSameValue } from '../../core/json-equality.ts';
import type { ChangeSide, HalfOfExchange } from '../../core/results/diff-result.ts';
import type { ComparisonContext } from './comparison-context.ts';
import { type Difference, defaultImpact } from './difference.ts';
import type { DocumentedOperation } from './documented-operation.ts';

/** The operation, or the part of it, that a difference belongs to. */
export interface ComparedPart {
  readonly context: ComparisonContext;
  /** Name of the operation in the new file; `undefined` outside operations. */
  readonly operation: string | undefined;
  readonly direction?: HalfOfExchange | undefined;
  readonly location?: string;
}

/** An operation of both documents, or a part of it. */
export interface OperationPair extends ComparedPart {
  readonly operation: string;
  readonly old: DocumentedOperation;
  readonly new: DocumentedOperation;
}

/** A part of an operation: its request or its response. Webhooks and callbacks swap the two, since the server sends their requests. */
export function exchangePart(
  pair: OperationPair,
  half: HalfOfExchange,
  location: string,
): OperationPair & { readonly direction: HalfOfExchange; readonly location: string } {
  const other = half === 'request' ? 'response' : 'request';
  return { ...pair, direction: pair.old.isSentByServer ? other : half, location };
}

/** Members that a caller must state. The others follow from the part and the level. */
export type DifferenceDetails = Pick<Difference, 'id' | 'level' | 'before' | 'after' | 'changedItem' | 'text'> & Partial<Difference>;

/** Reports a difference. */
export function reportDifference({ context, operation, direction, location = '' }: ComparedPart, details: DifferenceDetails): void {
  context.report({ operation, direction, location, findWitness: undefined, ...defaultImpact(details.level, direction), ...details });
}

/** Two corresponding objects of both documents. */
export interface ObjectPair {
  readonly old: JsonObject;
  readonly new: JsonObject;
}

/** Reports a change of one member of two objects. */
export function reportMemberChange(
  part: ComparedPart,
  sides: ObjectPair,
  key: string,
  details: Omit<DifferenceDetails, 'before' | 'after' | 'changedItem'> & Partial<Difference>,
): void {
  const sideOf = (holder: JsonObject): ChangeSide => ({ value: holder[key], place: part.context.document.place(holder, key) });
  reportDifference(part, { before: sideOf(sides.old), after: sideOf(sides.new), changedItem: key, ...details });
}

/** Reports every changed member among the given keys. */
export function reportMemberChanges(
  part: ComparedPart,
  sides: ObjectPair,
  keys: Iterable<string>,
  detailsOf: (key: string) => Omit<DifferenceDetails, 'before' | 'after' | 'changedItem' | 'text'> & Partial<Difference>,
): void {
  for (const key of keys)
    if (!isSameValue(sides.old[key], sides.new[key])) reportMemberChange(part, sides, key, { text: `${key} changed`, ...detailsOf(key) });
}

/** Entries of both maps by key: first in the order of the old one, then the added ones. */
export function* pairByKey<T>(
  old: ReadonlyMap<string, T>,
  next: ReadonlyMap<string, T>,
): Generator<readonly [key: string, old: T, next: T | undefined] | readonly [key: string, old: undefined, next: T]> {
  for (const [key, value] of old) yield [key, value, next.get(key)];
  for (const [key, value] of next) if (!old.has(key)) yield [key, undefined, value];
}

/** An object as one side of a difference. An absent object has the place of the enclosing object. */
export function objectSide({ document }: ComparisonContext, value: JsonObject | undefined, around: JsonObject): ChangeSide {
  return { value, place: document.place(value ?? around) };
}

/** A member as one side of a difference. The place is that of the key, even if its value is a reference. */
export function memberSide({ document }: ComparisonContext, value: Json | undefined, holder: JsonObject, key: string): ChangeSide {
  return { value, place: value === undefined ? document.place(holder) : document.place(holder, key) };
}
