/** Reads the small files that options name, such as configurations, waivers and earlier reports. Not for contracts and pacts. */

import { UsageError } from '../core/errors.ts';
import { readTextFileSync } from '../core/read-text-file.ts';

/** A kind of file in error messages: its noun, and the advice if it cannot be read. */
interface FileKind {
  readonly noun: string;
  readonly advice: string;
}

/**
 * Reads a file.
 * @throws {UsageError} if it cannot be read.
 */
export function readNamedFile(file: string, { noun, advice }: FileKind): string {
  try {
    return readTextFileSync(file);
  } catch (cause) {
    throw new UsageError(`${noun} ${file} cannot be read (${codeOf(cause)}); ${advice}`, { cause });
  }
}

/**
 * Reads the file that an option names, or its default file. Only the default file may be missing; the result is then `undefined`.
 * @throws {UsageError} if it cannot be read.
 */
export function readFileOrDefault(namedFile: string | undefined, defaultFile: string, kind: FileKind): string | undefined {
  try {
    return readNamedFile(namedFile ?? defaultFile, kind);
  } catch (error) {
    if (namedFile === undefined && error instanceof UsageError && codeOf(error.cause) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the code of a file error, such as `ENOENT`. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
