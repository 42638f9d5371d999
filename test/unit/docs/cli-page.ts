import type { Command, OptionSpec } from '../../../cli/command.ts';
import { commonOptions } from '../../../cli/parse-arguments.ts';
import { exitCodes, spellOption } from '../../../cli/render-help.ts';

/** An option that this many commands describe alike stands once, at the end. */
const manyCommands = 3;

/** Renders docs/reference/cli.md. */
export function renderReference(commands: readonly Command[]): string {
  const rowOf = (option: OptionSpec): string => `| \`${spellOption(option)}\` | ${option.summary} |`;
  const rows = commands.flatMap(({ options }) => options.map(rowOf));
  const isShared = (row: string): boolean => rows.filter((each) => each === row).length >= manyCommands;
  const sections = commands.flatMap((command) => [
    `## touchstone ${command.name}`,
    '',
    `\`touchstone ${command.name} ${command.positionals}\``,
    '',
    ...command.description.flatMap((paragraph) => [paragraph, '']),
    ...renderOptions(command.options, rowOf, isShared),
    ...command.examples.flatMap((example) => [`- \`${example.line}\`: ${example.about}`]),
    '',
  ]);
  const shared = [...new Set([...commonOptions.map(rowOf), ...rows.filter(isShared)])];
  return [
    '# The command line',
    '',
    'Generated from the code by `npm run docs`. `touchstone COMMAND --help` prints a section of it.',
    '',
    ...sections,
    '## Options of several commands',
    '',
    'Every command has `--help` and `--debug`; each section lists which of the other shared options its command takes.',
    '',
    ...tableOf(shared),
    '## Exit codes',
    '',
    '| code | meaning |',
    '|---|---|',
    ...exitCodes.map(([code, meaning]) => `| ${code} | ${meaning} |`),
    '',
  ].join('\n');
}

function renderOptions(
  options: readonly OptionSpec[],
  rowOf: (option: OptionSpec) => string,
  isShared: (row: string) => boolean,
): readonly string[] {
  const shared = options.filter((option) => isShared(rowOf(option))).map(({ name }) => `\`--${name}\``);
  const own = options.map(rowOf).filter((row) => !isShared(row));
  return [
    ...(own.length === 0 ? [] : tableOf(own)),
    ...(shared.length === 0 ? [] : [`[Also](#options-of-several-commands): ${shared.join(', ')}`, '']),
  ];
}

function tableOf(rows: readonly string[]): readonly string[] {
  return ['| option | meaning |', '|---|---|', ...rows, ''];
}
