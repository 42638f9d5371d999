/** The report of a check of pacts as workflow commands of GitHub Actions: each finding beside its line of the pact. */

import type { CheckedInteraction, CheckedPact, PactCheck, PactFinding } from '../../core/pact-check.ts';
import { clip } from '../excerpt.ts';
import { type AnnotationLevel, renderAnnotation } from '../workflow-command.ts';
import { detailsOf } from './check-lines.ts';
import { describeCheck } from './check-words.ts';

const sentenceMax = 1000;

/** Renders a check: errors first, since GitHub shows only the first few of each kind. What is pending is a notice. */
export function renderPactCheckGithub(check: PactCheck): string {
  const all = check.pacts.flatMap((pact) =>
    pact.interactions.flatMap((interaction) => interaction.findings.map((finding) => ({ pact, interaction, finding }))),
  );
  const ofLevel = (level: AnnotationLevel): readonly string[] =>
    all
      .filter((each) => levelOf(each.interaction, each.finding) === level)
      .map((each) => annotate(level, each.pact, each.interaction, each.finding));
  const skipped = check.skipped.map(({ file, reason }) => renderAnnotation('notice', 'Not checked', [line(`${file}: ${reason}`)]));
  const end = renderAnnotation('notice', 'Pacts', [line(describeCheck(check))]);
  return [...ofLevel('error'), ...ofLevel('warning'), ...ofLevel('notice'), ...skipped, end].join('');
}

function levelOf({ isPending }: CheckedInteraction, { grade }: PactFinding): AnnotationLevel {
  if (isPending) return 'notice';
  return grade === 'impossible' ? 'error' : 'warning';
}

function annotate(level: AnnotationLevel, { consumer }: CheckedPact, { description }: CheckedInteraction, finding: PactFinding): string {
  const lines = [finding.message, ...detailsOf(finding)].map(line);
  return renderAnnotation(level, line(`${consumer}: ${description}`), lines, finding.place);
}

function line(text: string): string {
  return clip(text, sentenceMax);
}
