/**
 * The printing of JSON: a report, or values as lines. The files of `verify/`, `pact/` and `diff/` that write a report call it at the end of a command, as do
 * `exam-command.ts`, `proxy-command.ts` and `run-client-against-mock.ts` for `--report json`. `mock-command.ts` prints mutants, and `rule-commands.ts` rules,
 * as lines for `--json`. It knows no schema.
 */

/** Prints a report. Keys keep the given order, so that two reports can be compared line by line. */
export function printReport(report: object): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** Prints values as one JSON object per line. */
export function printLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
