/** A report as workflow commands of GitHub Actions: annotations at lines of files. Each is one line, and nothing in a text can begin another one. */

import { clip } from './excerpt.ts';
import { printable } from './layout.ts';
import type { Annotation, ItemList } from './model.ts';

const sentenceMax = 1000;
const nameMax = 200;
/** So many annotations of each level, the last of them among them: GitHub shows the first ten of a step. */
const annotationsMax = 50;
/** So many lines stand in one: a walk through a list may have hundreds of requests. */
const linesMax = 24;

/** Writes the annotations, the gravest first. */
export function renderGithub({ items, annotations }: ItemList): string {
  const own = items.flatMap(({ annotation, details, place }): readonly Annotation[] =>
    annotation === undefined ? [] : [{ ...annotation, lines: details, place }],
  );
  return (['error', 'warning', 'notice'] as const)
    .flatMap((level) => {
      const all = [...own, ...annotations].filter((each) => each.level === level);
      const left = all.length - annotationsMax;
      const more: Annotation = { level, title: `${left} more`, lines: ['The report in JSON holds them.'] };
      return left <= 0 ? all : [...all.slice(0, annotationsMax - 1), more, ...all.slice(-1)];
    })
    .map(annotate)
    .join('');
}

function annotate({ level, title, lines, place }: Annotation): string {
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
