/** The report of a check of pacts as workflow commands of GitHub Actions: each finding beside its line of the pact. */

import type { CheckedInteraction, CheckedPact, PactCheck, PactFinding } from '../../core/pact-check.ts';
import { clip } from '../excerpt.ts';
import { printable } from '../layout.ts';
import { detailsOf } from './check-lines.ts';
import { describeCheck } from './check-words.ts';
import { escapeData, escapeProperty } from './github-text.ts';

const sentenceMax = 1000;

/** Renders a check: errors first, since GitHub shows only the first few of each kind. What is pending is a notice. */
export function renderPactCheckGithub(check: PactCheck): string {
  const all = check.pacts.flatMap((pact) =>
    pact.interactions.flatMap((interaction) => interaction.findings.map((finding) => ({ pact, interaction, finding }))),
  );
  const ofKind = (kind: string): readonly string[] =>
    all
      .filter((each) => commandOf(each.interaction, each.finding) === kind)
      .map((each) => annotate(kind, each.pact, each.interaction, each.finding));
  const skipped = check.skipped.map(
    ({ file, reason }) => `::notice title=${escapeProperty('Not checked')}::${escapeData(line(`${file}: ${reason}`))}`,
  );
  const end = `::notice title=${escapeProperty('Pacts')}::${escapeData(line(describeCheck(check)))}`;
  return [...ofKind('error'), ...ofKind('warning'), ...ofKind('notice'), ...skipped, end].map((command) => `${command}\n`).join('');
}

function commandOf({ isPending }: CheckedInteraction, { grade }: PactFinding): string {
  if (isPending) return 'notice';
  return grade === 'impossible' ? 'error' : 'warning';
}

function annotate(command: string, { consumer }: CheckedPact, { description }: CheckedInteraction, finding: PactFinding): string {
  const { file, line: row, column } = finding.place;
  const title = line(`${consumer}: ${description}`);
  const properties = [`file=${escapeProperty(printable(file))}`, `line=${row}`, `col=${column}`, `title=${escapeProperty(title)}`];
  const text = [finding.message, ...detailsOf(finding)].map(line).join('\n');
  return `::${command} ${properties.join(',')}::${escapeData(text)}`;
}

function line(text: string): string {
  return printable(clip(text, sentenceMax));
}
