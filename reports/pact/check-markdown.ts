/** The report of a check of pacts as a comment of a pull request: a count for each pact, then every interaction with findings. */

import { printPlace } from '../../core/errors.ts';
import type { CheckedInteraction, CheckedPact, PactCheck, PactFinding } from '../../core/pact-check.ts';
import { codeSpan, escapeMarkdown } from '../markdown-text.ts';
import { describeWitness } from './check-lines.ts';
import { describeCheck, describePact, describeQuestion } from './check-words.ts';

const nameMax = 200;
const sentenceMax = 800;
/** So many interactions are told of: a comment has its limits. */
const interactionsMost = 40;

/** Renders a check. */
export function renderPactCheckMarkdown(check: PactCheck): string {
  const wrong = check.pacts.flatMap((pact) =>
    pact.interactions.filter(({ findings }) => findings.length > 0).map((interaction) => ({ pact, interaction })),
  );
  const left = wrong.length - interactionsMost;
  const sections = [
    `## Pacts: ${escapeMarkdown(describeCheck(check), sentenceMax)}`,
    renderCounts(check.pacts),
    ...wrong.slice(0, interactionsMost).map(({ pact, interaction }) => renderInteraction(pact, interaction)),
    ...(left <= 0 ? [] : [`… and ${left} more: the report in JSON holds them.`]),
    ...(check.skipped.length === 0 ? [] : [renderSkipped(check)]),
  ];
  return `${sections.join('\n\n')}\n`;
}

function renderCounts(pacts: readonly CheckedPact[]): string {
  const rows = pacts.map((pact) => {
    const findings = pact.interactions.flatMap((interaction) => interaction.findings);
    const graded = (grade: PactFinding['grade']): number => findings.filter((each) => each.grade === grade).length;
    return `| ${escapeMarkdown(describePact(pact), nameMax)} | ${pact.interactions.length} | ${graded('impossible')} | ${graded('unpromised')} |`;
  });
  return ['| Pact | Interactions | Impossible | Unpromised |', '| --- | ---: | ---: | ---: |', ...rows].join('\n');
}

function renderInteraction(
  { consumer }: CheckedPact,
  { description, states, request, status, isPending, findings }: CheckedInteraction,
): string {
  const given = states.length === 0 ? '' : `, given ${states.map((state) => `“${state}”`).join(' and ')}`;
  return [
    `### ${escapeMarkdown(description, nameMax)} (${escapeMarkdown(consumer, nameMax)}${isPending ? ', pending' : ''})`,
    `${codeSpan(request, nameMax)} → ${status}${escapeMarkdown(given, nameMax)}`,
    findings.map(renderFinding).join('\n'),
  ].join('\n\n');
}

function renderFinding(finding: PactFinding): string {
  const { grade, message, place, clause } = finding;
  const [question, witness] = [describeQuestion(finding), describeWitness(finding)];
  return [
    `- **${grade}**: ${escapeMarkdown(message, sentenceMax)}`,
    `  ${codeSpan(printPlace(place), nameMax)}${clause === undefined ? '' : ` against ${codeSpan(printPlace(clause), nameMax)}`}`,
    ...(question === undefined ? [] : [`  Open question ${escapeMarkdown(question, sentenceMax)}`]),
    ...(witness === undefined ? [] : [`  An allowed answer: ${codeSpan(witness, sentenceMax)}`]),
  ].join('  \n');
}

function renderSkipped({ skipped }: PactCheck): string {
  return [
    '### Not checked',
    skipped.map(({ file, reason }) => `- ${codeSpan(file, nameMax)}: ${escapeMarkdown(reason, sentenceMax)}`).join('\n'),
  ].join('\n\n');
}
