/** Differences, before they are merged into changes, and what identifies them. */

import { createHash } from 'node:crypto';
import { type Json, printJson } from '../../core/json.ts';
import type { Change } from '../../core/results/diff-result.ts';
import type { ContractPlace, EditedSide } from './component-places.ts';
import { type ExchangePlace, printPlace } from './exchange-place.ts';
import type { SearchOutcome } from './witnesses/search-outcome.ts';

type ComputedMember =
  | 'location'
  | 'members'
  | 'fingerprint'
  | 'operations'
  | 'verdict'
  | 'witness'
  | 'consequences'
  | 'consumers'
  | 'before'
  | 'after';

/** A difference at one operation. */
export interface Difference extends Omit<Change, ComputedMember> {
  readonly before: EditedSide;
  readonly after: EditedSide;
  /** Where in the exchange the difference is. */
  readonly at: ExchangePlace;
  /** The name, value or keyword that changed. It distinguishes differences of one rule at the same place. */
  readonly changedItem: string;
  /** Rule without its location, for differences in shared schemas; the id by default. */
  readonly rule?: string;
  /** Key of the edit, if several operations state it, each at its own place. */
  readonly edit?: string;
  /** Names of parameters and JSON Pointers that the edit is about. Differences at them are its consequences. */
  readonly names?: readonly string[];
  /** The property of the value at the place that the difference is about. */
  readonly property?: string;
  /** True if the component that states the value did not change, but a reference to it. */
  readonly isOfReference?: boolean;
  /** The difference as one of a group; absent if it stands alone. */
  readonly member?: MemberOfGroup;
  /** Searches for a witness. The search is expensive, so it runs only for merged changes. */
  readonly findWitness: (() => SearchOutcome) | undefined;
}

/** A difference as one of a group: differences of one rule with the same group and the same sentence but for the member are one finding. */
export interface MemberOfGroup {
  /** What has the members, such as the keys of an object in a component; `undefined` for the part of an operation. */
  readonly group: string | undefined;
  /** True if the difference is placed at the object that has the member, not at the member itself. */
  readonly isAtValue: boolean;
  /** The name of the member. */
  readonly name: string;
  /** The member as sentences name it. */
  readonly shown: string;
  /** The sentence on listed members. */
  readonly sentence: (members: string, isPlural: boolean) => string;
}

/** What states a changed value: the component or the operation, and the keys below it. An absent value has the place of the other side. */
export function statedAt({ before, after }: Pick<Difference, 'before' | 'after'>): ContractPlace {
  return before.value === undefined ? after.place : before.place;
}

/** Key of the edit in the file, whatever the half of the exchange that it shows in. */
export function editKeyOf(difference: Difference): string {
  const { id, rule = id, edit } = difference;
  return edit === undefined ? subjectOf({ ...difference, direction: undefined }) : printJson([rule, edit]);
}

/**
 * What a difference is about: rule, half of the exchange, what states the value, and both values. Lines, files and the order of lists do not count, nor do
 * the operations that share a component.
 */
export function subjectOf({ id, rule = id, edit, direction, operation, at, before, after, changedItem }: Difference): string {
  const { component, pointer } = statedAt({ before, after });
  const stated = edit === undefined && pointer !== undefined ? [component ?? '', pointer] : [operation ?? '', printPlace(at)];
  return printJson([direction ?? '', rule, ...stated, changedItem, digestOf(before.value), digestOf(after.value)]);
}

/** Sixteen hexadecimal digits that name a set of subjects. */
export function fingerprintOf(subjects: Iterable<string>): string {
  return hash(printJson([...new Set(subjects)].toSorted())).slice(0, 16);
}

/** A short name of a value; empty without a value. */
export function digestOf(value: Json | undefined): string {
  return value === undefined ? '' : hash(printJson(value)).slice(0, 12);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
