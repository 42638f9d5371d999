/** Runs the command that the arguments name, and turns errors into a paragraph and an exit code. */

import { nearest, SpecError, UsageError } from '../core/errors.ts';
import { type Command, parseArguments, type Terminal } from './command.ts';
import { diffCommand } from './diff.ts';
import { renderCommandHelp, renderOverview } from './help.ts';
import { mockCommand } from './mock.ts';
import { verifyCommand } from './verify.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [mockCommand, verifyCommand, diffCommand];

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
    terminal.out(renderOverview(commands));
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    terminal.out(`${version}\n`);
    return 0;
  }
  const command = commands.find((each) => each.name === name);
  if (command === undefined) {
    const meant = nearest(
      name,
      commands.map((each) => each.name),
    );
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
