/** The report of a verification of pacts as workflow commands of GitHub Actions: each failure beside the interaction in its pact. */

import type { InteractionResult, PactVerification } from '../../core/pact-verdict.ts';
import { clip } from '../excerpt.ts';
import { printable } from '../layout.ts';
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
    ...unavailable.map(({ contract, reason }) => `::error title=${escapeProperty(line(contract))}::${escapeData(line(reason))}`),
    `::notice title=${escapeProperty('Pacts')}::${escapeData(line(describeEnd(result)))}`,
  ]
    .map((command) => `${command}\n`)
    .join('');
}

function annotate(command: string, what: string, { place, consumer, description }: InteractionResult, lines: readonly string[]): string {
  const title = line(`${consumer}: ${description} ${what}`);
  const properties = [
    `file=${escapeProperty(printable(place.file))}`,
    `line=${place.line}`,
    `col=${place.column}`,
    `title=${escapeProperty(title)}`,
  ];
  return `::${command} ${properties.join(',')}::${escapeData(lines.map(line).join('\n'))}`;
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
  return printable(clip(text, sentenceMax));
}

/** What follows the second `::` ends at the end of the line. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** A property ends at a comma too, and all of them at a colon. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
