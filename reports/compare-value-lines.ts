/** Compares two JSON values line by line, and marks the changed part of each line, for the before and after of a change in reports of `diff`. */

import { countNoun } from '../core/count-noun.ts';
import { type Json, printJson } from '../core/json.ts';
import { clip, clipStart, keepWhole } from './clip-text.ts';

/** A line with a changed part. */
export interface ChangedLine {
  /** Text before the changed part. */
  readonly start: string;
  readonly changed: string;
  /** Text after it. */
  readonly end: string;
}

/** A row: an unchanged line, a changed, added or removed line, or skipped lines. */
export type ComparedRow =
  | { readonly kind: 'same'; readonly before: string; readonly after: string }
  | { readonly kind: 'changed'; readonly before: ChangedLine | undefined; readonly after: ChangedLine | undefined }
  | { readonly kind: 'skipped'; readonly lines: number };

/** Number of unchanged lines around a change. */
const linesAround = 3;
/** Maximum size of the table of common lines. Of larger values, the lines that only one of them has are shown. */
const tableMax = 250_000;
/** Limits for a long line: of the changed part, and of the text on each side. */
const changedMax = 300;
const besideMax = 80;

/** Compares two values line by line. Returns at most `limit` rows; the last one counts the skipped lines. */
export function compareLines(before: Json | undefined, after: Json | undefined, limit: number): readonly ComparedRow[] {
  const [beforeLines, afterLines] = [toLines(before), toLines(after)];
  // An added or removed value needs no comparison, and may have thousands of lines.
  if (beforeLines.length === 0 || afterLines.length === 0) {
    const lineCount = beforeLines.length + afterLines.length;
    const rows = pairByIndex(beforeLines.slice(0, limit), afterLines.slice(0, limit));
    return lineCount <= limit ? rows : [...rows.slice(0, limit - 1), { kind: 'skipped', lines: lineCount - limit + 1 }];
  }
  const rows = skipUnchanged(pairLines(beforeLines, afterLines));
  if (rows.length <= limit) return rows;
  const lines = rows.slice(limit - 1).reduce((sum, row) => sum + (row.kind === 'skipped' ? row.lines : 1), 0);
  return [...rows.slice(0, limit - 1), { kind: 'skipped', lines }];
}

/** Rows in one column, as `diff` prints them: removed lines before the added ones. */
export function toUnified(rows: readonly ComparedRow[]): readonly string[] {
  const lines: string[] = [];
  let added: string[] = [];
  for (const row of rows) {
    if (row.kind === 'changed') {
      if (row.before !== undefined) lines.push(`- ${joinLine(row.before)}`);
      if (row.after !== undefined) added.push(`+ ${joinLine(row.after)}`);
      continue;
    }
    lines.push(...added, row.kind === 'same' ? `  ${row.after}` : `  … ${countNoun(row.lines, 'more line')}`);
    added = [];
  }
  return [...lines, ...added];
}

function joinLine({ start, changed, end }: ChangedLine): string {
  return `${start}${changed}${end}`;
}

/** A line and its key for comparison: without the final comma, which depends on the following lines. */
interface Line {
  readonly text: string;
  readonly key: string;
}

function toLines(value: Json | undefined): readonly Line[] {
  if (value === undefined) return [];
  return printJson(value, 2)
    .split('\n')
    .map((text) => ({ text, key: text.endsWith(',') ? text.slice(0, -1) : text }));
}

function pairLines(left: readonly Line[], right: readonly Line[]): readonly ComparedRow[] {
  const shortest = Math.min(left.length, right.length);
  let sameAtStart = 0;
  while (sameAtStart < shortest && left[sameAtStart]?.key === right[sameAtStart]?.key) sameAtStart += 1;
  let sameAtEnd = 0;
  while (sameAtEnd < shortest - sameAtStart && left.at(-1 - sameAtEnd)?.key === right.at(-1 - sameAtEnd)?.key) sameAtEnd += 1;
  const [leftEnd, rightEnd] = [left.length - sameAtEnd, right.length - sameAtEnd];
  return [
    ...left.slice(0, sameAtStart).map((line, index) => sameRow(line, right[index])),
    ...alignMiddle(left.slice(sameAtStart, leftEnd), right.slice(sameAtStart, rightEnd)),
    ...left.slice(leftEnd).map((line, index) => sameRow(line, right[rightEnd + index])),
  ];
}

function sameRow(before: Line | undefined, after: Line | undefined): ComparedRow {
  return { kind: 'same', before: clip(before?.text ?? '', changedMax), after: clip(after?.text ?? '', changedMax) };
}

