/** Annotations as workflow commands of GitHub Actions. Each command is one line, and escapes keep a text from starting another command. */

import { linesOf } from './plain-block-lines.ts';
import { printable, toLine } from './printable-text.ts';
import { type Annotation, type JudgedReport, summaryOf } from './report-model.ts';

const sentenceMax = 1000;
const nameMax = 200;
/** Maximum number of annotations. GitHub shows the first ten of a step. */
const annotationsMax = 10;
/** Maximum number of lines in an annotation. A pagination may have hundreds of requests. */
const linesMax = 24;

/** Renders the annotations: those of the highest level first, each level in its order. A last one for each report sums it up. */
export function renderGithub(...reports: readonly JudgedReport[]): string {
  const summaries = reports.map((report): Line => {
    const [title = '', ...lines] = summaryOf(report);
    return { level: 'notice', title, lines };
  });
  const sorted = (['error', 'warning', 'notice'] as const).flatMap((wantedLevel) =>
    reports.flatMap(({ annotations }) => annotations.filter(({ level }) => level === wantedLevel)),
  );
  const max = Math.max(1, annotationsMax - summaries.length);
  const included = sorted.length <= max ? sorted : sorted.slice(0, max - 1);
  const omitted = sorted.slice(included.length);
  const omittedNotes = omitted.slice(0, 1).map(({ level }): Line => {
    return { level, title: `${omitted.length} more`, lines: ['The JSON report has them.'] };
  });
  const shown = included.map(({ blocks, ...annotation }): Line => ({ ...annotation, lines: linesOf(blocks) }));
  return [...shown, ...omittedNotes, ...summaries].map(renderLine).join('');
}

/** An annotation with its text. */
interface Line extends Omit<Annotation, 'blocks' | 'finding'> {
  readonly lines: readonly string[];
}

function renderLine({ level, title, lines, place }: Line): string {
  const location =
    place === undefined ? [] : [`file=${escapeProperty(printable(place.file))}`, `line=${place.line}`, `col=${place.column}`];
  const properties = [...location, `title=${escapeProperty(toLine(title, nameMax))}`];
  const omittedLines = lines.length - linesMax;
  const included = [
    ...lines.slice(0, linesMax).map((each) => toLine(each, sentenceMax)),
    ...(omittedLines <= 0 ? [] : [`… and ${omittedLines} more lines`]),
  ];
  return `::${level} ${properties.join(',')}::${escapeData(included.join('\n'))}\n`;
}

/** Escapes the text after the second `::`, which ends at the end of the line. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Escapes a property, which also ends at a comma or a colon. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
