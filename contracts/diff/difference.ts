/** Differences, before they are merged into changes, and the key of the edit that caused one. */

import { createHash } from 'node:crypto';
import { formatLocation } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { Change } from '../../core/results/diff-result.ts';
import type { SearchOutcome } from './witnesses/search-outcome.ts';

/** A difference at one operation. */
export interface Difference extends Omit<Change, 'fingerprint' | 'operations' | 'verdict' | 'witness' | 'consequences' | 'consumers'> {
  /** The name, value or keyword that changed. It distinguishes differences of one rule at the same lines. */
  readonly changedItem: string;
  /** Rule without its location, for differences in shared schemas; the id by default. */
  readonly rule?: string;
  /** Key of the edit, where the places of both values do not identify it. */
  readonly edit?: string;
  /** Names of parameters and JSON Pointers that the edit is about. Differences at them are its consequences. */
  readonly names?: readonly string[];
  /** Searches for a witness. The search is expensive, so it runs only for merged changes. */
  readonly findWitness: (() => SearchOutcome) | undefined;
}

/** Key of the edit in the file: rule, changed item, and the places and values of both sides. */
export function editKeyOf({ id, rule = id, edit, before, after, changedItem }: Omit<Difference, 'direction'>): string {
  if (edit !== undefined) return JSON.stringify([rule, edit]);
  const hasValue = before.value !== undefined || after.value !== undefined;
  const [from, to] = [before, after].map(({ value, place }) => (value === undefined && hasValue ? '' : formatLocation(place)));
  return JSON.stringify([rule, from, to, changedItem, digestOf(before.value), digestOf(after.value)]);
}

/** A short name of a value; empty without a value. */
export function digestOf(value: Json | undefined): string {
  return value === undefined ? '' : createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
}
