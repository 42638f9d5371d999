/** Description of a rule without a server, shared by the reference, `rules` and `explain`. */

import type { SourceLocation } from '../errors.ts';
import type { OpenMutant, Strength } from './run-result.ts';

/** A rule as it is written. */
export interface RuleDescription {
  /** `group/name`. */
  readonly id: string;
  /** The rule as a sentence. */
  readonly title: string;
  /** Harm to clients when it does not hold. */
  readonly why: string;
  readonly strength: Strength;
  /** The clause of an RFC that requires it, when one does; otherwise its place in the contract is its source. */
  readonly rfc?: string;
  /** Left out of quick runs. */
  readonly slow?: boolean;
}

/** A rule with the operations of contracts that it is about. */
export interface RuleListing extends RuleDescription {
  readonly operations: readonly RuleOperation[];
}

/** An operation of a contract. */
export interface RuleOperation {
  readonly contract: string;
  readonly operation: string;
}

/** Place where a contract states a rule for an operation, and its mutants there. */
export interface RuleClause extends RuleOperation {
  readonly place: SourceLocation;
  /** The lines of the file that begin at the place. */
  readonly lines: readonly string[];
  /** The mutants that a run can tell from the truth as far as that can be said before one, with what the data must have for it. */
  readonly mutants: readonly OpenMutant[];
  /** The key or the setting that is needed to look at all; absent when none is. */
  readonly needs?: string;
}

/** A mutant of the mock that breaks a rule. */
export interface RuleMutant {
  readonly id: string;
  readonly contract: string;
  readonly title: string;
}

/** Everything that is known of a rule. */
export interface RuleExplanation extends RuleDescription {
  readonly clauses: readonly RuleClause[];
  readonly mutants: readonly RuleMutant[];
}
