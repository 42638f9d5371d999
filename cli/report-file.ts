/** Files that reports are written to: checked before a run begins, so that no run is lost for a wrong path, and replaced whole. */

import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { nearest, UsageError } from '../core/errors.ts';

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
 * Makes sure that a file can be written later, by making its neighbour: permissions alone do not tell of a disk that is full or cannot be written.
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

function neighbourOf(file: string): string {
  const target = targetOf(file);
  return join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
}

function explain(file: string, error: unknown, what: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return `the ${what} ${file} cannot be written: there is no folder ${dirname(file)}; make it first`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `the ${what} ${file} cannot be written: the folder ${dirname(file)} is not writable; name another file`;
  return `the ${what} ${file} cannot be written: ${message}; name another file`;
}
