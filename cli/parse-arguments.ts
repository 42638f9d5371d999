/** Splits a command line into options and positional arguments before a command runs. Values stay texts, which the command reads. */

import { parseArgs } from 'node:util';
import { nearest } from '../core/did-you-mean.ts';
import { UsageError } from '../core/errors.ts';
import type { Arguments, Command, OptionSpec } from './command.ts';

/** Options of every command. */
export const commonOptions: readonly OptionSpec[] = [
  { name: 'help', summary: 'Print this help and exit.' },
  { name: 'debug', summary: 'Print the stack trace of an error.' },
];

/**
 * Parses the arguments of a command.
 * @throws {UsageError} for an unknown option, a repeated option that is not repeatable, or a missing value.
 */
export function parseArguments(command: Command, args: readonly string[]): Arguments {
  const specs = [...command.options, ...commonOptions];
  const options = Object.fromEntries(
    specs.map((spec) => [spec.name, { type: spec.value === undefined ? ('boolean' as const) : ('string' as const), multiple: true }]),
  );
  const { ownArguments, clientCommand } = splitClientCommand(command, args);
  const { tokens, positionals } = parseArgs({ args: [...ownArguments], options, allowPositionals: true, strict: false, tokens: true });
  const values: Record<string, string> = {};
  const lists: Record<string, readonly string[]> = {};
  const switches = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const spec = specs.find((each) => each.name === (token.rawName === '-h' ? 'help' : token.name));
    if (spec === undefined) throw new UsageError(unknownOption(command, token.rawName, ownArguments[token.index], specs));
    if (spec.repeatable === true) {
      lists[spec.name] = [...(lists[spec.name] ?? []), checkValue(spec, token.value)];
      continue;
    }
    if (values[spec.name] !== undefined || switches.has(spec.name))
      throw new UsageError(`--${spec.name} was given more than once; give it once`);
    if (spec.value === undefined) switches.add(checkSwitch(spec, token.value));
    else values[spec.name] = checkValue(spec, token.value);
  }
  const line = ['touchstone', command.name, ...args.map(quoteArgument)].join(' ');
  return { positionals, ...(clientCommand && { clientCommand }), values, switches, lists, line };
}

/** Quotes an argument if a shell would read it as something else. */
function quoteArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Splits off the client after `--`, for a command that runs one. */
function splitClientCommand(
  { takesClientCommand }: Command,
  args: readonly string[],
): { readonly ownArguments: readonly string[]; readonly clientCommand?: readonly string[] } {
  const end = takesClientCommand === true ? args.indexOf('--') : -1;
  return end < 0 ? { ownArguments: args } : { ownArguments: args.slice(0, end), clientCommand: args.slice(end + 1) };
}

function checkSwitch(spec: OptionSpec, value: string | undefined): string {
  if (value === undefined) return spec.name;
  throw new UsageError(`--${spec.name} takes no value, but ${value} was given; write --${spec.name} alone`);
}

function checkValue(spec: OptionSpec, value: string | undefined): string {
  if (value !== undefined && value !== '') return value;
  throw new UsageError(`--${spec.name} needs a value: --${spec.name} ${spec.value ?? ''}`);
}

/** Explains an unknown option. It may be a long name behind one hyphen, which is read as several short options. */
function unknownOption(command: Command, option: string, argument: string | undefined, specs: readonly OptionSpec[]): string {
  const names = specs.map(({ name }) => name);
  const written = argument?.split('=', 1)[0] ?? option;
  const meant = nearest(written.replace(/^-+/, ''), names);
  if (meant === undefined) return `touchstone ${command.name} has no option ${option}; see touchstone ${command.name} --help`;
  return `touchstone ${command.name} has no option ${written}; did you mean --${meant}?`;
}
