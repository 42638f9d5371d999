/**
 * The option `--report FORMAT=FILE` of a command, made from its three renderers. `pact check`, `pact verify`, `exam`, `proxy` and `mock` with a command
 * create theirs by it. `verify` and `diff` have more formats, in files of their own.
 */

import type { ItemList, Report } from '../reports/report-model.ts';
import type { OptionSpec } from './command.ts';
import { type ReportFile, readReportFiles } from './report-file.ts';
import { commonFormats, type ReportFormats } from './report-formats.ts';

/** The reports of one command. */
export interface Reports<T> {
  readonly option: OptionSpec;
  /**
   * Reads `--report FORMAT=FILE`, and checks that each file can be written.
   * @throws {UsageError} for an unknown format, or a file that cannot be written.
   */
  readonly read: (values: readonly string[]) => readonly ReportFile[];
  /** Renders a result in the format of a report. */
  readonly render: (result: T) => (report: ReportFile) => string;
}

/** Creates the reports of a command from its three renderers. */
export function createReports<T>(
  renderJson: (result: T) => string,
  reportOf: (result: T) => Report,
  itemsOf: (result: T) => ItemList,
): Reports<T> {
  const formats: ReportFormats<T> = { json: renderJson, ...commonFormats(reportOf, itemsOf) };
  const names = Object.keys(formats);
  return {
    option: {
      name: 'report',
      value: 'FORMAT=FILE',
      repeatable: true,
      summary: `Write a report: ${names.join(', ')}. Repeatable.`,
    },
    read: (values) => readReportFiles(values, names),
    render: (result) => (report) => formats[report.format]?.(result) ?? '',
  };
}
