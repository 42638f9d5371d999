/** Text in lines of a terminal: broken at words, cut at the edge, and without anything that a terminal would act on. */

/** How wide a line is meant to be. */
export const width = 100;

/** Control characters, and those that turn the direction of a text or take no place in it; what a target sends may hold any. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text with everything that is not seen as it is written as an escape of JSON. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, asEscapes);
}

/** What begins every control sequence of a terminal (ECMA-48 §5.4). */
const escapeCharacter = String.fromCharCode(0x1b);

/** What styles our own lines, and what moves them over what was printed, at their beginning. */
const style = new RegExp(`(\\n|\\t|${escapeCharacter}\\[\\d{1,2}m)`);
const rewind = new RegExp(`^(?:\\r?${escapeCharacter}\\[\\d?[HJK])+`);

/** Lines that a terminal can be given, whatever went into them: line breaks, tabs, our own styles and rewinding stay. JSON means the same as before. */
export function printableLines(text: string, isStyled: boolean): string {
  const [start = ''] = rewind.exec(text) ?? [];
  const kept = isStyled ? style : /(\n|\t)/;
  return (
    start +
    text
      .slice(start.length)
      .split(kept)
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

/** Breaks a text at its spaces; the lines after the first one begin under the text, and a word that is wider than a line stays whole. */
export function wrap(text: string, indent: string, first: string = indent): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Cuts what would be wider than a line. */
export function cut(line: string): string {
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

/** A number of things: `1 request`, `2 requests`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
