/** Colours of a terminal. Without them a text reads the same. */

import { styleText } from 'node:util';

/** Paints pieces of text. */
export interface Ink {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly doubtful: (text: string) => string;
  readonly good: (text: string) => string;
}

/** Colours, or none. Whether they are wanted was decided by whoever knows the terminal, so the stream is not asked again. */
export function createInk(decorated: boolean): Ink {
  const paint =
    (...styles: readonly Style[]) =>
    (text: string): string =>
      decorated ? styles.reduce((painted, style) => styleText(style, painted, { validateStream: false }), text) : text;
  return { strong: paint('bold'), faint: paint('dim'), bad: paint('red', 'bold'), doubtful: paint('yellow'), good: paint('green') };
}

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green';
