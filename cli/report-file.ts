/** Files that reports are written to: checked before a run begins, so that no run is lost for a wrong path, and replaced whole. */

import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { nearest, UsageError } from '../core/errors.ts';
import type { Terminal } from './command.ts';

/** A place to write a report to. */
export interface ReportFile {
  readonly format: string;
  /** As the user gave it. */
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
      throw new UsageError(`two reports would be written to ${file}; give each a file of its own`);
    checkWritable(file);
  }
  return reports;
}

/** The reports that were written, and why others were not: none takes anything away from the rest. */
export interface WrittenReports {
  readonly written: readonly string[];
  readonly failures: readonly string[];
}

/** Writes every report, each as `render` makes it. */
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

/** The end of a command that judged something. */
export interface Ending {
  readonly reports: readonly ReportFile[];
  readonly render: (report: ReportFile) => string;
  /** What the result says, if all reports can be written. */
  readonly exitCode: number;
  /** The text for standard output, which names the reports that were written. */
  readonly summary: (end: Ended) => string;
}

/** How a command has ended: the reports that were written, and its exit code. */
export interface Ended {
  readonly reports: readonly string[];
  readonly exitCode: number;
}

/** Writes the reports, and only then prints the summary. Returns the exit code: 2 when nothing is wrong but that a report could not be written. */
export function endWithReports({ reports, render, exitCode, summary }: Ending, terminal: Terminal): number {
  const { written, failures } = writeReports(reports, render);
  const code = exitCode === 0 && failures.length > 0 ? 2 : exitCode;
  terminal.out(summary({ reports: written, exitCode: code }));
  for (const failure of failures) terminal.error(`touchstone: ${failure}\n`);
  return code;
}

/**
 * Writes a report, or another file of which `what` says what it is. Whoever reads the file sees the old content or the new one, never a part.
 * @throws {UsageError} when the file can no longer be written.
 */
export function writeReport(file: string, text: string, what: string = 'report'): void {
  try {
    replaceFile(file, text);
  } catch (error) {
    throw new UsageError(explain(file, error, what), { cause: error });
  }
}

/**
 * Makes sure that a file can be written later, by making its folder and its neighbour: permissions alone do not tell of a disk that is full or cannot be written.
 * @throws {UsageError} when it cannot.
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
    const meant = nearest(format, formats);
    const advice = meant === undefined ? `formats are ${formats.join(', ')}` : `is ${meant} meant?`;
    throw new UsageError(`--report ${value} asks for a format that does not exist; ${advice}`);
  }
  if (file === '') throw new UsageError(`--report ${value} names no file; write --report ${format}=FILE`);
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

/** What stands at a path. A pipe or a terminal cannot be replaced, only written to. */
function kindOf(file: string): 'nothing' | 'file' | 'folder' | 'device' {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return 'nothing';
  if (found.isDirectory()) return 'folder';
  return found.isFile() ? 'file' : 'device';
}

/** A link stays a link: what it leads to is replaced. */
function targetOf(file: string): string {
  return kindOf(file) === 'file' ? realpathSync(file) : file;
}

/** A new name beside a file, whose folder is made if it is not there. */
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
