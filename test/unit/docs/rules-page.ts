/** The page of the documentation about the rules (docs/reference/rules.md): what `touchstone explain` says of each, but for lines that move. */

import type { RuleExplanation } from '../../../core/results/rule-description.ts';
import { factsOf, groupOf } from '../../../reports/verify/rule-report.ts';

/** A section for each rule, in the order in which a run looks at them within its group. */
export function renderRules(rules: readonly RuleExplanation[]): string {
  const groups = [...new Set(rules.map(groupOf))];
  const sections = groups.flatMap((group) => [`## ${group}`, '', ...rules.filter((rule) => groupOf(rule) === group).flatMap(renderRule)]);
  return [
    '# The rules',
    '',
    'Generated from the code by `npm run docs`.',
    '',
    `\`touchstone verify\` judges a server by ${rules.length} rules, each at every operation that it concerns. \`--only\` and \`--skip\` take the identifiers.`,
    '`touchstone rules CONTRACT` lists the rules of a contract. `touchstone explain RULE CONTRACT` explains one, with the lines of the contract that',
    'state it and the commands that show how it fails. This page covers the contracts of the package.',
    '',
    '*Mutants* are the wrong readings of a rule that a run can detect, with the data that it needs for that. *Mock mutants* are those that',
    '`touchstone mock --mutant ID` serves.',
    '',
    ...sections,
  ].join('\n');
}

function renderRule(rule: RuleExplanation): readonly string[] {
  const facts = factsOf(rule).flatMap(({ label, items }) =>
    items.length === 1 ? [`- ${label}: ${items.map(plain).join('')}.`] : [`- ${label}:`, ...items.map((item) => `  - ${plain(item)}`)],
  );
  return [`### ${rule.id}`, '', `**${plain(rule.title)}.** ${plain(rule.why)}`, '', ...facts.map((line) => line.replace(/\.\.$/, '.')), ''];
}

/** Names of parameters and of files hold what Markdown reads as emphasis. */
function plain(text: string): string {
  return text.replaceAll(/[*_<>|]/g, '\\$&');
}
