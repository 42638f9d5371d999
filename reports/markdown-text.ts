/** Text in Markdown as GitHub and GitLab read it: whatever a text holds, it stays text, names nobody and links nowhere. */

import { clip } from './excerpt.ts';
import { escapeMarkup } from './html-text.ts';
import { printable } from './layout.ts';

/** An empty character that keeps a name from being a mention, and an address from being a link. */
const gap = '&#8203;';

/** A text for one line of Markdown, also for a cell of a table. */
export function escapeMarkdown(text: string, most: number): string {
  return (
    printable(clip(text, most))
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll(/[\\`*[\]|~$!]/g, '\\$&')
      // Inside a word an underscore means nothing.
      .replaceAll(/(?<!\w)_|_(?!\w)/g, '\\_')
      .replaceAll(/#(?=\d)/g, `#${gap}`)
      .replaceAll('@', `@${gap}`)
      .replaceAll(/\bGH-(?=\d)/gi, `$&${gap}`)
      .replaceAll('://', `:${gap}//`)
      .replaceAll(/\bwww\./gi, (start) => `${start.slice(0, -1)}${gap}.`)
      // At the beginning of a line these would begin a heading, a list, a quotation or a rule.
      .replace(/^(\s*)([-+=#>])/, '$1\\$2')
      .replace(/^(\s*\d+)([.)])(?=\s|$)/, '$1\\$2')
  );
}

/** A text as code in a cell of a table, where a bar would end the cell before anything else is read. */
export function cellCode(text: string, most: number): string {
  // Markdown is read inside an element too, so whatever means something there stands as a reference.
  const shown = escapeMarkup(clip(text, most)).replaceAll(/[\\`*_[\]|~$!:]|(?<=www)\./g, (character) => `&#${character.charCodeAt(0)};`);
  return `<code>${shown}</code>`;
}

/** A text as code, easy to read before it is rendered too. */
export function codeSpan(text: string, most: number): string {
  const shown = printable(clip(text, most));
  const mark = '`'.repeat(longestRun(shown) + 1);
  const space = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${mark}${space}${shown}${space}${mark}`;
}

/** Lines as they are. */
export function fence(lines: readonly string[], language: string): readonly string[] {
  const shown = lines.map(printable);
  const mark = '`'.repeat(Math.max(2, ...shown.map(longestRun)) + 1);
  return [`${mark}${language}`, ...shown, mark];
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
