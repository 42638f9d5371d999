/**
 * The shape of a command: its options, the parsing of its arguments, its help, and its section of docs/reference/cli.md. Every command of `cli/` is a
 * value of the type `Command`, which `run-command.ts` parses and runs. It runs nothing itself.
 */

import { parseArgs } from 'node:util';
import { nearest, UsageError } from '../core/errors.ts';

/** An option of a command. */
export interface OptionSpec {
  /** Name without dashes. */
  readonly name: string;
  /** Word for the value in help, such as `PORT`; absent for a switch. */
  readonly value?: string;
  /** True for a repeatable option; its values are in `lists`. */
  readonly repeatable?: boolean;
  readonly summary: string;
}

/** Starts to call the listener with each pressed key, such as `h`. The returned function stops it. */
export type Keyboard = (listener: (key: string) => void) => () => void;

/** Input and output of a command, passed as an argument so that tests can capture it. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** True if the output may have colours and other styles. */
  readonly decorated: boolean;
  /** Width of the error stream in characters; absent if its last line cannot be rewritten in place. */
  readonly columns?: number;
  /** Single keys, without Enter; absent if no user is at the terminal. */
  readonly keyboard?: Keyboard;
  /** Resolves when the user asks to stop. */
  readonly interrupted: Promise<void>;
}

/** Parsed arguments. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** The words after `--`: a program to run with its arguments; absent without one. */
  readonly command?: readonly string[];
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly switches: ReadonlySet<string>;
  /** Values of each repeatable option, in the order of the command line. An option without values is absent. */
  readonly lists: Readonly<Record<string, readonly string[] | undefined>>;
  /** The command line as a shell reads it. */
  readonly line: string;
}

/** A command of the command line. */
export interface Command {
  readonly name: string;
  /** Positional arguments in the notation of the help, such as `[CONTRACT…]`. */
  readonly positionals: string;
  readonly summary: string;
  /** True if the words after `--` are a program to run. */
  readonly takesCommand?: boolean;
  /** Paragraphs of the help. */
  readonly description: readonly string[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly { readonly line: string; readonly about: string }[];
  /** Runs the command and resolves to the exit code. */
  readonly run: (given: Arguments, terminal: Terminal) => Promise<number>;
}

/** Options of every command. */
export const commonOptions: readonly OptionSpec[] = [
  { name: 'help', summary: 'Print help and stop.' },
  { name: 'debug', summary: 'Print the stack of an error.' },
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
  const { own, program } = splitProgram(command, args);
  const { tokens, positionals } = parseArgs({ args: [...own], options, allowPositionals: true, strict: false, tokens: true });
  const values: Record<string, string> = {};
  const lists: Record<string, readonly string[]> = {};
  const switches = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const spec = specs.find((each) => each.name === (token.rawName === '-h' ? 'help' : token.name));
    if (spec === undefined) throw new UsageError(unknownOption(command, token.rawName, specs));
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
  return { positionals, ...program, values, switches, lists, line };
}

/** Quotes an argument if a shell would read it as something else. */
function quoteArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Splits off the program after `--`, for a command that runs one. */
function splitProgram(
  { takesCommand }: Command,
  args: readonly string[],
): { readonly own: readonly string[]; readonly program: Pick<Arguments, 'command'> } {
  const end = takesCommand === true ? args.indexOf('--') : -1;
  return end < 0 ? { own: args, program: {} } : { own: args.slice(0, end), program: { command: args.slice(end + 1) } };
}

function checkSwitch(spec: OptionSpec, value: string | undefined): string {
  if (value === undefined) return spec.name;
  throw new UsageError(`--${spec.name} takes no value, but ${value} was given; write --${spec.name} alone`);
}

function checkValue(spec: OptionSpec, value: string | undefined): string {
  if (value !== undefined && value !== '') return value;
  throw new UsageError(`--${spec.name} needs a value: --${spec.name} ${spec.value ?? ''}`);
}

/**
 * Reads a whole number of an option.
 * @throws {UsageError} for anything else, or a number out of bounds.
 */
export function wholeNumber(option: string, text: string, minimum: number, maximum: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
  throw new UsageError(`--${option} ${text} is not a whole number from ${minimum} to ${maximum}`);
}

/**
 * Reads requests per second from `2`, `2/s`, `0.5/s` or `30/min`.
 * @throws {UsageError} for anything else.
 */
export function readRate(text: string): number {
  const [, digits = '', unit = 's'] = /^(\d+(?:\.\d+)?)(?:\/(s|min))?$/.exec(text) ?? [];
  const rate = Number(digits) / (unit === 'min' ? 60 : 1);
  if (digits !== '' && rate > 0 && rate <= 1000) return rate;
  throw new UsageError(`--rate ${text} is not a rate; write requests per second or minute, such as 2/s or 30/min, up to 1000/s`);
}

function unknownOption(command: Command, option: string, specs: readonly OptionSpec[]): string {
  const meant = nearest(
    option.replace(/^-+/, ''),
    specs.map((spec) => spec.name),
  );
  const advice = meant === undefined ? `see touchstone ${command.name} --help` : `did you mean --${meant}?`;
  return `touchstone ${command.name} has no option ${option}; ${advice}`;
}

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
  const rows = commands.map((command) => [`touchstone ${command.name} ${command.positionals}`.trim(), command.summary] as const);
  return [
    'touchstone: contract tests and mock servers for HTTP APIs, from annotated OpenAPI files.',
    '',
    table(rows),
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
  const rows = commands.map((command) => [`touchstone ${command.name} ${command.positionals}`.trim(), command.summary] as const);
  const explain = [`touchstone ${group} COMMAND --help`, 'Explain a command.'] as const;
  return [`touchstone ${group} COMMAND`, '', table(rows), '', table([explain]), ''].join('\n');
}

/** Renders the help of one command. */
export function renderCommandHelp(command: Command): string {
  return [
    `touchstone ${command.name} ${command.positionals}`.trim(),
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
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
