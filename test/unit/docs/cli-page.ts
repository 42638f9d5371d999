import type { Command } from '../../../cli/command.ts';
import { commonOptions } from '../../../cli/parse-arguments.ts';
import { exitCodes, spellOption } from '../../../cli/render-help.ts';

/** Renders docs/reference/cli.md. */
export function renderReference(commands: readonly Command[]): string {
  const sections = commands.flatMap((command) => [
    `## touchstone ${command.name}`,
    '',
    `\`touchstone ${command.name} ${command.positionals}\``,
    '',
    ...command.description.flatMap((paragraph) => [paragraph, '']),
    '| option | meaning |',
    '|---|---|',
    ...[...command.options, ...commonOptions].map((option) => `| \`${spellOption(option)}\` | ${option.summary} |`),
    '',
    ...command.examples.flatMap((example) => [`- \`${example.line}\`: ${example.about}`]),
    '',
  ]);
  const codes = [
    '## Exit codes',
    '',
    '| code | meaning |',
    '|---|---|',
    ...exitCodes.map(([code, meaning]) => `| ${code} | ${meaning} |`),
    '',
  ];
  return ['# The command line', '', 'Generated from the code by `npm run docs`.', '', ...sections, ...codes].join('\n');
}
