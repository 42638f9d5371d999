/** What reports as JSON have in common: how they are printed, and how places and absent parts stand in them. */

import type { SourceLocation } from '../core/errors.ts';

/** Prints a report. The keys stand in the order in which they are given, so that two reports compare line by line. */
export function printReport(report: object): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** A place, and nothing else that it may carry. */
export function toPlace({ file, line, column }: SourceLocation): SourceLocation {
  return { file, line, column };
}

/** A part that may be absent; then `null` stands for it, since every report has all its keys. */
export function orNull<T>(part: T | undefined, print: (part: T) => object): object | null {
  return part === undefined ? null : print(part);
}
