import type { SourceLocation } from '../errors.ts';
import type { Json } from '../json.ts';
import { fromPointer } from '../pointer.ts';

/** One violation of a schema by a value. */
export interface SchemaViolation {
  /** JSON Pointer of the wrong value. */
  readonly path: string;
  /** The violated keyword, such as `type` or `required`. */
  readonly keyword: string;
  /** The expectation after the name of the value: `must be string`. */
  readonly message: string;
  /** The value of the keyword in the schema; `undefined` if it is not known. */
  readonly stated: Json | undefined;
  /** The allowed values as a noun, such as `one of "open", "closed"`; `undefined` for a keyword that lists no values or types. */
  readonly allowed: string | undefined;
  /** The value at `path`. */
  readonly found: Json | undefined;
  /** Name of the missing member; `undefined` for other violations. */
  readonly missingKey: string | undefined;
  /** Name of the forbidden member; `undefined` for other violations. */
  readonly unknownKey: string | undefined;
  /** The member and the value because of which the keyword counts, such as `kind is "card"`; `undefined` without such a condition. */
  readonly condition: string | undefined;
  /** Place of the keyword in the contract. */
  readonly place: SourceLocation;
}

/** Returns the violation at the line to change: the deepest one. A misspelt member is both unknown and missing; the unknown one has a line. */
export function deepestViolation(violations: readonly SchemaViolation[]): SchemaViolation | undefined {
  const depth = ({ path, unknownKey }: SchemaViolation): number => fromPointer(path).length + (unknownKey === undefined ? 0 : 0.5);
  return violations.toSorted((left, right) => depth(right) - depth(left))[0];
}

/** Lists the keys that lead to the value of a violation, or to its forbidden member. */
export function keysToViolation({ path, unknownKey }: SchemaViolation): readonly string[] {
  return unknownKey === undefined ? fromPointer(path) : [...fromPointer(path), unknownKey];
}
