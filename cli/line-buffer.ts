/**
 * Collects lines of a busy server for a few milliseconds, and prints them at once. `touchstone mock` and `touchstone proxy` print their exchanges by it.
 * It changes no line.
 */

import type { Terminal } from './command.ts';

/** Buffer that prints lines in order, after a short delay. */
interface LineBuffer {
  readonly print: (line: string) => void;
  /** Prints the buffered lines now. */
  readonly flush: () => void;
}

/** Time in which lines are collected into one write. */
const delayMs = 20;

/** Creates a buffer in front of an output. One write for many lines is much cheaper than one for each line. */
export function createLineBuffer(out: (text: string) => void): LineBuffer {
  let buffered = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = buffered;
    buffered = '';
    if (text !== '') out(text);
  };
  return {
    print: (line) => {
      buffered += line;
      timer ??= setTimeout(flush, delayMs);
    },
    flush,
  };
}

/** Returns a terminal that flushes the buffer before each output, to keep the order of the lines. */
export function flushingBefore(terminal: Terminal, { flush }: LineBuffer): Terminal {
  const flushFirst =
    (print: (text: string) => void) =>
    (text: string): void => {
      flush();
      print(text);
    };
  return { ...terminal, out: flushFirst(terminal.out), error: flushFirst(terminal.error) };
}
