/** Files as they stand in a commit. The only place that runs git, always by a list of arguments and never through a shell. */

import { execFile } from 'node:child_process';
import path from 'node:path';
import { nearest, UsageError } from '../core/errors.ts';

/** The text of a file, or why there is none, as in “it is not in main”. */
export type Found = { readonly text: string } | { readonly missing: string };

/** A commit, and the files in it. Paths are written from the root of the repository, with slashes. */
export interface Revision {
  /** As it was named. */
  readonly ref: string;
  /** The folder where we are, from the root; empty at the root, and ending with a slash below it. */
  readonly folder: string;
  /** Reads a file, through symbolic links. */
  readonly find: (file: string) => Promise<Found>;
  /** The files and folders in a folder; none when there is no such folder. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** Files anywhere in the commit that have the name of this one, for advice to somebody who named the wrong folder. */
  readonly namesakes: (file: string) => Promise<readonly string[]>;
}

/**
 * Finds a commit of the repository in which we are. What a name stands for is looked up once, so a branch that moves meanwhile changes nothing.
 * @throws {UsageError} when there is no git, no repository, or no such commit.
 */
export async function openRevision(ref: string): Promise<Revision> {
  // What begins with a hyphen would be an option.
  if (!/^[^-\s\0]/.test(ref)) throw new UsageError(`${ref || 'the empty text'} is no name of a commit; name a branch, a tag or a hash`);
  const folder = await readFolder(ref);
  const found = await runGit(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  if (found.code !== 0) throw new UsageError(await explainUnknown(ref));
  const commit = found.out.toString().trim();
  return {
    ref,
    folder,
    find: (file) => findFile(ref, commit, file),
    list: (under) => listFiles(['ls-tree', '-z', '--name-only', '--full-tree', commit, '--', `${under}/`]),
    namesakes: async (file) => {
      const all = await listFiles(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]);
      return all.filter((each) => path.posix.basename(each) === path.posix.basename(file));
    },
  };
}

async function readFolder(ref: string): Promise<string> {
  const { code, out, error } = await runGit(['rev-parse', '--show-prefix']);
  if (code === 0) return out.toString().replace(/\n$/, '');
  throw new UsageError(`${ref} cannot be looked up: git says “${error.split('\n')[0] ?? ''}”; go into the repository, or name two files`);
}

async function explainUnknown(ref: string): Promise<string> {
  const names = await runGit(['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/tags', 'refs/remotes']);
  const meant = nearest(ref, names.out.toString().split('\n').filter(Boolean));
  const shallow = await runGit(['rev-parse', '--is-shallow-repository']);
  const isShallow = shallow.out.toString().trim() === 'true';
  if (isShallow) return `git knows no commit ${ref} here, and this clone is shallow; fetch more of it, as with git fetch --unshallow`;
  return `git knows no commit ${ref} here; ${meant === undefined ? 'correct the name, or fetch it first' : `is ${meant} meant?`}`;
}

async function findFile(ref: string, commit: string, file: string): Promise<Found> {
  if (file.includes('\n')) return { missing: 'a name with a line break cannot be looked up in a commit' };
  const { code, out, error } = await runGit(['cat-file', '--batch', '--follow-symlinks'], `${commit}:${file}\n`);
  if (code !== 0) return { missing: `git says “${error.split('\n')[0] ?? ''}”` };
  const end = out.indexOf('\n');
  const [, type, size] = /^[0-9a-f]+ ([a-z]+) (\d+)$/.exec(out.toString('utf8', 0, end)) ?? [];
  if (type === 'blob') return { text: out.toString('utf8', end + 1, end + 1 + Number(size)) };
  if (type === 'tree') return { missing: `it is a folder in ${ref}` };
  return { missing: out.toString('utf8', 0, end).startsWith('symlink ') ? `it is a link to outside of ${ref}` : `it is not in ${ref}` };
}

async function listFiles(args: readonly string[]): Promise<readonly string[]> {
  const { code, out, error } = await runGit(args);
  if (code !== 0) throw new UsageError(`the files of a commit cannot be listed: git says “${error.split('\n')[0] ?? ''}”`);
  return out.toString().split('\0').filter(Boolean);
}

interface Ran {
  readonly code: number;
  readonly out: Buffer;
  readonly error: string;
}

/** Contracts of large services have megabytes; nothing that a person reviews has more than this. */
const bytesMost = 1024 ** 3;

function runGit(args: readonly string[], input = ''): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = execFile('git', [...args], { maxBuffer: bytesMost, encoding: 'buffer' }, (failure, out, error) => {
      const code = failure === null ? 0 : failure.code;
      if (typeof code === 'number') resolve({ code, out, error: error.toString() });
      else reject(new UsageError(explainUnstarted(failure), { cause: failure }));
    });
    // A git that ends before it has read its input tells why by its exit code.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

function explainUnstarted(failure: Error | null): string {
  if (failure !== null && 'code' in failure && failure.code === 'ENOENT') {
    return 'git is not installed, or not in PATH; install it, or name two files';
  }
  return `git cannot be run (${failure?.message ?? 'no reason given'}); name two files`;
}
