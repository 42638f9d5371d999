/**
 * Workflow commands of GitHub Actions: annotations at lines of files. `cli/report-option.ts` calls it for each `--report github=FILE` at the end of a command.
 * Each command is one line; escapes keep a text from starting another command. Comments on pull requests belong to `render-markdown.ts`.
 */

import { printable, toLine } from './printable-text.ts';
import type { Annotation, ItemList } from './report-model.ts';

const sentenceMax = 1000;
const nameMax = 200;
/** Maximum number of annotations. GitHub shows the first ten of a step. */
const annotationsMax = 10;
/** Maximum number of lines in an annotation. A pagination may have hundreds of requests. */
const linesMax = 24;

/** Renders the annotations: those of the highest level first, each level in its order. The last one of each list sums up its run, so it always stays. */
export function renderGithub(...lists: readonly ItemList[]): string {
  const lastAnnotations = lists.flatMap(({ annotations }) => annotations.slice(-1));
  const remarks = lists.flatMap(({ annotations }) => annotations.slice(0, -1));
  const sorted = (['error', 'warning', 'notice'] as const).flatMap((wantedLevel) => remarks.filter((each) => each.level === wantedLevel));
  const remarksMax = Math.max(1, annotationsMax - lastAnnotations.length);
  const omitted = sorted.slice(remarksMax - 1);
  const [{ level } = { level: 'notice' as const }] = omitted;
  const omittedNote: Annotation = { level, title: `${omitted.length} more`, lines: ['The JSON report has them.'] };
  const included = [...(sorted.length <= remarksMax ? sorted : [...sorted.slice(0, remarksMax - 1), omittedNote]), ...lastAnnotations];
  return included.map(renderAnnotation).join('');
}

function renderAnnotation({ level, title, lines, place }: Annotation): string {
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
