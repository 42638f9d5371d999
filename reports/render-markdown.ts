/** Renders a report as a pull-request comment, in Markdown for GitHub and GitLab. Escapes keep texts from becoming markup, mentions or links. */

import { countNoun } from '../core/count-noun.ts';
import { formatLocation } from '../core/errors.ts';
import { excerptBody, printExcerpt } from '../core/excerpt.ts';
import { clip } from './clip-text.ts';
import { compareLines, toUnified } from './compare-value-lines.ts';
import { describeStatus } from './describe-http-status.ts';
import { escapeMarkup } from './html-template.ts';
import { printable } from './printable-text.ts';
import {
  type Block,
  type Cell,
  type Entry,
  type FilledSection,
  plain,
  type Report,
  sectionsFor,
  spansOf,
  type Text,
} from './report-model.ts';

/** Maximum length of a comment. GitHub allows 65,536 characters. */
const commentMax = 62_000;
/** Maximum length of a section: open, folded, or with lines only. */
const sectionMax = { open: 28_000, folded: 9000, lines: 5000 };
/** Share of a section for full entries if further entries follow. */
const fullShare = 0.8;
/** Maximum numbers of characters of a name and of a sentence. */
const nameMax = 200;
const sentenceMax = 500;
/** Maximum length of a command line, and maximum number of command lines. A pagination may have hundreds. */
const commandMax = 1000;
const commandsMax = 5;
const lineMax = 160;
const valueLinesMax = 20;
const listingMax = 30;
const itemsMax = 20;

/** Renders a report as a comment of a length that GitHub accepts: entries that do not fit become lines, and then a count. */
export function renderMarkdown(report: Report): string {
  const { subject, verdict, headline, lead = [], end = [] } = report;
  const start = [
    `## ${escapeMarkdown(`${subject}: ${verdict}`, sentenceMax)}`,
    ...[...(plain(headline) === verdict ? [] : [headline]), ...lead].map((text) => writeText(text, sentenceMax)),
  ];
  const endLines = end.map((text) => writeText(text, sentenceMax));
  let charactersLeft = commentMax - [...start, ...endLines].join('\n\n').length;
  const sections = sectionsFor(report, 'comment').flatMap((section) => {
    const sectionTexts = writeSection(section, charactersLeft);
    charactersLeft -= sectionTexts.join('\n\n').length + 2;
    return sectionTexts;
  });
  return `${[...start, ...sections, ...endLines].join('\n\n')}\n`;
}

function writeSection({ title, entries, blocks, full, open }: FilledSection, charactersLeft: number): readonly string[] {
  const isFull = open || full;
  const limit = Math.min(charactersLeft - 500, isFull ? (open ? sectionMax.open : sectionMax.folded) : sectionMax.lines);
  const heading = entries.length === 0 ? escapeMarkdown(title, nameMax) : `${escapeMarkdown(title, nameMax)}: ${entries.length}`;
  const parts = [...blocks.map((block) => writeBlock(block, limit)), ...writeEntries(entries, limit, isFull)];
  return open ? [`### ${heading}`, ...parts] : [writeFold(heading, parts)];
}

/** Renders entries within the size limit: first in full, then as lines, then as a count. */
function writeEntries(entries: readonly Entry[], limit: number, isFullSection: boolean): readonly string[] {
  const lines: string[] = [];
  const fullEntries: string[] = [];
  let usedCharacters = 0;
  for (const [index, entry] of entries.entries()) {
    const fullText = isFullSection && lines.length === 0 ? writeEntry(entry, entries[index - 1]?.group, limit) : undefined;
    const hasRoom = fullText !== undefined && usedCharacters + fullText.length <= limit * (index === entries.length - 1 ? 1 : fullShare);
    const written = hasRoom ? fullText : writeLine(entry);
    usedCharacters += written.length + 2;
    if (usedCharacters > limit) return [...fullEntries, ...joinLines(lines), leaveOut(entries.length - index)];
    (hasRoom ? fullEntries : lines).push(written);
  }
  return [...fullEntries, ...joinLines(lines)];
}

