import type { RuleExplanation, RuleMutant } from '../../../core/results/rule-description.ts';
import { groupOf } from '../../../core/results/rule-id.ts';

/** Renders docs/reference/rules.md, the short form of `touchstone explain`: a section for each rule, in the order of a run. */
export function renderRules(rules: readonly RuleExplanation[]): string {
  const groups = [...new Set(rules.map(({ id }) => groupOf(id) ?? ''))];
  const sections = groups.flatMap((group) => [
    `## ${group}`,
    '',
    ...rules.filter((rule) => groupOf(rule.id) === group).flatMap(renderRule),
  ]);
  return [
    '# Rules and mutants',
    '',
    'Generated from the code by `npm run docs`.',
    '',
    `\`touchstone verify\` judges a server by ${rules.length} rules, each at every operation that it concerns. \`--only\` and \`--skip\` take the identifiers. A rule is`,
    '*stated* by the API documents, *required* by an RFC, or *implied*.',
    '',
    'The list below a rule has mistakes that break it. Each is a *mutant*: `touchstone mock business --mutant ID` serves one. `touchstone mock --list-mutants` has',
    'their full identifiers, at every operation.',
    '',
    '`touchstone explain RULE CONTRACT` also shows the lines of the contract, the data that a rule needs, and the commands that show it fail.',
    '[The mutant matrix](campaigns/mutant-matrix.md) shows which other rules report each mutant.',
    '',
    ...sections,
  ].join('\n');
}

function renderRule({ id, title, why, strength, mutants }: RuleExplanation): readonly string[] {
  const kinds = mutants.filter((mutant, index) => mutants.findIndex((each) => kindOf(each) === kindOf(mutant)) === index);
  const list = kinds.map((mutant) => `- \`${kindOf(mutant)}\`: ${plain(mutant.title)}`);
  return [`### ${id}`, '', `**${plain(title)}.** ${plain(why)} (${strength})`, '', ...(list.length === 0 ? [] : [...list, ''])];
}

function kindOf({ id }: RuleMutant): string {
  return id.split(':', 1)[0] ?? id;
}

/** Names of parameters and of files hold what Markdown reads as emphasis. */
function plain(text: string): string {
  return text.replaceAll(/[*_<>|]/g, '\\$&');
}
