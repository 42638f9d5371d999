/** Renders a report for a terminal: the most important entries in full, the others as lines. */

import { formatLocation } from '../core/errors.ts';
import { printExcerpt } from '../core/excerpt.ts';
import { clip } from './clip-text.ts';
import { compareLines, toUnified } from './compare-value-lines.ts';
import { describeStatus } from './describe-http-status.ts';
import {
  type Block,
  type Cell,
  type Entry,
  type FilledSection,
  faint,
  plain,
  type Report,
  type Row,
  type Span,
  sectionsFor,
  spansOf,
  type Text,
} from './report-model.ts';
import { printShort } from './shorten-value.ts';
import { createInk, type Ink } from './terminal-text.ts';

/** Options of the terminal report. */
interface TerminalOptions {
  /** True for colours. */
  readonly decorated: boolean;
  /** Names of the written report files. They hold the complete result. */
  readonly reports?: readonly string[];
  /** Exit code for the last line. */
  readonly exitCode?: number;
  /** Number of columns; 100 by default. Texts are wrapped at 80 to 120. */
  readonly columns?: number | undefined;
  /** Number of rows of the terminal; 24 by default. */
  readonly rows?: number | undefined;
  /** True for all requests of each violation, and for the details that a summary with violations leaves out. */
  readonly verbose?: boolean;
}

/** Width of the column of labels, after four spaces. */
const labelWidth = 11;
const indent = ' '.repeat(4 + labelWidth);
/** Limits of the width in columns. */
const [minWidth, maxWidth] = [80, 120];
/** Maximum number of entries of a section in full. */
const fullMax = 20;
/** Rows that an entry in full takes on most screens, rows around the entries, and maximum number of further entries. */
const [entryRows, rowsAround, screenLines] = [14, 10, 3];
/** Maximum number of characters of a sentence. */
const sentenceMax = 600;
/** Maximum number of lines of a value, and of items of a list, in an entry. */
const valueLinesMax = 14;
const itemsMax = 6;

/** Way of printing. */
interface TerminalStyle {
  readonly ink: Ink;
  readonly verbose: boolean;
  /** Width at which preformatted lines are cut. Only a terminal has one: a log keeps them whole. */
  readonly cutWidth: number;
  /** Name of a report that holds everything. */
  readonly fullReportName: string;
}

/** A section with the number of entries in full. */
interface TerminalSection extends FilledSection {
  readonly fullEntries: number;
}

/** Renders a report as lines. Without `columns`, they are for a log, which keeps preformatted lines whole. */
export function renderTerminal(
  report: Report,
  { decorated, reports = [], exitCode, columns, rows = 24, verbose = false }: TerminalOptions,
): string {
  const ink = createInk(decorated, columns === undefined ? undefined : Math.min(Math.max(columns, minWidth), maxWidth));
  const style: TerminalStyle = {
    ink,
    verbose,
    cutWidth: columns === undefined ? sentenceMax : ink.width,
    fullReportName: reports[0] ?? '--report json=FILE',
  };
  const { headline, lead = [], end = [], verdict, tone } = report;
  const writtenLine = reports.length === 0 ? [] : [ink.line(`Written: ${reports.join(', ')}.`)];
  const entriesPerScreen = Math.max(1, Math.floor((rows - rowsAround) / entryRows));
  const hasScreen = columns !== undefined && !verbose;
  const sections = sectionsFor(report, 'terminal').map((section) => {
    const fitsScreen = section.fitsScreen && hasScreen;
    const fullEntries = section.full ? (fitsScreen ? Math.min(fullMax, entriesPerScreen) : fullMax) : 0;
    return { ...section, fitsScreen, fullEntries, lines: fitsScreen ? screenLines : section.lines };
  });
  const visibleSections = verbose ? sections : sections.filter(({ isDetail }) => !isDetail);
  const hidesParts = !verbose && (visibleSections.length < sections.length || visibleSections.some(hidesDetails));
  const verdictLine = [{ text: `${verdict}.`, as: exitCode === 1 ? 'bad' : tone } as const, faint(` Exit code ${exitCode}.`)];
  const endTexts = end.map((text, index) =>
    hidesParts && index === end.length - 1 ? [text, faint(' More with --verbose.')].flat() : text,
  );
  const paragraphs = [
    [ink.line(headline), ...lead.flatMap((text) => ink.wrap(text, ''))],
    ...visibleSections.map((section) => renderSection(section, style)),
    [...endTexts.flatMap((text) => ink.wrap(text, '')), ...writtenLine, ...(exitCode === undefined ? [] : ink.wrap(verdictLine, ''))],
  ];
  const texts = paragraphs.filter((lines) => lines.length > 0).map((lines) => `${lines.join('\n')}\n`);
  // In a log, an empty line separates the report from earlier output. On a terminal, it would cost the report a row.
  return `${columns === undefined ? '\n' : ''}${texts.join('\n')}`;
}

