/** The entry point of the program `touchstone`: connects the process (arguments, streams, signals, keyboard) to the command line. */

import { packageVersion } from '../core/shipped-files.ts';
import type { Keyboard, Terminal } from './command.ts';
import { createKeyboard, isInForeground } from './mock/keyboard.ts';
import { run } from './run-command.ts';

let stop = (): void => undefined;
/** Resolves at the first signal, or when the reader of standard output stops reading. */
const stopped = new Promise<void>((resolve) => {
  stop = resolve;
});

let isOutputLost = false;
/** A reader that stops reading, as `head` does, interrupts the command: it still judges what it saw. */
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  stop();
  if (code === 'EPIPE' || isOutputLost) return;
  isOutputLost = true;
  process.exitCode ||= 2;
  process.stderr.write(
    `touchstone: standard output cannot be written (${code ?? 'unknown error'}); free some disk space, or write elsewhere\n`,
  );
});
/** If nobody reads the progress, the command goes on: its reports and its exit code still count. */
process.stderr.on('error', () => undefined);

let hasSignalHandlers = false;

/** Installs the signal handlers when a command first reads `interrupted`. Until then, a signal ends the process at once. */
function interruption(): Promise<void> {
  if (!hasSignalHandlers) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  hasSignalHandlers = true;
  return stopped;
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

const exitCode = await run(process.argv.slice(2), packageVersion(), terminal);
process.exitCode = exitCode === 0 && isOutputLost ? 2 : exitCode;

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
