/** Prints JSON: a report, or values as lines. */

import { printJson } from '../core/json.ts';

/** Prints a report. Keys keep the given order, so that two reports can be compared line by line. */
export function printReport(report: object): string {
  return `${printJson(report, 2)}\n`;
}

/** Prints values as one JSON object per line. */
export function printLines(values: readonly object[]): string {
  return values.map((value) => `${printJson(value)}\n`).join('');
}
