/** Prints JSON: a report, or values as lines. */

/** Prints a report. Keys keep the given order, so that two reports can be compared line by line. */
export function printReport(report: object): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** Prints values as one JSON object per line. */
export function printLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
