/**
 * A buffer that collects lines of a busy server for a few milliseconds, and prints them at once. `mock-command.ts` and `proxy-command.ts` put one before their
 * terminal at the start, and print the lines of exchanges and findings through it while they serve. It changes no line.
 */

import type { Terminal } from './command.ts';

/** A terminal with a buffer for lines. Its other outputs print the buffered lines before, to keep the order. */
interface LineBuffer {
  readonly terminal: Terminal;
  readonly print: (line: string) => void;
  /** Prints the buffered lines now. */
  readonly flush: () => void;
}

/** Time in which lines are collected into one write. */
const delayMs = 20;

/** Creates a buffer in front of a terminal. One write for many lines is much cheaper than one for each line. */
export function bufferOutput(terminal: Terminal): LineBuffer {
  let buffered = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = buffered;
    buffered = '';
    if (text !== '') terminal.out(text);
  };
  const flushingBefore =
    (output: (text: string) => void) =>
    (text: string): void => {
      flush();
      output(text);
    };
  return {
    terminal: { ...terminal, out: flushingBefore(terminal.out), error: flushingBefore(terminal.error) },
    print: (line) => {
      buffered += line;
      timer ??= setTimeout(flush, delayMs);
    },
    flush,
  };
}
