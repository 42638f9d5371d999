/** Text in lines of a terminal: broken at words, cut at the edge, and without anything that a terminal would act on. */

/** How wide a line is meant to be. */
export const width = 100;

/** Control characters, and those that turn the direction of a text or take no place in it; what a target sends may hold any. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text with everything that is not seen as it is written as an escape of JSON. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, (character) => {
    const units = [...Array(character.length).keys()].map((index) => character.charCodeAt(index).toString(16).padStart(4, '0'));
    return units.map((unit) => `\\u${unit}`).join('');
  });
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
