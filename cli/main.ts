#!/usr/bin/env node
/** The program: connects the process to the commands. */

import { readFileSync } from 'node:fs';
import type { Keyboard, Terminal } from './command.ts';
import { isInForeground, openKeyboard } from './mock/keyboard.ts';
import { run } from './run-command.ts';

/** Whoever reads our output may stop reading, as `head` does; that is no error of ours, and changes nothing in what was found. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(process.exitCode ?? 0);
});

/** A command that asks for it ends by itself at a signal. Until it asks it has nothing to lose, and a signal ends the process at once. */
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
  ...lineOf(process.stderr),
  ...keyboardOf(process.stdin, process.stdout),
  get interrupted() {
    return interruption();
  },
};

process.exitCode = await run(process.argv.slice(2), readVersion(), terminal);

/** Colours are for terminals; NO_COLOR and FORCE_COLOR have the last word (no-color.org, force-color.org). */
function wantsDecoration(): boolean {
  const { NO_COLOR: none, FORCE_COLOR: forced } = process.env;
  if (none !== undefined && none !== '') return false;
  if (forced !== undefined && forced !== '') return forced !== '0';
  return process.stdout.isTTY === true;
}

/** A line can be rewritten on a terminal that knows how to move in it, unless plain output is asked for. */
function lineOf(stream: NodeJS.WriteStream): { readonly columns?: number } {
  const { NO_COLOR: none = '', TERM: kind } = process.env;
  return stream.isTTY && none === '' && kind !== 'dumb' ? { columns: stream.columns } : {};
}

/** Keys are read where somebody sees what they do. */
function keyboardOf(input: NodeJS.ReadStream, output: NodeJS.WriteStream): { readonly keyboard?: Keyboard } {
  const isWatched = input.isTTY && output.isTTY && process.env['TERM'] !== 'dumb';
  return isWatched && isInForeground() ? { keyboard: openKeyboard(input, process) } : {};
}

/** The package's own version: package.json is one floor up from the built sources' folder, or two. */
function readVersion(): string {
  for (const candidate of ['../package.json', '../../package.json']) {
    try {
      const parsed = JSON.parse(readFileSync(new URL(candidate, import.meta.url), 'utf8')) as {
        readonly name?: string;
        readonly version?: string;
      };
      if (parsed.name === 'touchstone' && parsed.version !== undefined) return parsed.version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return 'unknown';
}
