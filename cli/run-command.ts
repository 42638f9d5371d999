/** Finds and runs the named command, and turns an error into a message and exit code 2. */

import { didYouMean } from '../core/did-you-mean.ts';
import { SpecError, UsageError } from '../core/errors.ts';
import { printableLines } from '../reports/printable-text.ts';
import type { Command, Terminal } from './command.ts';
import { parseArguments } from './parse-arguments.ts';
import { renderCommandHelp, renderGroup, renderOverview } from './render-help.ts';

/** Loaders of the commands, in the order of the help. Only the requested command is loaded: the mock starts faster without the verifier. */
const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  mock: async () => (await import('./mock/mock-command.ts')).mockCommand,
  proxy: async () => (await import('./client/proxy-command.ts')).proxyCommand,
  exam: async () => (await import('./client/exam-command.ts')).examCommand,
  verify: async () => (await import('./verify/verify-command.ts')).verifyCommand,
  replay: async () => (await import('./verify/replay-command.ts')).replayCommand,
  report: async () => (await import('./verify/report-command.ts')).reportCommand,
  compare: async () => (await import('./verify/compare-command.ts')).compareCommand,
  init: async () => (await import('./init-command.ts')).initCommand,
  rules: async () => (await import('./verify/rule-commands.ts')).rulesCommand,
  explain: async () => (await import('./verify/rule-commands.ts')).explainCommand,
  diff: async () => (await import('./diff/diff-command.ts')).diffCommand,
  infer: async () => (await import('./infer-command.ts')).inferCommand,
  bundle: async () => (await import('./bundle-command.ts')).bundleCommand,
  'pact check': async () => (await import('./pact/pact-check-command.ts')).pactCheckCommand,
  'pact verify': async () => (await import('./pact/pact-verify-command.ts')).pactVerifyCommand,
};

/** Loads every command, in the order of the help. */
export function loadCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(loaders).map((load) => load()));
}

/** Runs a command line and resolves to its exit code. Any error, including an internal one, gives 2: nothing was judged. */
export async function run(args: readonly string[], version: string, unsafeTerminal: Terminal): Promise<number> {
  const terminal = withoutControlCharacters(unsafeTerminal);
  try {
    return await dispatch(args, version, terminal);
  } catch (error) {
    terminal.error(`${renderError(error, args.includes('--debug'))}\n`);
    return 2;
  }
}

/** Returns a terminal that removes control characters from all output. They may come from a target or a file. */
function withoutControlCharacters(terminal: Terminal): Terminal {
  return {
    decorated: terminal.decorated,
    columns: terminal.columns,
    rows: terminal.rows,
    keyboard: terminal.keyboard,
    // A getter, because the first access installs the signal handlers. Until then, a signal ends the process at once.
    get interrupted() {
      return terminal.interrupted;
    },
    out: (text) => terminal.out(printableLines(text, terminal.decorated)),
    error: (text) => terminal.error(printableLines(text, false)),
  };
}

async function dispatch(args: readonly string[], version: string, terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === 'help' && rest.length > 0) return dispatch([...rest, '--help'], version, terminal);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    terminal.out(renderOverview(await loadCommands()));
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    terminal.out(`${version}\n`);
    return 0;
  }
  if (subcommandsOf(name).length > 0) return dispatchGroup(name, rest, terminal);
  return runCommand(name, rest, terminal);
}

/** Lists the commands of a group by full name: `pact check` and `pact verify` for `pact`. */
function subcommandsOf(group: string): readonly string[] {
  return Object.keys(loaders).filter((name) => name.startsWith(`${group} `));
}

async function dispatchGroup(group: string, args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  const names = subcommandsOf(group);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const commands = (await loadCommands()).filter((command) => names.includes(command.name));
    terminal.out(renderGroup(group, commands));
    return name === undefined ? 2 : 0;
  }
  if (names.includes(`${group} ${name}`)) return runCommand(`${group} ${name}`, rest, terminal);
  const subcommands = names.map((each) => each.slice(group.length + 1));
  const advice = didYouMean(name, subcommands, `write touchstone ${group} ${subcommands.join(' or ')}`);
  throw new UsageError(`touchstone ${group} has no command ${name}; ${advice}`);
}

async function runCommand(name: string, args: readonly string[], terminal: Terminal): Promise<number> {
  const command = Object.hasOwn(loaders, name) ? await loaders[name]?.() : undefined;
  if (command === undefined) {
    throw new UsageError(
      `touchstone has no command ${name}; ${didYouMean(
        name,
        Object.keys(loaders).map((each) => each.split(' ')[0] ?? each),
        'see touchstone --help',
      )}`,
    );
  }
  const parsed = parseArguments(command, args);
  if (!parsed.switches.has('help')) return command.run(parsed, terminal);
  terminal.out(renderCommandHelp(command, terminal.columns));
  return 0;
}

/** Renders an error. Anything but a mistake of the user is an internal error. */
function renderError(error: unknown, debug: boolean): string {
  const stack = debug && error instanceof Error ? `\n${error.stack ?? ''}` : '';
  if (error instanceof UsageError || error instanceof SpecError) return `touchstone: ${error.message}${stack}`;
  const message = error instanceof Error ? error.message : String(error);
  return `touchstone: internal error: ${message}. Run it again with --debug and report the output.${stack}`;
}
