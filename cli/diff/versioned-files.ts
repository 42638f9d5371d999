/** Reads files from disk or from commits (`REF:path`), and shows their names in messages as the user wrote them. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { SpecError, UsageError } from '../../core/errors.ts';
import { getOrCompute } from '../../core/memo.ts';
import type { ReadText } from '../../core/openapi/document.ts';
import { nearestFile, readTextFile } from '../../core/read-text-file.ts';
import { type FileInCommit, openRevision, type Revision } from './git.ts';

/**
 * The files of a run, from disk or from commits.
 *
 * Internally, a file in a commit has a name under a virtual folder, several levels deep. References resolve against this name as usual, so a
 * `../` that leaves the repository still leads to a virtual name, never to a file of the current folder. Messages show `REF:path`, with the
 * path from the root of the repository.
 */
export interface DiskOrCommitFiles {
  /** Checks that a file exists, and returns its name for `read`. */
  readonly open: (argument: string) => Promise<string>;
  readonly read: ReadText;
  /** Opens a commit once. */
  readonly revision: (ref: string) => Promise<Revision>;
  /** A text with internal file names replaced by `REF:path`. */
  readonly show: (text: string) => string;
}

/** Creates the sources of a run. */
export function createDiskOrCommitFiles(): DiskOrCommitFiles {
  const revisions = new Map<string, Promise<Revision>>();
  const revision = (ref: string): Promise<Revision> => {
    return getOrCompute(revisions, ref, () => openRevision(ref));
  };
  return {
    revision,
    open: (argument) => open(argument, revision),
    read: async (name) => {
      if (!name.startsWith(virtualFolder)) return readTextFile(name);
      const file = await findIn(name, revisions);
      if ('text' in file) return file.text;
      // The document loader prints the code of an error as its reason.
      throw Object.assign(new Error(file.missing), { code: file.missing });
    },
    show: (text) => {
      const shown = [...revisions.keys()].reduce((before, ref) => before.replaceAll(nameIn(ref, ''), `${ref}:`), text);
      return shown.replaceAll(virtualFolder, '');
    },
  };
}

/** Name of each virtual folder above a file in a commit. */
const virtualFolder = 'in-commit:/';

/** Depth of the virtual folders: references with fewer `../` above the repository are detected. */
const virtualDepth = 8;

/** Internal name of a file in a commit. */
export function nameIn(ref: string, file: string): string {
  return `${virtualFolder.repeat(virtualDepth)}${ref}:/${file}`;
}

/** Commit and path of an argument such as `main:specs/a.yaml`; `undefined` for a plain file. */
export function splitArgument(argument: string): readonly [ref: string, file: string] | undefined {
  const mark = argument.indexOf(':');
  if (mark < 0 || /^[A-Za-z]:[\\/]/.test(argument) || existsSync(argument)) return undefined;
  return [argument.slice(0, mark), argument.slice(mark + 1)];
}

/** An error whose message shows file names as users write them. */
export function showError(error: unknown, show: (text: string) => string): unknown {
  if (!(error instanceof Error) || show(error.message) === error.message) return error;
  if (error instanceof UsageError) return new UsageError(show(error.message), { cause: error });
  if (!(error instanceof SpecError)) return error;
  const { file, line, column } = error.place;
  const message = error.message.slice(`${file}:${line}:${column}: `.length);
  return new SpecError({ ...error.place, file: show(file) }, show(message), { cause: error });
}

async function findIn(name: string, revisions: ReadonlyMap<string, Promise<Revision>>): Promise<FileInCommit> {
  for (const [ref, revision] of revisions) {
    const start = nameIn(ref, '');
    if (name.startsWith(start)) return (await revision).find(name.slice(start.length));
  }
  return { missing: 'it is outside the repository' };
}

async function open(argument: string, revision: DiskOrCommitFiles['revision']): Promise<string> {
  const split = splitArgument(argument);
  if (split === undefined) {
    const meant = existsSync(argument) ? undefined : nearestFile(argument);
    if (meant !== undefined) throw new UsageError(`${argument} does not exist; did you mean ${meant}?`);
    // A name without a dot is more likely a commit.
    if (existsSync(argument) || !/^[^-.][^.]*$/.test(argument)) return argument;
    throw new UsageError(`${argument} does not exist; name a file, or ${argument}:PATH for a file in the commit ${argument}`);
  }
  const [ref, relativePath] = split;
  if (relativePath.startsWith('//'))
    throw new UsageError(`${argument} is a URL, and contracts are read offline; download it and name the file`);
  if (relativePath === '' || relativePath.startsWith('/')) {
    throw new UsageError(`${argument} names no file in ${ref}; write ${ref}:PATH with a path from the current folder`);
  }
  const at = await revision(ref);
  const file = path.posix.normalize(`${at.folder}${relativePath}`);
  if (file.startsWith('../')) throw new UsageError(`${argument} is outside the repository; name a file inside it`);
  const found = await at.find(file);
  if ('missing' in found) throw new UsageError(await explainMissing(argument, found, file, at));
  return nameIn(ref, file);
}

/** Explains a missing file. Users often write a path from the root of the repository, as git itself reads `REF:path`. */
async function explainMissing(
  argument: string,
  { missing, advice }: Extract<FileInCommit, { missing: string }>,
  file: string,
  at: Revision,
): Promise<string> {
  if (advice !== undefined) return `${argument} cannot be read: ${missing}; ${advice}`;
  const fileOfSameName = (await at.files()).find((each) => path.posix.basename(each) === path.posix.basename(file));
  const suggestion =
    fileOfSameName === undefined || fileOfSameName === file ? undefined : path.posix.relative(`/${at.folder}`, `/${fileOfSameName}`);
  const meant = suggestion === undefined ? 'correct the path, which starts in the current folder' : `did you mean ${at.ref}:${suggestion}?`;
  return `${argument} cannot be read: ${missing}; ${meant}`;
}
