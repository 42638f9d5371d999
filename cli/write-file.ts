/** Writes files that nobody may lose: checked before a long run starts, and replaced atomically. */

import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../core/errors.ts';

/**
 * Writes a file atomically: readers see the old or the new content, never a part of it. Errors name the file by its `noun`.
 * @throws {UsageError} if the file can no longer be written.
 */
export function writeWholeFile(file: string, text: string, noun: string = 'report'): void {
  try {
    replaceFile(file, text);
  } catch (error) {
    throw new UsageError(explainWriteError(file, error, noun), { cause: error });
  }
}

/**
 * Checks that a file can be written later: creates its folder, and writes a file beside it. Permissions alone do not show a full disk.
 * @throws {UsageError} if it cannot.
 */
export function checkWritable(file: string, noun: string = 'report'): void {
  try {
    const type = typeOf(file);
    if (type === 'folder') throw new UsageError(`the ${noun} ${file} is a folder; name a file in it`);
    if (type === 'device') return;
    const temporaryFile = temporaryFileFor(file);
    writeFileSync(temporaryFile, '', { flag: 'wx' });
    rmSync(temporaryFile);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(explainWriteError(file, error, noun), { cause: error });
  }
}

function replaceFile(file: string, text: string): void {
  if (typeOf(file) === 'device') {
    writeFileSync(file, text);
    return;
  }
  const temporaryFile = temporaryFileFor(file);
  try {
    writeFileSync(temporaryFile, text, { flag: 'wx' });
    renameSync(temporaryFile, targetOf(file));
  } catch (error) {
    rmSync(temporaryFile, { force: true });
    throw error;
  }
}

/** Returns the type of a path. A device, such as a pipe or a terminal, can only be written to, not replaced. */
function typeOf(file: string): 'nothing' | 'file' | 'folder' | 'device' {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined) return 'nothing';
  if (status.isDirectory()) return 'folder';
  return status.isFile() ? 'file' : 'device';
}

/** Follows a symbolic link, so that its target is replaced and the link stays. */
function targetOf(file: string): string {
  return typeOf(file) === 'file' ? realpathSync(file) : file;
}

/** Returns a new name beside a file, and creates the folder if necessary. */
function temporaryFileFor(file: string): string {
  const target = targetOf(file);
  mkdirSync(dirname(target), { recursive: true });
  return join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
}

function explainWriteError(file: string, error: unknown, noun: string): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const folder = dirname(file);
  const reason = ['ENOTDIR', 'EEXIST'].includes(code)
    ? `a part of ${folder} is a file, not a folder`
    : ['EACCES', 'EPERM', 'EROFS'].includes(code)
      ? `the folder ${folder} is not writable`
      : message;
  return `the ${noun} ${file} cannot be written: ${reason}; name another file`;
}
