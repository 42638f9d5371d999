/** Lines that come in great numbers, handed over together: each hand-over costs as much as a request. */

import type { Terminal } from './command.ts';

/** Prints lines soon, in their order. */
export interface Lines {
  readonly print: (line: string) => void;
  /** Hands over what is waiting. */
  readonly flush: () => void;
}

/** How long a line waits for others; nobody sees the difference. */
const patienceMs = 20;

/** Lines on their way to an output. */
export function createLines(out: (text: string) => void): Lines {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = waiting;
    waiting = '';
    if (text !== '') out(text);
  };
  return {
    print: (line) => {
      waiting += line;
      timer ??= setTimeout(flush, patienceMs);
    },
    flush,
  };
}

/** A terminal that shows the lines which came before whatever is said on it. */
export function afterLines(terminal: Terminal, { flush }: Lines): Terminal {
  const after =
    (print: (text: string) => void) =>
    (text: string): void => {
      flush();
      print(text);
    };
  return { ...terminal, out: after(terminal.out), error: after(terminal.error) };
}
