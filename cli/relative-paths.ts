/** Paths in output: relative to the current folder for people, and to the root of the repository for code review tools. */

import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** Writes a path below the current folder as a relative path. */
export function pathFromCurrentFolder(file: string): string {
  return pathBelow('', file) ?? file;
}

/** Returns the path of a file from the root of the repository; `undefined` for a file outside of it. */
export function pathFromRepositoryRoot(file: string): string | undefined {
  const root = findRepositoryRoot('.');
  return root === undefined || !existsSync(file) ? undefined : pathBelow(root, file);
}

/** Returns the nearest folder above with a `.git`; `undefined` outside of a repository. */
export function findRepositoryRoot(folder: string): string | undefined {
  const full = resolve(folder);
  if (existsSync(join(full, '.git'))) return full;
  return full === dirname(full) ? undefined : findRepositoryRoot(dirname(full));
}

function pathBelow(folder: string, file: string): string | undefined {
  const path = relative(folder, file);
  return path.startsWith('..') || isAbsolute(path) ? undefined : path;
}
