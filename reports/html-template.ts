/** HTML templates that escape every inserted text, and marks at which long words such as paths may break. */

import { printable } from './printable-text.ts';

/** A piece of HTML. A plain text, in contrast, still needs escapes. */
export interface Markup {
  readonly markup: string;
}

/** A value in a template: texts and numbers are escaped, HTML is inserted as it is, `undefined` inserts nothing. */
type MarkupValue = string | number | Markup | undefined | readonly Markup[];

/** Template tag for HTML that escapes every inserted text, for content and quoted attributes. */
export function html(pieces: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return { markup: pieces.map((piece, index) => `${piece}${index < values.length ? toMarkup(values[index]) : ''}`).join('') };
}

/** Escapes a text for content or quoted attributes of HTML or XML. Invisible and invalid characters become JSON escapes. */
export function escapeMarkup(text: string): string {
  // Most of the many texts of a report need no escapes, and this test is fast.
  if (/^[\w .,:;/(){}[\]-]*$/.test(text)) return text;
  return printable(text)
    .replaceAll(/\p{Noncharacter_Code_Point}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A text whose long words, such as paths, may break after their separators in a narrow window. Copying it gives the original text. */
export function breakable(text: string): Markup {
  const pieces = text.split(/(\S{16,})/);
  return {
    markup: pieces.map((piece, index) => (index % 2 === 0 ? [piece] : piece.split(endsOfParts)).map(escapeMarkup).join('<wbr>')).join(''),
  };
}

/** The ends of the parts of a path or a name: after a separator between two words, but not inside of numbers, times and addresses. */
const endsOfParts = /(?<=[\p{L}}][/.?&=_-])(?=[\p{L}\p{N}{])|(?<=\d[/.?&=_-])(?=[\p{L}{])/u;

function toMarkup(value: MarkupValue): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeMarkup(String(value));
  return 'markup' in value ? value.markup : value.map((each) => each.markup).join('');
}
