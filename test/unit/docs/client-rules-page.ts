import { clientLevels, clientRuleIds, clientRuleLevel } from '../../../core/results/client-rule.ts';
import { clientRules } from '../../../mocks/client/client-rules.ts';

const meanings = {
  error: 'The contract forbids it, or it loses records.',
  warning: 'It works with the mock, but may not work with every server that keeps the contract.',
  advice: 'It is allowed, but wasteful.',
} as const;

/** Renders docs/reference/client-rules.md: a table of the rules for each level. */
export function renderClientRules(): string {
  const sections = clientLevels.flatMap((level) => [
    `## ${level}`,
    '',
    meanings[level],
    '',
    '| rule | states | correction |',
    '|---|---|---|',
    ...clientRuleIds
      .filter((rule) => clientRuleLevel(rule) === level)
      .map((rule) => {
        const { title, advice } = clientRules[rule];
        return `| \`${rule}\` | ${title} | ${advice} |`;
      }),
    '',
  ]);
  return [
    '# The client rules',
    '',
    'Generated from the code by `npm run docs`.',
    '',
    `The mock checks its clients against ${clientRuleIds.length} rules. They follow from the annotations in a contract, so they work for any annotated file.`,
    '[The mock](mock.md#what-your-client-does-wrong) says where the findings appear. The report also names the rules that no request exercised.',
    '',
    'All requests with keys of one role count as one client. Correct clients of every kind pass: parallel readers, previews, several processes with one key, and',
    'programs that start again from an old checkpoint.',
    '',
    ...sections,
  ].join('\n');
}
