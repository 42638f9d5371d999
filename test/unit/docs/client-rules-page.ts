import { clientLevels, clientRuleIds, clientRuleLevel } from '../../../core/results/client-rule.ts';
import { clientRules, situations } from '../../../mocks/client/client-rules.ts';

const meanings = {
  error: 'The contract forbids it, or records are lost.',
  warning: 'It works against the mock, but probably not against every server of the contract.',
  advice: 'It is allowed, but costs more than necessary.',
} as const;

/** Renders docs/reference/client-rules.md: a table of the rules for each level. */
export function renderClientRules(): string {
  const sections = clientLevels.flatMap((level) => [
    `## ${level}`,
    '',
    meanings[level],
    '',
    '| rule | states | correction | not exercised if |',
    '|---|---|---|---|',
    ...clientRuleIds
      .filter((rule) => clientRuleLevel(rule) === level)
      .map((rule) => {
        const { title, advice, situation } = clientRules[rule];
        return `| \`${rule}\` | ${title} | ${advice} | ${situations[situation]} |`;
      }),
    '',
  ]);
  return [
    '# The client rules',
    '',
    'Generated from the code by `npm run docs`.',
    '',
    `The mock judges its clients by ${clientRuleIds.length} rules. All follow from the annotations of a contract: pages with cursors, fixed parameters, checkpoints,`,
    'ETags, keys and Retry-After. So they work for any annotated file. [mock.md](mock.md#what-your-client-does-wrong) shows where the findings appear.',
    '',
    'A client is a key role. The rules are careful with correct clients of other kinds. They are parallel readers, previews, several processes with one key,',
    'and programs that start again from an old checkpoint.',
    '',
    ...sections,
  ].join('\n');
}
