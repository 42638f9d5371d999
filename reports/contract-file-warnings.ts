/**
 * Renders what a contract file leaves unread: the places that are set aside, and remarks about how others are read. A command prints them as warnings when it
 * opens the file, and reports repeat the places.
 */

import { countNoun } from '../core/count-noun.ts';
import { formatLocation } from '../core/errors.ts';
import type { Document } from '../core/openapi/document.ts';
import type { SetAside } from '../core/openapi/mending/set-aside.ts';
import { printable } from './printable-text.ts';

/** Number of places that are shown; the others are counted. */
const maxShown = 10;

/** Renders what is set aside, one line for each place. */
export function linesOfSetAside(setAside: readonly SetAside[]): readonly string[] {
  return shorten(
    setAside.map(({ place, message, operations }) => {
      const [first, ...others] = operations;
      const concerned =
        first === undefined ? '' : ` [${first}${others.length === 0 ? '' : ` and ${countNoun(others.length, 'other operation')}`}]`;
      return printable(`${formatLocation(place)}: ${message}${concerned}`);
    }),
  );
}

/** Renders the warnings about a contract file; empty if there are none. */
export function renderWarnings(file: string, { setAside, remarks }: Pick<Document, 'setAside' | 'remarks'>): string {
  const notes = shorten(remarks.map(({ place, message }) => printable(`Note: ${formatLocation(place)}: ${message}`)));
  const places = countNoun(setAside.length, 'place');
  const title = `Warning: ${places} in ${file} cannot be read, so ${setAside.length === 1 ? 'it is' : 'they are'} neither served nor checked (--strict rejects such a file):`;
  const warnings = setAside.length === 0 ? [] : [title, ...linesOfSetAside(setAside).map((line) => `  ${line}`)];
  return [...warnings, ...notes].map((line) => `${line}\n`).join('');
}

function shorten(lines: readonly string[]): readonly string[] {
  return lines.length <= maxShown ? lines : [...lines.slice(0, maxShown), `… and ${lines.length - maxShown} more`];
}