/** True if a section has entries in short form for lack of rows, or entries with more commands than the one shown. */
function hidesDetails({ entries, fullEntries, fitsScreen }: TerminalSection): boolean {
  const hasFurtherCommands = ({ blocks = [] }: Entry): boolean =>
    blocks.some((block) => block.kind === 'exchanges' && block.curl.length > 1);
  return (fitsScreen && entries.length > fullEntries) || entries.slice(0, fullEntries).some(hasFurtherCommands);
}

function renderSection(
  { title, entries, blocks, fullEntries, lines, fitsScreen }: TerminalSection,
  style: TerminalStyle,
): readonly string[] {
  const { ink, fullReportName } = style;
  const visibleEntries = entries.slice(0, fullEntries + lines);
  // The line with the number of omitted entries takes one of the lines.
  const includedEntries = visibleEntries.length < entries.length && fullEntries === 0 ? visibleEntries.slice(0, -1) : visibleEntries;
  const omitted = entries.length - includedEntries.length;
  const entryLines = includedEntries.flatMap((entry, index) => {
    const before = includedEntries[index - 1];
    const heading = entry.group === undefined || entry.group === before?.group ? [] : ink.wrap({ text: entry.group, as: 'strong' }, '');
    // An entry of several lines is preceded by an empty line.
    const emptyLine = index > 0 && (index <= fullEntries || heading.length > 0) && fullEntries > 0 ? [''] : [];
    return [
      ...emptyLine,
      ...heading,
      ...(index < fullEntries
        ? renderEntry(entry, style)
        : fitsScreen
          ? [ink.line(['  ', nameOf(entry)].flat(), style.cutWidth)]
          : renderLine(entry, ink)),
    ];
  });
  return [
    ink.line({ text: title, as: 'strong' }),
    ...blocks.flatMap((block) => renderSectionBlock(block, style)),
    ...entryLines,
    ...(omitted === 0 ? [] : [ink.line(`  and ${omitted} more: see ${fullReportName}`)]),
  ];
}

/** Renders an entry as a line. The line is never cut, since its end may hold the advice. */
function renderLine({ name, line, tone }: Entry, ink: Ink): readonly string[] {
  return ink.wrap([{ text: plain(name), as: tone }, ...(line === '' ? [] : [`: ${clip(line, sentenceMax)}`])], '    ', '  ');
}

function nameOf({ name, title = '' }: Entry): Text {
  return [...spansOf(name), ...(title === '' ? [] : ['  ', faint(title)])];
}

function renderEntry(entry: Entry, style: TerminalStyle): readonly string[] {
  return [...style.ink.wrap(nameOf(entry), '    ', '  '), ...(entry.blocks ?? []).flatMap((block) => renderBlock(block, style))];
}

function renderSectionBlock(block: Block, style: TerminalStyle): readonly string[] {
  const { ink } = style;
  if (block.kind === 'paragraph') return ink.wrap(block.text, '  ');
  if (block.kind === 'list') return block.items.flatMap((item) => ink.wrap(item, '    ', '  '));
  return renderBlock(block, style);
}

function renderBlock(block: Block, style: TerminalStyle): readonly string[] {
  const { ink, cutWidth } = style;
  const renderFact = (label: string, text: Text): readonly string[] => ink.wrap(clipText(text), indent, labelOf(label));
  switch (block.kind) {
    case 'paragraph':
      return ink.wrap(clipText(block.text), '    ');
    case 'facts':
      return block.facts.flatMap(([label, text]) => renderFact(label, text));
    case 'versus':
      return [block.left, block.right].flatMap(([label, text]) => renderFact(label.toLowerCase(), text));
    case 'list': {
      const more = block.items.length - itemsMax;
      const items = more > 0 ? [...block.items.slice(0, itemsMax), `and ${more} more`] : block.items;
      return items.flatMap((item, index) => renderFact(index === 0 ? (block.title ?? '') : '', item));
    }
    case 'table':
      return renderRows(block.rows, style);
    case 'sides':
      return renderSides(block, ink);
    case 'listing': {
      // A wrapped command line could not be copied, and a wrapped record is hard to read.
      const lines = block.parts.flatMap(({ lines: part, whole }) => part.map((line) => (whole === true ? line : clip(line, cutWidth))));
      const conclusion = block.conclusion.flatMap((line) => ink.wrap(line, ''.padEnd(indent.length)));
      return [...lines.map((line) => `${indent}${ink.line(line)}`), ...conclusion].map((line, index) =>
        index === 0 ? `${labelOf(block.label)}${line.slice(indent.length)}` : line,
      );
    }
    case 'fold':
      return [];
    case 'excerpt':
      return style.verbose
        ? printExcerpt(block.excerpt).map(
            (line, index) => `${index === 0 ? labelOf(block.label) : indent}${ink.line(faint(clip(line, cutWidth)))}`,
          )
        : [];
    case 'exchanges':
      return renderExchanges(block, style);
  }
}

