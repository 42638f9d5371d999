/** Lines for a terminal: colours, wrapping and columns. */

import { styleText } from 'node:util';
import { printable } from './printable-text.ts';
import { type Span, spansOf, type Text } from './report-model.ts';

/** Width of a line in characters, where that of the terminal is not known. */
const usualWidth = 100;

/** Formats text for a terminal, with or without colours. */
export interface Ink {
  /** Width of a line in characters. */
  readonly width: number;
  /** Formats a text as one line, cut after `limit` characters. */
  readonly line: (text: Text, limit?: number) => string;
  /** Wraps a text at spaces: the first line begins with `first`, the others with `indent`. A long word stays whole. */
  readonly wrap: (text: Text, indent: string, first?: string) => readonly string[];
}

type InkStyle = 'bold' | 'dim' | 'red' | 'yellow' | 'green';

const styles: Readonly<Record<NonNullable<Exclude<Span, string>['as']>, readonly InkStyle[]>> = {
  strong: ['bold'],
  faint: ['dim'],
  bad: ['red', 'bold'],
  doubtful: ['yellow'],
  good: ['green'],
  neutral: [],
  code: [],
};

/** Creates a formatter with or without colours. The caller decides, so Node.js must not check the stream. */
export function createInk(decorated: boolean, width: number = usualWidth): Ink {
  const paint = ({ text, as }: Piece): string =>
    decorated ? styles[as ?? 'neutral'].reduce((painted, each) => styleText(each, painted, { validateStream: false }), text) : text;
  const print = (pieces: readonly Piece[]): string => pieces.map(paint).join('');
  return {
    width,
    line: (text, limit = Number.POSITIVE_INFINITY) => {
      const pieces = piecesOf(text);
      const { length } = pieces.map((piece) => piece.text).join('');
      return length <= limit ? print(pieces) : `${print(slicePieces(pieces, 0, limit - 1))}…`;
    },
    wrap: (text, indent, first = indent) => {
      const pieces = piecesOf(text);
      const fullText = pieces.map((piece) => piece.text).join('');
      return linesIn(fullText, width - indent.length, width - first.length).map(
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
  let pieceStart = 0;
  return pieces.flatMap((piece) => {
    const [from, to] = [Math.max(start - pieceStart, 0), Math.min(end - pieceStart, piece.text.length)];
    pieceStart += piece.text.length;
    return from < to ? [{ ...piece, text: piece.text.slice(from, to) }] : [];
  });
}

/** Returns the start and end of each line of a text that is wrapped at spaces. */
function linesIn(text: string, lineMax: number, firstLineMax: number): readonly (readonly [start: number, end: number])[] {
  const lines: (readonly [number, number])[] = [];
  let start = 0;
  let end = 0;
  for (let wordStart = 0; wordStart <= text.length; ) {
    const space = text.indexOf(' ', wordStart);
    const wordEnd = space < 0 ? text.length : space;
    if (wordStart > start && wordEnd - start > (lines.length === 0 ? firstLineMax : lineMax)) {
      lines.push([start, start + text.slice(start, end).trimEnd().length]);
      start = wordStart;
    }
    end = wordEnd;
    wordStart = wordEnd + 1;
  }
  return [...lines, [start, end]];
}

/** Pads cells, so that the columns of all rows are aligned. The last column is not padded. */
export function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widthOf = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widthOf(column)))).join('  '));
}
