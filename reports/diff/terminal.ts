/** The report of a comparison for people at a terminal: the verdict, where the changes are, then each of them, the gravest first. */

import type { Change, ContractComparison, Level } from '../../core/change.ts';
import { levels } from '../../core/change.ts';
import { clip } from '../excerpt.ts';
import { createInk, type Ink } from '../ink.ts';
import { count, cut, printable, wrap } from '../layout.ts';
import { renderChange, renderChangeLine } from './terminal-change.ts';
import { describeAdvice, describeComparison, groupByOperation, levelTitles, openChanges } from './words.ts';

/** How to render. */
export interface DiffTerminalOptions {
  /** Whether colours are wanted. */
  readonly decorated: boolean;
  /** The files that hold the whole result. */
  readonly reports?: readonly string[];
}

/** So many changes of a level are shown in full, and each further one in a line. */
const fullChanges: Readonly<Record<Level, number>> = { breaking: 20, risky: 10, compatible: 0, documentation: 0 };
/** So many lines a level has at most for the changes that are not shown in full. */
const longestLevel = 100;
/** With more changes than this, the report begins with a list of where they are, and ends as it began. */
const manyChanges = 12;
/** So many places are listed there. */
const longestOverview = 10;
const sentenceMax = 600;

/** Renders a comparison. */
export function renderDiffTerminal(comparison: ContractComparison, options: DiffTerminalOptions): string {
  const ink = createInk(options.decorated);
  const whole = options.reports?.[0] ?? '--report html=FILE';
  const open = levels.flatMap((level) => openChanges(comparison, level));
  const isLong = open.length > manyChanges;
  const sections = [
    [renderHeadline(comparison, ink), ...renderFiles(comparison, ink)],
    isLong ? renderOverview(open, ink) : [],
    ...levels.map((level) => renderLevel(level, openChanges(comparison, level), ink, whole)),
    renderAccepted(comparison, ink),
    renderNotes(comparison, ink),
    [...wrap(printable(describeAdvice(comparison.version)), ''), ...(isLong ? [renderHeadline(comparison, ink)] : [])],
  ];
  return `\n${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')}`;
}

function renderHeadline(comparison: ContractComparison, ink: Ink): string {
  const { count: counts } = comparison;
  const paint = counts.breaking > 0 ? ink.bad : counts.risky > 0 ? ink.doubtful : ink.good;
  return paint(printable(describeComparison(comparison)));
}

function renderFiles({ old, new: next }: ContractComparison, ink: Ink): readonly string[] {
  return [ink.faint(printable(`${old.file} → ${next.file}`))];
}

/** Where the changes are; the place with the most breaking ones first. */
function renderOverview(open: readonly Change[], ink: Ink): readonly string[] {
  const groups = groupByOperation(open).toSorted(
    (left, right) => gravity(right.changes) - gravity(left.changes) || right.changes.length - left.changes.length,
  );
  const shown = groups.slice(0, longestOverview).map(({ title, changes }) => {
    const counts = levels.flatMap((level) => {
      const number = changes.filter((change) => change.level === level).length;
      return number === 0 ? [] : [`${number} ${level}`];
    });
    return cut(`  ${printable(title)}: ${counts.join(', ')}`);
  });
  const more = groups.length - shown.length;
  return [ink.strong('Where'), ...shown, ...(more === 0 ? [] : [`  and ${count(more, 'further place')}`])];
}

/** Breaking changes count before any number of risky ones. */
function gravity(changes: readonly Change[]): number {
  const number = (level: Level): number => changes.filter((change) => change.level === level).length;
  return number('breaking') * 1_000_000 + number('risky');
}

function renderLevel(level: Level, changes: readonly Change[], ink: Ink, whole: string): readonly string[] {
  const full = new Set(changes.slice(0, fullChanges[level]));
  const shown = changes.slice(0, full.size + longestLevel);
  const groups = groupByOperation(shown).map(({ title, changes: members }) => renderGroup(title, members, full, ink));
  const more = changes.length - shown.length;
  if (groups.length === 0) return [];
  const lines = groups.flatMap((group, index) => (index > 0 && full.size > 0 ? ['', ...group] : group));
  return [ink.strong(levelTitles[level]), ...lines, ...(more === 0 ? [] : [`  and ${more} more: see ${printable(whole)}`])];
}

function renderGroup(title: string, changes: readonly Change[], full: ReadonlySet<Change>, ink: Ink): readonly string[] {
  const lines = changes.flatMap((change, index) => {
    if (!full.has(change)) return [renderChangeLine(change, ink)];
    return index === 0 ? renderChange(change, ink) : ['', ...renderChange(change, ink)];
  });
  return [ink.strong(cut(printable(title))), ...lines];
}

function renderAccepted({ accepted }: ContractComparison, ink: Ink): readonly string[] {
  if (accepted.length === 0) return [];
  const lines = accepted.slice(0, longestLevel).flatMap(({ change, reason, expires }) => {
    const until = expires === undefined ? '' : `, until ${expires}`;
    const name = [change.operation ?? 'the contract', change.location].filter((part) => part !== '').join(', ');
    return wrap(printable(clip(`${change.id} at ${name}: ${reason} (${change.level}${until})`, sentenceMax)), '    ', '  ');
  });
  const more = accepted.length - longestLevel;
  return [ink.strong('Accepted'), ...lines, ...(more <= 0 ? [] : [`  and ${more} more`])];
}

function renderNotes({ notes }: ContractComparison, ink: Ink): readonly string[] {
  if (notes.length === 0) return [];
  return [ink.strong('Notes'), ...notes.flatMap((note) => wrap(printable(clip(note, sentenceMax)), '    ', '  '))];
}