/**
 * Renders the command that shows the violation best, with the status of its response as a comment of the shell unless it is 200. With `--verbose`, renders
 * all commands, with the excerpts of their responses.
 */
function renderExchanges(
  { exchanges, curl, best, excerpts }: Extract<Block, { kind: 'exchanges' }>,
  { ink, verbose, cutWidth }: TerminalStyle,
): readonly string[] {
  const lastIndex = curl.length - 1;
  const visibleCommands = curl.flatMap((command, index) =>
    verbose || index === Math.min(best ?? lastIndex, lastIndex) ? [{ command, index }] : [],
  );
  return visibleCommands.flatMap(({ command, index }, position) => {
    const label = position === 0 ? labelOf('try') : indent;
    const response = exchanges[index]?.response;
    const excerpt = excerpts?.[index];
    if (verbose)
      return [
        `${label}${ink.line(command)}`,
        ...[...(response === undefined ? [] : [describeStatus(response)]), ...(excerpt === undefined ? [] : printExcerpt(excerpt))].map(
          (line) => `${indent}  ${ink.line(faint(clip(line, cutWidth)))}`,
        ),
      ];
    const status = response === undefined || response.status === 200 ? '' : ` # ${describeStatus(response)}`;
    return [`${label}${ink.line([command, faint(status)])}`];
  });
}

/** Renders rows with aligned columns. */
function renderRows(rows: readonly Row[], { ink, cutWidth }: TerminalStyle): readonly string[] {
  const lengthOf = (cell: Cell | undefined): number => (cell === undefined ? 0 : plain(cellLine(cell)).length);
  const widthOf = (column: number): number => Math.max(...rows.map(({ cells }) => lengthOf(cells[column])));
  return rows.map(({ cells }) => {
    const padded = cells.flatMap((cell, column) => {
      const padding = column === cells.length - 1 ? 0 : widthOf(column) - lengthOf(cell);
      return ['  ', ...cellLine(cell), ' '.repeat(padding)];
    });
    return ink.line(padded, cutWidth);
  });
}

function cellLine(cell: Cell): readonly Span[] {
  return typeof cell === 'object' && 'line' in cell ? spansOf(cell.line) : spansOf(cell);
}

/** Renders `before → after`, or the only value, in one line, or the changed lines of JSON if one line is too short. Both locations follow. */
function renderSides({ before, after }: Extract<Block, { kind: 'sides' }>, ink: Ink): readonly string[] {
  const label = labelOf(before.value === undefined ? 'added' : after.value === undefined ? 'removed' : 'changed');
  const places = `${labelOf('at')}${ink.line(`${formatLocation(before.place)} → ${formatLocation(after.place)}`)}`;
  if (before.value === undefined && after.value === undefined) return [places];
  const widthLeft = ink.width - indent.length;
  const line = ink.line([before, after].flatMap(({ value }) => (value === undefined ? [] : [printShort(value, widthLeft)])).join(' → '));
  if (line.length <= widthLeft) return [`${label}${line}`, places];
  const rows = toUnified(compareLines(before.value, after.value, valueLinesMax));
  return [...rows.map((row, index) => `${index === 0 ? label : indent}${ink.line(clip(row, widthLeft))}`), places];
}

/** Cuts a text. Texts from files and targets can have any length. */
function clipText(text: Text): Text {
  return spansOf(text).map((span) =>
    typeof span === 'string' ? clip(span, sentenceMax) : { ...span, text: clip(span.text, sentenceMax) },
  );
}

function labelOf(label: string): string {
  return `    ${label.padEnd(labelWidth)}`;
}
