/**
 * The reading of small files that options name: configurations, waivers, accepted changes, certificates and earlier reports. `read-config.ts`,
 * `verify-options.ts` and `diff-command.ts` read files that may have a default; `read-and-hide-credentials.ts` and `load-earlier-runs.ts` others, all before
 * the command runs. It parses nothing; contracts and pacts are read by `core/read-text-file.ts`.
 */

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
