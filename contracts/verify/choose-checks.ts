/**
 * Before a run, pairs each rule with the operations to which it applies, and chooses among these checks by `--only` and `--skip`. Only GET operations have
 * checks.
 */

import { didYouMean } from '../../core/did-you-mean.ts';
import { UsageError } from '../../core/errors.ts';
import { matchesPattern } from '../../core/name-pattern.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { Call } from './evidence/call.ts';
import type { Rule } from './rules/rule.ts';
import { rules } from './rules/rule-catalogue.ts';

/** Patterns that choose checks. */
interface Choice {
  /** Patterns with `*` for rule ids or operation ids to check; all by default. */
  readonly only?: readonly string[] | undefined;
  /** Patterns for rule ids or operation ids to leave out. */
  readonly skip?: readonly string[] | undefined;
  /** True to judge members that no schema declares. */
  readonly strictMembers?: boolean | undefined;
}

/** Rules at the operations that they are about, in the order of reports. */
export function checksOf<T extends Pick<Rule, 'id' | 'clause'>>(ruleList: readonly T[], contract: Contract): readonly Check<T>[] {
  return ruleList.flatMap((rule) => operationsOf(rule, contract).map((operation) => ({ rule, operation })));
}

/** The operations of a contract that a rule is about, in the order of the contract. */
export function operationsOf({ clause }: Pick<Rule, 'clause'>, contract: Contract): readonly Operation[] {
  return contract.operations.filter((operation) => operation.method === 'GET' && clause(operation, contract) !== undefined);
}

/** Every rule at every operation that it is about. */
export function listChecks(contract: Contract): readonly Check[] {
  return checksOf(rules, contract);
}

/** True when a pattern selects a check and none skips it. */
export function isChosen(check: Check<Pick<Rule, 'id'>>, { only = [], skip = [] }: Choice): boolean {
  return (only.length === 0 || matchesAny(only, check)) && !matchesAny(skip, check);
}

/**
 * The checks of a run: each rule at the operations to which it applies, except those that the patterns leave out.
 * @throws {UsageError} for a pattern that matches no rule and no operation.
 */
export function chooseChecks(contract: Contract, choice: Choice): readonly Check[] {
  const { strictMembers = false } = choice;
  const checks = listChecks(contract).filter(({ rule }) => strictMembers || rule.id !== 'response/undeclared');
  const names = [...new Set(checks.flatMap(({ rule, operation }) => [rule.id, operation.id]))];
  for (const pattern of [...(choice.only ?? []), ...(choice.skip ?? [])])
    requireMatch(pattern, names, `no rule and no operation of ${contract.name}`);
  return checks.filter((check) => isChosen(check, choice));
}

/** Checks that `only` leaves out and `skip` does not: they are not judged, but may send requests. `undefined` for a replay, which sends only its own. */
export function listUnselected(
  contract: Contract,
  { only = [], skip = [], again }: Choice & { readonly again?: readonly Call[] | undefined },
): readonly Check[] | undefined {
  if (again !== undefined) return undefined;
  return only.length === 0 ? [] : listChecks(contract).filter((check) => isChosen(check, { skip: [...only, ...skip] }));
}

function matchesAny(patterns: readonly string[], { rule, operation }: Check<Pick<Rule, 'id'>>): boolean {
  return patterns.some((pattern) => matchesPattern(pattern, rule.id) || matchesPattern(pattern, operation.id));
}

/**
 * Makes sure that a pattern means something.
 * @throws {UsageError} when none of the names matches it.
 */
function requireMatch(pattern: string, names: readonly string[], what: string): void {
  if (names.some((name) => matchesPattern(pattern, name))) return;
  throw new UsageError(`${pattern} matches ${what}; ${didYouMean(pattern, names, 'rules are named GROUP/NAME, and * matches anything')}`);
}

/** A rule for an operation. */
export interface Check<T = Rule> {
  readonly rule: T;
  readonly operation: Operation;
}
