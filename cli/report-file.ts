/**
 * Report files: checked before a run, so that a wrong path does not lose its result, and replaced atomically. Every command with `--report` calls
 * `readReportFiles` at the start and writes at the end. This file knows no format.
 */

import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { didYouMean, UsageError } from '../core/errors.ts';
import type { Terminal } from './command.ts';

/** Format and file of a report. */
export interface ReportFile {
  readonly format: string;
  /** Path as the user wrote it. */
  readonly file: string;
}

/**
 * Reads `--report FORMAT=FILE`, and checks that each file can be written.
 * @throws {UsageError} for an unknown format, or a file that cannot be written.
 */
export function readReportFiles(values: readonly string[], formats: readonly string[]): readonly ReportFile[] {
  const reports = values.map((value) => readReport(value, formats));
  for (const [index, { file }] of reports.entries()) {
    if (reports.findIndex((other) => other.file === file) < index)
      throw new UsageError(`two reports would be written to ${file}; give each its own file`);
    checkWritable(file);
  }
  return reports;
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
      writeReport(report.file, render(report));
      written.push(report.file);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      failures.push(error.message);
    }
  }
  return { written, failures };
}

/** The end of a command, before its reports are written. */
export interface Ending {
  readonly reports: readonly ReportFile[];
  readonly render: (report: ReportFile) => string;
  /** Exit code of the command, if all reports can be written. */
  readonly exitCode: number;
  /** Renders the text for standard output, which names the written reports. */
  readonly summary: (end: Ended) => string;
}

/** The end of a command, after its reports were written. */
export interface Ended {
  readonly reports: readonly string[];
  readonly exitCode: number;
}

/** Writes the reports, then prints the summary. Returns the exit code: 2 if it would be 0 but a report could not be written. */
export function endWithReports({ reports, render, exitCode, summary }: Ending, terminal: Terminal): number {
  const { written, failures } = writeReports(reports, render);
  const code = exitCode === 0 && failures.length > 0 ? 2 : exitCode;
  terminal.out(summary({ reports: written, exitCode: code }));
  for (const failure of failures) terminal.error(`touchstone: ${failure}\n`);
  return code;
}

/**
 * Writes a file atomically: readers see the old or the new content, never a part of it. `what` names the kind of file in errors.
 * @throws {UsageError} if the file can no longer be written.
 */
export function writeReport(file: string, text: string, what: string = 'report'): void {
  try {
    replaceFile(file, text);
  } catch (error) {
    throw new UsageError(explain(file, error, what), { cause: error });
  }
}

/**
 * Checks that a file can be written later: creates its folder, and writes a file beside it. Permissions alone do not show a full disk.
 * @throws {UsageError} if it cannot.
 */
export function checkWritable(file: string, what: string = 'report'): void {
  try {
    const kind = kindOf(file);
    if (kind === 'folder') throw new UsageError(`the ${what} ${file} is a folder; name a file in it`);
    if (kind === 'device') return;
    const neighbour = neighbourOf(file);
    writeFileSync(neighbour, '', { flag: 'wx' });
    rmSync(neighbour);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(explain(file, error, what), { cause: error });
  }
}

function readReport(value: string, formats: readonly string[]): ReportFile {
  const mark = value.indexOf('=');
  const format = mark < 0 ? value : value.slice(0, mark);
  const file = mark < 0 ? '' : value.slice(mark + 1);
  if (!formats.includes(format)) {
    const advice = didYouMean(format, formats, `formats are ${formats.join(', ')}`);
    throw new UsageError(`--report ${value}: there is no format ${format}; ${advice}`);
  }
  if (file === '') throw new UsageError(`--report ${value} has no file; write --report ${format}=FILE`);
  return { format, file };
}

function replaceFile(file: string, text: string): void {
  if (kindOf(file) === 'device') {
    writeFileSync(file, text);
    return;
  }
  const neighbour = neighbourOf(file);
  try {
    writeFileSync(neighbour, text, { flag: 'wx' });
    renameSync(neighbour, targetOf(file));
  } catch (error) {
    rmSync(neighbour, { force: true });
    throw error;
  }
}

/** Returns the kind of a path. A device, such as a pipe or a terminal, can only be written to, not replaced. */
function kindOf(file: string): 'nothing' | 'file' | 'folder' | 'device' {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return 'nothing';
  if (found.isDirectory()) return 'folder';
  return found.isFile() ? 'file' : 'device';
}

/** Follows a symbolic link, so that its target is replaced and the link stays. */
function targetOf(file: string): string {
  return kindOf(file) === 'file' ? realpathSync(file) : file;
}

/** Returns a new name beside a file, and creates the folder if necessary. */
function neighbourOf(file: string): string {
  const target = targetOf(file);
  mkdirSync(dirname(target), { recursive: true });
  return join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
}

function explain(file: string, error: unknown, what: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `the ${what} ${file} cannot be written: a part of ${dirname(file)} is a file, not a folder; name another file`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `the ${what} ${file} cannot be written: the folder ${dirname(file)} is not writable; name another file`;
  return `the ${what} ${file} cannot be written: ${message}; name another file`;
}
