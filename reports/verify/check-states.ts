/** The states of checks in reports, each with word, tone and count, and selections of checks by state, cause and operation. */

import type { SourceLocation } from '../../core/errors.ts';
import { type Cause, type CheckResult, type RunResult, type Verdict, verdicts } from '../../core/results/run-result.ts';
import type { Tone } from '../report-model.ts';

/** State of a check in reports: its verdict, or `waived` for a waived violation. */
export type CheckState = Verdict | 'waived';

/** All states, the most severe first. */
export const checkStates: readonly CheckState[] = verdicts.flatMap((verdict): readonly CheckState[] =>
  verdict === 'violated' ? [verdict, 'waived'] : [verdict],
);

/** Word for each state. */
export const stateWords: Readonly<Record<CheckState, string>> = {
  violated: 'violated',
  waived: 'waived',
  blocked: 'blocked',
  inconclusive: 'inconclusive',
  'not-testable': 'not testable',
  'not-exercised': 'not exercised',
  holds: 'holds',
};

/** Tone of each state. */
export const stateTones: Readonly<Record<CheckState, Tone>> = {
  violated: 'bad',
  waived: 'doubtful',
  blocked: 'doubtful',
  inconclusive: 'doubtful',
  'not-testable': 'neutral',
  'not-exercised': 'neutral',
  holds: 'good',
};

/** Returns the state of a check. */
export function stateOf({ verdict, waiver }: CheckResult): CheckState {
  return verdict === 'violated' && waiver !== undefined ? 'waived' : verdict;
}

/** Returns the checks in one of these states, in the order of the run. */
export function checksIn(result: Pick<RunResult, 'checks'>, ...wantedStates: readonly CheckState[]): readonly CheckResult[] {
  return result.checks.filter((check) => wantedStates.includes(stateOf(check)));
}

/** Returns the line of the contract that states a check; `undefined` if only an RFC states it and no finding has a line. */
export function clausePlace({ counterexample, source }: CheckResult): SourceLocation | undefined {
  if (counterexample !== undefined) return counterexample.clause;
  const [, file = '', line, column] = /^(.+):(\d+):(\d+)$/s.exec(source) ?? [];
  return file === '' ? undefined : { file, line: Number(line), column: Number(column) };
}

/** A state with its word, its tone, and the number of checks in it: `40 hold`. */
interface CountedState {
  readonly state: CheckState;
  readonly word: string;
  readonly tone: Tone;
  readonly number: number;
  readonly text: string;
}

/** Counts checks by state, in the order of `states`. */
export function countStates(checks: readonly CheckResult[]): readonly CountedState[] {
  return checkStates.map((state) => {
    const number = checks.filter((check) => stateOf(check) === state).length;
    const word = stateWords[state];
    return { state, word, tone: stateTones[state], number, text: `${number} ${state === 'holds' && number !== 1 ? 'hold' : word}` };
  });
}

/** Groups checks by operation, in order of first occurrence. */
export function groupChecksByOperation(checks: readonly CheckResult[]): ReadonlyMap<string, readonly CheckResult[]> {
  const groups = new Map<string, CheckResult[]>();
  for (const check of checks) groups.set(check.operation, [...(groups.get(check.operation) ?? []), check]);
  return groups;
}

/** The check that shows a cause. */
export function headCheck({ explains: [head] }: Cause, checks: readonly CheckResult[]): CheckResult | undefined {
  return checks.find(({ rule, operation }) => rule === head?.rule && operation === head.operation);
}
