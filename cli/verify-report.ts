/** Reports of `touchstone verify`: which formats there are, and which file or stream each goes to. */

import { nearest, UsageError } from '../core/errors.ts';
import type { RunResult } from '../core/verdict.ts';
import { renderJson } from '../reports/json.ts';
import { renderVerifyGithub } from '../reports/verify/github.ts';
import { renderVerifyHtml } from '../reports/verify/html.ts';
import { renderVerifyJunit } from '../reports/verify/junit.ts';
import { renderVerifyMarkdown } from '../reports/verify/markdown.ts';
import { renderVerifySarif } from '../reports/verify/sarif.ts';
import type { OptionSpec } from './command.ts';
import { type ReportFile, readReportFiles, writeReport } from './report-file.ts';

const formats: Readonly<Record<string, (result: RunResult) => string>> = {
  json: renderJson,
  junit: renderVerifyJunit,
  html: renderVerifyHtml,
  markdown: renderVerifyMarkdown,
  github: renderVerifyGithub,
  sarif: renderVerifySarif,
};

/** The formats, in the order of the help. */
export const verifyFormats: readonly string[] = Object.keys(formats);

/** The option that asks for reports. */
export const verifyReportOption: OptionSpec = {
  name: 'report',
  value: 'FORMAT=FILE',
  repeatable: true,
  summary: `Write a report: ${verifyFormats.join(', ')}. - in place of FILE prints it in place of the summary. May be given several times.`,
};

/** Reports that are wanted. */
export interface VerifyReports {
  readonly files: readonly ReportFile[];
  /** The format that standard output has in place of the summary. */
  readonly standard: string | undefined;
}

/**
 * Reads `--report FORMAT=FILE`, and checks that each file can be written.
 * @throws {UsageError} for an unknown format, a file that cannot be written, or two reports for standard output.
 */
export function readVerifyReports(values: readonly string[]): VerifyReports {
  const streams = values.filter((value) => value.endsWith('=-')).map((value) => value.slice(0, -'=-'.length));
  for (const format of streams) checkFormat(format);
  if (streams.length > 1) throw new UsageError('two reports would be written to standard output; give one of them a file');
  const files = values.filter((value) => !value.endsWith('=-'));
  return { files: readReportFiles(files, verifyFormats), standard: streams[0] };
}

/** A run in one of the formats. */
export function renderVerifyReport(format: string, result: RunResult): string {
  const render = formats[format];
  if (render === undefined) throw new Error(`${format} is no format of a report`);
  return render(result);
}

/** Writes every report, and tells what went wrong: one must neither hide the others nor the summary. */
export function saveVerifyReports(result: RunResult, files: readonly ReportFile[]): string | undefined {
  const failures = files.flatMap(({ format, file }) => {
    try {
      writeReport(file, renderVerifyReport(format, result));
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
  return failures.length === 0 ? undefined : failures.join('; ');
}

function checkFormat(format: string): void {
  if (verifyFormats.includes(format)) return;
  const meant = nearest(format, verifyFormats);
  const advice = meant === undefined ? `formats are ${verifyFormats.join(', ')}` : `is ${meant} meant?`;
  throw new UsageError(`--report ${format}=- asks for a format that does not exist; ${advice}`);
}
