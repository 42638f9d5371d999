/** A run of `verify` in words that its reports share: states, counts, the verdict, what it cost. */

import type { SourceLocation } from '../../core/errors.ts';
import type { CheckResult, CheckViolation, RunResult, Verdict, Waiver } from '../../core/results/run-result.ts';
import { verdicts } from '../../core/results/run-result.ts';
import { count } from '../layout.ts';
import type { Tone } from '../model.ts';

/** What became of a check for a reader: its verdict, but that a violation which fails nothing is told apart. */
export type State = Verdict | 'waived';

/** Every state, the gravest first. */
export const states: readonly State[] = verdicts.flatMap((verdict): readonly State[] =>
  verdict === 'violated' ? [verdict, 'waived'] : [verdict],
);

/** What each state is called. */
export const stateWords: Readonly<Record<State, string>> = {
  violated: 'violated',
  waived: 'waived',
  blocked: 'blocked',
  inconclusive: 'inconclusive',
  'not-testable': 'not testable',
  'not-exercised': 'not exercised',
  holds: 'holds',
};

/** How good the news of each state is. */
export const tones: Readonly<Record<State, Tone>> = {
  violated: 'bad',
  waived: 'doubtful',
  blocked: 'doubtful',
  inconclusive: 'doubtful',
  'not-testable': 'neutral',
  'not-exercised': 'neutral',
  holds: 'good',
};

/** What became of a check. */
export function stateOf({ verdict, waiver }: CheckResult): State {
  return verdict === 'violated' && waiver !== undefined ? 'waived' : verdict;
}

/** The checks in one of these states, in the order of the run. */
export function checksIn(result: Pick<RunResult, 'checks'>, ...wanted: readonly State[]): readonly CheckResult[] {
  return result.checks.filter((check) => wanted.includes(stateOf(check)));
}

/** Where the contract states a check; `undefined` where an RFC alone does and nothing was seen that points to a line. */
export function placeOf({ counterexample, source }: CheckResult): SourceLocation | undefined {
  if (counterexample !== undefined) return counterexample.clause;
  const [, file = '', line, column] = /^(.+):(\d+):(\d+)$/s.exec(source) ?? [];
  return file === '' ? undefined : { file, line: Number(line), column: Number(column) };
}

/** Checks by operation, each operation where the run first names it. */
export function groupByOperation(
  checks: readonly CheckResult[],
): readonly { readonly operation: string; readonly members: readonly CheckResult[] }[] {
  const groups = new Map<string, CheckResult[]>();
  for (const check of checks) {
    const members = groups.get(check.operation);
    if (members === undefined) groups.set(check.operation, [check]);
    else members.push(check);
  }
  return [...groups].map(([operation, members]) => ({ operation, members }));
}

/** The contract and the target. */
export function describeRun({ contract, target }: RunResult): string {
  return `${`${contract.title} ${contract.version}`.trim()} at ${target}`;
}

/** `1 violated, 2 not exercised, 40 hold`; empty when nothing was judged. */
export function describeCounts(result: Pick<RunResult, 'checks'>): string {
  const counted = states.flatMap((state) => {
    const { length } = checksIn(result, state);
    return length === 0 ? [] : [`${length} ${state === 'holds' && length !== 1 ? 'hold' : stateWords[state]}`];
  });
  return counted.join(', ');
}

/** The verdict on the whole run, as a sentence without its full stop. */
export function describeEnd(result: RunResult): string {
  const [found, held, waived] = [checksIn(result, 'violated').length, checksIn(result, 'holds').length, checksIn(result, 'waived').length];
  const all = count(result.checks.length, 'check');
  const none = waived === 0 ? 'no violation was found' : `no violation was found that is not waived (${waived} waived)`;
  const few = held * 10 < checksIn(result, ...states.filter((state) => state !== 'not-testable')).length;
  const shown = few ? `but only ${held} of ${all} could show anything` : 'but less was shown than was asked for';
  const little = held === 0 ? 'and no check could show anything either' : shown;
  return {
    0: `Holds: ${held} of ${all} hold, and ${none}`,
    1: `Violated: ${found} of ${all} found a violation`,
    3: `Blocked: ${result.unavailable === undefined ? 'a part of the target' : 'the target'} could not be judged`,
    4: `Too little evidence: ${none}, ${little}`,
    130: 'Interrupted: what was judged until then is told here',
  }[result.exitCode];
}

/** What a run cost, and how to ask the same again. */
export function describeEffort({ requests, budget, durationMs, seed }: RunResult): string {
  return `${requests} of at most ${count(budget, 'request')} in ${describeTime(durationMs)}, seed ${seed}`;
}

/** A time as people say it: `2.8 s`, `1 min 23 s`. */
export function describeTime(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** Why a violation fails nothing, and until when. */
export function describeWaiver({ reason, expires }: Waiver): string {
  return expires === undefined ? reason : `${reason} (until ${expires})`;
}

/** Why a check does not hold: what was expected and what came, or what was lacking; and how a waiver names what is wrong. */
export function describeFacts({
  counterexample,
  message,
  diagnosis,
  fingerprint,
  further = [],
}: CheckResult): readonly (readonly [label: string, text: string])[] {
  const seen: readonly (readonly [string, string])[] =
    counterexample === undefined
      ? [['message', message]]
      : [
          ['expected', counterexample.expected],
          ['actual', counterexample.actual],
        ];
  return [
    ...seen,
    ...(diagnosis === undefined ? [] : [['diagnosis', diagnosis] as const]),
    ...(fingerprint === undefined ? [] : [['fingerprint', fingerprint] as const]),
    ...further.map((each) => ['also', describeFurther(each)] as const),
  ];
}

/** What else is wrong, in one line. */
export function describeFurther({ fingerprint, message, waiver }: CheckViolation): string {
  return `${message} (${waiver === undefined ? '' : 'waived, '}fingerprint ${fingerprint})`;
}
