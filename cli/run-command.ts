/** Finds and runs the named command, and turns an error into a message and exit code 2. */

import { didYouMean } from '../core/did-you-mean.ts';
import { SpecError, UsageError } from '../core/errors.ts';
import { printableLines } from '../reports/printable-text.ts';
import type { Command, CommandBody, CommandHead, Terminal } from './command.ts';
import { parseArguments } from './parse-arguments.ts';
import { renderCommandHelp, renderGroup, renderOverview } from './render-help.ts';

/** The commands in the order of the help. Only the requested one is loaded: the mock starts faster without the verifier, and the help needs none. */
const entries: readonly CommandEntry[] = [
  {
    name: 'mock',
    positionals: '[CONTRACT…] [-- COMMAND…]',
    summary: 'Serve contracts as a stateful mock.',
    load: async () => (await import('./mock/mock-command.ts')).mockCommand,
  },
  {
    name: 'proxy',
    positionals: 'CONTRACT…',
    summary: "Forward a client's traffic to a real service, and check both.",
    load: async () => (await import('./client/proxy-command.ts')).proxyCommand,
  },
  {
    name: 'exam',
    positionals: '[CONTRACT…] -- COMMAND…',
    summary: 'Examine a client in scenarios that expose its mistakes.',
    load: async () => (await import('./client/exam-command.ts')).examCommand,
  },
  {
    name: 'verify',
    positionals: '[CONTRACT…]',
    summary: 'Verify a server against a contract.',
    load: async () => (await import('./verify/verify-command.ts')).verifyCommand,
  },
  {
    name: 'replay',
    positionals: 'REPORT.json [RULE]',
    summary: 'Replay the violations in a report of verify.',
    load: async () => (await import('./verify/replay-command.ts')).replayCommand,
  },
  {
    name: 'report',
    positionals: 'REPORT.json',
    summary: 'Render a JSON report of verify in other formats.',
    load: async () => (await import('./verify/report-command.ts')).reportCommand,
  },
  {
    name: 'compare',
    positionals: 'OLD.json NEW.json',
    summary: 'Compare two JSON reports of verify.',
    load: async () => (await import('./verify/compare-command.ts')).compareCommand,
  },
  {
    name: 'init',
    positionals: '[DIR]',
    summary: 'Write a first configuration and a CI workflow.',
    load: async () => (await import('./init-command.ts')).initCommand,
  },
  {
    name: 'rules',
    positionals: '[CONTRACT…]',
    summary: 'List the rules of verify.',
    load: async () => (await import('./verify/rule-commands.ts')).rulesCommand,
  },
  {
    name: 'explain',
    positionals: 'RULE [CONTRACT…]',
    summary: 'Explain a rule: what it checks, why, and how to see it fail.',
    load: async () => (await import('./verify/rule-commands.ts')).explainCommand,
  },
  {
    name: 'diff',
    positionals: 'OLD [NEW]',
    summary: 'Report the breaking changes between two versions of a contract.',
    load: async () => (await import('./diff/diff-command.ts')).diffCommand,
  },
  {
    name: 'infer',
    positionals: 'FILE',
    summary: 'Infer the collections of an OpenAPI file, and print them as an overlay with annotations.',
    load: async () => (await import('./infer-command.ts')).inferCommand,
  },
  {
    name: 'bundle',
    positionals: 'CONTRACT',
    summary: 'Print a contract as one plain OpenAPI file for other tools.',
    load: async () => (await import('./bundle-command.ts')).bundleCommand,
  },
  {
    name: 'pact check',
    positionals: '[DIR|FILE…]',
    summary: 'Check pacts against contracts, without a server.',
    load: async () => (await import('./pact/pact-check-command.ts')).pactCheckCommand,
  },
  {
    name: 'pact verify',
    positionals: '[DIR|FILE…]',
    summary: 'Verify a server against the pacts of its consumers.',
    load: async () => (await import('./pact/pact-verify-command.ts')).pactVerifyCommand,
  },
];

interface CommandEntry extends CommandHead {
  readonly load: () => Promise<CommandBody>;
}

/** Loads every command, in the order of the help. */
export function loadCommands(): Promise<readonly Command[]> {
  return Promise.all(entries.map(loadCommand));
}

async function loadCommand({ load, ...head }: CommandEntry): Promise<Command> {
  return { ...head, ...(await load()) };
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
    terminal.out(renderOverview(entries));
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    terminal.out(`${version}\n`);
    return 0;
  }
  const subcommands = entries.filter((entry) => entry.name.startsWith(`${name} `));
  if (subcommands.length > 0) return dispatchGroup(name, subcommands, rest, terminal);
  return runCommand(name, rest, terminal);
}

async function dispatchGroup(
  group: string,
  entriesOfGroup: readonly CommandEntry[],
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    terminal.out(renderGroup(group, entriesOfGroup));
    return name === undefined ? 2 : 0;
  }
  if (entriesOfGroup.some((entry) => entry.name === `${group} ${name}`)) return runCommand(`${group} ${name}`, rest, terminal);
  const subcommands = entriesOfGroup.map((entry) => entry.name.slice(group.length + 1));
  const advice = didYouMean(name, subcommands, `write touchstone ${group} ${subcommands.join(' or ')}`);
  throw new UsageError(`touchstone ${group} has no command ${name}; ${advice}`);
}

async function runCommand(name: string, args: readonly string[], terminal: Terminal): Promise<number> {
  const entry = entries.find((each) => each.name === name);
  if (entry === undefined) {
    throw new UsageError(
      `touchstone has no command ${name}; ${didYouMean(
        name,
        entries.map((each) => each.name.split(' ')[0] ?? each.name),
        'see touchstone --help',
      )}`,
    );
  }
  const command = await loadCommand(entry);
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
