/** Workflow commands of GitHub Actions: one line each, and nothing in a text can begin another one. */

import type { Place } from '../core/errors.ts';
import { printable } from './layout.ts';

/** How grave an annotation is. */
export type AnnotationLevel = 'error' | 'warning' | 'notice';

/** An annotation; without a place it stands beside the run itself. */
export function renderAnnotation(level: AnnotationLevel, title: string, lines: readonly string[], place?: Place): string {
  const where = place === undefined ? [] : [`file=${escapeProperty(printable(place.file))}`, `line=${place.line}`, `col=${place.column}`];
  const properties = [...where, `title=${escapeProperty(printable(title))}`];
  return `::${level} ${properties.join(',')}::${escapeData(lines.map(printable).join('\n'))}\n`;
}

/** What follows the second `::` ends at the end of the line. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** A property ends at a comma too, and all of them at a colon. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
