/** Reports of the commands on pacts: each format by its name, checked before anything is judged, and written at the end. */

import type { OptionSpec } from './command.ts';
import { type ReportFile, readReportFiles, writeReport } from './report-file.ts';

/** Each format of a report by its name. */
export type Formats<T> = Readonly<Record<string, (result: T) => string>>;

/** The reports of one command. */
export interface Reports<T> {
  readonly option: OptionSpec;
  /**
   * Reads `--report FORMAT=FILE`, and checks that each file can be written.
   * @throws {UsageError} for an unknown format, or a file that cannot be written.
   */
  readonly read: (values: readonly string[]) => readonly ReportFile[];
  /** Writes every report, and tells what went wrong: one must neither hide the others nor the summary. */
  readonly save: (result: T, files: readonly ReportFile[]) => string | undefined;
}

/** Reports in these formats. */
export function createReports<T>(formats: Formats<T>): Reports<T> {
  const names = Object.keys(formats);
  return {
    option: {
      name: 'report',
      value: 'FORMAT=FILE',
      repeatable: true,
      summary: `Write a report: ${names.join(', ')}. May be given several times.`,
    },
    read: (values) => readReportFiles(values, names),
    save: (result, files) => save(formats, result, files),
  };
}

function save<T>(formats: Formats<T>, result: T, files: readonly ReportFile[]): string | undefined {
  const failures = files.flatMap(({ format, file }) => {
    try {
      writeReport(file, formats[format]?.(result) ?? '');
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
  return failures.length === 0 ? undefined : failures.join('; ');
}
