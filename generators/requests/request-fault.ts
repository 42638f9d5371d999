/** The faults of requests: the rule that each breaks, the classes of `x-invalid` that may apply, and the parts that it changes. */

import type { InvalidClass } from '../../core/annotations/annotations.ts';
import type { RequestParts } from './request-parts.ts';

/** A rule that a request can break. */
export type BrokenRule =
  | 'type'
  | 'bound'
  | 'length'
  | 'pattern'
  | 'format'
  | 'enum'
  | 'items'
  | 'members'
  | 'schema'
  | 'spelling'
  | 'encoding'
  | 'json'
  | 'empty'
  | 'repeated'
  | 'undeclared'
  | 'required'
  | 'exactly-one-of'
  | 'ordered'
  | 'cursor'
  | 'missing-key'
  | 'empty-key'
  | 'unknown-key'
  | 'wrong-carrier';

/** The rules that a request can break, each with the classes of `x-invalid` that may apply. */
export const classesOf: Readonly<Record<BrokenRule, readonly InvalidClass[]>> = {
  /** A value of another type. */
  type: ['malformed', 'unknown-value'],
  /** A number outside its bounds, or not a multiple. */
  bound: ['out-of-range'],
  /** A text of invalid length. */
  length: ['out-of-range', 'sloppy'],
  pattern: ['malformed', 'sloppy'],
  format: ['malformed', 'sloppy'],
  /** A value outside an enum. */
  enum: ['unknown-value', 'sloppy'],
  /** A list of invalid length, or with duplicates. */
  items: ['out-of-range', 'malformed'],
  /** An object with a missing or unknown member. */
  members: ['out-of-range', 'malformed'],
  /** A combination of schemas that does not match. */
  schema: ['out-of-range', 'malformed', 'unknown-value'],
  /** A value that only a lenient reader accepts. */
  spelling: ['sloppy'],
  /** Invalid percent-encoding. */
  encoding: ['malformed'],
  /** A body that is not JSON. */
  json: ['malformed'],
  /** A parameter without a value. */
  empty: ['sloppy'],
  /** A repeated parameter. */
  repeated: ['sloppy'],
  /** An unknown parameter. */
  undeclared: ['undeclared'],
  /** A missing parameter or body. */
  required: ['broken-rule'],
  'exactly-one-of': ['broken-rule'],
  ordered: ['broken-rule'],
  /** A page cursor that the server did not issue. */
  cursor: ['damaged-cursor'],
  'missing-key': [],
  'empty-key': [],
  'unknown-key': [],
  /** A key in the wrong place. */
  'wrong-carrier': [],
};

/** A fault in the parts of a request. */
export interface RequestFault {
  readonly rule: BrokenRule;
  /** The parameters concerned, by name; empty for a key or a body. */
  readonly parameters: readonly string[];
  /** The problem, as a clause without a subject: `is above 100`. */
  readonly problem: string;
  readonly parts: RequestParts;
  /** The class of a fault in a cursor or body, which the reader of parameters does not see. */
  readonly classOutsideParameters?: InvalidClass;
}
