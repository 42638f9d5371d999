import type { RuleExplanation } from '../../../core/results/rule-description.ts';
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
    `\`touchstone verify\` checks a server against ${rules.length} rules, each for every operation that it applies to. \`--only\` and \`--skip\` take the identifiers. A rule is`,
    '*stated* by the API documentation, *required* by an RFC, or *implied*.',
    '',
    'Below each rule are its *mutants*, mistakes that break it. `touchstone explain RULE CONTRACT` says what each mutant does, which data the rule needs, which lines',
    'of the contract state it, and how to see it fail. `touchstone mock business --mutant ID` serves a mutant; `--list-mutants` has their full identifiers.',
    '',
    ...sections,
  ].join('\n');
}

function renderRule({ id, title, why, strength, mutants }: RuleExplanation): readonly string[] {
  const kinds = [...new Set(mutants.map((mutant) => `\`${mutant.id.split(':', 1)[0]}\``))];
  const list = kinds.length === 0 ? [] : [`Mutants: ${kinds.join(', ')}`, ''];
  return [`### ${id}`, '', `**${plain(title)}.** ${plain(why)} (${strength})`, '', ...list];
}

/** Names of parameters and of files hold what Markdown reads as emphasis. */
function plain(text: string): string {
  return text.replaceAll(/[*_<>|]/g, '\\$&');
}
