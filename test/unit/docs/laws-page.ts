/** The page of the documentation about the laws (docs/laws.md): what `touchstone explain` says of each, but for lines that move. */

import type { LawExplanation } from '../../../core/results/rule-description.ts';
import { factsOf, groupOf } from '../../../reports/verify/rule-report.ts';

/** A section for each law, in the order in which a run looks at them within its group. */
export function renderLaws(laws: readonly LawExplanation[]): string {
  const groups = [...new Set(laws.map(groupOf))];
  const sections = groups.flatMap((group) => [`## ${group}`, '', ...laws.filter((law) => groupOf(law) === group).flatMap(renderLaw)]);
  return [
    '# The laws',
    '',
    'Generated from the code by `npm run docs`.',
    '',
    `\`touchstone verify\` judges a server by ${laws.length} laws, each at every operation that it is about. The identifiers are what \`--only\` and \`--skip\``,
    'name. `touchstone laws CONTRACT` lists them for a contract, and `touchstone explain LAW CONTRACT` says the same as this page, with the',
    'lines of the contract that state it and the commands that show how it fails. Below stands what is known of each before a run, for the contracts of',
    'the package: a rival is a wrong reading that a run can tell from the law, and a fault a deviation that a mock can be started with.',
    '',
    ...sections,
  ].join('\n');
}

function renderLaw(law: LawExplanation): readonly string[] {
  const facts = factsOf(law).flatMap(({ label, items }) =>
    items.length === 1 ? [`- ${label}: ${items.map(plain).join('')}.`] : [`- ${label}:`, ...items.map((item) => `  - ${plain(item)}`)],
  );
  return [`### ${law.id}`, '', `**${plain(law.title)}.** ${plain(law.why)}`, '', ...facts.map((line) => line.replace(/\.\.$/, '.')), ''];
}

/** Names of parameters and of files hold what Markdown reads as emphasis. */
function plain(text: string): string {
  return text.replaceAll(/[*_<>|]/g, '\\$&');
}
