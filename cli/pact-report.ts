/** Reports of the commands on pacts: each format by its name, checked before anything is judged, and written at the end. */

import type { OptionSpec } from './command.ts';
import { type ReportFile, readReportFiles } from './report-file.ts';

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
  /** Renders a result as a report asks for it. */
  readonly render: (result: T) => (report: ReportFile) => string;
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
    render: (result) => (report) => formats[report.format]?.(result) ?? '',
  };
}
