/** What the search for a provider state found: the state holds, with the values that it gives to the request, or it is missing, with the reason. */

import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { StateValue } from '../../../core/pact/state-generators.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import type { Reply } from '../../verify/evidence/call.ts';
import type { Caller } from '../../verify/evidence/callers.ts';

/** A record as its list returned it. */
export interface ListedStateRecord {
  readonly record: DataRecord;
  /** The page with the record. */
  readonly reply: Reply;
}

/** The position where the requested page must begin. */
export interface FollowingPage {
  readonly operation: ListOperation;
  /** A larger page that contains the previous page and the records after it. */
  readonly largerPage: Reply;
  /** Index in the larger page of the first record that follows. */
  readonly start: number;
}

/** A state that holds, with the values that it gives. */
export interface StateFound {
  readonly kind: 'found';
  readonly values: ReadonlyMap<string, StateValue>;
  /** The key to send, if the state determines it. */
  readonly as?: Caller;
  /** Headers that make a mock set up the state. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The record, with the name of its collection or resource. */
  readonly record?: { readonly name: string; readonly value: DataRecord; readonly listed?: ListedStateRecord };
  /** Keys of the records on the page before the cursor. */
  readonly previousKeys?: readonly string[];
  /** The records that must follow that page. */
  readonly followingPage?: FollowingPage;
}

/** A state that does not hold. `reason` is a clause without a full stop. */
export interface StateMissing {
  readonly kind: 'missing';
  readonly reason: string;
  /** The operation that refused to answer. */
  readonly refusedBy?: string;
}

/** Result of finding one state. */
export type StateResult = StateFound | StateMissing;

/** A state that holds and gives no values. */
export const foundWithoutValues: StateFound = { kind: 'found', values: new Map() };

/** Creates the result for a state that does not hold. */
export function stateMissing(reason: string, refusedBy?: string): StateMissing {
  return { kind: 'missing', reason, ...(refusedBy === undefined ? {} : { refusedBy }) };
}

/** Combines several states into one result: the first missing state, or all values together. */
export function combineStates(results: readonly StateResult[]): StateResult {
  const missing = results.find((result) => result.kind === 'missing');
  if (missing !== undefined) return missing;
  const found = results.filter((result) => result.kind === 'found');
  return Object.assign({}, ...found, {
    values: new Map(found.flatMap(({ values }) => [...values])),
    headers: Object.assign({}, ...found.map(({ headers }) => headers ?? {})),
  }) as StateFound;
}
