/** What the reports of verified pacts say alike. */

import type { InteractionResult, PactFailure, PactVerification } from '../../core/pact-verdict.ts';
import { count } from '../layout.ts';

/** A difference in words. */
export interface FailureWords {
  /** What it means, with its place. */
  readonly title: string;
  readonly expected: string;
  readonly actual: string;
}

/** A difference in words. */
export function describeFailure({ kind, path, expected, actual, diagnosis }: PactFailure): FailureWords {
  const where = { status: 'status', header: `header ${path}`, body: path === '' ? 'body' : path, identity: path, other: 'answer' }[kind];
  return { title: diagnosis === undefined ? where : `${where}: ${diagnosis}`, expected, actual };
}

/** How many of some interactions came to what. */
export function countResults(results: readonly InteractionResult[]): {
  readonly passed: number;
  readonly failed: number;
  readonly notExercised: number;
} {
  const number = (verdict: InteractionResult['verdict']): number => results.filter((each) => each.verdict === verdict).length;
  return { passed: number('passed'), failed: number('failed'), notExercised: number('not-exercised') };
}

/** Interactions by consumer and provider, in the order in which they come. */
export function groupByConsumer(
  results: readonly InteractionResult[],
): readonly { readonly consumer: string; readonly provider: string; readonly members: readonly InteractionResult[] }[] {
  const keyOf = ({ consumer, provider }: InteractionResult): string => JSON.stringify([consumer, provider]);
  return [...new Set(results.map(keyOf))].flatMap((key) => {
    const members = results.filter((each) => keyOf(each) === key);
    const [first] = members;
    return first === undefined ? [] : [{ consumer: first.consumer, provider: first.provider, members }];
  });
}

/** The last word on a verification, without a full stop. */
export function describeEnd({ exitCode, interactions, required }: PactVerification): string {
  const { passed, failed, notExercised } = countResults(interactions);
  const exercised = passed + failed;
  const left =
    notExercised === 0 ? '' : `, and ${notExercised} of ${interactions.length} ${notExercised === 1 ? 'was' : 'were'} not exercised`;
  if (exitCode === 0) return `Passed: ${count(passed, 'interaction')} passed${left}`;
  if (exitCode === 1)
    return `Failed: ${failed} of ${count(exercised, 'interaction')} that ${exercised === 1 ? 'was' : 'were'} exercised failed${left}`;
  if (exitCode === 3) return 'Blocked: a part of the target could not be judged';
  if (exitCode === 130) return 'Interrupted: what was judged until then stands above';
  return `Too little evidence: ${count(exercised, 'interaction')} of ${interactions.length} ${exercised === 1 ? 'was' : 'were'} exercised, and ${required} ${required === 1 ? 'is' : 'are'} required`;
}