/** Follows the longest common subsequence, and pairs the lines between common lines. */
function alignMiddle(left: readonly Line[], right: readonly Line[]): readonly ComparedRow[] {
  if (left.length * right.length > tableMax) return listUncommon(left, right);
  const lengths = tabulate(left, right);
  const lengthAt = (leftIndex: number, rightIndex: number): number => lengths[leftIndex * (right.length + 1) + rightIndex] ?? 0;
  const rows: ComparedRow[] = [];
  let [i, j] = [0, 0];
  let [removedFrom, addedFrom] = [0, 0];
  while (i < left.length && j < right.length) {
    if (left[i]?.key === right[j]?.key) {
      rows.push(...pairByIndex(left.slice(removedFrom, i), right.slice(addedFrom, j)), sameRow(left[i], right[j]));
      i += 1;
      j += 1;
      [removedFrom, addedFrom] = [i, j];
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i += 1;
    else j += 1;
  }
  return [...rows, ...pairByIndex(left.slice(removedFrom), right.slice(addedFrom))];
}

/** The lines that only one side has, without those between them. */
function listUncommon(left: readonly Line[], right: readonly Line[]): readonly ComparedRow[] {
  const beyond = (lines: readonly Line[], others: readonly Line[]): readonly Line[] => {
    const keys = new Set(others.map(({ key }) => key));
    return lines.filter(({ key }) => !keys.has(key));
  };
  const [removed, added] = [beyond(left, right), beyond(right, left)];
  if (removed.length + added.length === 0) return pairByIndex(left, right);
  return [...removed.map(({ text }) => compareLine(text, undefined)), ...added.map(({ text }) => compareLine(undefined, text))];
}

/** Length of the longest common subsequence for each pair of line suffixes. */
function tabulate(left: readonly Line[], right: readonly Line[]): Uint32Array {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const index = i * width + j;
      lengths[index] =
        left[i]?.key === right[j]?.key
          ? (lengths[index + width + 1] ?? 0) + 1
          : Math.max(lengths[index + width] ?? 0, lengths[index + 1] ?? 0);
    }
  }
  return lengths;
}

function pairByIndex(left: readonly Line[], right: readonly Line[]): readonly ComparedRow[] {
  const longer = left.length >= right.length ? left : right;
  return longer.map((_, index) => {
    const [before, after] = [left[index], right[index]];
    return before?.key === after?.key ? sameRow(before, after) : compareLine(before?.text, after?.text);
  });
}

/** Marks the differing part of two lines: everything but the common start and end. */
function compareLine(before: string | undefined, after: string | undefined): ComparedRow {
  if (before === undefined || after === undefined) {
    const changedWhole = (line: string | undefined): ChangedLine | undefined =>
      line === undefined ? undefined : { start: '', changed: clip(line, changedMax), end: '' };
    return { kind: 'changed', before: changedWhole(before), after: changedWhole(after) };
  }
  const shortest = Math.min(before.length, after.length);
  let sameAtStart = 0;
  while (sameAtStart < shortest && before[sameAtStart] === after[sameAtStart]) sameAtStart += 1;
  sameAtStart = keepWhole(before, keepWhole(after, sameAtStart));
  let sameAtEnd = 0;
  while (sameAtEnd < shortest - sameAtStart && before.at(-1 - sameAtEnd) === after.at(-1 - sameAtEnd)) sameAtEnd += 1;
  // A surrogate pair must not be split.
  while (sameAtEnd > 0 && [before, after].some((line) => keepWhole(line, line.length - sameAtEnd) !== line.length - sameAtEnd))
    sameAtEnd -= 1;
  return { kind: 'changed', before: splitLine(before, sameAtStart, sameAtEnd), after: splitLine(after, sameAtStart, sameAtEnd) };
}

function splitLine(line: string, sameAtStart: number, sameAtEnd: number): ChangedLine {
  const end = line.length - sameAtEnd;
  return {
    start: clipStart(line.slice(0, sameAtStart), besideMax),
    changed: clip(line.slice(sameAtStart, end), changedMax),
    end: clip(line.slice(end), besideMax),
  };
}

/** Removes unchanged lines except for a few around each change. */
function skipUnchanged(rows: readonly ComparedRow[]): readonly ComparedRow[] {
  const isNearChange = rows.map(() => false);
  for (const [index, row] of rows.entries()) {
    if (row.kind === 'changed') isNearChange.fill(true, Math.max(0, index - linesAround), index + linesAround + 1);
  }
  const visibleRows: ComparedRow[] = [];
  let skipped = 0;
  for (const [index, row] of rows.entries()) {
    if (isNearChange[index] !== true) {
      skipped += 1;
      continue;
    }
    if (skipped > 0) visibleRows.push({ kind: 'skipped', lines: skipped });
    skipped = 0;
    visibleRows.push(row);
  }
  return skipped === 0 ? visibleRows : [...visibleRows, { kind: 'skipped', lines: skipped }];
}
