/** Text in lines of a terminal: broken at words, cut at the edge, and without anything that a terminal would act on. */

import { styleText } from 'node:util';
import { type Span, spansOf, type Text } from './model.ts';

/** The width that a line is meant to have. */
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

/** Writes text in the lines of a terminal, with colours or without. */
export interface Ink {
  /** The text in one line, which is cut where it is wider than `most`. */
  readonly line: (text: Text, most?: number) => string;
  /** The text in as many lines as it takes, broken at spaces: the first begins with `first`, the others with `indent`. A longer word stays whole. */
  readonly wrap: (text: Text, indent: string, first?: string) => readonly string[];
}

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green';

const styles: Readonly<Record<NonNullable<Exclude<Span, string>['as']>, readonly Style[]>> = {
  strong: ['bold'],
  faint: ['dim'],
  bad: ['red', 'bold'],
  doubtful: ['yellow'],
  good: ['green'],
  neutral: [],
  code: [],
};

/** Colours, or none. Whether they are wanted was decided by whoever knows the terminal, so the stream is not asked again. */
export function createInk(decorated: boolean): Ink {
  const paint = ({ text, as }: Piece): string =>
    decorated ? styles[as ?? 'neutral'].reduce((painted, each) => styleText(each, painted, { validateStream: false }), text) : text;
  const print = (pieces: readonly Piece[]): string => pieces.map(paint).join('');
  return {
    line: (text, most = Number.POSITIVE_INFINITY) => {
      const pieces = piecesOf(text);
      const { length } = pieces.map((piece) => piece.text).join('');
      return length <= most ? print(pieces) : `${print(slicePieces(pieces, 0, most - 1))}…`;
    },
    wrap: (text, indent, first = indent) => {
      const pieces = piecesOf(text);
      const whole = pieces.map((piece) => piece.text).join('');
      return linesIn(whole, width - indent.length, width - first.length).map(
        ([start, end], index) => `${index === 0 ? first : indent}${print(slicePieces(pieces, start, end))}`,
      );
    },
  };
}

type Piece = Exclude<Span, string>;

function piecesOf(text: Text): readonly Piece[] {
  return spansOf(text).map((span) => (typeof span === 'string' ? { text: printable(span) } : { ...span, text: printable(span.text) }));
}

function slicePieces(pieces: readonly Piece[], start: number, end: number): readonly Piece[] {
  let at = 0;
  return pieces.flatMap((piece) => {
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, piece.text.length)];
    at += piece.text.length;
    return from < to ? [{ ...piece, text: piece.text.slice(from, to) }] : [];
  });
}

/** Where the lines of a text begin and end when it is broken at spaces. */
function linesIn(text: string, most: number, mostFirst: number): readonly (readonly [start: number, end: number])[] {
  const lines: (readonly [number, number])[] = [];
  let start = 0;
  let end = 0;
  for (let at = 0; at <= text.length; ) {
    const space = text.indexOf(' ', at);
    const wordEnd = space < 0 ? text.length : space;
    if (at > start && wordEnd - start > (lines.length === 0 ? mostFirst : most)) {
      lines.push([start, end]);
      start = at;
    }
    end = wordEnd;
    at = wordEnd + 1;
  }
  return [...lines, [start, end]];
}

/** A number of things: `1 request`, `2 requests`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
