/** What the search for a provider state found: the state holds, with the values that it gives to the request, or it is missing, with the reason. */

import { printJson } from '../../../core/json.ts';
import type { ListOperation } from '../../../core/openapi/list-operation.ts';
import type { StateValue } from '../../../core/pact/state-generators.ts';
import type { DataRecord } from '../../../core/query/query.ts';
import type { Caller } from '../../verify/evidence/callers.ts';

/** A record as its list returned it. */
export interface ListedStateRecord {
  readonly list: ListOperation;
  readonly record: DataRecord;
}

/** The page before the requested one, as keys of records. */
export interface PageBefore {
  readonly list: ListOperation;
  readonly keys: readonly string[];
  /** The keys that follow it in a larger page; empty if they are unknown. */
  readonly following: readonly string[];
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
  readonly pageBefore?: PageBefore;
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

/** What was read of the target, and what responses are compared with, as text. */
export function evidenceIn({ record, pageBefore }: StateFound): string {
  return printJson([record?.listed?.record ?? null, pageBefore?.keys ?? null, pageBefore?.following ?? null]);
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
