/** The page of the documentation about the rules (docs/rules.md): what `touchstone explain` says of each, but for lines that move. */

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
    `\`touchstone verify\` judges a server by ${rules.length} rules, each at every operation that it is about. The identifiers are what \`--only\` and \`--skip\``,
    'name. `touchstone rules CONTRACT` lists them for a contract, and `touchstone explain RULE CONTRACT` says the same as this page, with the',
    'lines of the contract that state it and the commands that show how it fails. Below stands what is known of each before a run, for the contracts of',
    'the package: a mutant is a wrong reading that a run can tell from the rule, and a mutant a deviation that a mock can be started with.',
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
