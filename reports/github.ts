/** A report as workflow commands of GitHub Actions: annotations at lines of files. Each is one line, and nothing in a text can begin another one. */

import type { Place } from '../core/errors.ts';
import { clip } from './excerpt.ts';
import { printable } from './layout.ts';
import type { Item, ItemList } from './model.ts';

type Level = NonNullable<Item['annotation']>['level'];

const sentenceMax = 1000;
const nameMax = 200;
/** So many items of each level get an annotation: GitHub shows the first ten of a step. */
const annotationsMax = 50;
/** So many lines stand in one: a walk through a list may have hundreds of requests. */
const linesMax = 24;

/** Writes the items that have an annotation, the gravest first, and then what belongs to none. */
export function renderGithub({ items, annotations }: ItemList): string {
  return [
    ...(['error', 'warning', 'notice'] as const).flatMap((level) => annotateAll(level, items)),
    ...annotations.map(({ level, title, lines }) => annotate(level, title, lines)),
  ].join('');
}

function annotateAll(level: Level, items: readonly Item[]): readonly string[] {
  const own = items.filter((item) => item.annotation?.level === level);
  const more = own.length - annotationsMax;
  return [
    ...own.slice(0, annotationsMax).map(({ annotation, details, place }) => annotate(level, annotation?.title ?? '', details, place)),
    ...(more <= 0 ? [] : [annotate(level, `${more} more`, ['The report in JSON holds them.'])]),
  ];
}

function annotate(level: Level, title: string, lines: readonly string[], place?: Place): string {
  const where = place === undefined ? [] : [`file=${escapeProperty(printable(place.file))}`, `line=${place.line}`, `col=${place.column}`];
  const properties = [...where, `title=${escapeProperty(line(title, nameMax))}`];
  const more = lines.length - linesMax;
  const shown = [...lines.slice(0, linesMax).map((each) => line(each)), ...(more <= 0 ? [] : [`… and ${more} more lines`])];
  return `::${level} ${properties.join(',')}::${escapeData(shown.join('\n'))}\n`;
}

function line(text: string, most: number = sentenceMax): string {
  return printable(clip(text, most));
}

/** What follows the second `::` ends at the end of the line. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** A property ends at a comma too, and all of them at a colon. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
