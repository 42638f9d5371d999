/** Presents the checks of a run as tests, for any test runner: their names before the run, and their outcomes after it. Runs nothing. */

import { formatLocation } from '../../core/errors.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { CheckResult } from '../../core/results/run-result.ts';
import { chooseChecks } from '../verify/choose-checks.ts';

/** A rule for an operation. */
export interface SuiteTest {
  /** `rule in operation`. The name changes only with the contract. */
  readonly name: string;
  /** The rule, as `group/name`. */
  readonly rule: string;
  /** The id of the operation. */
  readonly operation: string;
}

/** The result of a check as the outcome of a test. */
export interface SuiteOutcome {
  /** The outcome of the test. */
  readonly kind: 'passed' | 'skipped' | 'failed';
  /** The violation with its counterexample, or the reason for a missing verdict; empty for a passed test. */
  readonly message: string;
}

/** The name of the test for a check. */
export function nameSuiteTest(rule: string, operation: string): string {
  return `${rule} in ${operation}`;
}

/**
 * The checks for a contract, in the order in which a run performs them. The list depends only on the contract and the patterns.
 * @throws {UsageError} for a pattern that matches nothing.
 * @example
 * ```ts
 * import { contractFile, listSuiteTests, loadContract } from 'touchstone/verify';
 *
 * const contract = await loadContract(contractFile('wiki'));
 * const names = listSuiteTests(contract, { only: ['paging/*'] }).map(({ name }) => name);
 * ```
 */
export function listSuiteTests(
  contract: Contract,
  choice: {
    /** Patterns for rule ids or operation ids to keep. */
    readonly only?: readonly string[];
    /** Patterns for rule ids or operation ids to leave out. */
    readonly skip?: readonly string[];
  } = {},
): readonly SuiteTest[] {
  return chooseChecks(contract, choice).map(({ rule, operation }) => ({
    name: nameSuiteTest(rule.id, operation.id),
    rule: rule.id,
    operation: operation.id,
  }));
}

/**
 * Translates the result of a check for a test runner. A violation fails unless it is waived. A blocked check fails too. Other checks
 * without evidence are skipped.
 * @example
 * ```ts
 * import { judgeSuiteTest, verify } from 'touchstone/verify';
 *
 * const { checks } = await verify({ contract: 'wiki', target: 'http://127.0.0.1:4010' }).result;
 * for (const check of checks) {
 *   const { kind, message } = judgeSuiteTest(check);
 *   if (kind === 'failed') throw new Error(message);
 * }
 * ```
 */
export function judgeSuiteTest(result: CheckResult): SuiteOutcome {
  const { verdict, message, waiver } = result;
  if (verdict === 'holds') return { kind: 'passed', message: '' };
  if (verdict === 'violated' && waiver === undefined) return { kind: 'failed', message: describeFailedTest(result) };
  if (verdict === 'violated') return { kind: 'skipped', message: `waived: ${waiver?.reason ?? ''}` };
  return { kind: verdict === 'blocked' ? 'failed' : 'skipped', message: `${verdict}: ${message}` };
}

/** Lines for a failed test: the expected and the actual value, the diagnosis, the clause, and the requests that show the violation. */
function describeFailedTest({ title, message, source, diagnosis, counterexample }: CheckResult): string {
  if (counterexample === undefined) return `${title}: ${message}`;
  const { expected, actual, clause, curl } = counterexample;
  return [
    `Violated: ${title}`,
    `expected  ${expected}`,
    `actual    ${actual}`,
    ...(diagnosis === undefined ? [] : [`diagnosis ${diagnosis}`]),
    `contract  ${formatLocation(clause)}${source === formatLocation(clause) ? '' : `, from ${source}`}`,
    ...curl.map((line, index) => `${index === 0 ? 'try       ' : '          '}${line}`),
  ].join('\n');
}
