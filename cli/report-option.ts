/** `--report FORMAT=FILE`: the files are checked when a command starts, and written at its end, before the summary is printed. */

import { didYouMean } from '../core/did-you-mean.ts';
import { UsageError } from '../core/errors.ts';
import { joinReports } from '../reports/join-report-models.ts';
import { renderGithub } from '../reports/render-github-annotations.ts';
import { renderGitlab } from '../reports/render-gitlab-code-quality.ts';
import { renderHtml } from '../reports/render-html.ts';
import { renderJunit } from '../reports/render-junit.ts';
import { renderMarkdown } from '../reports/render-markdown.ts';
import { renderSarif } from '../reports/render-sarif.ts';
import { renderTerminal } from '../reports/render-terminal.ts';
import type { Fact, JudgedReport } from '../reports/report-model.ts';
import type { Arguments, OptionSpec, Terminal } from './command.ts';
import { pathFromRepositoryRoot } from './relative-paths.ts';
import { beginRunFacts, type FinishFacts } from './run-facts.ts';
import { checkWritable, writeWholeFile } from './write-file.ts';

/** Renderers by the name of their format. `facts` are those of the run, for formats that show them. */
export type ReportFormats<T> = Readonly<Record<string, (result: T, facts: readonly Fact[]) => string>>;

/** Format and file of a report. */
export interface ReportFile {
  readonly format: string;
  /** Path as the user wrote it. */
  readonly file: string;
}

/** The reports that a user asked for. */
export interface RequestedReports {
  readonly files: readonly ReportFile[];
  /** Format for standard output in place of the summary. */
  readonly standardFormat: string | undefined;
  /** Completes the facts of the run, which begins when its options are read; absent without a command line. */
  readonly finishFacts?: FinishFacts;
}

/** The reports of one command. */
export interface CommandReports<T> {
  readonly formats: readonly string[];
  readonly option: OptionSpec;
  /**
   * Reads the values of the option, and checks that each file can be written.
   * @throws {UsageError} for an unknown format, a file that cannot be written, or two reports for standard output.
   */
  readonly read: (args: Pick<Arguments, 'lists'> & Partial<Pick<Arguments, 'line'>>) => RequestedReports;
  /**
   * Writes the reports, then prints the summary, or the report for standard output. Returns the exit code: 2 if it would be 0 but a report could not be
   * written.
   */
  readonly end: (result: T, requested: RequestedReports, exitCode: number, terminal: SummaryTerminal) => number;
}

/** A terminal for the summary. */
interface SummaryTerminal extends Pick<Terminal, 'out' | 'error' | 'decorated' | 'columns' | 'rows'> {
  /** True for a summary with all details. */
  readonly verbose?: boolean;
}

/** The renderers of a command: its JSON, its reports, one for each contract or run, and formats that only it has. */
interface CommandRenderers<T> {
  readonly json: (result: T) => string;
  readonly reportsOf: (result: T) => readonly JudgedReport[];
  readonly furtherFormats?: ReportFormats<T>;
}

/** Returns all formats of a command, in the order of the help. */
export function formatsOf<T>({ json, reportsOf, furtherFormats: more }: CommandRenderers<T>): ReportFormats<T> {
  const forPrograms = (result: T): readonly JudgedReport[] => reportsOf(result).map(fromRepositoryRoot);
  return {
    json,
    html: (result, facts) => renderHtml({ facts, ...joinReports(reportsOf(result)) }),
    markdown: (result) => renderMarkdown(joinReports(reportsOf(result))),
    junit: (result) => renderJunit(...forPrograms(result)),
    github: (result) => renderGithub(...forPrograms(result)),
    gitlab: (result) => renderGitlab(...forPrograms(result)),
    sarif: (result) => renderSarif(...forPrograms(result)),
    ...more,
  };
}

/** Creates the reports of a command. */
export function createReports<T>(renderers: CommandRenderers<T>): CommandReports<T> {
  const renderersByFormat = formatsOf(renderers);
  const formats = Object.keys(renderersByFormat);
  return {
    formats,
    option: reportOption(formats),
    read: ({ lists, line }) => ({
      ...readReports(lists['report'] ?? [], formats),
      ...(line === undefined ? {} : { finishFacts: beginRunFacts(line) }),
    }),
    end: (result, { files, standardFormat, finishFacts }, exitCode, terminal) => {
      const { out, error, decorated, columns, rows, verbose = false } = terminal;
      const render = (format: string): string => renderersByFormat[format]?.(result, finishFacts?.(exitCode) ?? []) ?? '';
      const { written, failures } = writeReports(files, ({ format }) => render(format));
      const finalExitCode = exitCode === 0 && failures.length > 0 ? 2 : exitCode;
      const summary = { decorated, columns, rows, verbose, reports: written, exitCode: finalExitCode };
      out(standardFormat === undefined ? renderTerminal(joinReports(renderers.reportsOf(result)), summary) : render(standardFormat));
      for (const failure of failures) error(`touchstone: ${failure}\n`);
      return finalExitCode;
    },
  };
}

/** The option for these formats. */
export function reportOption(formats: readonly string[]): OptionSpec {
  return {
    name: 'report',
    value: 'FORMAT=FILE',
    repeatable: true,
    summary: `Write a report: ${formats.join(', ')}. FILE can be - for standard output, which then replaces the summary. Repeatable.`,
  };
}

/**
 * Reads values of `--report`, and checks that each file can be written.
 * @throws {UsageError} for an unknown format, a file that cannot be written, or two reports for standard output or one file.
 */
export function readReports(values: readonly string[], formats: readonly string[]): RequestedReports {
  const reports = values.map((value) => readReport(value, formats));
  const files = reports.filter(({ file }) => file !== '-');
  const standardReports = reports.filter(({ file }) => file === '-');
  if (standardReports.length > 1) throw new UsageError('two reports would be written to standard output; give one of them a file');
  for (const [index, { file }] of files.entries()) {
    if (files.findIndex((other) => other.file === file) < index)
      throw new UsageError(`two reports would be written to ${file}; give each its own file`);
    checkWritable(file);
  }
  return { files, standardFormat: standardReports[0]?.format };
}

function readReport(value: string, formats: readonly string[]): ReportFile {
  const [, format = value, file = ''] = /^([^=]*)=(.*)$/s.exec(value) ?? [];
  if (!formats.includes(format)) {
    const advice = didYouMean(format, formats, `formats are ${formats.join(', ')}`);
    throw new UsageError(`--report ${value}: there is no format ${format}; ${advice}`);
  }
  if (file === '') throw new UsageError(`--report ${value} has no file; write --report ${format}=FILE`);
  return { format, file };
}

/** Names of the written reports, and messages on the reports that could not be written. */
export interface WrittenReports {
  readonly written: readonly string[];
  readonly failures: readonly string[];
}

/** Renders and writes each report. After an error, the next reports are still written. */
export function writeReports<Report extends ReportFile>(reports: readonly Report[], render: (report: Report) => string): WrittenReports {
  const written: string[] = [];
  const failures: string[] = [];
  for (const report of reports) {
    try {
      writeWholeFile(report.file, render(report));
      written.push(report.file);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      failures.push(error.message);
    }
  }
  return { written, failures };
}

/** Rewrites the files of annotations from the current folder to the root of the repository, where code review tools look for them. */
function fromRepositoryRoot(report: JudgedReport): JudgedReport {
  const annotations = report.annotations.map(({ place, ...annotation }) => ({
    ...annotation,
    place: place && { ...place, file: pathFromRepositoryRoot(place.file) ?? place.file },
  }));
  return { ...report, annotations };
}
