import type { Terminal } from './command.ts';

/** A printer of lines, and a terminal that prints the collected lines before any other output, to keep the order. */
interface BatchPrinter {
  readonly terminal: Terminal;
  readonly print: (line: string) => void;
  /** Prints the collected lines now. */
  readonly flush: () => void;
}

/** Time in which lines are collected into one write. */
const delayMs = 20;

/** Creates a printer for the lines of a busy server: one write for many lines is much cheaper than one for each line. */
export function createBatchPrinter(terminal: Terminal): BatchPrinter {
  let collectedLines = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = collectedLines;
    collectedLines = '';
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
      collectedLines += line;
      timer ??= setTimeout(flush, delayMs);
    },
    flush,
  };
}
