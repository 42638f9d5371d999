/** Single keys from a terminal, for `touchstone mock`. The mode of the terminal is restored in any case. */

import { readFileSync } from 'node:fs';
import type { Keyboard } from '../command.ts';

/** The used part of standard input. */
export interface KeyInput {
  readonly setRawMode: (isRaw: boolean) => unknown;
  readonly resume: () => unknown;
  readonly pause: () => unknown;
  readonly on: (event: 'data', listener: (chunk: Buffer) => void) => unknown;
  readonly off: (event: 'data', listener: (chunk: Buffer) => void) => unknown;
}

/** The used part of the process. */
export interface KeyProcess {
  readonly pid: number;
  readonly kill: (pid: number, signal: 'SIGTSTP') => unknown;
  readonly on: (event: 'exit' | 'SIGCONT', listener: () => void) => unknown;
  readonly off: (event: 'exit' | 'SIGCONT', listener: () => void) => unknown;
}

/** Character of Ctrl-C in raw mode. */
export const interruptKey = '\u0003';
const suspendKey = '\u001a';

/** Opens the keyboard of the terminal. Ctrl-Z suspends the process as usual; Ctrl-C is passed on as a key. */
export function openKeyboard(input: KeyInput, process: KeyProcess, isForeground: () => boolean = isInForeground): Keyboard {
  return (listener) => {
    const restore = (): void => void input.setRawMode(false);
    // The system stops a background process that changes the terminal.
    const enterRawMode = (): void => void (isForeground() && input.setRawMode(true));
    const suspend = (): void => {
      restore();
      process.kill(process.pid, 'SIGTSTP');
    };
    const hear = (chunk: Buffer): void => {
      const text = chunk.toString();
      // Arrow keys and similar ones send an escape sequence; they have no meaning here.
      if (text.startsWith('\u001b')) return;
      for (const key of text) (key === suspendKey ? suspend : () => listener(key))();
    };
    input.setRawMode(true);
    input.on('data', hear);
    input.resume();
    process.on('exit', restore);
    process.on('SIGCONT', enterRawMode);
    return () => {
      process.off('SIGCONT', enterRawMode);
      process.off('exit', restore);
      input.off('data', hear);
      input.pause();
      restore();
    };
  };
}

/**
 * Returns true if this process is in the foreground of its terminal. A process started with `&` would be stopped for changing the
 * terminal.
 * Without `/proc`, it is assumed to be in the foreground.
 */
export function isInForeground(read: () => string = () => readFileSync('/proc/self/stat', 'utf8')): boolean {
  try {
    const stat = read();
    // The name may contain anything. After it: state, parent, group, session, terminal, foreground group.
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foreground;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) return true;
    throw error;
  }
}
