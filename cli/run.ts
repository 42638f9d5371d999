/** Runs the command that the arguments name, and turns errors into a paragraph and an exit code. */

import { nearest, SpecError, UsageError } from '../core/errors.ts';
import { type Command, parseArguments, type Terminal } from './command.ts';
import { renderCommandHelp, renderOverview } from './help.ts';

/** Every command by name, in the order of the help. Only the one that is run is loaded: a mock is up sooner without the laws. */
const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  mock: async () => (await import('./mock.ts')).mockCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  diff: async () => (await import('./diff.ts')).diffCommand,
};

/** Loads every command, in the order of the help. */
export function loadCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(loaders).map((load) => load()));
}

/** Runs a command line and resolves to its exit code. */
export async function run(args: readonly string[], version: string, terminal: Terminal): Promise<number> {
  try {
    return await dispatch(args, version, terminal);
  } catch (error) {
    terminal.error(`${explain(error, args.includes('--debug'))}\n`);
    return 2;
  }
}

async function dispatch(args: readonly string[], version: string, terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    terminal.out(renderOverview(await loadCommands()));
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    terminal.out(`${version}\n`);
    return 0;
  }
  const command = Object.hasOwn(loaders, name) ? await loaders[name]?.() : undefined;
  if (command === undefined) {
    const meant = nearest(name, Object.keys(loaders));
    throw new UsageError(`touchstone has no command ${name}; ${meant === undefined ? 'see touchstone --help' : `is ${meant} meant?`}`);
  }
  const given = parseArguments(command, rest);
  if (!given.switches.has('help')) return command.run(given, terminal);
  terminal.out(renderCommandHelp(command));
  return 0;
}

/** What a person can mend is one paragraph; anything else is a mistake of this program, and says so. */
function explain(error: unknown, debug: boolean): string {
  const stack = debug && error instanceof Error ? `\n${error.stack ?? ''}` : '';
  if (error instanceof UsageError || error instanceof SpecError) return `touchstone: ${error.message}${stack}`;
  const message = error instanceof Error ? error.message : String(error);
  return `touchstone: this is a mistake of touchstone itself: ${message}. Run it again with --debug and report what it prints.${stack}`;
}
