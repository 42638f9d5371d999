import { alignColumns, createInk } from '../reports/terminal-text.ts';
import type { Command, CommandHead, OptionSpec } from './command.ts';
import { commonOptions } from './parse-arguments.ts';

/** Exit codes with their meanings, the same for every command. */
export const exitCodes: readonly (readonly [number, string])[] = [
  [0, 'success, no findings'],
  [1, 'findings'],
  [2, 'invalid arguments or an invalid file: nothing was checked'],
  [3, 'the target could not be checked'],
  [4, 'too little evidence'],
  [130, 'interrupted; the reports hold the results so far'],
];

/** Renders the help of the program. */
export function renderOverview(commands: readonly CommandHead[]): string {
  return [
    'touchstone: a mock server, contract tests and breaking-change checks for HTTP APIs, from their OpenAPI files.',
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
export function renderGroup(group: string, commands: readonly CommandHead[]): string {
  const title = `touchstone ${group} COMMAND`;
  return [title, '', listCommands(commands), '', table([[`${title} --help`, 'Explain a command.']]), ''].join('\n');
}

function listCommands(commands: readonly CommandHead[]): string {
  return table(commands.map((command) => [usageOf(command), command.summary] as const));
}

function usageOf({ name, positionals }: CommandHead): string {
  return `touchstone ${name} ${positionals}`.trim();
}

/** Renders the help of one command, in lines of at most `width` characters where words allow it. */
export function renderCommandHelp(command: Command, width?: number): string {
  const ink = createInk(false, width);
  const options = [...command.options, ...commonOptions];
  const indent = ' '.repeat(Math.max(...options.map((option) => spellOption(option).length)) + 4);
  return [
    usageOf(command),
    '',
    ...command.description.flatMap((paragraph) => [...paragraph.split('\n').flatMap((line) => ink.wrap(line, '')), '']),
    'Options',
    ...options.flatMap((option) => ink.wrap(option.summary, indent, `  ${spellOption(option)}`.padEnd(indent.length))),
    '',
    'Examples',
    ...command.examples.flatMap(({ line, about }) => [...ink.wrap(about, '  # '), `  ${line}`]),
    '',
  ].join('\n');
}

/** Writes an option as a user types it: `--port PORT`. */
export function spellOption(option: OptionSpec): string {
  return option.value === undefined ? `--${option.name}` : `--${option.name} ${option.value}`;
}

function table(rows: readonly (readonly [string, string])[]): string {
  return alignColumns(rows)
    .map((line) => `  ${line}`)
    .join('\n');
}
