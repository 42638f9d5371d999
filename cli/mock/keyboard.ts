/** Reads single keys from a terminal in raw mode while a command runs. The earlier mode comes back, even if the process ends or is suspended. */

import { readFileSync } from 'node:fs';
import type { Keyboard } from '../command.ts';

/** The used part of standard input. Tests pass a fake. */
export interface KeyInput {
  readonly setRawMode: (isRaw: boolean) => unknown;
  readonly resume: () => unknown;
  readonly pause: () => unknown;
  readonly on: (event: 'data', listener: (chunk: Buffer) => void) => unknown;
  readonly off: (event: 'data', listener: (chunk: Buffer) => void) => unknown;
}

/** The used part of the process. Tests pass a fake. */
export interface KeyProcess {
  readonly pid: number;
  readonly kill: (pid: number, signal: 'SIGTSTP') => unknown;
  readonly on: (event: 'exit' | 'SIGCONT', listener: () => void) => unknown;
  readonly off: (event: 'exit' | 'SIGCONT', listener: () => void) => unknown;
}

/** Character of Ctrl-C in raw mode. */
export const interruptKey = '\u0003';
const suspendKey = '\u001a';

/**
 * Returns a function that starts to listen to keys, and returns another one that stops. Ctrl-Z suspends the process as usual; Ctrl-C reaches
 * the listener as `interruptKey`. Start it only in the foreground: the system stops a background process that changes the terminal.
 */
export function createKeyboard(input: KeyInput, keyProcess: KeyProcess, isForeground: () => boolean = isInForeground): Keyboard {
  return (listener) => {
    const restoreMode = (): void => {
      input.setRawMode(false);
    };
    // A suspended process may continue in the background.
    const onContinue = (): void => {
      if (isForeground()) input.setRawMode(true);
    };
    const suspend = (): void => {
      restoreMode();
      keyProcess.kill(keyProcess.pid, 'SIGTSTP');
    };
    const onData = (chunk: Buffer): void => {
      const text = chunk.toString();
      // Arrow keys and similar keys send an escape sequence, and are ignored.
      if (text.startsWith('\u001b')) return;
      for (const key of text) {
        if (key === suspendKey) suspend();
        else listener(key);
      }
    };
    input.setRawMode(true);
    input.on('data', onData);
    input.resume();
    keyProcess.on('exit', restoreMode);
    keyProcess.on('SIGCONT', onContinue);
    return () => {
      keyProcess.off('SIGCONT', onContinue);
      keyProcess.off('exit', restoreMode);
      input.off('data', onData);
      input.pause();
      restoreMode();
    };
  };
}

/**
 * Returns true if this process is in the foreground of its terminal. A process started with `&` is not. Without `/proc`, the process counts
 * as in the foreground.
 */
export function isInForeground(read: () => string = () => readFileSync('/proc/self/stat', 'utf8')): boolean {
  try {
    const stat = read();
    // The process name in parentheses may contain any character. After it: state, parent, group, session, terminal, foreground group.
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foreground;
  } catch (error) {
    // An error code means that the file cannot be read: this system has no /proc.
    if ((error as NodeJS.ErrnoException).code !== undefined) return true;
    throw error;
  }
}
