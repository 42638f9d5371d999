/** Rules as they are listed and explained, without a run and so without verdicts. */

import type { SourceLocation } from '../errors.ts';
import type { Mutant, Strength } from './run-result.ts';

/** A rule. */
export interface RuleDescription {
  /** `group/name`. */
  readonly id: string;
  /** The rule as a sentence. */
  readonly title: string;
  /** Harm to clients if the rule does not hold. */
  readonly why: string;
  readonly strength: Strength;
  /** The clause of the RFC that requires the rule; absent if its source is the contract. */
  readonly rfc?: string;
  /** True if quick runs omit the rule. */
  readonly slow?: boolean;
}

/** A rule with the operations that it applies to. */
export interface RuleListing extends RuleDescription {
  readonly operations: readonly RuleOperation[];
}

/** An operation of a contract. */
export interface RuleOperation {
  readonly contract: string;
  readonly operation: string;
}

/** The place where a contract states a rule for an operation, and the mutants of the rule there. */
export interface RuleClause extends RuleOperation {
  readonly place: SourceLocation;
  /** Lines of the file, starting at the place. */
  readonly lines: readonly string[];
  /** The mutants that a run can kill. A run may know further ones. */
  readonly mutants: readonly ExplainedMutant[];
  /** The key or setting without which the rule is not testable; absent if none is needed. */
  readonly needs?: string;
  /** The option of `verify` that gives it; absent if there is none. */
  readonly option?: NeededOption;
}

/** A mutant, with the data that a run needs to kill it; absent if any request kills it. */
export interface ExplainedMutant extends Mutant {
  readonly missing?: string;
}

/** An option of `verify` that makes a rule testable. */
export type NeededOption = { readonly name: 'key'; readonly role: string } | { readonly name: 'hidden' };

/** A mutant of the mock that breaks a rule. */
export interface RuleMutant {
  readonly id: string;
  readonly contract: string;
  readonly title: string;
}

/** A rule with its clauses in contracts and its mutants in the mock. */
export interface RuleExplanation extends RuleDescription {
  readonly clauses: readonly RuleClause[];
  readonly mutants: readonly RuleMutant[];
}
