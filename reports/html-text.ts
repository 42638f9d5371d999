/** Text in HTML: whatever a text holds, it stays text. */

import { printable } from './layout.ts';

/** A piece of HTML, as opposed to a text that has yet to be escaped. */
export interface Markup {
  readonly markup: string;
}

/** What a template of HTML takes: texts and numbers are escaped, pieces of HTML stay as they are, of nothing comes nothing. */
export type MarkupValue = string | number | Markup | undefined | readonly Markup[];

/** A template of HTML that escapes every text that is put into it, in content and in quoted attributes. */
export function html(pieces: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return { markup: pieces.map((piece, index) => `${piece}${index < values.length ? toMarkup(values[index]) : ''}`).join('') };
}

/** A text for content or for a quoted attribute, of HTML or XML; what is not seen, or is no character to either, is written as an escape of JSON. */
export function escapeMarkup(text: string): string {
  // Most texts hold nothing to escape, and a report has very many of them.
  if (/^[\w .,:;/(){}[\]-]*$/.test(text)) return text;
  return printable(text)
    .replaceAll(/\p{Noncharacter_Code_Point}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function toMarkup(value: MarkupValue): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeMarkup(String(value));
  return 'markup' in value ? value.markup : value.map((each) => each.markup).join('');
}
