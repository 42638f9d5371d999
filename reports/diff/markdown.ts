/** The report of a comparison as a comment of a pull request: the verdict, the breaking changes, all others folded, and the changelog to paste. */

import type { AcceptedChange, Change, ContractComparison, Level } from '../../core/change.ts';
import { levels } from '../../core/change.ts';
import { takeFitting } from '../fitting.ts';
import { codeSpan, escapeMarkdown, fence } from '../markdown-text.ts';
import { renderChangelog } from './changelog.ts';
import { markdownRowsHeading, renderMarkdownChange, renderMarkdownRow } from './markdown-change.ts';
import { describeAdvice, describeCounts, describeVersions, groupByOperation, levelTitles, openChanges } from './words.ts';

/** A comment may have 65,536 characters on GitHub; so many are for each part, and what does not fit is counted. */
const room: Readonly<Record<Level | 'accepted' | 'notes' | 'changelog', number>> = {
  breaking: 28_000,
  risky: 9000,
  compatible: 6000,
  documentation: 3000,
  accepted: 3000,
  notes: 2000,
  changelog: 9000,
};
const nameMax = 200;
const sentenceMax = 500;

/** Renders a comparison. */
export function renderDiffMarkdown(comparison: ContractComparison): string {
  const { old, new: next, version } = comparison;
  const sections = [
    `## Contract comparison: ${describeCounts(comparison)}`,
    `${escapeMarkdown(describeVersions(comparison), sentenceMax)} (${codeSpan(old.file, nameMax)} → ${codeSpan(next.file, nameMax)})`,
    renderCounts(comparison),
    escapeMarkdown(describeAdvice(version), sentenceMax),
    ...levels.flatMap((level) => renderLevel(level, openChanges(comparison, level))),
    ...renderAccepted(comparison),
    ...renderNotes(comparison),
    ...renderChangelogToPaste(comparison),
  ];
  return `${sections.join('\n\n')}\n`;
}

function renderCounts({ count, accepted }: ContractComparison): string {
  const rows = [...levels.map((level) => [levelTitles[level], count[level]] as const), ['Accepted', accepted.length] as const];
  return ['| Changes | |', '| --- | ---: |', ...rows.map(([title, number]) => `| ${title} | ${number} |`)].join('\n');
}

function renderLevel(level: Level, changes: readonly Change[]): readonly string[] {
  if (changes.length === 0) return [];
  if (level === 'breaking') return [`### ${levelTitles[level]}`, ...renderGroups(changes, room[level])];
  const title = `${levelTitles[level]}: ${changes.length}`;
  if (level === 'risky') return fold(title, renderGroups(changes, room[level]));
  const { kept, left } = takeFitting(changes, renderMarkdownRow, room[level]);
  return fold(title, [[markdownRowsHeading, ...kept].join('\n'), ...left]);
}

/** Changes in full, each operation with a heading of its own. */
function renderGroups(changes: readonly Change[], most: number): readonly string[] {
  const entries = groupByOperation(changes).flatMap(({ title, changes: members }) =>
    members.map((change, index) => ({ change, heading: index === 0 ? `#### ${escapeMarkdown(title, nameMax)}\n\n` : '' })),
  );
  const { kept, left } = takeFitting(entries, ({ change, heading }) => `${heading}${renderMarkdownChange(change)}`, most);
  return [...kept, ...left];
}

function renderAccepted({ accepted }: ContractComparison): readonly string[] {
  if (accepted.length === 0) return [];
  const { kept, left } = takeFitting(accepted, renderAcceptedRow, room.accepted);
  return fold(`Accepted: ${accepted.length}`, [kept.join('\n'), ...left]);
}

function renderAcceptedRow({ change, reason, expires }: AcceptedChange): string {
  const what = `${codeSpan(change.id, nameMax)} at ${codeSpan(change.operation ?? 'contract', nameMax)}`;
  return `- ${what} (${change.level}): ${escapeMarkdown(`${reason}${expires === undefined ? '' : `, until ${expires}`}`, sentenceMax)}`;
}

function renderNotes({ notes }: ContractComparison): readonly string[] {
  if (notes.length === 0) return [];
  const { kept, left } = takeFitting(notes, (note) => `- ${escapeMarkdown(note, sentenceMax)}`, room.notes);
  return ['### Notes', kept.join('\n'), ...left];
}

function renderChangelogToPaste(comparison: ContractComparison): readonly string[] {
  const { kept, left } = takeFitting(renderChangelog(comparison).trimEnd().split('\n'), (line) => line, room.changelog);
  return ['### Changelog', fence(kept, 'markdown').join('\n'), ...left];
}

function fold(title: string, blocks: readonly string[]): readonly string[] {
  return [`<details>\n<summary>${title}</summary>`, ...blocks, '</details>'];
}