function joinLines(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function leaveOut(number: number): string {
  return `… and ${number} more: the HTML and JSON reports have them.`;
}

function writeEntry({ name, title = '', blocks = [], group }: Entry, groupBefore: string | undefined, limit: number): string {
  const parts = [
    ...(group === undefined || group === groupBefore ? [] : [`#### ${escapeMarkdown(group, nameMax)}`]),
    `**${writeText(name, nameMax)}**${title === '' ? '' : `<br>\n${escapeMarkdown(title, sentenceMax)}`}`,
    ...blocks.map((block) => writeBlock(block, limit)).filter((text) => text !== ''),
  ];
  return parts.join('\n\n');
}

function writeLine({ name, line }: Entry): string {
  const separator = /[.!?…]$/.test(plain(name)) ? ' ' : ': ';
  return `- ${writeText(name, nameMax)}${line === '' ? '' : `${separator}${escapeMarkdown(line, sentenceMax)}`}`;
}

function writeBlock(block: Block, limit: number): string {
  switch (block.kind) {
    case 'paragraph':
      return writeText(block.text, sentenceMax);
    case 'facts':
      return block.facts.map(writeFact).join('<br>\n');
    case 'versus':
      return [block.left, block.right].map(writeFact).join('<br>\n');
    case 'list': {
      const items = takeFitting(block.items.slice(0, itemsMax), limit, (item) => `- ${writeText(item, sentenceMax)}`);
      const more = block.items.length - itemsMax;
      const title = block.title === undefined ? [] : [`${escapeMarkdown(block.title, nameMax)}:\n`];
      return [...title, ...items, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
    }
    case 'table':
      return writeTable(block, limit);
    case 'sides': {
      const places = `Before: ${codeSpan(formatLocation(block.before.place), nameMax)}, after: ${codeSpan(formatLocation(block.after.place), nameMax)}`;
      const rows = toUnified(compareLines(block.before.value, block.after.value, valueLinesMax)).map((row) => clip(row, lineMax));
      return rows.length === 0 ? places : `${places}\n\n${fence(rows, 'diff')}`;
    }
    case 'listing': {
      const lines = block.parts.flatMap((part) =>
        part.whole === true
          ? part.lines.map((line) => clip(line, commandMax))
          : cutLines(
              part.lines.map((line) => clip(line, lineMax)),
              listingMax,
            ),
      );
      const fitting = takeFitting(lines, limit, (line) => line).length;
      const cutListing = cutLines(lines, fitting);
      // A code block does not wrap, so sentences follow it.
      return [
        ...(cutListing.length === 0 ? [] : [fence(cutListing, '')]),
        ...block.conclusion.map((line) => writeText(line, sentenceMax)),
      ].join('\n\n');
    }
    case 'fold':
      return writeFold(
        escapeMarkdown(block.title, nameMax),
        block.blocks.map((each) => writeBlock(each, limit)),
      );
    case 'excerpt':
      return writeFold(escapeMarkdown(`The lines of the ${block.label}`, nameMax), [
        fence(
          printExcerpt(block.excerpt).map((line) => clip(line, lineMax)),
          '',
        ),
      ]);
    case 'exchanges':
      return writeExchanges(block);
  }
}

function writeFold(summary: string, parts: readonly string[]): string {
  return [`<details>\n<summary>${summary}</summary>`, ...parts.filter((text) => text !== ''), '</details>'].join('\n\n');
}

/**
 * Writes the request that shows a violation best, with the lines of its response that matter, and the commands of all requests. Only the request is visible.
 */
function writeExchanges({ exchanges, curl, best = curl.length - 1, excerpts }: Extract<Block, { kind: 'exchanges' }>): string {
  if (curl.length === 0) return '';
  const omitted = curl.length - commandsMax;
  const commands = curl.slice(0, commandsMax).map((command) => clip(command, commandMax));
  const script = fence([...commands, ...(omitted > 0 ? [`# … and ${countNoun(omitted, 'more request')}`] : [])], 'sh');
  const exchange = exchanges[best];
  if (exchange === undefined) return script;
  const { request, response } = exchange;
  const lines = printExcerpt(excerpts?.[best] ?? excerptBody(response.body)).map((line) => clip(line, lineMax));
  const summary = `<code>${escapeMarkup(clip(`${request.method} ${request.target}`, lineMax))}</code> → ${describeStatus(response)}`;
  return writeFold(summary, [...(lines.length === 0 ? [] : [fence(lines, '')]), script]);
}

function cutLines(lines: readonly string[], limit: number): readonly string[] {
  return lines.length <= limit ? lines : [...lines.slice(0, limit - 1), `… ${countNoun(lines.length - limit + 1, 'more line')}`];
}

function writeFact([label, text]: readonly [label: string, text: Text]): string {
  return `${escapeMarkdown(label, nameMax)}: ${writeText(text, sentenceMax)}`;
}

function writeTable({ columns, rows }: Extract<Block, { kind: 'table' }>, limit: number): string {
  const headLines = [`| ${columns.map((column) => escapeMarkdown(column, nameMax)).join(' | ')} |`, `|${' --- |'.repeat(columns.length)}`];
  const lines = takeFitting(rows, limit, ({ cells }) => `| ${cells.map(writeCell).join(' | ')} |`);
  const [included, omissionNotes] = [lines.filter((line) => line.startsWith('| ')), lines.filter((line) => !line.startsWith('| '))];
  return [[...headLines, ...included].join('\n'), ...omissionNotes].join('\n\n');
}

function writeCell(cell: Cell): string {
  const text = typeof cell === 'object' && 'line' in cell ? cell.line : cell;
  return spansOf(text)
    .map((span) =>
      typeof span !== 'string' && span.as === 'code' ? cellCode(span.text, nameMax) : escapeMarkdown(plain(span), sentenceMax),
    )
    .join('');
}

function writeText(text: Text, limit: number): string {
  return spansOf(text)
    .map((span) => {
      if (typeof span === 'string') return escapeMarkdown(span, limit);
      const formatted = span.as === 'code' ? codeSpan(span.text, Math.min(limit, nameMax)) : escapeMarkdown(span.text, limit);
      return /^https?:\/\/[^\s()<>]+$/.test(span.href ?? '') ? `[${formatted}](${span.href ?? ''})` : formatted;
    })
    .join('');
}

/** Renders items up to `limit` characters, and a sentence on the omitted ones, which are not rendered. */
function takeFitting<T>(items: readonly T[], limit: number, write: (item: T, index: number) => string): readonly string[] {
  const included: string[] = [];
  let usedCharacters = 0;
  for (const [index, item] of items.entries()) {
    const text = write(item, index);
    usedCharacters += text.length + 2;
    if (usedCharacters > limit) return [...included, leaveOut(items.length - index)];
    included.push(text);
  }
  return included;
}

/** Zero-width space. It keeps a name from becoming a mention, and a URL from becoming a link. */
const zeroWidthSpace = '&#8203;';

/** A code span in a plain text. A bar would end a table cell; a dollar sign beside it would start a formula on GitLab. */
const writtenCode = /(?<![`$])`([^`|\s](?:[^`|]*[^`|\s])?)`(?![`$])/;

/** Writes a text as one line of Markdown, also for a table cell: `code` in backticks stays code, everything else is escaped. */
export function escapeMarkdown(text: string, limit: number): string {
  // With one group in the pattern, every second part is the content of a code span.
  const parts = clip(text, limit).split(writtenCode);
  const escapedParts = parts.map((part, index) => (index % 2 === 1 ? codeSpan(part, part.length) : escapeInline(part)));
  return (
    escapedParts
      .join('')
      // At the start of a line, these would start a heading, a list, a quotation or a rule.
      .replace(/^(\s*)([-+=#>])/, '$1\\$2')
      .replace(/^(\s*\d+)([.)])(?=\s|$)/, '$1\\$2')
  );
}

function escapeInline(text: string): string {
  return (
    printable(text)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll(/[\\`*[\]|~$!]/g, '\\$&')
      // An underscore inside a word has no meaning.
      .replaceAll(/(?<!\w)_|_(?!\w)/g, '\\_')
      .replaceAll(/#(?=\d)/g, `#${zeroWidthSpace}`)
      .replaceAll('@', `@${zeroWidthSpace}`)
      .replaceAll(/\bGH-(?=\d)/gi, `$&${zeroWidthSpace}`)
      .replaceAll('://', `:${zeroWidthSpace}//`)
      .replaceAll(/\bwww\./gi, (start) => `${start.slice(0, -1)}${zeroWidthSpace}.`)
  );
}

/** Renders code in a table cell, where a bar would end the cell even inside a code span. */
function cellCode(text: string, limit: number): string {
  // Markdown is also parsed inside an HTML element, so its special characters become references.
  const escaped = escapeMarkup(clip(text, limit)).replaceAll(/[\\`*_[\]|~$!:]|(?<=www)\./g, (character) => `&#${character.charCodeAt(0)};`);
  return `<code>${escaped}</code>`;
}

/** Renders a code span, which is also readable as plain text. */
export function codeSpan(text: string, limit: number): string {
  const clipped = printable(clip(text, limit));
  const mark = '`'.repeat(longestRun(clipped) + 1);
  const space = clipped.startsWith('`') || clipped.endsWith('`') ? ' ' : '';
  return `${mark}${space}${clipped}${space}${mark}`;
}

/** Renders a fenced code block. */
function fence(lines: readonly string[], language: string): string {
  const printableLines = lines.map(printable);
  const mark = '`'.repeat(Math.max(2, ...printableLines.map(longestRun)) + 1);
  return [`${mark}${language}`, ...printableLines, mark].join('\n');
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
