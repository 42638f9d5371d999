/** The keyboard of a terminal, key by key. Whatever happens, the terminal is left as it was found. */

import { readFileSync } from 'node:fs';
import type { Keyboard } from '../command.ts';

/** The part of standard input that is used. */
export interface KeyInput {
  readonly setRawMode: (isRaw: boolean) => unknown;
  readonly resume: () => unknown;
  readonly pause: () => unknown;
  readonly on: (event: 'data', listener: (chunk: Buffer) => void) => unknown;
  readonly off: (event: 'data', listener: (chunk: Buffer) => void) => unknown;
}

/** The part of the process that is used. */
export interface KeyProcess {
  readonly pid: number;
  readonly kill: (pid: number, signal: 'SIGTSTP') => unknown;
  readonly on: (event: 'exit' | 'SIGCONT', listener: () => void) => unknown;
  readonly off: (event: 'exit' | 'SIGCONT', listener: () => void) => unknown;
}

/** What Ctrl-C and Ctrl-Z send while the terminal hands on every key. */
export const interruptKey = '\u0003';
const suspendKey = '\u001a';

/** The keyboard at the terminal that standard input is. Ctrl-Z suspends, as it does everywhere; Ctrl-C is a key like any other. */
export function openKeyboard(input: KeyInput, process: KeyProcess, isForeground: () => boolean = isInForeground): Keyboard {
  return (listener) => {
    const restore = (): void => void input.setRawMode(false);
    // A process that goes on in the background must not touch the terminal: it would be stopped at once.
    const takeAgain = (): void => void (isForeground() && input.setRawMode(true));
    const suspend = (): void => {
      restore();
      process.kill(process.pid, 'SIGTSTP');
    };
    const hear = (chunk: Buffer): void => {
      const text = chunk.toString();
      // Arrows and the like are several characters behind an escape, and mean nothing here.
      if (text.startsWith('\u001b')) return;
      for (const key of text) (key === suspendKey ? suspend : () => listener(key))();
    };
    input.setRawMode(true);
    input.on('data', hear);
    input.resume();
    process.on('exit', restore);
    process.on('SIGCONT', takeAgain);
    return () => {
      process.off('SIGCONT', takeAgain);
      process.off('exit', restore);
      input.off('data', hear);
      input.pause();
      restore();
    };
  };
}

/**
 * Whether this process is the one that the terminal listens to. One that was started with `&` would be stopped for changing the terminal. Where the system
 * does not tell, it is taken to be.
 */
export function isInForeground(read: () => string = () => readFileSync('/proc/self/stat', 'utf8')): boolean {
  try {
    const stat = read();
    // The fields after the name of the command, which may hold anything: state, parent, group, session, terminal, group in the foreground.
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foreground;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) return true;
    throw error;
  }
}
