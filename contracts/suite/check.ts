/** The checks of a run as tests of a test runner: names that are known before the run, and what each result means to one. */

import type { Contract } from '../../core/contract.ts';
import { printPlace } from '../../core/errors.ts';
import type { LawResult } from '../../core/verdict.ts';
import { chooseSubjects } from '../subjects.ts';

/** A law at an operation. */
export interface Check {
  /** `law at operation`; it changes only with the contract. */
  readonly name: string;
  readonly law: string;
  readonly operation: string;
}

/** What a result means to a test runner. */
export interface CheckOutcome {
  readonly kind: 'passed' | 'skipped' | 'failed';
  /** Why it failed, with the counterexample, or why nothing could be said; empty when it passed. */
  readonly message: string;
}

/** Names a check. */
export function nameCheck(law: string, operation: string): string {
  return `${law} at ${operation}`;
}

/**
 * The checks of a contract, in the order of a run: a function of the contract and the patterns alone.
 * @throws {UsageError} for a pattern that matches nothing.
 */
export function listChecks(
  contract: Contract,
  choice: { readonly only?: readonly string[]; readonly skip?: readonly string[] } = {},
): readonly Check[] {
  return chooseSubjects(contract, choice).map(({ law, operation }) => ({
    name: nameCheck(law.id, operation.id),
    law: law.id,
    operation: operation.id,
  }));
}

/** What a result means: a violation fails unless it is waived, and so does a target that was not available; what could not be shown is skipped. */
export function judgeCheck(result: LawResult): CheckOutcome {
  const { verdict, message, waiver } = result;
  if (verdict === 'holds') return { kind: 'passed', message: '' };
  if (verdict === 'violated' && waiver === undefined) return { kind: 'failed', message: describeViolation(result) };
  if (verdict === 'violated') return { kind: 'skipped', message: `waived: ${waiver?.reason ?? ''}` };
  return { kind: verdict === 'blocked' ? 'failed' : 'skipped', message: `${verdict}: ${message}` };
}

/** A violation in the lines of a failed test: what was expected and what came, the clause, and the requests that show it. */
function describeViolation({ title, message, source, diagnosis, counterexample }: LawResult): string {
  if (counterexample === undefined) return `${title}: ${message}`;
  const { expected, actual, clause, curl } = counterexample;
  return [
    `Violated: ${title}`,
    `expected  ${expected}`,
    `actual    ${actual}`,
    ...(diagnosis === undefined ? [] : [`diagnosis ${diagnosis}`]),
    `clause    ${printPlace(clause)}${source === printPlace(clause) ? '' : `, from ${source}`}`,
    ...curl.map((line, index) => `${index === 0 ? 'try       ' : '          '}${line}`),
  ].join('\n');
}
