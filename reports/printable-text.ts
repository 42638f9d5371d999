/** Escapes control characters and invisible ones, since a target or a file may send any of them. */

import { clip } from './clip-text.ts';

/** Control characters, and characters that are invisible or change the direction of text. A target may send any of them. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Replaces unprintable characters by JSON escapes. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, asEscapes);
}

/** Returns a text as one printable line of limited length. */
export function toLine(text: string, limit: number = 2000): string {
  return printable(clip(text, limit));
}

/** First character of every terminal control sequence (ECMA-48 §5.4). */
const escapeCharacter = String.fromCharCode(0x1b);

/** Control sequences that this program itself prints: line breaks, tabs and styles; and the rewind of the last line. */
const style = new RegExp(`(\\n|\\t|${escapeCharacter}\\[\\d{1,2}m)`);
const rewind = new RegExp(`^(?:\\r?${escapeCharacter}\\[\\d?[HJK])+`);

/** Makes lines safe for a terminal. Line breaks, tabs and rewinds stay, and styles if `isStyled`. JSON keeps its meaning. */
export function printableLines(text: string, isStyled: boolean): string {
  const [start = ''] = rewind.exec(text) ?? [];
  const separators = isStyled ? style : /(\n|\t)/;
  return (
    start +
    text
      .slice(start.length)
      .split(separators)
      .map((piece, index) => (index % 2 === 0 ? printable(piece) : piece))
      .join('')
  );
}

function asEscapes(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
