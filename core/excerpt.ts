/**
 * Excerpts of response bodies and contract files for reports: the lines around a place, with their numbers. Keys and personal data must have been hidden
 * before.
 */

import { type Json, printJson, readJson } from './json.ts';
import { findJsonMistake } from './openapi/loading/json-parser.ts';
import { fromPointer } from './pointer.ts';

/** The lines of a body or a file that matter. */
export interface TextExcerpt {
  /** Lines in order. Numbers that do not follow each other mark lines that are left out. */
  readonly lines: readonly ExcerptLine[];
  /** Number of all lines of the text. */
  readonly of: number;
}

/** A line of an excerpt. */
export interface ExcerptLine {
  /** Its number, from 1. */
  readonly number: number;
  /** Its text. Long lines are cut. */
  readonly text: string;
  /** True for the line at which the value in question begins. */
  readonly marked?: boolean;
}

/** Numbers of lines: of an excerpt without a place, of a value, and around it. */
const [beginningMax, valueMax, linesAround] = [12, 8, 2];
/** First lines of the object that holds a value: they often have its identifier. */
const headMax = 3;
const textMax = 160;

/**
 * Cuts a body around the value at a pointer. JSON is indented by two spaces. The lines that open the objects and lists around the value are kept. Without
 * a pointer, the beginning is kept; of a text that is not JSON, the lines around its first mistake.
 */
export function excerptBody(body: string, pointer = ''): TextExcerpt {
  if (body === '') return { lines: [], of: 0 };
  const value = readJson(body);
  if (value === undefined) return excerptLines(body, findJsonMistake(body));
  const lines = printJson(value, 2).split('\n');
  const { opening, start, end } = locate(value, fromPointer(pointer));
  if (opening.length === 0) return selectLines(lines, [range(1, beginningMax)], undefined);
  const holder = opening.at(-1) ?? 1;
  const shownEnd = Math.min(end, start + valueMax - 1);
  const ranges = [
    ...opening.map((line) => range(line, line)),
    range(holder, holder + headMax),
    range(start - linesAround, shownEnd + linesAround),
  ];
  return selectLines(
    lines,
    // Lines before the object that holds the value belong to its neighbour.
    ranges.map((each) => each.filter((line) => line >= holder || opening.includes(line))),
    start,
  );
}

/** The value at a pointer: the lines that open what contains it, and its own first and last line. */
interface LinesOfValue {
  readonly opening: readonly number[];
  readonly start: number;
  readonly end: number;
}

function locate(value: Json, keys: readonly string[], start = 1): LinesOfValue {
  const [key, ...rest] = keys;
  const location = { opening: [], start, end: start + countLines(value) - 1 };
  if (key === undefined || typeof value !== 'object' || value === null) return location;
  let line = start + 1;
  for (const [name, member] of Object.entries(value as Readonly<Record<string, Json>>)) {
    if (name === key) {
      const memberLocation = locate(member, rest, line);
      return { ...memberLocation, opening: [start, ...memberLocation.opening] };
    }
    line += countLines(member);
  }
  return location;
}

/** The number of lines of a value, indented. */
function countLines(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  const members = Object.values(value as Readonly<Record<string, Json>>);
  return members.length === 0 ? 1 : members.reduce<number>((sum, member) => sum + countLines(member), 2);
}

function excerptLines(body: string, mistakeOffset: number | undefined): TextExcerpt {
  const lines = body.split(/\r\n|\r|\n/);
  if (mistakeOffset === undefined) return selectLines(lines, [range(1, beginningMax)], undefined);
  const line = body.slice(0, mistakeOffset).split(/\r\n|\r|\n/).length;
  const column = mistakeOffset - Math.max(body.lastIndexOf('\n', mistakeOffset - 1), body.lastIndexOf('\r', mistakeOffset - 1)) - 1;
  // A long line is cut around the place.
  const from = Math.max(0, column - textMax / 2);
  const shownLines = lines.map((text, index) => (index === line - 1 && from > 0 ? `…${text.slice(from)}` : text));
  return selectLines(shownLines, [range(line - linesAround, line + linesAround)], line);
}

/** Cuts a file around a line, without the indentation that all shown lines share. `clean` hides keys in a line. */
export function excerptFile(text: string, line: number, clean: (text: string) => string): TextExcerpt {
  const lines = text.split(/\r?\n/);
  const shown = range(Math.max(1, line - linesAround), line + linesAround).filter((number) => lines[number - 1]?.trim());
  const indent = Math.min(...shown.map((number) => lines[number - 1]?.search(/\S/) ?? 0));
  return selectLines(
    lines.map((each, index) => (shown.includes(index + 1) ? clean(each.slice(indent)) : each)),
    [shown],
    line,
  );
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

function selectLines(lines: readonly string[], ranges: readonly (readonly number[])[], marked: number | undefined): TextExcerpt {
  const numbers = [...new Set(ranges.flat())].filter((number) => number >= 1 && number <= lines.length).toSorted((a, b) => a - b);
  return {
    lines: numbers.map((number) => {
      const text = lines[number - 1] ?? '';
      return { number, text: text.length > textMax ? `${text.slice(0, textMax)}…` : text, ...(number === marked && { marked: true }) };
    }),
    of: lines.length,
  };
}

/** Lines of an excerpt as text: a number in front, `>` before marked lines, and `…` where lines are left out. */
export function printExcerpt({ lines, of }: TextExcerpt): readonly string[] {
  const digits = String(of).length;
  return lines.flatMap(({ number, text, marked }, index) => {
    const gap = index > 0 && number - (lines[index - 1]?.number ?? 0) > 1 ? [`${' '.repeat(digits)}  …`] : [];
    return [...gap, `${marked === true ? '>' : ' '}${String(number).padStart(digits)} ${text}`];
  });
}
