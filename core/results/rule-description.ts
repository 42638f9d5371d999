/** What is known of a law without asking any server: what the reference, `laws` and `explain` say alike. */

import type { SourceLocation } from '../errors.ts';
import type { OpenRival, Strength } from './run-result.ts';

/** A law as it is written. */
export interface LawDescription {
  /** `group/name`. */
  readonly id: string;
  /** What holds, as a sentence. */
  readonly title: string;
  /** Who loses what when it does not hold. */
  readonly why: string;
  readonly strength: Strength;
  /** The clause of an RFC that requires it, when one does; otherwise its place in the contract is its source. */
  readonly rfc?: string;
  /** Left out of quick runs. */
  readonly slow?: boolean;
}

/** A law with the operations of contracts that it is about. */
export interface LawListing extends LawDescription {
  readonly operations: readonly LawOperation[];
}

/** An operation of a contract. */
export interface LawOperation {
  readonly contract: string;
  readonly operation: string;
}

/** Where a contract states a law for an operation, and what a run can tell of it there. */
export interface LawClause extends LawOperation {
  readonly place: SourceLocation;
  /** The lines of the file that begin at the place. */
  readonly lines: readonly string[];
  /** The rivals that a run can tell from the truth as far as that can be said before one, with what the data must have for it. */
  readonly rivals: readonly OpenRival[];
  /** The key or the setting that is needed to look at all; absent when none is. */
  readonly needs?: string;
}

/** A fault of the mock that breaks a law. */
export interface LawFault {
  readonly id: string;
  readonly contract: string;
  readonly title: string;
}

/** Everything that is known of a law. */
export interface LawExplanation extends LawDescription {
  readonly clauses: readonly LawClause[];
  readonly faults: readonly LawFault[];
}
