/**
 * Parts that the JSON reports share: printing, and members in the order of a schema. The files of `verify/`, `pact/` and `diff/` that write
 * a report call it at the end of a command. `exam-command.ts`, `proxy-command.ts` and `run-client-against-mock.ts` call `printReport`
 * for `--report json`; `mock-command.ts` prints mutants, and `rule-commands.ts` rules, as lines for `--json`. It knows no schema.
 */

import type { SourceLocation } from '../core/errors.ts';

/** Prints a report. Keys keep the given order, so that two reports can be compared line by line. */
export function printReport(report: object): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** Prints values as one JSON object per line. */
export function printLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** Returns these members of a value, in this order. */
export function pick<T extends object>(value: T, ...names: readonly (keyof T)[]): object {
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}

/** Returns these members of a value, in this order; `null` for an absent one. */
export function pickOrNull<T extends object>(value: T, ...names: readonly (keyof T)[]): object {
  return Object.fromEntries(names.map((name) => [name, value[name] ?? null]));
}

/** Returns a location without additional members. */
export function toPlace({ file, line, column }: SourceLocation): SourceLocation {
  return { file, line, column };
}

/** Converts an optional value; `null` if the value is absent, because a report always has all keys. */
export function orNull<T>(value: T | undefined, convert: (value: T) => object): object | null {
  return value === undefined ? null : convert(value);
}
