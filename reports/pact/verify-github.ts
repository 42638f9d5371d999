/** The report of a verification of pacts as workflow commands of GitHub Actions: each failure beside the interaction in its pact. */

import type { InteractionResult, PactVerification } from '../../core/pact-verdict.ts';
import { clip } from '../excerpt.ts';
import { type AnnotationLevel, renderAnnotation } from '../workflow-command.ts';
import { describeEnd, describeFailure } from './verify-words.ts';

const sentenceMax = 1000;

/** Renders a verification: failures as errors, those of what is pending as warnings, and what was not exercised as notices. */
export function renderPactGithub(result: PactVerification): string {
  const { interactions, unavailable } = result;
  const having = (verdict: InteractionResult['verdict']): readonly InteractionResult[] =>
    interactions.filter((each) => each.verdict === verdict);
  const failed = having('failed').toSorted((left, right) => Number(left.isPending) - Number(right.isPending));
  return [
    ...failed.map((each) => annotate(each.isPending ? 'warning' : 'error', 'fails', each, describe(each))),
    ...having('not-exercised').map((each) => annotate('notice', 'was not exercised', each, [each.reason ?? ''])),
    ...unavailable.map(({ contract, reason }) => renderAnnotation('error', line(contract), [line(reason)])),
    renderAnnotation('notice', 'Pacts', [line(describeEnd(result))]),
  ].join('');
}

function annotate(level: AnnotationLevel, what: string, interaction: InteractionResult, lines: readonly string[]): string {
  const { place, consumer, description } = interaction;
  return renderAnnotation(level, line(`${consumer}: ${description} ${what}`), lines.map(line), place);
}

function describe({ failures, notes, curl }: InteractionResult): readonly string[] {
  return [
    ...failures.map((failure) => {
      const { title, expected, actual } = describeFailure(failure);
      return `${title} (expected ${expected}, actual ${actual})`;
    }),
    ...notes,
    ...(curl === undefined ? [] : [curl]),
  ];
}

function line(text: string): string {
  return clip(text, sentenceMax);
}
