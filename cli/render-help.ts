/**
 * The help of the program and of each command, and docs/reference/cli.md. `run-command.ts` renders help when it is asked for; `npm run docs` renders the
 * page.
 */

import { alignColumns } from '../reports/terminal-text.ts';
import type { Command, OptionSpec } from './command.ts';
import { commonOptions } from './parse-arguments.ts';

/** Exit codes with their meanings, the same for every command. */
export const exitCodes: readonly (readonly [number, string])[] = [
  [0, 'success, no findings'],
  [1, 'findings'],
  [2, 'invalid arguments or an invalid file: nothing was judged'],
  [3, 'the target could not be judged'],
  [4, 'too little evidence'],
  [130, 'interrupted; the reports hold the results so far'],
];

/** Renders the help of the program. */
export function renderOverview(commands: readonly Command[]): string {
  return [
    'touchstone: contract tests and mock servers for HTTP APIs, from annotated OpenAPI files.',
    '',
    listCommands(commands),
    '',
    table([
      ['touchstone COMMAND --help', 'Explain a command.'],
      ['touchstone --version', 'Print the version.'],
    ]),
    '',
    'Exit codes',
    table(exitCodes.map(([code, meaning]) => [String(code), meaning] as const)),
    '',
  ].join('\n');
}

/** Renders the help of a command with subcommands, such as `pact`. */
export function renderGroup(group: string, commands: readonly Command[]): string {
  const title = `touchstone ${group} COMMAND`;
  return [title, '', listCommands(commands), '', table([[`${title} --help`, 'Explain a command.']]), ''].join('\n');
}

function listCommands(commands: readonly Command[]): string {
  return table(commands.map((command) => [usageOf(command), command.summary] as const));
}

function usageOf({ name, positionals }: Command): string {
  return `touchstone ${name} ${positionals}`.trim();
}

/** Renders the help of one command. */
export function renderCommandHelp(command: Command): string {
  return [
    usageOf(command),
    '',
    ...command.description.flatMap((paragraph) => [paragraph, '']),
    'Options',
    table([...command.options, ...commonOptions].map((option) => [spell(option), option.summary] as const)),
    '',
    'Examples',
    table(command.examples.map((example) => [example.line, example.about] as const)),
    '',
  ].join('\n');
}

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
    ...[...command.options, ...commonOptions].map((option) => `| \`${spell(option)}\` | ${option.summary} |`),
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

function spell(option: OptionSpec): string {
  return option.value === undefined ? `--${option.name}` : `--${option.name} ${option.value}`;
}

function table(rows: readonly (readonly [string, string])[]): string {
  return alignColumns(rows)
    .map((line) => `  ${line}`)
    .join('\n');
}
