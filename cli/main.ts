#!/usr/bin/env node
/**
 * The entry point of the program `touchstone`: connects the process (arguments, streams, signals, keyboard) to `run-command.ts`. Node.js runs it as the `bin`
 * of the package, once per command line; nothing imports it. It parses no arguments: everything else is in the commands.
 */

import { packageVersion } from '../core/shipped-files.ts';
import type { Keyboard, Terminal } from './command-and-terminal.ts';
import { createKeyboard, isInForeground } from './mock/keyboard.ts';
import { run } from './run-command.ts';

/** Ends quietly if the reader of standard output stops reading, as `head` does. The exit code stays. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(process.exitCode ?? 0);
});

/** Resolves at the first signal; undefined until a command reads `interrupted`. Until then, a signal ends the process at once. */
let interrupted: Promise<void> | undefined;

function interruption(): Promise<void> {
  interrupted ??= new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  return interrupted;
}

const terminal: Terminal = {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  decorated: wantsDecoration(),
  ...sizeOf(process.stderr),
  ...keyboardOf(process.stdin, process.stdout),
  get interrupted() {
    return interruption();
  },
};

process.exitCode = await run(process.argv.slice(2), packageVersion(), terminal);

/** Decoration for terminals; NO_COLOR and FORCE_COLOR override it (no-color.org, force-color.org). */
function wantsDecoration(): boolean {
  const { NO_COLOR: noColor, FORCE_COLOR: forceColor } = process.env;
  if (noColor !== undefined && noColor !== '') return false;
  if (forceColor !== undefined && forceColor !== '') return forceColor !== '0';
  return process.stdout.isTTY === true;
}

/** Returns the size of a terminal that can rewrite its last line; nothing for plain output. */
function sizeOf(stream: NodeJS.WriteStream): Pick<Terminal, 'columns' | 'rows'> {
  const { NO_COLOR: noColor = '', TERM: terminalType } = process.env;
  return stream.isTTY && noColor === '' && terminalType !== 'dumb' ? { columns: stream.columns, rows: stream.rows } : {};
}

/** Returns the keyboard if standard input and output are terminals and the process is in the foreground. */
function keyboardOf(input: NodeJS.ReadStream, output: NodeJS.WriteStream): { readonly keyboard?: Keyboard } {
  const isInteractive = input.isTTY && output.isTTY && process.env['TERM'] !== 'dumb';
  return isInteractive && isInForeground() ? { keyboard: createKeyboard(input, process) } : {};
}
