/** A terminal that records its output, and that a test can interrupt. */

import type { Terminal } from '../../../cli/command.ts';

/** A terminal for tests. */
export interface TestTerminal extends Terminal {
  readonly printed: () => { readonly out: string; readonly error: string };
  /** Does what Ctrl-C does. */
  readonly interrupt: () => void;
  /** Waits until a text has been printed to standard output. */
  readonly until: (text: string) => Promise<void>;
}

/** Creates a terminal, with or without colours. */
export function createTerminal(decorated = false): TestTerminal {
  let [out, error] = ['', ''];
  let interrupt = (): void => undefined;
  const interrupted = new Promise<void>((resolve) => {
    interrupt = resolve;
  });
  const waiting: { readonly text: string; readonly resolve: () => void }[] = [];
  return {
    decorated,
    interrupted,
    out: (text) => {
      out += text;
      for (const each of waiting) if (out.includes(each.text)) each.resolve();
    },
    error: (text) => {
      error += text;
    },
    printed: () => ({ out, error }),
    interrupt: () => interrupt(),
    until: (text) =>
      new Promise((resolve) => {
        if (out.includes(text)) resolve();
        else waiting.push({ text, resolve });
      }),
  };
}
