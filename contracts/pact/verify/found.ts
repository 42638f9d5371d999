/** What a fact came to when it was looked for: values for the request, a key to send, or why it cannot be found. */

import type { Scalar } from '../../../core/pact-injection.ts';
import type { Entry } from '../../../core/query.ts';
import type { Caller } from '../../call.ts';
import type { Listed } from './agreeing.ts';
import type { Following } from './following.ts';

/** A fact that holds. */
export interface Found {
  readonly kind: 'found';
  readonly values: ReadonlyMap<string, Scalar>;
  /** Who has to ask, when that belongs to the fact. */
  readonly as?: Caller;
  /** Headers that bring the fact about. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The record that was found, of which collection or resource it is, and how a list showed it. */
  readonly record?: { readonly name: string; readonly value: Entry; readonly listed?: Listed };
  /** The keys of the records of the page before the one that the cursor leads to. */
  readonly before?: readonly string[];
  /** What follows that page. */
  readonly following?: Following;
}

/** A fact that was not found; the reason is a clause without a full stop. */
export interface Missing {
  readonly kind: 'missing';
  readonly reason: string;
  /** The operation that was asked for it and refused to answer. */
  readonly refusedBy?: string;
}

/** What looking came to. */
export type Finding = Found | Missing;

/** A fact that gives nothing but that it holds. */
export const plain: Found = { kind: 'found', values: new Map() };

/** A fact that cannot be found, and why. */
export function missing(reason: string, refusedBy?: string): Missing {
  return { kind: 'missing', reason, ...(refusedBy === undefined ? {} : { refusedBy }) };
}

/** Several facts together: what each gives; the first that is missing when one is. */
export function together(findings: readonly Finding[]): Finding {
  const lost = findings.find((finding) => finding.kind === 'missing');
  if (lost !== undefined) return lost;
  const found = findings.filter((finding) => finding.kind === 'found');
  return Object.assign({}, ...found, {
    values: new Map(found.flatMap(({ values }) => [...values])),
    headers: Object.assign({}, ...found.map(({ headers }) => headers ?? {})),
  }) as Found;
}
